/** Returns the bytes in several pieces. Owns: nothing. */

export const lengthOf = (pieces: readonly Uint8Array[]): number =>
	pieces.reduce((sum, { length }) => sum + length, 0);

/** Returns all of them in one piece. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const all = new Uint8Array(lengthOf(pieces));
	let at = 0;
	for (const piece of pieces) {
		all.set(piece, at);
		at += piece.length;
	}
	return all;
}
