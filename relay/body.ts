/**
 * Bodies of calls while they arrive.
 * Owns: the limits of one body, of all unfinished bodies together, and of a stall.
 * Never: parses a body; writes an answer.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ApiError } from '../shared/contract/errors.ts';
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../shared/contract/wire.ts';
import { BodyRoom, type RoomLimits } from './body-room.ts';
import { type CallerKey, canWrite } from './caller.ts';

export interface BodyLimits extends Omit<RoomLimits, 'bytes'> {
	/** Maximum bytes of all unfinished bodies together. The first `exemptBytes` bytes of each do not count. */
	readonly bodies: number;
	/** Milliseconds without a byte after which an unfinished body is refused. */
	readonly bodyStall: number;
}

export class Bodies {
	readonly #limits: BodyLimits;
	readonly #room: BodyRoom;

	constructor(limits: BodyLimits) {
		this.#limits = limits;
		this.#room = new BodyRoom({ ...limits, bytes: limits.bodies });
	}

	/** Returns the error if the declared length of a body is too large, otherwise undefined. */
	lengthError({ 'content-length': length }: IncomingHttpHeaders, caller: CallerKey): ApiError | undefined {
		return Number(length ?? 0) > maxBytesFor(caller) ? tooLarge(length, caller) : undefined;
	}

	/** Collects a body, then calls `onBody` or `onRefusal`. Calls neither if the caller disconnects first. */
	read(
		request: IncomingMessage,
		caller: CallerKey,
		onBody: (body: Uint8Array) => void,
		onRefusal: (error: ApiError) => void,
	): void {
		const { exemptBytes, bodyStall } = this.#limits;
		const room = this.#room;
		const maxBytes = maxBytesFor(caller);
		const chunks: Buffer[] = [];
		let size = 0;
		let reserved = 0;
		const stallTimer = setTimeout(() => refuse(tooSlow(size, bodyStall)), bodyStall);
		const end = (): void => {
			clearTimeout(stallTimer);
			room.add(caller, -reserved);
			reserved = 0;
			request.off('data', onData);
			request.off('end', onEnd);
			request.off('close', end);
		};
		const refuse = (error: ApiError): void => {
			end();
			chunks.length = 0;
			onRefusal(error);
		};
		const onData = (chunk: Buffer): void => {
			stallTimer.refresh();
			size += chunk.length;
			const more = room.countedBytes(size) - reserved;
			const exceeded = room.exceededLimit(caller, more);
			if (size > maxBytes) refuse(tooLarge(undefined, caller));
			else if (exceeded !== undefined) refuse(tooMany(room.total, exceeded, exemptBytes));
			else {
				room.add(caller, more);
				reserved += more;
				chunks.push(chunk);
			}
		};
		const onEnd = (): void => {
			end();
			onBody(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
		};
		request.on('data', onData);
		request.on('end', onEnd);
		// A call with an incomplete body is dropped without an answer.
		request.on('close', end);
		request.on('error', () => request.destroy());
	}
}

const maxBytesFor = (caller: CallerKey): number => (canWrite(caller) ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES);

function tooLarge(length: string | undefined, caller: CallerKey): ApiError {
	const maxBytes = maxBytesFor(caller);
	const restriction = canWrite(caller) ? '' : ' of a call without write access';
	const message = `The body has ${length ?? `more than ${maxBytes}`} bytes; at most ${maxBytes} are accepted${restriction}.`;
	return new ApiError('too_large', message);
}

function tooMany(bytes: number, exceeded: string, exemptBytes: number): ApiError {
	const message = `Request bodies still being received hold ${bytes} bytes, not counting the first ${exemptBytes} bytes of each. The next part of this body would exceed ${exceeded}.`;
	return new ApiError('busy', message, { headers: { 'retry-after': '1' } });
}

function tooSlow(size: number, stall: number): ApiError {
	return new ApiError(
		'too_slow',
		`The body is incomplete: after ${size} bytes, no more arrived for ${stall / 1000} s.`,
	);
}
