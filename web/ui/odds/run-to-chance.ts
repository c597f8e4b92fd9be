/**
 * Runs a world to the next tick with a draw.
 * Owns: the limit of a run, and stopping it.
 */

import { signal } from '@preact/signals';
import { formatTime } from '../numbers.ts';
import type { PanelServices } from '../services.ts';
import type { Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { lookAfter, lookForChance } from './next-chance.ts';

/** Maximum number of ticks of a run without a draw. */
const MAX_RUN_TICKS = 3600;

export class RunToChance {
	/** True while the world runs to its next draw. */
	readonly running = signal(false);
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
	}

	/** Runs the world until its next tick has a draw. A second call stops the run. */
	async toggle(): Promise<void> {
		if (this.running.value) {
			this.running.value = false;
			return;
		}
		this.running.value = true;
		try {
			const refusal = await this.#run(this.#worlds.selected.value);
			if (refusal !== null) this.#navigation.refuse('Run', refusal);
		} finally {
			this.running.value = false;
		}
	}

	async #run(world: string): Promise<Refusal | null> {
		const { time } = this.#worlds;
		// If the next tick has a draw, it runs first, and the search continues after it.
		const first = await lookForChance(this.#services, world, 1);
		if ('sentence' in first) return first;
		if (first.until === 0) await time.step(1, world);
		for (let count = 0; count < MAX_RUN_TICKS && this.running.value; ) {
			const ticks = Math.min(lookAfter(count), MAX_RUN_TICKS - count);
			const found = await lookForChance(this.#services, world, ticks);
			if ('sentence' in found) return found;
			if (!this.running.value || found.until === 0) return null;
			await time.step(found.until ?? found.ticks, world);
			if (found.until !== null) return null;
			count += found.ticks;
		}
		if (this.running.value)
			this.#navigation.tell(
				`No draw in ${formatTime(MAX_RUN_TICKS)}.`,
				'The world has run these ticks. Press Next chance again to continue.',
			);
		return null;
	}
}
