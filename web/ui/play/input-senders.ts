/**
 * Agents that play the selected world, which recently sent input.
 * Owns: finding them in the calls of the status.
 */

import { effect, signal, untracked } from '@preact/signals';
import type { PanelServices } from '../services.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';

/** Number of ticks without input after which an agent no longer counts as playing. */
const SENDS_WITHIN = 600;

export class InputSenders {
	/** Tick at which each agent last sent input. */
	readonly #last = signal<ReadonlyMap<string, number>>(new Map());
	/** Ends the listening. */
	readonly stop: () => void;

	constructor(services: PanelServices, worlds: WorldsState) {
		this.stop = effect(() => {
			const sent = (services.status.value?.calls ?? []).filter(
				({ path, sender, world }) =>
					/^(\/fork\/[^/]+)?\/input\/(press|axis|release)$/.test(path) &&
					world === worlds.selected.value &&
					!['', 'you', 'panels'].includes(sender),
			);
			if (sent.length === 0) return;
			const added = sent.map(({ sender, tick }) => [sender, tick] as const);
			untracked(() => {
				this.#last.value = new Map([...this.#last.value, ...added]);
			});
		});
	}

	/** Returns the names of the agents that play at a tick. */
	at(tick: number): readonly string[] {
		return [...this.#last.value].filter(([, at]) => at > tick - SENDS_WITHIN).map(([name]) => name);
	}
}
