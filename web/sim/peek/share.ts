/**
 * States of a walk through futures that one thread holds.
 * Owns: making their ticks, and sending states to another thread.
 */

import { type Fraction, fraction, multiplyFractions } from '../../../shared/contract/fraction.ts';
import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import { type ChanceChoice, startChance } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import { encodeWorld } from '../core/codec.ts';
import { digest } from '../core/digest.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { loadWorld } from '../create-world.ts';
import { ConditionWatch } from '../rules/conditions/watch.ts';
import { schedule } from '../schedule.ts';
import { beginTick, endTick, runSystem } from '../step.ts';
import { type ShownChoice, showChoice } from './distribution.ts';
import { enumerate } from './enumerate.ts';

/** A world, and a condition that has looked at it and at what came before. */
export interface FutureState {
	world: World;
	readonly watch: ConditionWatch | undefined;
}

/** A question about states. */
export interface FutureQuestion {
	/** A state in which the condition holds goes no further. */
	readonly ends: boolean;
	/** States of one tick with the same key are one. It must have all that the coming ticks depend on. */
	readonly keyOf: (world: World) => string;
}

/** A state that follows on another one. */
export interface FollowingState {
	/** Probability that it follows. */
	readonly odds: Fraction;
	/** Draws that could have come out otherwise. */
	readonly choices: readonly ShownChoice[];
	/** True if the condition holds; undefined without one. */
	readonly holds: boolean | undefined;
	/** Empty for one that goes no further. */
	readonly key: string;
	readonly state_digest: string;
}

/** A state as another thread can take it. */
export interface SentState {
	readonly id: number;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** Memory of its condition. */
	readonly remembered: readonly string[] | undefined;
}

/** The states that follow on some others. */
export interface Expansion {
	/** In the order of the states before, for each of them. Fewer than all if there are more than were asked for. */
	readonly nexts: readonly (readonly FollowingState[])[];
	/** Id of the first one; the others count on from there. */
	readonly first: number;
	/** Number of states that follow. */
	readonly made: number;
}

const ONE = fraction(1n);

/** Returns every state that follows on one, and its world, which is the reader's until the next one is asked for. */
export function* nextOf(
	{ world: before, watch: seen }: FutureState,
	{ ends, keyOf }: FutureQuestion,
	isOpen = false,
): Generator<{ readonly next: FollowingState; readonly state: FutureState }, void> {
	for (const { world, choices } of isOpen ? enumerate(before) : successors(before)) {
		const watch = seen?.copy();
		const holds = watch?.find(world).passed;
		const isEnd = ends && holds === true;
		const next: FollowingState = {
			odds: choices.reduce((product, { probability }) => multiplyFractions(product, probability), ONE),
			choices: choices.filter(isOpenDraw).map(showChoice),
			holds,
			key: isEnd ? '' : `${keyOf(world)} ${watch?.memory ?? ''}`,
			get state_digest() {
				return digest(world);
			},
		};
		yield { next, state: { world, watch } };
	}
}

const isOpenDraw = ({ outcomes }: ChanceChoice): boolean =>
	outcomes.filter(({ probability }) => probability.num > 0n).length > 1;

/** Returns a copy of a state. */
export const copyOf = ({ world, watch }: FutureState): FutureState => ({ world: clone(world), watch });

export class FutureShare {
	readonly #question: FutureQuestion;
	readonly #condition: Condition | undefined;
	readonly #assets: World['assets'];
	#states = new Map<number, FutureState>();
	#last = 0;

	constructor(question: FutureQuestion, condition: Condition | undefined, assets: World['assets']) {
		this.#question = question;
		this.#condition = condition;
		this.#assets = assets;
	}

	/** Takes over a state. */
	put(id: number, state: FutureState): void {
		this.#states.set(id, state);
	}

	/** Gives a state away. */
	take(id: number): FutureState {
		const state = this.#states.get(id)!;
		this.#states.delete(id);
		return state;
	}

	/** Takes over states of another thread. */
	*load(sent: readonly SentState[]): SlicedWork<void> {
		for (const { id, bytes, remembered } of sent) {
			const watch = this.#condition && ConditionWatch.withMemory(this.#condition, remembered);
			this.put(id, { world: loadWorld(bytes, this.#assets), watch });
			yield;
		}
	}

	/** Gives states to another thread. */
	*send(ids: readonly number[]): SlicedWork<SentState[]> {
		const sent: SentState[] = [];
		for (const id of ids) {
			const { world, watch } = this.take(id);
			sent.push({ id, bytes: encodeWorld(world), remembered: watch?.remembered });
			dispose(world);
			yield;
		}
		return sent;
	}

	/** Makes a tick of some states, until more than `most` follow, and holds what follows. Other states are dropped. */
	*expand(ids: readonly number[], most: number): SlicedWork<Expansion> {
		const first = this.#last + 1;
		const nexts: FollowingState[][] = [];
		const keys = new Set<string>();
		const states = new Map<number, FutureState>();
		try {
			for (const id of ids) {
				const of: FollowingState[] = [];
				nexts.push(of);
				for (const { next, state } of nextOf(this.#states.get(id)!, this.#question)) {
					this.#last++;
					// One with the same key is merged into the first.
					if (next.key !== '' && !keys.has(next.key)) states.set(this.#last, copyOf(state));
					keys.add(next.key);
					of.push({ ...next });
					yield;
					if (this.#last - first >= most) return { nexts, first, made: this.#last - first + 1 };
				}
			}
		} finally {
			this.dispose();
			this.#states = states;
		}
		return { nexts, first, made: this.#last - first + 1 };
	}

	dispose(): void {
		for (const { world } of this.#states.values()) dispose(world);
		this.#states.clear();
	}
}

/** Returns every world that the next tick can lead to. Each is the reader's until the next one is asked for. */
function* successors(
	world: World,
): Generator<{ readonly world: World; readonly choices: readonly ChanceChoice[] }, void> {
	const copy = clone(world);
	try {
		const choices = sureTick(copy);
		if (choices !== null) {
			yield { world: copy, choices };
			return;
		}
	} finally {
		dispose(copy);
	}
	yield* enumerate(world);
}

/** Makes a tick in place, if it has a single outcome, and returns its draws. Returns null, with the world spoilt, if it has more. */
export function sureTick(world: World): readonly ChanceChoice[] | null {
	let isOpen = false;
	const run = startChance((_, __, outcomes) => {
		const first = outcomes.findIndex(({ weight }) => weight.num > 0n);
		isOpen ||= outcomes.some(({ weight }, i) => i > first && weight.num > 0n);
		return first;
	});
	beginTick(world);
	for (const system of schedule) {
		runSystem(world, system, run);
		if (isOpen) return null;
	}
	endTick(world);
	return run.choices;
}
