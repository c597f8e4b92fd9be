/**
 * The exact distribution over many future ticks.
 * Owns: the walk: the list of possible states with their probabilities, tick by tick. States with the same future are
 * merged (dynamic programming over a Markov chain; Puterman 1994, section 4.2). Other threads may hold some of the states;
 * the result does not depend on that.
 * Never: samples. Beyond the limits, the least probable states are dropped, and counted as not covered.
 */

import {
	addFractions,
	compareFractions,
	type Fraction,
	fraction,
	multiplyFractions,
} from '../../../shared/contract/fraction.ts';
import { clone, dispose } from '../core/clone.ts';
import { digest } from '../core/digest.ts';
import type { World } from '../core/world.ts';
import type { ConditionWatch } from '../rules/conditions/watch.ts';
import type { ShownChoice } from './distribution.ts';
import {
	copyState,
	type FollowingState,
	type FutureQuestion,
	type FutureState,
	followingStates,
	runCertainTick,
} from './share.ts';
import { type ShareOptions, Shares } from './shares.ts';

/** Work that is done in slices. The caller waits for each yielded promise before it continues. */
export type WaitingWork<T> = Generator<Promise<void> | void, T>;

/** Draws of a tick that had several possible outcomes, and the path before that tick. */
export interface FuturePath {
	/** Number of completed ticks before it. */
	readonly tick: number;
	readonly choices: readonly ShownChoice[];
	readonly before: FuturePath | null;
}

/** A possible state of the world. */
export interface Future {
	readonly odds: Fraction;
	/** One of possibly many paths to it. */
	readonly path: FuturePath | null;
	readonly tick: number;
	readonly state_digest: string;
	/** Number of different digests that were merged into it. */
	readonly merged: number;
	/** True if the condition holds; undefined without a condition. */
	readonly holds: boolean | undefined;
}

/** Limits that end a walk. */
export type FutureLimit = 'max_ticks' | 'time';

export interface Futures {
	/** Number of completed ticks in the states of the last tick. */
	readonly tick: number;
	/** True if all requested ticks were run, or if no state continues. */
	readonly complete: boolean;
	/** Limit that ended the walk early; null for none. */
	readonly stopped: FutureLimit | null;
	/** States that ended because the condition holds. */
	readonly ended: readonly Future[];
	/** States of the last tick. */
	readonly open: readonly Future[];
	/** Probability of all listed states. */
	readonly covered: Fraction;
	/** Number of ticks that were run, of all states together. */
	readonly tickCount: number;
}

export interface FuturesOptions extends FutureQuestion {
	readonly ticks: number;
	/** Maximum number of states of one tick. */
	readonly maxStates: number;
	/** Maximum number of ticks to run, of all states together. */
	readonly maxStateTicks: number;
	/** Returns true if no time is left for more ticks. */
	readonly isLate: () => boolean;
	/** Condition that is evaluated in each state, including the first world. */
	readonly watch?: ConditionWatch;
	/** Called after ticks were run, with their number. */
	readonly onTicks?: (ticks: number) => void;
	/** Other threads for the states. Without it, all states are on this thread. */
	readonly sharing?: ShareOptions | undefined;
}

/** A state while the walk continues. */
export interface FutureNode {
	/** The state, if it is not in a share. */
	state: FutureState | undefined;
	/** Share and id of the state. */
	location?: { readonly share: number; readonly id: number };
	odds: Fraction;
	readonly path: FuturePath | null;
	/** Digests of the merged states; null if none was merged. */
	digests: Set<string> | null;
	/** Digest of a state in a share. */
	state_digest?: string;
	holds: boolean | undefined;
}

type SharePlace = Pick<FutureNode, 'state' | 'location' | 'state_digest'>;

/** Maximum number of ticks that are run in place before the world is copied again. */
const MAX_TICKS_PER_COPY = 32;

const ONE = fraction(1n);
const NONE = fraction(0n);

/** Walks through all states of the coming ticks. `world` must not change before the end. Throws `LostShareError`. */
export function* futuresOf(world: World, options: FuturesOptions): WaitingWork<Futures> {
	const walk = new FutureWalk(options);
	try {
		return yield* walk.run(world);
	} finally {
		walk.dispose();
	}
}

