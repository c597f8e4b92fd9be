/**
 * The worlds and the one that the panels look at: main from the status, forks from GET /fork/list.
 * Owns: the selected world and what is done to time and to forks. Never: asks again while nothing changed.
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
import type { Answer } from '../../../shared/contract/route.ts';
import type { step } from '../../../shared/routes/simulation.ts';
import type { CallRecord } from '../../frames/frames.ts';
import { senderOf } from '../calls/call-ring.ts';
import { formatNumber } from '../numbers.ts';
import { forkRequests, type Turn } from '../odds/chance-tree.ts';
import type { Branch, Sampled } from '../odds/odds.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Doings } from '../state/doings.ts';
import type { Navigation } from '../state/navigation.ts';
import { freeForkName, MAIN, readForks, type WorldInfo, wayName } from './fork-list.ts';
import { storedMarks, storeMarks } from './fork-marks.ts';
import { undoWords } from './undo-words.ts';

/** Milliseconds between two looks at the forks while something changes. */
const REFRESH_MS = 500;

/** Result of a step that was made here. */
export interface StepMade {
	readonly world: string;
	/** Ticks completed now. */
	readonly tick: number;
	readonly digest: string;
	/** Outcomes that were sampled on its last tick. */
	readonly sampled: Sampled;
	/** Digest of the odds that its last tick was drawn from. */
	readonly oddsDigest: string;
}

export interface Worlds {
	/** Id of the selected world. */
	readonly selected: ReadonlySignal<string>;
	readonly main: ReadonlySignal<WorldInfo | null>;
	readonly forks: ReadonlySignal<readonly WorldInfo[]>;
	/** The selected world, or null before the first status. */
	readonly here: ReadonlySignal<WorldInfo | null>;
	/** Rises when the engine may have changed any world: not for calls that only read. */
	readonly changes: ReadonlySignal<number>;
	/** Ticks of the step that is under way, or 0. */
	readonly stepping: Signal<number>;
	/** The latest step that was made here, in whichever world. */
	readonly lastStep: ReadonlySignal<StepMade | null>;
	/** Number of calls that are being taken back or done again. */
	readonly turning: ReadonlySignal<number>;
	select(id: string): void;
	/** Selects a fork that was made a moment ago, once it is listed. */
	lookAt(id: string): Promise<void>;
	/** Lets time run, or holds it. */
	toggleTime(): Promise<void>;
	/** Steps a world, the selected one unless named. */
	step(ticks: number, id?: string): Promise<void>;
	/** Steps several worlds in one call, each by its ticks. */
	stepAll(steps: readonly { readonly id: string; readonly ticks: number }[]): Promise<void>;
	/** Takes the last call of this person to the selected world back, or does it again. */
	undo(redo: boolean): Promise<void>;
	/** Clones a world under a free name and looks at the clone. Resolves to its id, or null. */
	branch(from: string, name?: string): Promise<string | null>;
	/** Makes a fork of a world as it was after an entry of the journal, and looks at it. Resolves to its id, or null. */
	branchAt(of: string, entry: number): Promise<string | null>;
	/**
	 * Clones a world once for each of these ways of its next tick, and sends each clone down its way; all or none.
	 * Resolves to the ids of the forks, or null.
	 */
	branchOut(from: string, branches: readonly Branch[]): Promise<readonly string[] | null>;
	/** Clones a world and sends the clone this way; looks at it, and shows it among the forks. */
	branchAlong(from: string, way: readonly Turn[]): Promise<void>;
	drop(id: string): Promise<void>;
	/** Makes a fork main; what was main stays as a fork under a free name. */
	promote(id: string): Promise<void>;
	stop(): void;
}

const onlyReads = (call: CallRecord): boolean => call.method === 'GET' || senderOf(call).kind === 'panels';

const isSame = (a: WorldInfo | null, b: WorldInfo): boolean =>
	a !== null && (Object.keys(b) as (keyof WorldInfo)[]).every((key) => a[key] === b[key]);

/** Returns true if a call may have changed a fork or the list of them. */
function touchesForks(call: CallRecord): boolean {
	if (onlyReads(call) || /^\/(observe|peek|screenshot)\b/.test(call.path)) return false;
	// A batch may have done anything to any world.
	return call.world !== MAIN || /^\/(fork|batch)\b/.test(call.path);
}

function readStep(world: string, answer: Answer<typeof step>): StepMade {
	const { new_tick, state_digest, sampled, distribution_digest } = answer;
	return { world, tick: new_tick, digest: state_digest, sampled, oddsDigest: distribution_digest };
}

