/**
 * The odds of the selected world's next tick.
 * Owns: the times of peeking, once for each state that lasts. Never: peeks while time runs.
 */

import { batch, signal } from '@preact/signals';
import type { PanelServices } from '../services.ts';
import type { Refusal } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { type Foretold, foretell, isForetoldOf, type WorldStamp } from './foretell.ts';

/** Time that a state must last before it is peeked at (ms). A world that other callers step is left alone. */
const SETTLE_MS = 200;
/** Time that the odds of the previous state stay visible (ms), so that the page does not flicker during steps. */
const STALE_MS = 600;
/** Time until the page reports that it waits for the odds (ms). */
const SLOW_MS = 1000;
/** The next peek waits for at least this multiple of the time that the last one took. */
const REST_FACTOR = 4;
/** Maximum number of branches that are listed by default. A branch takes about a millisecond. */
const DEFAULT_LIMIT = 256;
/** Maximum number of branches that are listed on request. */
export const EXTENDED_LIMIT = 4096;

export class NextOdds {
	/** Prediction of the next tick; null until it is read, and while time runs. */
	readonly foretold = signal<Foretold | null>(null);
	/** Limit of branches of the running peek; null if none runs. */
	readonly asking = signal<number | null>(null);
	/** True if the running peek takes long. */
	readonly slow = signal(false);
	readonly refusal = signal<Refusal | null>(null);
	readonly #services: PanelServices;
	readonly #state: () => WorldStamp | null;
	readonly #mayPeek: () => boolean;
	readonly #peeks = paced({ factor: REST_FACTOR }, () => this.#peek());
	#limit = DEFAULT_LIMIT;
	#settling: ReturnType<typeof setTimeout> | undefined;
	#ageing: ReturnType<typeof setTimeout> | undefined;

	/** `state` returns the current state of the selected world. `mayPeek` returns true if it is paused and the view is open. */
	constructor(services: PanelServices, state: () => WorldStamp | null, mayPeek: () => boolean) {
		this.#services = services;
		this.#state = state;
		this.#mayPeek = mayPeek;
	}

	/** Handles a new state of the selected world. */
	follow(stamp: WorldStamp, playing: boolean): void {
		this.rest();
		const foretold = this.foretold.peek();
		if (foretold !== null && isForetoldOf(foretold, stamp) && !playing) {
			this.#stayFresh();
			return;
		}
		this.#limit = DEFAULT_LIMIT;
		if (playing || foretold?.world !== stamp.world) this.foretold.value = null;
		this.#ageing ??= setTimeout(() => {
			this.#ageing = undefined;
			this.foretold.value = null;
		}, STALE_MS);
		if (!playing) this.#settling = setTimeout(() => this.again(), SETTLE_MS);
	}

	/** Cancels the planned peek, because the world is about to change, or the view is closed. */
	rest(): void {
		clearTimeout(this.#settling);
	}

	/** Peeks again, such as after a refusal. */
	again(): void {
		this.#peeks.ask();
	}

	/** Peeks again with the extended limit of branches. */
	listMore(): void {
		this.#limit = EXTENDED_LIMIT;
		this.again();
	}

	stop(): void {
		this.rest();
		this.#stayFresh();
		this.#peeks.stop();
	}

	#stayFresh(): void {
		clearTimeout(this.#ageing);
		this.#ageing = undefined;
	}

	async #peek(): Promise<void> {
		const stamp = this.#state();
		if (stamp === null || !this.#mayPeek()) return;
		const limit = this.#limit;
		batch(() => {
			this.asking.value = limit;
			this.refusal.value = null;
		});
		const timer = setTimeout(() => {
			this.slow.value = true;
		}, SLOW_MS);
		const prediction = await foretell(this.#services, stamp.world, limit);
		clearTimeout(timer);
		batch(() => {
			this.asking.value = null;
			this.slow.value = false;
			const now = this.#state();
			if ('sentence' in prediction) this.refusal.value = prediction;
			else if (now !== null && isForetoldOf(prediction, now)) {
				this.#stayFresh();
				this.foretold.value = prediction;
			}
		});
	}
}
