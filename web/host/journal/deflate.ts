/**
 * Deflating and inflating bytes with the platform's streams.
 * Owns: the work in small pieces, with pauses for other work, and without a second copy of the bytes.
 */

import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Number of bytes that are processed together: about a millisecond of work. */
const SLICE_BYTES = 64 * 1024;

/** Deflates pieces of bytes, without a header. Returns the result in pieces. */
export function deflated(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
	return through(pieces, new CompressionStream('deflate-raw'));
}

/** Reverses `deflated`. Rejects with a TypeError for other bytes. */
export async function inflated(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	return joinBytes(await through([bytes], new DecompressionStream('deflate-raw')));
}

async function through(
	pieces: readonly Uint8Array[],
	{ writable, readable }: CompressionStream | DecompressionStream,
): Promise<Uint8Array[]> {
	const [all] = await Promise.all([collected(readable), readAll(pieces, writable)]);
	return all;
}

async function readAll(pieces: readonly Uint8Array[], stream: WritableStream<BufferSource>): Promise<void> {
	const writer = stream.getWriter();
	for (const piece of pieces)
		for (let at = 0; at < piece.length; at += SLICE_BYTES) {
			await writer.write(piece.subarray(at, at + SLICE_BYTES) as Uint8Array<ArrayBuffer>);
			await yieldToEventLoop();
		}
	await writer.close();
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
	const all: Uint8Array[] = [];
	const reader = stream.getReader();
	for (let next = await reader.read(); !next.done; next = await reader.read()) all.push(next.value);
	return all;
}
