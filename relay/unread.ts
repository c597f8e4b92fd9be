/**
 * Answers that are written and not read yet.
 * Owns: how many bytes of them may wait. Beyond that, callers who have not read theirs for longest are cut off.
 */

import type { ServerResponse } from 'node:http';

/** Answers up to this many bytes count for nothing: connections are bounded themselves. */
const SMALL = 64 * 1024;

export interface UnreadLimits {
	/** Bytes of large answers that may wait to be read. */
	readonly unread: number;
	/** Milliseconds that a caller has for its answer when others need the room. */
	readonly readWait: number;
}

export class Unread {
	readonly #limits: UnreadLimits;
	/** Oldest first. */
	readonly #waiting = new Map<ServerResponse, { readonly bytes: number; readonly since: number }>();
	#bytes = 0;

	constructor(limits: UnreadLimits) {
		this.#limits = limits;
	}

	/** Bytes that wait now. */
	get bytes(): number {
		return this.#bytes;
	}

	/** An answer of so many bytes is about to be written. */
	add(response: ServerResponse, bytes: number): void {
		if (bytes <= SMALL) return;
		this.#waiting.set(response, { bytes, since: performance.now() });
		this.#bytes += bytes;
		response.once('close', () => {
			this.#waiting.delete(response);
			this.#bytes -= bytes;
		});
	}

	/** Makes room, if there is too little. Called a few times a second. */
	sweep(): void {
		const late = performance.now() - this.#limits.readWait;
		let over = this.#bytes - this.#limits.unread;
		for (const [response, { bytes, since }] of this.#waiting) {
			if (over <= 0 || since > late) return;
			over -= bytes;
			response.destroy();
		}
	}
}