export function createWorlds(services: PanelServices, navigation: Navigation, doings: Doings): Worlds {
	const selected = signal(MAIN);
	const forks = signal<readonly WorldInfo[]>([]);
	const stepping = signal(0);
	const lastStep = signal<StepMade | null>(null);
	const turning = signal(0);

	let lastMain: WorldInfo | null = null;
	const main = computed<WorldInfo | null>(() => {
		const status = services.status.value;
		if (status === null) return null;
		const now = {
			id: MAIN,
			parent: null,
			parentTick: 0,
			parentGone: false,
			tick: status.tick,
			digest: status.state_digest,
			entityCount: status.entity_count,
			playing: status.playing,
			mark: -1,
		};
		// The status also comes for calls that read.
		if (!isSame(lastMain, now)) lastMain = now;
		return lastMain;
	});
	const here = computed(() => {
		const id = selected.value;
		return id === MAIN ? main.value : (forks.value.find((fork) => fork.id === id) ?? null);
	});

	let isFirst = true;
	const setForks = (listed: unknown): void => {
		forks.value = readForks(listed, isFirst ? storedMarks(services.kept) : forks.value);
		isFirst = false;
		storeMarks(services.kept, forks.value);
	};

	let timer: ReturnType<typeof setTimeout> | undefined;
	let asking = false;
	let wanted = false;
	const refresh = async (): Promise<void> => {
		if (asking || timer !== undefined) {
			wanted = true;
			return;
		}
		asking = true;
		wanted = false;
		const outcome = await ask(services, 'GET', '/fork/list', { on: 'panels' });
		asking = false;
		if (outcome.ok) {
			setForks(outcome.body);
			if (selected.value !== MAIN && !forks.value.some(({ id }) => id === selected.value)) {
				const gone = selected.value;
				selected.value = MAIN;
				navigation.refuse('World', {
					sentence: `The fork "${gone}" no longer exists.`,
					fix: 'The panels now show main.',
				});
			}
		}
		timer = setTimeout(() => {
			timer = undefined;
			// A fork that plays changes without a call.
			if (wanted || forks.value.some(({ playing }) => playing)) void refresh();
		}, REFRESH_MS);
	};

	const changes = signal(0);
	let names = '';
	let lastSeen: WorldInfo | null = null;
	const endStatus = effect(() => {
		const status = services.status.value;
		const seen = main.value;
		if (status === null) return;
		const isRead = seen === lastSeen && status.calls.length > 0 && status.calls.every(onlyReads);
		lastSeen = seen;
		if (!isRead) untracked(() => void changes.value++);
		const now = status.forks.join('/');
		const changed = now !== names || status.calls.some(touchesForks);
		names = now;
		if (changed) untracked(() => void refresh());
	});

	const stepWorld = async (ticks: number, id = selected.value): Promise<void> => {
		if (stepping.value > 0) return;
		stepping.value = ticks;
		const outcome = await ask(services, 'POST', '/step', { world: id, body: { ticks } });
		batch(() => {
			stepping.value = 0;
			if (outcome.ok) lastStep.value = readStep(id, outcome.body);
		});
		if (!outcome.ok) navigation.refuse('Step', outcome.refusal);
		else if (id !== MAIN) void refresh();
	};

	const stepAll: Worlds['stepAll'] = async (steps) => {
		if (stepping.value > 0 || steps.length === 0) return;
		stepping.value = Math.max(...steps.map(({ ticks }) => ticks));
		const requests = steps.map(({ id, ticks }) => ({
			path: id === MAIN ? '/step' : `/fork/${encodeURIComponent(id)}/step`,
			body: { ticks },
		}));
		const outcome = await ask(services, 'POST', '/batch', { body: { requests } });
		stepping.value = 0;
		const refused = outcome.ok ? outcome.body.warnings?.[0] : undefined;
		if (!outcome.ok) navigation.refuse('Step', outcome.refusal);
		else if (refused !== undefined) navigation.refuse('Step', { sentence: refused, fix: '' });
		void refresh();
	};

	/** A fork is looked at once it is listed: what is looked at and is in no list counts as gone. */
	const lookAt = async (id: string): Promise<void> => {
		const listed = await ask(services, 'GET', '/fork/list', { on: 'panels' });
		if (listed.ok)
			batch(() => {
				setForks(listed.body);
				if (forks.value.some((fork) => fork.id === id)) selected.value = id;
			});
		void refresh();
	};

	return {
		selected,
		main,
		forks,
		here,
		changes,
		stepping,
		lastStep,
		turning,
		lookAt,
		select(id) {
			selected.value = id;
		},
		async toggleTime() {
			const world = here.value;
			if (world === null) return;
			const verb = world.playing ? '/pause' : '/play';
			const outcome = await ask(services, 'POST', verb, { world: world.id });
			if (!outcome.ok) navigation.refuse(world.playing ? 'Pause' : 'Play', outcome.refusal);
			else if (world.id !== MAIN) void refresh();
		},
		step: stepWorld,
		stepAll,
		async undo(redo) {
			const world = selected.value;
			turning.value++;
			const outcome = await ask(services, 'POST', redo ? '/redo' : '/undo', { world });
			turning.value--;
			if (!outcome.ok) return navigation.refuse(redo ? 'Redo' : 'Undo', outcome.refusal);
			const words = doings.turned(world, outcome.body.call, redo);
			navigation.tell(...undoWords(outcome.body, redo, words));
			if (world !== MAIN) void refresh();
		},
		async branch(from, name) {
			const id = name ?? freeForkName(new Set(forks.value.map((fork) => fork.id)));
			const outcome = await ask(services, 'POST', '/fork', { body: { fork_id: id, from } });
			if (!outcome.ok) {
				navigation.refuse('Branch', outcome.refusal);
				return null;
			}
			await lookAt(id);
			return id;
		},
		async branchAt(of, entry) {
			const id = freeForkName(new Set(forks.value.map((fork) => fork.id)), 'past');
			const outcome = await ask(services, 'POST', '/history/fork', { body: { fork_id: id, entry, of } });
			if (!outcome.ok) {
				navigation.refuse('Fork', outcome.refusal);
				return null;
			}
			await lookAt(id);
			navigation.tell(
				`${id} is ${of} as it was at tick ${formatNumber(outcome.body.tick)}.`,
				'The panels now show it.',
			);
			return id;
		},
		async branchOut(from, branches) {
			// The list here may be half a second old.
			const listed = await ask(services, 'GET', '/fork/list', { on: 'panels' });
			if (!listed.ok) {
				navigation.refuse('Forks', listed.refusal);
				return null;
			}
			const taken = new Set(readForks(listed.body).map(({ id }) => id));
			const made: string[] = [];
			const requests = branches.flatMap(({ choices }) => {
				const fork_id = freeForkName(taken, wayName(choices));
				taken.add(fork_id);
				made.push(fork_id);
				const order = choices.map(({ rule, entity, outcome }) => ({ rule, entity, outcome }));
				return [
					{ path: '/fork', body: { fork_id, from } },
					{ path: `/fork/${fork_id}/step`, body: { choices: order } },
				];
			});
			const outcome = await ask(services, 'POST', '/batch', { body: { requests, atomic: true } });
			if (!outcome.ok) navigation.refuse('Forks', outcome.refusal);
			void refresh();
			return outcome.ok ? made : null;
		},
		async branchAlong(from, way) {
			const taken = new Set(forks.value.map(({ id }) => id));
			const id = freeForkName(taken, wayName(way.at(-1)?.choices ?? []));
			const requests = forkRequests(from, way, id);
			const outcome = await ask(services, 'POST', '/batch', { body: { requests, atomic: true } });
			if (!outcome.ok) return navigation.refuse('Fork', outcome.refusal);
			await lookAt(id);
			navigation.go('forks');
			navigation.tell(`${id} is ${from} along that branch.`, 'The panels now show it.');
		},
		async drop(id) {
			if (selected.value === id) selected.value = MAIN;
			const outcome = await ask(services, 'DELETE', '/fork/{id}', { params: { id } });
			if (!outcome.ok) navigation.refuse('Drop', outcome.refusal);
			void refresh();
		},
		async promote(id) {
			const keep_as = freeForkName(new Set(forks.value.map((fork) => fork.id)), 'was-main');
			const before = selected.value;
			// It is main from now on: a fork that is gone cannot be selected.
			selected.value = MAIN;
			const outcome = await ask(services, 'POST', '/fork/{id}/promote', {
				params: { id },
				body: { keep_as },
			});
			if (!outcome.ok) {
				selected.value = before;
				navigation.refuse('Promote', outcome.refusal);
			}
			void refresh();
		},
		stop() {
			endStatus();
			clearTimeout(timer);
		},
	};
}
