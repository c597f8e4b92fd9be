/**
 * Signs of life of the owner and of all pages.
 * Owns: the times of pings, and the count of missed ones. Never: decides what a silent tab means for the lease.
 */

import type { Page } from './page.ts';
import type { Tab } from './tab-connection.ts';

export interface HeartbeatOptions {
	/** Milliseconds between pings. */
	readonly pingEvery: number;
	/** Pings without a sign of life after which a tab counts as hung. */
	readonly pingsMissed: number;
}

/** Owner and pages that were silent for too long. */
export interface Silent {
	readonly owner: boolean;
	readonly pages: readonly Page[];
}

const NOTHING: Silent = { owner: false, pages: [] };

export class Heartbeat {
	readonly #options: HeartbeatOptions;
	#last = performance.now();

	constructor(options: HeartbeatOptions) {
		this.#options = options;
	}

	/** A connection is new: its first ping comes a whole interval later. */
	restart(): void {
		this.#last = performance.now();
	}

	/**
	 * Sends pings when it is time, and returns what has not answered for long. An owner that answers on either socket is alive: an
	 * engine that computes is busy, and its page answers for it.
	 */
	beat(owner: Tab | undefined, ownPage: Page | undefined, pages: readonly Page[]): Silent {
		const now = performance.now();
		if (now - this.#last < this.#options.pingEvery) return NOTHING;
		this.#last = now;
		const isSilent = ({ unanswered }: Page | Tab): boolean => unanswered >= this.#options.pingsMissed;
		const hangs =
			owner?.connected === true && isSilent(owner) && (ownPage === undefined || isSilent(ownPage));
		if (owner?.connected === true && !hangs) {
			owner.unanswered++;
			owner.ping();
		}
		const silent: Page[] = [];
		for (const page of pages) {
			// The page of an owner is judged together with it.
			if (isSilent(page) && (page !== ownPage || owner?.connected !== true)) silent.push(page);
			else {
				page.unanswered++;
				page.send({ kind: 'ping' });
			}
		}
		return { owner: hangs, pages: silent };
	}
}
