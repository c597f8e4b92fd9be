/**
 * The odds of the selected world's next tick.
 * Owns: when the world is peeked at: once for each state that lasts. Never: peeks while time runs.
 */

import { batch, signal } from '@preact/signals';
import type { PanelServices } from '../services.ts';
import type { Refusal } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { type Foretold, foretell, isForetoldOf, type WorldStamp } from './foretell.ts';

/** Milliseconds that a state must last before it is peeked at, so that a world which others step is left alone. */
const SETTLE_MS = 200;
/** The odds of the previous state stay on the page this much longer (ms), so that nothing flickers while a person steps. */
const STALE_MS = 600;
/** After this time the page says what it waits for (ms). */
const SLOW_MS = 1000;
/** The next peek waits at least this many times as long as the last one took. */
const REST_FACTOR = 4;
/** Branches that are listed by default; a branch takes about a millisecond. */
const FEW = 256;
/** Branches that are listed on request. */
export const MANY = 4096;

export class NextOdds {
	/** Null until they are known, and while time runs. */
	readonly foretold = signal<Foretold | null>(null);
	/** The limit of branches of the running peek, or null. */
	readonly asking = signal<number | null>(null);
	/** True if that peek takes long. */
	readonly slow = signal(false);
	readonly refusal = signal<Refusal | null>(null);
	readonly #services: PanelServices;
	readonly #state: () => WorldStamp | null;
	readonly #mayPeek: () => boolean;
	readonly #peeks = paced({ factor: REST_FACTOR }, () => this.#peek());
	#limit = FEW;
	#settling: ReturnType<typeof setTimeout> | undefined;
	#ageing: ReturnType<typeof setTimeout> | undefined;

	/** `state`: that of the selected world now; `mayPeek`: it is at rest, and a person looks. */
	constructor(services: PanelServices, state: () => WorldStamp | null, mayPeek: () => boolean) {
		this.#services = services;
		this.#state = state;
		this.#mayPeek = mayPeek;
	}

	/** Takes the state that was seen last. */
	follow(stamp: WorldStamp, playing: boolean): void {
		this.rest();
		const foretold = this.foretold.peek();
		if (foretold !== null && isForetoldOf(foretold, stamp) && !playing) {
			this.#stayFresh();
			return;
		}
		this.#limit = FEW;
		if (playing || foretold?.world !== stamp.world) this.foretold.value = null;
		this.#ageing ??= setTimeout(() => {
			this.#ageing = undefined;
			this.foretold.value = null;
		}, STALE_MS);
		if (!playing) this.#settling = setTimeout(() => this.again(), SETTLE_MS);
	}

	/** The world is about to change, or no person looks. */
	rest(): void {
		clearTimeout(this.#settling);
	}

	/** Peeks again for the same state, such as after a refusal. */
	again(): void {
		this.#peeks.ask();
	}

	/** Peeks again, for as many branches as a person may wait for. */
	listMore(): void {
		this.#limit = MANY;
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
		const found = await foretell(this.#services, stamp.world, limit);
		clearTimeout(timer);
		batch(() => {
			this.asking.value = null;
			this.slow.value = false;
			const now = this.#state();
			if ('sentence' in found) this.refusal.value = found;
			else if (now !== null && isForetoldOf(found, now)) {
				this.#stayFresh();
				this.foretold.value = found;
			}
		});
	}
}
