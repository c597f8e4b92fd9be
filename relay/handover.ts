/**
 * The worlds on their way from the tab that holds them to the one that goes on with them: from tab to tab, from a tab that goes to the
 * relay, and from the relay to the tab that comes.
 * Owns: passing the parts on, a few at a time, and how it ends. The giver keeps its worlds until the taker has said that it
 * has them all and their digests are equal; if either dies before that, nothing has changed.
 * Never: looks into a part; decides who the engine is.
 */

import type { LinkFrame } from '../shared/contract/link.ts';

/** One end of it: a tab, or the relay itself. */
export interface Side {
	send(frame: LinkFrame): void;
}

/** What was handed over. */
export interface Given {
	readonly tick: number;
	/** Of all worlds and snapshots, as the engine that gave them has written them down. */
	readonly digests: string;
}

export interface HandoverOptions {
	readonly from: Side;
	readonly to: Side;
	/** The identity that the worlds go on with. */
	readonly world: string;
	/** Called for every part on its way. */
	readonly onPart?: (bytes: Uint8Array) => void;
	/** Called once, with nothing when nothing was handed over. */
	readonly done: (given: Given | undefined) => void;
}

export class Handover {
	readonly from: Side;
	readonly to: Side;
	readonly began = Date.now();
	readonly #options: HandoverOptions;
	#given: Given = { tick: 0, digests: '' };
	#over = false;

	/** Begins at once. */
	constructor(options: HandoverOptions) {
		this.from = options.from;
		this.to = options.to;
		this.#options = options;
		this.from.send({ kind: 'yield' });
	}

	/** A frame of one of the two about it. */
	take(side: Side, frame: LinkFrame): void {
		if (this.#over) return;
		if (frame.kind === 'off') this.end(frame.why);
		else if (side === this.from) this.#fromGiver(frame);
		else if (frame.kind === 'more' || frame.kind === 'have') this.from.send(frame);
		else if (frame.kind === 'kept') this.#succeed();
	}

	#fromGiver(frame: LinkFrame): void {
		if (frame.kind === 'giving') this.#given = { tick: frame.tick, digests: frame.digests };
		else if (frame.kind === 'part') {
			this.#options.onPart?.(frame.bytes);
			this.to.send({ ...frame, world: this.#options.world });
		} else if (frame.kind === 'released') this.#succeed();
	}

	#succeed(): void {
		this.#over = true;
		this.#options.done(this.#given);
	}

	/** Nothing is handed over: the giver goes on, the taker has nothing. */
	end(why: string): void {
		if (this.#over) return;
		this.#over = true;
		this.from.send({ kind: 'off', why });
		this.to.send({ kind: 'off', why });
		this.#options.done(undefined);
	}
}
