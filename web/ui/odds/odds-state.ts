/**
 * The odds of the selected world's next tick, and what became of the last ones.
 * Owns: when the world is peeked at: while the view is open, the world held and at rest, once for each state.
 * Never: peeks while time runs.
 */

import {
	batch,
	computed,
	effect,
	type ReadonlySignal,
	type Signal,
	signal,
	untracked,
} from '@preact/signals';
import { formatTime } from '../numbers.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import type { StepMade, Worlds } from '../worlds/worlds-state.ts';
import { lookAfter, lookForChance } from './next-chance.ts';
import { drawnRows, type OddsRow, oddsRows, type Peek, type Sampled } from './odds.ts';
import type { ShownRule } from './rule-words.ts';

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

/** Most branches that are opened as forks at once: the likeliest. */
export const MAX_FORKS = 8;

/** Ticks after which a run without a draw ends. */
const MAX_RUN_TICKS = 3600;

/** Prediction of a tick. */
export interface Foretold {
	readonly world: string;
	readonly peek: Peek;
	/** The likeliest branch first. */
	readonly rows: readonly OddsRow[];
	/** By id, as they were. */
	readonly rules: ReadonlyMap<number, ShownRule>;
	/** The limit of branches that was asked for. */
	readonly limit: number;
	/** From asking to the answer, in milliseconds. */
	readonly ms: number;
}

/** The latest tick, if it was made one at a time or by a step of this page. */
export interface LastStep {
	readonly world: string;
	/** Ticks completed after it. */
	readonly tick: number;
	readonly digest: string;
	/** Prediction of the tick; null if it was not requested. */
	readonly foretold: Foretold | null;
	/** Sampled outcomes; null when the step was not made by this page. */
	readonly sampled: Sampled | null;
	/** Rows of `foretold` that it may have taken: one, unless several lead to the same state. */
	readonly drawn: readonly number[];
	/** True if it was drawn from exactly the predicted odds; null when the step was not made by this page. */
	readonly agrees: boolean | null;
}

export interface Odds {
	/** Of the next tick; null until it is known, and while time runs. */
	readonly next: ReadonlySignal<Foretold | null>;
	readonly last: ReadonlySignal<LastStep | null>;
	/** Tick that is looked at, or the tree of the ticks after it, or a question about them. */
	readonly shown: Signal<'next' | 'last' | 'tree' | 'ask'>;
	/** True while the world runs to its next draw. */
	readonly running: ReadonlySignal<boolean>;
	/** Makes ticks until the next one leaves something to chance. Called again, it stops. */
	runToChance(): Promise<void>;
	/** The limit of branches of the running peek, or null. */
	readonly asking: ReadonlySignal<number | null>;
	/** True if that peek takes long. */
	readonly slow: ReadonlySignal<boolean>;
	readonly refusal: ReadonlySignal<Refusal | null>;
	/** The row that a person points at or is on, or null. */
	readonly pointed: Signal<number | null>;
	/** Peeks again, for as many branches as a person may wait for. */
	listMore(): void;
	/** True if branches are being opened as forks. */
	readonly opening: ReadonlySignal<boolean>;
	/** Makes a fork for each of the likeliest branches of the next tick, and shows them. */
	openAsForks(): Promise<void>;
	/** Peeks again after a refusal. */
	again(): void;
	stop(): void;
}

/** The state of a world that something was seen or foretold about. */
interface WorldStamp {
	readonly world: string;
	readonly tick: number;
	readonly digest: string;
}

/** The latest tick that was seen to be completed. */
interface Seen extends WorldStamp {
	/** Prediction of the tick. */
	readonly foretold: Foretold | null;
	/** The step of this page that made it. */
	readonly made: StepMade | null;
}

