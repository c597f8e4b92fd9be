/**
 * The worlds on their way from the tab that holds them to another, through the relay.
 * Owns: passing the parts on, a few at a time, and how it ends. The old tab keeps its worlds until the new one has said
 * that it has them all and their digests are equal; if either dies before that, nothing has changed.
 * Never: looks into a part; decides who the engine is.
 */

import type { LinkFrame } from '../shared/contract/link.ts';
import type { Tab } from './tab.ts';

export class Handover {
	readonly from: Tab;
	readonly to: Tab;
	readonly began = Date.now();
	readonly #done: (moved: boolean) => void;
	#over = false;

	/** Begins at once. `done` is called once: `moved` tells whether `to` has the worlds now. */
	constructor(from: Tab, to: Tab, done: (moved: boolean) => void) {
		this.from = from;
		this.to = to;
		this.#done = done;
		from.send({ kind: 'yield' });
	}

	/** A frame of one of the two about it. */
	take(tab: Tab, frame: LinkFrame): void {
		if (this.#over) return;
		if (frame.kind === 'off') {
			this.end(frame.why);
			return;
		}
		if (tab === this.from && frame.kind === 'part') this.to.send(frame);
		else if (tab === this.to && (frame.kind === 'more' || frame.kind === 'have')) this.from.send(frame);
		else if (tab === this.from && frame.kind === 'released') {
			this.#over = true;
			this.#done(true);
		}
	}

	/** Nothing is handed over: the old tab goes on, the new one has nothing. */
	end(why: string): void {
		if (this.#over) return;
		this.#over = true;
		this.from.send({ kind: 'off', why });
		this.to.send({ kind: 'off', why });
		this.#done(false);
	}
}
