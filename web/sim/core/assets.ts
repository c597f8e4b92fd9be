/** Bytes that worlds name by their hash and do not hold. Owns: the interface; a host has them, and clones of a world share it. */

export interface AssetBytes {
	/** Returns the bytes with this SHA-256, or undefined. They stay while a world names them. */
	find(hash: string): Uint8Array | undefined;
	/**
	 * Returns the hash at the last load of a name or of a file's path. Null if it led nowhere, undefined if it was
	 * never loaded. For looks alone.
	 */
	lastAt(reference: string): string | null | undefined;
	/** Number of times that names and paths were found to lead elsewhere. */
	readonly moves: number;
}

/** For worlds that are given none. */
export const NO_ASSETS: AssetBytes = {
	find: () => undefined,
	lastAt: () => null,
	moves: 0,
};