export function createOdds(services: PanelServices, navigation: Navigation, worlds: Worlds): Odds {
	const next = signal<Foretold | null>(null);
	const asking = signal<number | null>(null);
	const slow = signal(false);
	const opening = signal(false);
	const refusal = signal<Refusal | null>(null);
	const shown = signal<'next' | 'last' | 'tree' | 'ask'>('next');
	const running = signal(false);
	const pointed = signal<number | null>(null);
	const seen = signal<Seen | null>(null);

	const open = computed(() => navigation.view.value === 'odds' && showsWorld(services.holding.value));
	/** Changes only when the world does: the status also comes for calls that read. */
	const state = computed(() => {
		const here = worlds.here.value;
		return here === null ? null : `${here.id}/${here.tick}/${here.digest}/${here.playing}`;
	});
	const now = (): WorldStamp | null => {
		const here = worlds.here.peek();
		return here === null ? null : { world: here.id, tick: here.tick, digest: here.digest };
	};
	const isOf = ({ world, peek }: Foretold, stamp: WorldStamp): boolean =>
		world === stamp.world && peek.tick === stamp.tick && peek.state_digest === stamp.digest;

	const last = computed((): LastStep | null => {
		const step = seen.value;
		if (step === null) return null;
		const { world, tick, digest, made } = step;
		const agrees = made && step.foretold && made.oddsDigest === step.foretold.peek.distribution_digest;
		// What was foretold about a state that was changed before the step says nothing about that step.
		const foretold = agrees === false ? null : step.foretold;
		const sampled = made?.sampled ?? null;
		const drawn = foretold === null ? [] : drawnRows(foretold.rows, digest, sampled);
		if (made === null && drawn.length === 0) return null;
		return { world, tick, digest: made?.digest ?? digest, foretold, sampled, drawn, agrees };
	});

	let settling: ReturnType<typeof setTimeout> | undefined;
	let ageing: ReturnType<typeof setTimeout> | undefined;
	const stayFresh = () => {
		clearTimeout(ageing);
		ageing = undefined;
	};
	let limit = FEW;
	const peeks = paced({ factor: REST_FACTOR }, async () => {
		const stamp = now();
		if (stamp === null || !open.peek() || worlds.here.peek()?.playing !== false) return;
		const { world } = stamp;
		const wanted = limit;
		batch(() => {
			asking.value = wanted;
			refusal.value = null;
		});
		const timer = setTimeout(() => {
			slow.value = true;
		}, SLOW_MS);
		const found = await foretell(services, world, wanted);
		clearTimeout(timer);
		batch(() => {
			asking.value = null;
			slow.value = false;
			const current = now();
			if ('sentence' in found) refusal.value = found;
			else if (current !== null && isOf(found, current)) {
				stayFresh();
				next.value = found;
			}
		});
	});

	/** The step of this page that came to a stamp's tick, if there was one. */
	const madeAt = ({ world, tick }: WorldStamp): StepMade | null => {
		const made = worlds.time.lastStep.peek();
		return made !== null && made.world === world && made.tick === tick ? made : null;
	};

	const see = (stamp: WorldStamp, playing: boolean): void => {
		clearTimeout(settling);
		const before = seen.peek();
		const foretold = next.peek();
		if (before === null || before.world !== stamp.world || before.tick !== stamp.tick) {
			const fits = foretold?.world === stamp.world && foretold.peek.next_tick === stamp.tick;
			batch(() => {
				seen.value = { ...stamp, foretold: fits ? foretold : null, made: madeAt(stamp) };
				pointed.value = null;
			});
		}
		if (foretold !== null && isOf(foretold, stamp) && !playing) {
			stayFresh();
			return;
		}
		limit = FEW;
		if (playing || foretold?.world !== stamp.world) next.value = null;
		ageing ??= setTimeout(() => {
			ageing = undefined;
			next.value = null;
		}, STALE_MS);
		if (!playing) settling = setTimeout(() => peeks.ask(), SETTLE_MS);
	};

	/** The step that was shown by itself. */
	let shownStep = '';
	const endings = [
		effect(() => {
			// Half-way through a step of this page there is nothing to see.
			if (!open.value || state.value === null || worlds.time.stepping.value > 0) {
				clearTimeout(settling);
				return;
			}
			untracked(() => {
				const stamp = now();
				if (stamp !== null) see(stamp, worlds.here.peek()?.playing === true);
			});
		}),
		// The answer to a step may come after the status that shows it.
		effect(() => {
			if (worlds.time.lastStep.value === null) return;
			untracked(() => {
				const step = seen.value;
				const made = step && madeAt(step);
				if (step !== null && made !== null) seen.value = { ...step, made };
			});
		}),
		// A step that left something to chance shows what was drawn, once.
		effect(() => {
			const step = last.value;
			const chance =
				step !== null && ((step.sampled?.length ?? 0) > 0 || (step.foretold?.rows.length ?? 0) > 1);
			const name = chance ? `${step.world}/${step.tick}` : '';
			untracked(() => {
				if (name === shownStep) return;
				shownStep = name;
				if (shown.value === 'next' || shown.value === 'last') shown.value = chance ? 'last' : 'next';
			});
		}),
	];

	async function runToChance(): Promise<void> {
		if (running.value) {
			running.value = false;
			return;
		}
		const world = worlds.selected.value;
		running.value = true;
		try {
			// The coming draw is made, and the search goes on from there.
			const first = await lookForChance(services, world, 1);
			if ('sentence' in first) return navigation.refuse('Run', first);
			if (first.until === 0) await worlds.time.step(1, world);
			for (let made = 0; made < MAX_RUN_TICKS && running.value; ) {
				const found = await lookForChance(services, world, Math.min(lookAfter(made), MAX_RUN_TICKS - made));
				if ('sentence' in found) return navigation.refuse('Run', found);
				if (!running.value || found.until === 0) return;
				await worlds.time.step(found.until ?? found.ticks, world);
				if (found.until !== null) return;
				made += found.ticks;
			}
			if (running.value)
				navigation.tell(
					`No draw in ${formatTime(MAX_RUN_TICKS)}.`,
					'The world has made these ticks. Press Next chance again to go on.',
				);
		} finally {
			running.value = false;
		}
	}

	return {
		next,
		last,
		running,
		runToChance,
		shown,
		asking,
		slow,
		refusal,
		pointed,
		opening,
		listMore() {
			limit = MANY;
			peeks.ask();
		},
		async openAsForks() {
			const foretold = next.value;
			if (foretold === null || opening.peek()) return;
			const branches = foretold.rows.slice(0, MAX_FORKS).map(({ branch }) => branch);
			opening.value = true;
			const made = await worlds.forking.branchOut(foretold.world, branches);
			opening.value = false;
			if (made === null) return;
			navigation.go('forks');
			navigation.tell(
				`${made.length} forks, one for each outcome: ${made.join(', ')}.`,
				'Each has made the tick. They are in the drawing and in the list below it.',
			);
		},
		again: () => peeks.ask(),
		stop() {
			for (const end of endings) end();
			clearTimeout(settling);
			stayFresh();
			peeks.stop();
		},
	};
}

/** Peeks at a world, and reads the rules that what it says is about. */
async function foretell(services: PanelServices, world: string, limit: number): Promise<Foretold | Refusal> {
	const began = performance.now();
	const outcome = await ask(services, 'POST', '/peek', {
		world,
		body: { max_branches: limit },
		on: 'panels',
	});
	const ms = performance.now() - began;
	if (!outcome.ok) return outcome.refusal;
	const peek = outcome.body;
	const rules = new Map<number, ShownRule>();
	if (peek.factors.length > 0) {
		const listed = await ask(services, 'GET', '/rule/list', { world, on: 'panels' });
		if (!listed.ok) return listed.refusal;
		for (const rule of listed.body.rules) rules.set(rule.id, rule);
	}
	return { world, peek, rows: oddsRows(peek), rules, limit, ms };
}
