/**
 * Signs of life of the owner and of all pages.
 * Owns: the times of pings, and the count of missed ones. Never: decides what a silent tab means for the lease.
 */

import type { Page } from './page.ts';
import type { Tab } from './tab-connection.ts';

export interface HeartbeatOptions {
	/** Milliseconds between pings. */
	readonly pingEvery: number;
	/** Unanswered pings after which a tab counts as hung. */
	readonly pingsMissed: number;
}

/** Tabs that were silent for too long. */
export interface SilentTabs {
	/** True if the owner hangs. */
	readonly owner: boolean;
	readonly pages: readonly Page[];
}

const NONE_SILENT: SilentTabs = { owner: false, pages: [] };

export class Heartbeat {
	readonly #options: HeartbeatOptions;
	#lastBeat = performance.now();

	constructor(options: HeartbeatOptions) {
		this.#options = options;
	}

	/** Starts a new interval, so that a new connection gets its first ping after a whole one. */
	restart(): void {
		this.#lastBeat = performance.now();
	}

	/**
	 * Sends pings when the interval is over. Returns the tabs that have not answered for too long. An owner is alive if it
	 * answers on either socket: while its engine computes, its page answers.
	 */
	beat(owner: Tab | undefined, ownPage: Page | undefined, pages: readonly Page[]): SilentTabs {
		const now = performance.now();
		if (now - this.#lastBeat < this.#options.pingEvery) return NONE_SILENT;
		this.#lastBeat = now;
		const isSilent = ({ unanswered }: Page | Tab): boolean => unanswered >= this.#options.pingsMissed;
		const ownerHangs =
			owner?.isConnected === true && isSilent(owner) && (ownPage === undefined || isSilent(ownPage));
		if (owner?.isConnected === true && !ownerHangs) {
			owner.unanswered++;
			owner.ping();
		}
		const silentPages: Page[] = [];
		for (const page of pages) {
			// The page of an owner is judged together with it.
			if (isSilent(page) && (page !== ownPage || owner?.isConnected !== true)) silentPages.push(page);
			else {
				page.unanswered++;
				page.send({ kind: 'ping' });
			}
		}
		return { owner: ownerHangs, pages: silentPages };
	}
}
