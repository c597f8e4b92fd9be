/**
 * Bytes of assets, asked for over the view's port.
 * Owns: the questions that wait for an answer. Never: keeps bytes.
 */

import type { ViewToEngine } from '../frames/frames.ts';

export class AssetPort {
	readonly #post: (message: ViewToEngine) => void;
	readonly #waiting = new Map<string, PromiseWithResolvers<Uint8Array | null>>();

	constructor(post: (message: ViewToEngine) => void) {
		this.#post = post;
	}

	/** The bytes with this hash; null when there are none. */
	readonly bytes = (hash: string): Promise<Uint8Array | null> => {
		let waiting = this.#waiting.get(hash);
		if (waiting === undefined) {
			waiting = Promise.withResolvers();
			this.#waiting.set(hash, waiting);
			this.#post({ type: 'asset', hash });
		}
		return waiting.promise;
	};

	/** Takes an answer. */
	take(hash: string, bytes: Uint8Array | null): void {
		this.#waiting.get(hash)?.resolve(bytes);
		this.#waiting.delete(hash);
	}
}
