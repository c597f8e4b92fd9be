/**
 * The bodies of calls as they come in.
 * Owns: how large one may be, how much all that are on their way may hold together, and how long one may stall.
 * Never: parses a body; writes an answer.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../shared/contract/errors.ts';
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../shared/contract/wire.ts';
import type { Caller } from './caller.ts';

export interface BodyLimits {
	/** Bytes that all unfinished bodies may hold together, less the first `smallBody` of each. */
	readonly bodies: number;
	/** Bytes of those that are kept for admins. */
	readonly keptBytes: number;
	/** Bytes of each body that are always taken, so that large ones on their way keep no small call out. */
	readonly smallBody: number;
	/** Milliseconds without a byte after which an unfinished body is given up. */
	readonly bodyStall: number;
}

export class Bodies {
	readonly #limits: BodyLimits;
	/** Bytes that unfinished bodies hold at present, less the first ones of each. */
	#held = 0;

	constructor(limits: BodyLimits) {
		this.#limits = limits;
	}

	/** Why a body of the length that its head tells is refused unread, or undefined. */
	lengthError({ 'content-length': length }: IncomingHttpHeaders, caller: Caller): ApiError | undefined {
		return Number(length ?? 0) > mostFor(caller) ? tooLarge(length, caller) : undefined;
	}

	/** Collects a body. Exactly one of `done` and `refused` is called, or neither when the caller goes away in the middle. */
	read(
		request: IncomingMessage,
		caller: Caller,
		done: (body: Uint8Array) => void,
		refused: (error: ApiError) => void,
	): void {
		const { bodies, keptBytes, smallBody, bodyStall } = this.#limits;
		const room = caller === 'admin' ? bodies : bodies - keptBytes;
		const most = mostFor(caller);
		const chunks: Buffer[] = [];
		let size = 0;
		let counted = 0;
		const late = setTimeout(() => refuse(tooSlow(size, bodyStall)), bodyStall);
		const end = (): void => {
			clearTimeout(late);
			this.#held -= counted;
			counted = 0;
			request.off('data', onData);
			request.off('end', onEnd);
			request.off('close', end);
		};
		const refuse = (error: ApiError): void => {
			end();
			chunks.length = 0;
			refused(error);
		};
		const onData = (chunk: Buffer): void => {
			late.refresh();
			size += chunk.length;
			const more = Math.max(0, size - smallBody) - counted;
			if (size > most) refuse(tooLarge(undefined, caller));
			else if (more > 0 && this.#held + more > room) refuse(tooMany(this.#held, room, smallBody));
			else {
				this.#held += more;
				counted += more;
				chunks.push(chunk);
			}
		};
		const onEnd = (): void => {
			end();
			done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
		};
		request.on('data', onData);
		request.on('end', onEnd);
		// A caller that goes away in the middle of its body has asked for nothing.
		request.on('close', end);
		request.on('error', () => request.destroy());
	}
}

/** Reads take no document, and other callers only read. */
const WRITERS: ReadonlySet<Caller> = new Set(['own', 'admin', 'agent']);

const mostFor = (caller: Caller): number => (WRITERS.has(caller) ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES);

function tooLarge(length: string | undefined, caller: Caller): ApiError {
	const most = mostFor(caller);
	const whose = WRITERS.has(caller) ? '' : ' of a call without write access';
	const message = `The body has ${length ?? `more than ${most}`} bytes; at most ${most} are accepted${whose}.`;
	return new ApiError('too_large', message);
}

function tooMany(held: number, bodies: number, smallBody: number): ApiError {
	const message = `Request bodies still being received hold ${held} bytes, not counting the first ${smallBody} bytes of each. The next part of this body would exceed the limit of ${bodies} bytes.`;
	return new ApiError('busy', message, { headers: { 'retry-after': '1' } });
}

function tooSlow(size: number, stall: number): ApiError {
	return new ApiError(
		'too_slow',
		`The body is incomplete: after ${size} bytes, no more arrived for ${stall / 1000} s.`,
	);
}
