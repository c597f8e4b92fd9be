/**
 * Requests for bytes of assets over the view's port.
 * Owns: the pending requests, one per hash. Never: keeps bytes.
 */

import type { ViewToEngine } from '../frames/frames.ts';

/** Asks the engine for bytes of assets. */
export class AssetPort {
	readonly #post: (message: ViewToEngine) => void;
	readonly #pending = new Map<string, PromiseWithResolvers<Uint8Array | null>>();

	constructor(post: (message: ViewToEngine) => void) {
		this.#post = post;
	}

	/** Requests the bytes of an asset; resolves to null if the engine does not have it. */
	readonly requestBytes = (hash: string): Promise<Uint8Array | null> => {
		let pending = this.#pending.get(hash);
		if (pending === undefined) {
			pending = Promise.withResolvers();
			this.#pending.set(hash, pending);
			this.#post({ type: 'asset', hash });
		}
		return pending.promise;
	};

	/** Resolves the request for a hash with the engine's answer. */
	resolveRequest(hash: string, bytes: Uint8Array | null): void {
		this.#pending.get(hash)?.resolve(bytes);
		this.#pending.delete(hash);
	}
}
