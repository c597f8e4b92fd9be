/**
 * Bytes that worlds refer to by their hash. Worlds do not contain them: the host stores them, and clones share the store.
 * Owns: the interface of that store.
 */

export interface AssetBytes {
	/** Returns the bytes with this SHA-256, or undefined. The host keeps them while a world refers to them. */
	find(hash: string): Uint8Array | undefined;
	/**
	 * Returns the hash that a name or file path had when it was last loaded. Null if the load failed, undefined if it was
	 * never loaded. Only the look of a world may depend on it.
	 */
	lastHashOf(reference: string): string | null | undefined;
	/** Number of times that a name or path was found to have another hash. */
	readonly hashChanges: number;
}

/** Store for worlds without a host's store: always empty. */
export const NO_ASSETS: AssetBytes = {
	find: () => undefined,
	lastHashOf: () => null,
	hashChanges: 0,
};
