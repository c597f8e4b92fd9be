/**
 * Deflating and inflating bytes with the platform's streams.
 * Owns: the division of the work into slices, with pauses for other work.
 */

import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Number of bytes that are processed together: about a millisecond of work. */
const SLICE_BYTES = 64 * 1024;

/** Deflates pieces of bytes, without a header. Returns the result in pieces. */
export function deflate(pieces: readonly Uint8Array[]): Promise<Uint8Array[]> {
	return pipeThrough(pieces, new CompressionStream('deflate-raw'));
}

/** Reverses `deflate`. Rejects with a TypeError for other bytes. */
export async function inflate(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	return joinBytes(await pipeThrough([bytes], new DecompressionStream('deflate-raw')));
}

async function pipeThrough(
	pieces: readonly Uint8Array[],
	{ writable, readable }: CompressionStream | DecompressionStream,
): Promise<Uint8Array[]> {
	const [all] = await Promise.all([collectPieces(readable), writeSlices(pieces, writable)]);
	return all;
}

async function writeSlices(
	pieces: readonly Uint8Array[],
	stream: WritableStream<BufferSource>,
): Promise<void> {
	const writer = stream.getWriter();
	for (const piece of pieces)
		for (let offset = 0; offset < piece.length; offset += SLICE_BYTES) {
			await writer.write(piece.subarray(offset, offset + SLICE_BYTES) as Uint8Array<ArrayBuffer>);
			await yieldToEventLoop();
		}
	await writer.close();
}

async function collectPieces(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
	const all: Uint8Array[] = [];
	const reader = stream.getReader();
	for (let next = await reader.read(); !next.done; next = await reader.read()) all.push(next.value);
	return all;
}
