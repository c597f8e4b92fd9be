/**
 * The bodies of calls as they come in.
 * Owns: the limits of one body, of all bodies in flight together, and of a stall.
 * Never: parses a body; writes an answer.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../shared/contract/errors.ts';
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../shared/contract/wire.ts';
import { BodyRoom, type RoomLimits } from './body-room.ts';
import { type CallerKey, mayWrite } from './caller.ts';

export interface BodyLimits extends Omit<RoomLimits, 'bytes'> {
	/** Bytes that all unfinished bodies may hold together, less the first `smallBody` of each. */
	readonly bodies: number;
	/** Milliseconds without a byte after which an unfinished body is given up. */
	readonly bodyStall: number;
}

export class Bodies {
	readonly #limits: BodyLimits;
	readonly #room: BodyRoom;

	constructor(limits: BodyLimits) {
		this.#limits = limits;
		this.#room = new BodyRoom({ ...limits, bytes: limits.bodies });
	}

	/** Returns the reason that a body of the length that its head tells is refused unread, or undefined. */
	lengthError({ 'content-length': length }: IncomingHttpHeaders, caller: CallerKey): ApiError | undefined {
		return Number(length ?? 0) > mostFor(caller) ? tooLarge(length, caller) : undefined;
	}

	/** Collects a body. Exactly one of `done` and `refused` is called, or neither when the caller goes away in the middle. */
	read(
		request: IncomingMessage,
		caller: CallerKey,
		done: (body: Uint8Array) => void,
		refused: (error: ApiError) => void,
	): void {
		const { smallBody, bodyStall } = this.#limits;
		const room = this.#room;
		const most = mostFor(caller);
		const chunks: Buffer[] = [];
		let size = 0;
		let counted = 0;
		const late = setTimeout(() => refuse(tooSlow(size, bodyStall)), bodyStall);
		const end = (): void => {
			clearTimeout(late);
			room.add(caller, -counted);
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
			const more = room.countedBytes(size) - counted;
			const refusal = room.refusal(caller, more);
			if (size > most) refuse(tooLarge(undefined, caller));
			else if (refusal !== undefined) refuse(tooMany(room.total, refusal, smallBody));
			else {
				room.add(caller, more);
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

const mostFor = (caller: CallerKey): number => (mayWrite(caller) ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES);

function tooLarge(length: string | undefined, caller: CallerKey): ApiError {
	const most = mostFor(caller);
	const whose = mayWrite(caller) ? '' : ' of a call without write access';
	const message = `The body has ${length ?? `more than ${most}`} bytes; at most ${most} are accepted${whose}.`;
	return new ApiError('too_large', message);
}

function tooMany(bytes: number, refusal: string, smallBody: number): ApiError {
	const message = `Request bodies still being received hold ${bytes} bytes, not counting the first ${smallBody} bytes of each. The next part of this body would exceed ${refusal}.`;
	return new ApiError('busy', message, { headers: { 'retry-after': '1' } });
}

function tooSlow(size: number, stall: number): ApiError {
	return new ApiError(
		'too_slow',
		`The body is incomplete: after ${size} bytes, no more arrived for ${stall / 1000} s.`,
	);
}
