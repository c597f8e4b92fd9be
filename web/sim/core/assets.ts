/** Bytes that worlds name by their hash and do not hold. Owns: the interface; a host has them, and clones of a world share it. */

export interface AssetBytes {
	/** The bytes with this SHA-256, or undefined. They stay while a world names them. */
	find(hash: string): Uint8Array | undefined;
	/** The hash of what was last uploaded under a name, or undefined. For advice alone: worlds go by hashes. */
	hashNamed(name: string): string | undefined;
}

/** For worlds that are given none. */
export const NO_ASSETS: AssetBytes = { find: () => undefined, hashNamed: () => undefined };
