/**
 * Answers that are written and not read yet.
 * Owns: the limit of their bytes, of which callers without a session share a part. Beyond that, callers that
 * have not read theirs for longest are cut off.
 */

import type { ServerResponse } from 'node:http';
import type { CallerKey } from './caller.ts';

/** Answers up to this many bytes count for nothing: connections are bounded themselves. */
const SMALL = 64 * 1024;

export interface UnreadLimits {
	/** Bytes of large answers that may wait to be read. */
	readonly unread: number;
	/** Milliseconds that a caller has for its answer when others need the room. */
	readonly readWait: number;
}

/** Callers without a session share one of this many parts. */
const PARTS = 4;

interface UnreadAnswer {
	readonly bytes: number;
	readonly since: number;
	readonly isAnonymous: boolean;
}

export class UnreadAnswers {
	readonly #limits: UnreadLimits;
	/** Oldest first. */
	readonly #unreadAnswers = new Map<ServerResponse, UnreadAnswer>();
	#bytes = 0;

	constructor(limits: UnreadLimits) {
		this.#limits = limits;
	}

	/** Bytes that wait now. */
	get bytes(): number {
		return this.#bytes;
	}

	/** An answer of this many bytes is about to be written. */
	add(response: ServerResponse, bytes: number, caller: CallerKey = 'admin'): void {
		if (bytes <= SMALL) return;
		const isAnonymous = caller === 'anonymous' || caller === 'entering';
		this.#unreadAnswers.set(response, { bytes, since: performance.now(), isAnonymous });
		this.#bytes += bytes;
		response.once('close', () => {
			this.#unreadAnswers.delete(response);
			this.#bytes -= bytes;
		});
	}

	/** Makes room, if there is too little. Called a few times a second. */
	sweep(): void {
		const late = performance.now() - this.#limits.readWait;
		const { unread } = this.#limits;
		const anonymous = [...this.#unreadAnswers.values()].filter(({ isAnonymous }) => isAnonymous);
		let overPart = anonymous.reduce((sum, { bytes }) => sum + bytes, 0) - unread / PARTS;
		let over = this.#bytes - unread;
		for (const [response, { bytes, since, isAnonymous }] of this.#unreadAnswers) {
			if (since > late) return;
			if (over <= 0 && !(isAnonymous && overPart > 0)) continue;
			over -= bytes;
			if (isAnonymous) overPart -= bytes;
			response.destroy();
		}
	}
}
