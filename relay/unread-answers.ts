/**
 * Answers that were written and have not been read yet.
 * Owns: the limit on their bytes. Callers without a session share a part of it. Beyond the limit, the connections whose
 * answers are unread for the longest time are closed.
 */

import type { ServerResponse } from 'node:http';
import type { CallerKey } from './caller.ts';

/** Answers of up to this many bytes do not count, because the number of connections is limited too. */
const MAX_UNCOUNTED_BYTES = 64 * 1024;

export interface UnreadLimits {
	/** Maximum bytes of large answers that wait to be read. */
	readonly unread: number;
	/** Milliseconds that a caller has to read its answer, even if the limit is exceeded. */
	readonly readWait: number;
}

/** All callers without a session together may use the limit divided by this number. */
const ANONYMOUS_DIVISOR = 4;

interface UnreadAnswer {
	readonly bytes: number;
	readonly since: number;
	readonly isAnonymous: boolean;
}

export class UnreadAnswers {
	readonly #limits: UnreadLimits;
	/** Unread answers, oldest first. */
	readonly #unreadAnswers = new Map<ServerResponse, UnreadAnswer>();
	#bytes = 0;

	constructor(limits: UnreadLimits) {
		this.#limits = limits;
	}

	/** Bytes of all unread answers. */
	get bytes(): number {
		return this.#bytes;
	}

	/** Adds an answer that is about to be written. */
	add(response: ServerResponse, bytes: number, caller: CallerKey = 'admin'): void {
		if (bytes <= MAX_UNCOUNTED_BYTES) return;
		const isAnonymous = caller === 'anonymous' || caller === 'entering';
		this.#unreadAnswers.set(response, { bytes, since: performance.now(), isAnonymous });
		this.#bytes += bytes;
		response.once('close', () => {
			this.#unreadAnswers.delete(response);
			this.#bytes -= bytes;
		});
	}

	/** Closes connections if a limit is exceeded. Called a few times a second. */
	closeOverdue(): void {
		const lastOverdue = performance.now() - this.#limits.readWait;
		const { unread } = this.#limits;
		const anonymousAnswers = [...this.#unreadAnswers.values()].filter(({ isAnonymous }) => isAnonymous);
		let anonymousExcess =
			anonymousAnswers.reduce((sum, { bytes }) => sum + bytes, 0) - unread / ANONYMOUS_DIVISOR;
		let excess = this.#bytes - unread;
		for (const [response, { bytes, since, isAnonymous }] of this.#unreadAnswers) {
			if (since > lastOverdue) return;
			if (excess <= 0 && !(isAnonymous && anonymousExcess > 0)) continue;
			excess -= bytes;
			if (isAnonymous) anonymousExcess -= bytes;
			response.destroy();
		}
	}
}
