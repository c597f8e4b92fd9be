/** Byte arrays in several pieces: their total length, and the array that joins them. */

/** Returns the total number of bytes. */
export const totalLength = (pieces: readonly Uint8Array[]): number =>
	pieces.reduce((sum, { length }) => sum + length, 0);

/** Returns the pieces as one array. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const all = new Uint8Array(totalLength(pieces));
	let offset = 0;
	for (const piece of pieces) {
		all.set(piece, offset);
		offset += piece.length;
	}
	return all;
}
