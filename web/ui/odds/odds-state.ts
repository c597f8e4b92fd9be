/**
 * State of the view Odds: what may come of the next tick, and what came of the last one.
 * Owns: which of them is shown, and opening branches as forks. `next` peeks; `run` runs to the next draw.
 */

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { type PanelServices, showsWorld } from '../services.ts';
import type { Navigation } from '../state/navigation.ts';
import type { StepResult } from '../worlds/world-time.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { WorldStamp } from './foretell.ts';
import { hasDrawn, type LastStepSeen, lastStepOf } from './last-step.ts';
import { NextOdds } from './next-odds.ts';
import { RunToChance } from './run-to-chance.ts';

/** Maximum number of branches that are opened as forks at once: the likeliest. */
export const MAX_OPENED = 8;

export class OddsState {
	readonly next: NextOdds;
	readonly run: RunToChance;
	readonly last = computed(() => lastStepOf(this.#lastSeen.value));
	/** Tick that is looked at, or the tree of the ticks after it, or a question about them. */
	readonly shown = signal<'next' | 'last' | 'tree' | 'ask'>('next');
	/** The row that a person points at or is on, or null. */
	readonly pointed = signal<number | null>(null);
	/** True if branches are being opened as forks. */
	readonly opening = signal(false);
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #open = computed(
		() => this.#navigation.view.value === 'odds' && showsWorld(this.#services.holding.value),
	);
	/** Changes only when the world does: the status also comes for calls that read. */
	readonly #state = computed(() => {
		const selectedWorld = this.#worlds.selectedInfo.value;
		return selectedWorld === null
			? null
			: `${selectedWorld.id}/${selectedWorld.tick}/${selectedWorld.digest}/${selectedWorld.playing}`;
	});
	readonly #lastSeen = signal<LastStepSeen | null>(null);
	/** The step that was shown by itself. */
	#shownStep = '';
	readonly #endings: readonly (() => void)[];

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
		this.next = new NextOdds(
			services,
			() => this.#now(),
			() => this.#open.peek() && worlds.selectedInfo.peek()?.playing === false,
		);
		this.run = new RunToChance(services, navigation, worlds);
		this.#endings = [
			effect(() => this.#follow()),
			effect(() => this.#takeStep()),
			effect(() => this.#showDrawn()),
		];
	}

	/** Makes a fork for each of the likeliest branches of the next tick, and shows them. */
	async openAsForks(): Promise<void> {
		const foretold = this.next.foretold.value;
		if (foretold === null || this.opening.peek()) return;
		const branches = foretold.rows.slice(0, MAX_OPENED).map(({ branch }) => branch);
		this.opening.value = true;
		const result = await this.#worlds.forking.branchOut(foretold.world, branches);
		this.opening.value = false;
		if (result === null) return;
		this.#navigation.go('forks');
		this.#navigation.tell(
			`${result.length} forks, one for each outcome: ${result.join(', ')}.`,
			'Each has made the tick. They are in the drawing and in the list below it.',
		);
	}

	stop(): void {
		for (const end of this.#endings) end();
		this.next.stop();
	}

	#now(): WorldStamp | null {
		const selectedWorld = this.#worlds.selectedInfo.peek();
		return selectedWorld === null
			? null
			: { world: selectedWorld.id, tick: selectedWorld.tick, digest: selectedWorld.digest };
	}

	/** Returns the step of this page that came to a stamp's tick, if there was one. */
	#madeAt({ world, tick }: WorldStamp): StepResult | null {
		const stepResult = this.#worlds.time.lastStep.peek();
		return stepResult !== null && stepResult.world === world && stepResult.tick === tick ? stepResult : null;
	}

	/** Follows the world while a person looks. Half-way through a step of this page there is nothing to see. */
	#follow(): void {
		if (!this.#open.value || this.#state.value === null || this.#worlds.time.stepping.value > 0) {
			this.next.rest();
			return;
		}
		untracked(() => {
			const stamp = this.#now();
			if (stamp === null) return;
			this.#see(stamp);
			this.next.follow(stamp, this.#worlds.selectedInfo.peek()?.playing === true);
		});
	}

	/** Notes a tick that was completed, with its prediction. */
	#see(stamp: WorldStamp): void {
		const before = this.#lastSeen.peek();
		if (before?.world === stamp.world && before.tick === stamp.tick) return;
		const foretold = this.next.foretold.peek();
		const fits = foretold?.world === stamp.world && foretold.peek.next_tick === stamp.tick;
		batch(() => {
			this.#lastSeen.value = { ...stamp, foretold: fits ? foretold : null, made: this.#madeAt(stamp) };
			this.pointed.value = null;
		});
	}

	/** The answer to a step may come after the status that shows it. */
	#takeStep(): void {
		if (this.#worlds.time.lastStep.value === null) return;
		untracked(() => {
			const step = this.#lastSeen.value;
			const stepResult = step && this.#madeAt(step);
			if (step !== null && stepResult !== null) this.#lastSeen.value = { ...step, made: stepResult };
		});
	}

	/** A step that left something to chance shows what was drawn, once. */
	#showDrawn(): void {
		const step = this.last.value;
		const isDrawn = hasDrawn(step);
		const name = isDrawn ? `${step.world}/${step.tick}` : '';
		untracked(() => {
			if (name === this.#shownStep) return;
			this.#shownStep = name;
			if (this.shown.value === 'next' || this.shown.value === 'last')
				this.shown.value = isDrawn ? 'last' : 'next';
		});
	}
}