class FutureWalk {
	readonly #options: FuturesOptions;
	readonly #shares: Shares | null;
	readonly #endedFutures: Future[] = [];
	#nodes: FutureNode[] = [];
	#nextNodes: FutureNode[] = [];
	/** Number of ticks completed in the nodes. */
	#tick = 0;
	#tickCount = 0;
	#stopReason: FutureLimit | null = null;

	constructor(options: FuturesOptions) {
		this.#options = options;
		this.#shares = options.sharing === undefined ? null : new Shares(options.sharing, options);
	}

	*run(world: World): WaitingWork<Futures> {
		const { ticks, ends, watch } = this.#options;
		const holds = watch?.find(world).passed;
		const state = { world: clone(world), watch: watch?.copy() };
		this.#nodes = [{ state, odds: ONE, path: null, digests: null, holds }];
		const last = world.tick + ticks;
		this.#tick = world.tick;
		if (ends && holds === true) this.#endOnlyState();
		while (this.#tick < last && this.#nodes.length > 0) {
			const shares = this.#shares;
			if (shares !== null) yield* shares.arrange(this.#nodes);
			if (this.#nodes.length === 1) yield* this.#runCertainTicks(last);
			if (this.#stopReason !== null || this.#tick === last || this.#nodes.length === 0) break;
			if (!(yield* shares?.isDistributed ? this.#branchShared(shares) : this.#branch())) break;
			this.#tick++;
		}
		return this.#result();
	}

	/** Returns true if one more tick may be run; otherwise records the limit. */
	#canContinue(): boolean {
		if (this.#tickCount >= this.#options.maxStateTicks) this.#stopReason = 'max_ticks';
		else if (this.#options.isLate()) this.#stopReason = 'time';
		return this.#stopReason === null;
	}

	#countTicks(ticks: number): void {
		this.#tickCount += ticks;
		this.#options.onTicks?.(ticks);
	}

	/**
	 * Runs the ticks of the only state in place, up to the first with several outcomes. Nothing must be merged, so this costs
	 * no more than steps. Copies are taken at intervals, to return to the tick before.
	 */
	*#runCertainTicks(last: number): WaitingWork<void> {
		const node = this.#nodes[0]!;
		const state = node.state!;
		for (let interval = 1; this.#tick < last; interval = Math.min(2 * interval, MAX_TICKS_PER_COPY)) {
			let earlier = clone(state.world);
			try {
				let count = 0;
				for (; count < interval && this.#tick < last; count++) {
					if (!this.#canContinue()) return;
					if (runCertainTick(state.world) === null) {
						for (let again = 0; again < count; again++) {
							runCertainTick(earlier);
							yield;
						}
						[state.world, earlier] = [earlier, state.world];
						return;
					}
					this.#tick++;
					this.#countTicks(1);
					node.holds = state.watch?.find(state.world).passed;
					if (node.holds === true && this.#options.ends) {
						this.#endOnlyState();
						return;
					}
					yield;
				}
			} finally {
				dispose(earlier);
			}
		}
	}

	/** Ends the only state. */
	#endOnlyState(): void {
		this.#endedFutures.push(futureOf(this.#nodes[0]!, this.#tick));
		this.#dropNodes();
	}

	#dropNodes(): void {
		dropAll(this.#nodes);
		this.#nodes = [];
	}

	/** Runs one tick of every state. Returns false, and changes nothing, if a limit is reached. */
	*#branch(): WaitingWork<boolean> {
		const endedBefore = this.#endedFutures.length;
		const merged = new Map<string, FutureNode>();
		this.#shares?.begin();
		// A single state gets here only if its next tick has several outcomes.
		const isOpen = this.#nodes.length === 1;
		for (const node of this.#nodes) {
			for (const { next, state } of followingStates(node.state!, this.#options, isOpen)) {
				if (!this.#canContinue()) {
					this.#endedFutures.length = endedBefore;
					dropAll(this.#nextNodes.splice(0));
					return false;
				}
				this.#countTicks(1);
				this.#addState(node, next, () => ({ state: copyState(state) }), merged);
				yield;
			}
		}
		this.#shares?.end(this.#nodes.length);
		this.#replaceNodes();
		return true;
	}

	/** Runs one tick of every state on several threads. Returns false if a limit is reached. */
	*#branchShared(shares: Shares): WaitingWork<boolean> {
		if (!this.#canContinue()) return false;
		const maxTicks = this.#options.maxStateTicks - this.#tickCount;
		shares.begin();
		const expanded = yield* shares.expand(this.#nodes, maxTicks, (ticks) => this.#options.onTicks?.(ticks));
		const count = expanded.reduce((sum, expansion) => sum + expansion.count, 0);
		this.#tickCount += Math.min(count, maxTicks);
		if (count > maxTicks) {
			this.#stopReason = 'max_ticks';
			return false;
		}
		const merged = new Map<string, FutureNode>();
		const expansions = expanded.map(({ followers, firstId }) => ({
			followers: followers.values(),
			id: firstId,
		}));
		for (const node of this.#nodes) {
			const { share } = node.location!;
			const expansion = expansions[share]!;
			for (const next of expansion.followers.next().value!) {
				const location = { share, id: expansion.id++ };
				const { state_digest } = next;
				this.#addState(node, next, () => ({ state: undefined, location, state_digest }), merged);
			}
		}
		yield;
		shares.end(this.#nodes.length);
		this.#replaceNodes();
		return true;
	}

	#replaceNodes(): void {
		this.#dropNodes();
		this.#nodes = mostProbable(this.#nextNodes, this.#options.maxStates);
		this.#nextNodes = [];
	}

	/** Adds a state that follows another, or merges it. `store` stores a new state. */
	#addState(
		parent: FutureNode,
		next: FollowingState,
		store: () => SharePlace,
		merged: Map<string, FutureNode>,
	): void {
		const { choices, holds, key } = next;
		const odds = multiplyFractions(parent.odds, next.odds);
		const path = choices.length === 0 ? parent.path : { tick: this.#tick, choices, before: parent.path };
		if (this.#options.ends && holds === true) {
			const { state_digest } = next;
			this.#endedFutures.push({ odds, path, tick: this.#tick + 1, state_digest, merged: 1, holds });
			return;
		}
		const existing = merged.get(key);
		if (existing !== undefined) {
			existing.odds = addFractions(existing.odds, odds);
			existing.digests ??= new Set([digestOf(existing)]);
			existing.digests.add(next.state_digest);
			return;
		}
		const node: FutureNode = { ...store(), odds, path, digests: null, holds };
		merged.set(key, node);
		this.#nextNodes.push(node);
	}

	#result(): Futures {
		const open = this.#nodes.map((node) => futureOf(node, this.#tick));
		const all = [...this.#endedFutures, ...open];
		const covered = all.reduce((sum, { odds }) => addFractions(sum, odds), NONE);
		return {
			tick: this.#tick,
			complete: this.#stopReason === null,
			stopped: this.#stopReason,
			ended: this.#endedFutures,
			open,
			covered,
			tickCount: this.#tickCount,
		};
	}

	dispose(): void {
		dropAll([...this.#nodes, ...this.#nextNodes]);
		this.#shares?.dispose();
	}
}

const digestOf = ({ state, state_digest }: FutureNode): string => state_digest ?? digest(state!.world);

const futureOf = (node: FutureNode, tick: number): Future => ({
	odds: node.odds,
	path: node.path,
	tick,
	state_digest: digestOf(node),
	merged: node.digests?.size ?? 1,
	holds: node.holds,
});

function dropAll(nodes: readonly FutureNode[]): void {
	for (const { state } of nodes) if (state !== undefined) dispose(state.world);
}

/** Returns the most probable nodes in their original order. Disposes of the others. */
function mostProbable(nodes: FutureNode[], maxCount: number): FutureNode[] {
	if (nodes.length <= maxCount) return nodes;
	const ranked = nodes
		.map((_, i) => i)
		.sort((a, b) => compareFractions(nodes[b]!.odds, nodes[a]!.odds) || a - b);
	const keptIndexes = new Set(ranked.slice(0, maxCount));
	dropAll(nodes.filter((_, i) => !keptIndexes.has(i)));
	return nodes.filter((_, i) => keptIndexes.has(i));
}
