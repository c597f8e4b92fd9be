/**
 * Control of time in the worlds: play, pause and step.
 * Owns: one step at a time, and the result of the latest one from this page.
 */

import { batch, signal } from '@preact/signals';
import type { Answer } from '../../../shared/contract/route.ts';
import type { step } from '../../../shared/routes/simulation.ts';
import type { Sampled } from '../odds/odds.ts';
import type { PanelServices } from '../services.ts';
import { ask, inWorld } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { MAIN } from './fork-list.ts';
import type { WorldsState } from './worlds-state.ts';

/** Result of a step that this page requested. */
export interface StepResult {
	readonly world: string;
	/** Ticks completed now. */
	readonly tick: number;
	readonly digest: string;
	/** Outcomes sampled on its last tick. */
	readonly sampled: Sampled;
	/** Digest of the distribution from which its last tick was sampled. */
	readonly oddsDigest: string;
}

function readStep(world: string, answer: Answer<typeof step>): StepResult {
	const { new_tick, state_digest, sampled, distribution_digest } = answer;
	return { world, tick: new_tick, digest: state_digest, sampled, oddsDigest: distribution_digest };
}

/** Sends play, pause and step. Refusals are shown by `Navigation`. */
export class WorldTime {
	/** Ticks of the running step, or 0. */
	readonly stepping = signal(0);
	/** Latest step from this page, in any world. */
	readonly lastStep = signal<StepResult | null>(null);
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
	}

	/** Plays or pauses the selected world. */
	async toggle(): Promise<void> {
		const world = this.#worlds.selectedInfo.value;
		if (world === null) return;
		const verb = world.playing ? '/pause' : '/play';
		const outcome = await ask(this.#services, 'POST', verb, { world: world.id });
		if (!outcome.ok) this.#navigation.refuse(world.playing ? 'Pause' : 'Play', outcome.refusal);
		else if (world.id !== MAIN) this.#worlds.refresh();
	}

	/** Pauses several worlds in one call. Returns false if it was refused. */
	async pauseAll(ids: readonly string[]): Promise<boolean> {
		const requests = ids.map((id) => ({ path: inWorld('/pause', id) }));
		const outcome = await ask(this.#services, 'POST', '/batch', { body: { requests } });
		if (!outcome.ok) this.#navigation.refuse('Pause', outcome.refusal);
		this.#worlds.refresh();
		return outcome.ok;
	}

	/** Steps a world, by default the selected one. Does nothing while a step runs. */
	async step(ticks: number, id = this.#worlds.selected.value): Promise<void> {
		if (this.stepping.value > 0) return;
		this.stepping.value = ticks;
		const outcome = await ask(this.#services, 'POST', '/step', { world: id, body: { ticks } });
		batch(() => {
			this.stepping.value = 0;
			if (outcome.ok) this.lastStep.value = readStep(id, outcome.body);
		});
		if (!outcome.ok) this.#navigation.refuse('Step', outcome.refusal);
		else if (id !== MAIN) this.#worlds.refresh();
	}

	/** Steps several worlds in one call, each by its `ticks`. Does nothing while a step runs. */
	async stepAll(steps: readonly { readonly id: string; readonly ticks: number }[]): Promise<void> {
		if (this.stepping.value > 0 || steps.length === 0) return;
		this.stepping.value = Math.max(...steps.map(({ ticks }) => ticks));
		const requests = steps.map(({ id, ticks }) => ({
			path: id === MAIN ? '/step' : `/fork/${encodeURIComponent(id)}/step`,
			body: { ticks },
		}));
		const outcome = await ask(this.#services, 'POST', '/batch', { body: { requests } });
		this.stepping.value = 0;
		const refused = outcome.ok ? outcome.body.warnings?.[0] : undefined;
		if (!outcome.ok) this.#navigation.refuse('Step', outcome.refusal);
		else if (refused !== undefined) this.#navigation.refuse('Step', { sentence: refused, fix: '' });
		this.#worlds.refresh();
	}
}
