/**
 * State of the view Odds: the odds of the next tick, and the outcome of the last one.
 * Owns: the choice of the shown odds, and opening branches as forks. `next` peeks; `run` runs to the next draw.
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

/** Maximum number of branches that are opened as forks, the likeliest first. */
export const MAX_OPENED = 8;

export class OddsState {
	readonly next: NextOdds;
	readonly run: RunToChance;
	readonly last = computed(() => lastStepOf(this.#lastSeen.value));
	/** The shown odds: of the next or the last tick, the tree of coming ticks, or the form for a condition. */
	readonly shown = signal<'next' | 'last' | 'tree' | 'ask'>('next');
	/** Index of the highlighted row, which has the pointer or the focus; null if there is none. */
	readonly pointed = signal<number | null>(null);
	/** True if branches are being opened as forks. */
	readonly opening = signal(false);
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #open = computed(
		() => this.#navigation.view.value === 'odds' && showsWorld(this.#services.holding.value),
	);
	/** Changes only with the world. The status is also renewed after calls that only read. */
	readonly #state = computed(() => {
		const selectedWorld = this.#worlds.selectedInfo.value;
		return selectedWorld === null
			? null
			: `${selectedWorld.id}/${selectedWorld.tick}/${selectedWorld.digest}/${selectedWorld.playing}`;
	});
	readonly #lastSeen = signal<LastStepSeen | null>(null);
	/** Step that was shown automatically, as `world/tick`. */
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

	/** Creates a fork for each of the likeliest branches of the next tick, and shows the forks. */
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

	/** Returns the step of this page that ended at the tick of `stamp`, or null. */
	#stepEndingAt({ world, tick }: WorldStamp): StepResult | null {
		const stepResult = this.#worlds.time.lastStep.peek();
		return stepResult !== null && stepResult.world === world && stepResult.tick === tick ? stepResult : null;
	}

	/** Follows the world while the view is open, except during a step of this page. */
	#follow(): void {
		if (!this.#open.value || this.#state.value === null || this.#worlds.time.stepping.value > 0) {
			this.next.rest();
			return;
		}
		untracked(() => {
			const stamp = this.#now();
			if (stamp === null) return;
			this.#recordTick(stamp);
			this.next.follow(stamp, this.#worlds.selectedInfo.peek()?.playing === true);
		});
	}

	/** Records a completed tick with its prediction. */
	#recordTick(stamp: WorldStamp): void {
		const before = this.#lastSeen.peek();
		if (before?.world === stamp.world && before.tick === stamp.tick) return;
		const foretold = this.next.foretold.peek();
		const fits = foretold?.world === stamp.world && foretold.peek.next_tick === stamp.tick;
		batch(() => {
			this.#lastSeen.value = {
				...stamp,
				foretold: fits ? foretold : null,
				pageStep: this.#stepEndingAt(stamp),
			};
			this.pointed.value = null;
		});
	}

	/** Adds the step of this page to the recorded tick. Its answer may arrive after the status that shows the tick. */
	#takeStep(): void {
		if (this.#worlds.time.lastStep.value === null) return;
		untracked(() => {
			const step = this.#lastSeen.value;
			const stepResult = step && this.#stepEndingAt(step);
			if (step !== null && stepResult !== null) this.#lastSeen.value = { ...step, pageStep: stepResult };
		});
	}

	/** Shows the last step once, if it had a random draw. */
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
