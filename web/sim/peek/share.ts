/**
 * Share of the states of a walk through futures: the states that one thread has.
 * Owns: running their ticks, and sending states to another thread.
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
import { endTick, prepareTick, runSystem } from '../step.ts';
import { type ShownChoice, showChoice } from './distribution.ts';
import { enumerate } from './enumerate.ts';

/** A world, and a condition with its memory of earlier ticks. */
export interface FutureState {
	world: World;
	readonly watch: ConditionWatch | undefined;
}

/** A question about states. */
export interface FutureQuestion {
	/** True if a state in which the condition holds does not continue. */
	readonly ends: boolean;
	/** Returns a key. States of one tick with the same key are merged, so it must include all that affects the future. */
	readonly keyOf: (world: World) => string;
}

/** A state that can follow another one. */
export interface FollowingState {
	/** Probability that it follows. */
	readonly odds: Fraction;
	/** Draws that had several possible outcomes. */
	readonly choices: readonly ShownChoice[];
	/** True if the condition holds; undefined without a condition. */
	readonly holds: boolean | undefined;
	/** Empty for a state that does not continue. */
	readonly key: string;
	readonly state_digest: string;
}

/** A state in a form that can be sent to another thread. */
export interface SentState {
	readonly id: number;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** Memory of its condition. */
	readonly memoryKeys: readonly string[] | undefined;
}

/** The states that follow a list of states. */
export interface Expansion {
	/** States that follow each state, in order. The list is incomplete if the limit was exceeded. */
	readonly followers: readonly (readonly FollowingState[])[];
	/** Id of the first following state. The others have consecutive ids. */
	readonly firstId: number;
	/** Number of following states. */
	readonly count: number;
}

const ONE = fraction(1n);

/** Yields every state that can follow a state. Its world is valid until the next state is requested. */
export function* followingStates(
	{ world: start, watch: earlierWatch }: FutureState,
	{ ends, keyOf }: FutureQuestion,
	/** True if the next tick is known to have several outcomes. */
	isOpen = false,
): Generator<{ readonly next: FollowingState; readonly state: FutureState }, void> {
	for (const { world, choices } of isOpen ? enumerate(start) : successors(start)) {
		const watch = earlierWatch?.copy();
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
export const copyState = ({ world, watch }: FutureState): FutureState => ({ world: clone(world), watch });

/** States of one thread. */
export class FutureShare {
	readonly #question: FutureQuestion;
	readonly #condition: Condition | undefined;
	readonly #assets: World['assets'];
	#states = new Map<number, FutureState>();
	#lastId = 0;

	constructor(question: FutureQuestion, condition: Condition | undefined, assets: World['assets']) {
		this.#question = question;
		this.#condition = condition;
		this.#assets = assets;
	}

	/** Adds a state. */
	put(id: number, state: FutureState): void {
		this.#states.set(id, state);
	}

	/** Removes a state, and returns it. */
	take(id: number): FutureState {
		const state = this.#states.get(id)!;
		this.#states.delete(id);
		return state;
	}

	/** Adds states from another thread. */
	*load(sent: readonly SentState[]): SlicedWork<void> {
		for (const { id, bytes, memoryKeys } of sent) {
			const watch = this.#condition && ConditionWatch.withMemory(this.#condition, memoryKeys);
			this.put(id, { world: loadWorld(bytes, this.#assets), watch });
			yield;
		}
	}

	/** Removes states, and returns them in a form for another thread. */
	*send(ids: readonly number[]): SlicedWork<SentState[]> {
		const sent: SentState[] = [];
		for (const id of ids) {
			const { world, watch } = this.take(id);
			sent.push({ id, bytes: encodeWorld(world), memoryKeys: watch?.memoryKeys });
			dispose(world);
			yield;
		}
		return sent;
	}

	/**
	 * Runs a tick of the states with these ids, until more than `maxStates` states follow. Then the share contains only the
	 * following states.
	 */
	*expand(ids: readonly number[], maxStates: number): SlicedWork<Expansion> {
		const firstId = this.#lastId + 1;
		const followers: FollowingState[][] = [];
		const keys = new Set<string>();
		const states = new Map<number, FutureState>();
		try {
			for (const id of ids) {
				const following: FollowingState[] = [];
				followers.push(following);
				for (const { next, state } of followingStates(this.#states.get(id)!, this.#question)) {
					this.#lastId++;
					// A state with the same key is merged into the first one, so its world is not needed.
					if (next.key !== '' && !keys.has(next.key)) states.set(this.#lastId, copyState(state));
					keys.add(next.key);
					following.push({ ...next });
					yield;
					if (this.#lastId - firstId >= maxStates)
						return { followers, firstId, count: this.#lastId - firstId + 1 };
				}
			}
		} finally {
			this.dispose();
			this.#states = states;
		}
		return { followers, firstId, count: this.#lastId - firstId + 1 };
	}

	dispose(): void {
		for (const { world } of this.#states.values()) dispose(world);
		this.#states.clear();
	}
}

/** Yields every world to which the next tick can lead. Each is valid until the next one is requested. */
function* successors(
	world: World,
): Generator<{ readonly world: World; readonly choices: readonly ChanceChoice[] }, void> {
	const copy = clone(world);
	try {
		const choices = runCertainTick(copy);
		if (choices !== null) {
			yield { world: copy, choices };
			return;
		}
	} finally {
		dispose(copy);
	}
	yield* enumerate(world);
}

/** Runs a tick in place and returns its draws, if it has a single outcome. Otherwise returns null; the world is then invalid. */
export function runCertainTick(world: World): readonly ChanceChoice[] | null {
	let isOpen = false;
	const run = startChance((_, __, outcomes) => {
		const first = outcomes.findIndex(({ weight }) => weight.num > 0n);
		isOpen ||= outcomes.some(({ weight }, i) => i > first && weight.num > 0n);
		return first;
	});
	prepareTick(world);
	for (const system of schedule) {
		runSystem(world, system, run);
		if (isOpen) return null;
	}
	endTick(world);
	return run.choices;
}
