/**
 * What calls of the relay came to, by the name that the link gave them: the relay asks again when an engine is gone that had them.
 * Owns: how many are remembered.
 */

import type { WireResponse } from '../../../shared/contract/wire.ts';

/** More than the relay lets wait, and the most bytes of them; the oldest go first. */
const MOST = 4096;
const MOST_BYTES = 64 * 1024 * 1024;

export class Ran {
	/** Oldest first. */
	readonly #answers = new Map<string, WireResponse>();
	#bytes = 0;

	keep(call: string, response: WireResponse): void {
		this.#drop(call);
		this.#answers.set(call, response);
		this.#bytes += response.body.length;
		for (const oldest of this.#answers.keys()) {
			if (this.#answers.size <= MOST && this.#bytes <= MOST_BYTES) break;
			this.#drop(oldest);
		}
	}

	look(call: string): WireResponse | undefined {
		return this.#answers.get(call);
	}

	#drop(call: string): void {
		this.#bytes -= this.#answers.get(call)?.body.length ?? 0;
		this.#answers.delete(call);
	}
}
