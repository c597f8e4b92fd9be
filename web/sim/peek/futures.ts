/**
 * The exact distribution over many coming ticks.
 * Owns: the walk: a list of the states that the world can be in, each with its probability, tick by tick. States that
 * cannot be distinguished from now on are one (dynamic programming over a Markov chain; Puterman 1994, section 4.2).
 * Other threads may hold some of the states: the order in which states are merged, and all that is found, is the
 * same.
 * Never: samples. What does not fit the limits is dropped, the least probable first, and counted as not covered.
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
	copyOf,
	type FollowingState,
	type FutureQuestion,
	type FutureState,
	nextOf,
	sureTick,
} from './share.ts';
import { type ShareOptions, Shares } from './shares.ts';

/** Work that is done in slices, and that waits for what it yields. */
export type WaitingWork<T> = Generator<Promise<void> | void, T>;

/** Draws of a tick that could have come out otherwise, and those of the ticks before it. */
export interface FuturePath {
	/** Ticks completed before. */
	readonly tick: number;
	readonly choices: readonly ShownChoice[];
	readonly before: FuturePath | null;
}

/** A state that the world can be in. */
export interface Future {
	readonly odds: Fraction;
	/** One way to it, of possibly many. */
	readonly path: FuturePath | null;
	readonly tick: number;
	readonly state_digest: string;
	/** Number of states that were merged into it, counted by digest; 1 unless `keyOf` merges more. */
	readonly merged: number;
	/** True if the condition holds; undefined without one. */
	readonly holds: boolean | undefined;
}

/** Limits that end a walk. */
export type FutureLimit = 'max_ticks' | 'time';

export interface Futures {
	/** Ticks completed in the states of the last tick. */
	readonly tick: number;
	/** All ticks that were asked for were made, or no state is left that continues. */
	readonly complete: boolean;
	/** Limit that ended the walk before that; null for none. */
	readonly stopped: FutureLimit | null;
	/** States in which the condition holds, where it ends them; then those of the last tick. */
	readonly ended: readonly Future[];
	readonly open: readonly Future[];
	/** Probability of all of them. */
	readonly covered: Fraction;
	/** Ticks made, of all states together. */
	readonly made: number;
}

export interface FuturesOptions extends FutureQuestion {
	readonly ticks: number;
	/** Most states at once. */
	readonly maxStates: number;
	/** Most ticks made, of all states together. */
	readonly maxMade: number;
	/** Returns true if no time is left for more ticks. */
	readonly isLate: () => boolean;
	/** Looks at the first world already. */
	readonly watch?: ConditionWatch;
	/** Called after ticks are made, with their number. */
	readonly counted?: (ticks: number) => void;
	/** Other threads for the states; all are here without it. */
	readonly sharing?: ShareOptions | undefined;
}

/** A state while the walk continues. */
export interface FutureNode {
	/** Undefined if `at` says where it is. */
	state: FutureState | undefined;
	at?: { readonly share: number; readonly id: number };
	odds: Fraction;
	readonly path: FuturePath | null;
	/** Digests of the states that were merged into it; null for none. */
	digests: Set<string> | null;
	/** Undefined if its state is here. */
	state_digest?: string;
	holds: boolean | undefined;
}

type SharePlace = Pick<FutureNode, 'state' | 'at' | 'state_digest'>;

/** Maximum number of ticks that are made in place before a copy of the world is taken again. */
const MAX_STRETCH = 32;

const ONE = fraction(1n);
const NONE = fraction(0n);

/** Walks through all states of the coming ticks. `world` is untouched, and must stay so until the end. Throws `LostShareError`. */
export function* futuresOf(world: World, options: FuturesOptions): WaitingWork<Futures> {
	const walk = new Walk(options);
	try {
		return yield* walk.run(world);
	} finally {
		walk.dispose();
	}
}

class Walk {
	readonly #options: FuturesOptions;
	readonly #shares: Shares | null;
	readonly #endedFutures: Future[] = [];
	#nodes: FutureNode[] = [];
	#next: FutureNode[] = [];
	/** Ticks completed in the nodes. */
	#tick = 0;
	#madeTicks = 0;
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
		if (ends && holds === true) this.#endSurely();
		while (this.#tick < last && this.#nodes.length > 0) {
			const shares = this.#shares;
			if (shares !== null) yield* shares.arrange(this.#nodes);
			if (this.#nodes.length === 1) yield* this.#goSurely(last);
			if (this.#stopReason !== null || this.#tick === last || this.#nodes.length === 0) break;
			if (!(yield* shares?.isDistributed ? this.#branchShared(shares) : this.#branch())) break;
			this.#tick++;
		}
		return this.#result();
	}

	/** Returns true if one more tick may be made; notes the limit otherwise. */
	#mayMake(): boolean {
		if (this.#madeTicks >= this.#options.maxMade) this.#stopReason = 'max_ticks';
		else if (this.#options.isLate()) this.#stopReason = 'time';
		return this.#stopReason === null;
	}

	#count(ticks: number): void {
		this.#madeTicks += ticks;
		this.#options.counted?.(ticks);
	}

	/**
	 * Makes the ticks of the only state up to the first that has several outcomes. No other state can equal it, so it
	 * costs as much as a step. A copy is taken now and then, to return to the tick before.
	 */
	*#goSurely(last: number): WaitingWork<void> {
		const node = this.#nodes[0]!;
		const state = node.state!;
		for (let most = 1; this.#tick < last; most = Math.min(2 * most, MAX_STRETCH)) {
			let before = clone(state.world);
			try {
				let count = 0;
				for (; count < most && this.#tick < last; count++) {
					if (!this.#mayMake()) return;
					if (sureTick(state.world) === null) {
						for (let again = 0; again < count; again++) {
							sureTick(before);
							yield;
						}
						[state.world, before] = [before, state.world];
						return;
					}
					this.#tick++;
					this.#count(1);
					node.holds = state.watch?.find(state.world).passed;
					if (node.holds === true && this.#options.ends) {
						this.#endSurely();
						return;
					}
					yield;
				}
			} finally {
				dispose(before);
			}
		}
	}

	/** Ends the only state. */
	#endSurely(): void {
		this.#endedFutures.push(futureOf(this.#nodes[0]!, this.#tick));
		this.#dropNodes();
	}

	#dropNodes(): void {
		dropAll(this.#nodes);
		this.#nodes = [];
	}

	/** Makes one tick of every state. Returns false, with all as it was, if that is more than may be made. */
	*#branch(): WaitingWork<boolean> {
		const endedBefore = this.#endedFutures.length;
		const merged = new Map<string, FutureNode>();
		this.#shares?.begin();
		// The walk was here already if there is a single state: the tick has several outcomes.
		const isOpen = this.#nodes.length === 1;
		for (const node of this.#nodes) {
			for (const { next, state } of nextOf(node.state!, this.#options, isOpen)) {
				if (!this.#mayMake()) {
					this.#endedFutures.length = endedBefore;
					dropAll(this.#next.splice(0));
					return false;
				}
				this.#count(1);
				this.#take(node, next, () => ({ state: copyOf(state) }), merged);
				yield;
			}
		}
		this.#shares?.end(this.#nodes.length);
		this.#replaceNodes();
		return true;
	}

	/** Returns the same, with the states on several threads. */
	*#branchShared(shares: Shares): WaitingWork<boolean> {
		if (!this.#mayMake()) return false;
		const most = this.#options.maxMade - this.#madeTicks;
		shares.begin();
		const expanded = yield* shares.expand(this.#nodes, most, (ticks) => this.#options.counted?.(ticks));
		const count = expanded.reduce((sum, expansion) => sum + expansion.made, 0);
		this.#madeTicks += Math.min(count, most);
		if (count > most) {
			this.#stopReason = 'max_ticks';
			return false;
		}
		const merged = new Map<string, FutureNode>();
		const places = expanded.map(({ nexts, first }) => ({ nexts: nexts.values(), id: first }));
		for (const node of this.#nodes) {
			const { share } = node.at!;
			const place = places[share]!;
			for (const next of place.nexts.next().value!) {
				const at = { share, id: place.id++ };
				const { state_digest } = next;
				this.#take(node, next, () => ({ state: undefined, at, state_digest }), merged);
			}
		}
		yield;
		shares.end(this.#nodes.length);
		this.#replaceNodes();
		return true;
	}

	#replaceNodes(): void {
		this.#dropNodes();
		this.#nodes = mostProbable(this.#next, this.#options.maxStates);
		this.#next = [];
	}

	/** Enters a state that follows on another. `place` keeps it. */
	#take(
		from: FutureNode,
		next: FollowingState,
		place: () => SharePlace,
		merged: Map<string, FutureNode>,
	): void {
		const { choices, holds, key } = next;
		const odds = multiplyFractions(from.odds, next.odds);
		const path = choices.length === 0 ? from.path : { tick: this.#tick, choices, before: from.path };
		if (this.#options.ends && holds === true) {
			const { state_digest } = next;
			this.#endedFutures.push({ odds, path, tick: this.#tick + 1, state_digest, merged: 1, holds });
			return;
		}
		const same = merged.get(key);
		if (same !== undefined) {
			same.odds = addFractions(same.odds, odds);
			same.digests ??= new Set([digestOf(same)]);
			same.digests.add(next.state_digest);
			return;
		}
		const node: FutureNode = { ...place(), odds, path, digests: null, holds };
		merged.set(key, node);
		this.#next.push(node);
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
			made: this.#madeTicks,
		};
	}

	dispose(): void {
		dropAll([...this.#nodes, ...this.#next]);
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

/** Returns the most probable nodes, in the order in which they came; the others are disposed of. */
function mostProbable(nodes: FutureNode[], most: number): FutureNode[] {
	if (nodes.length <= most) return nodes;
	const ranked = nodes
		.map((_, i) => i)
		.sort((a, b) => compareFractions(nodes[b]!.odds, nodes[a]!.odds) || a - b);
	const keptIndexes = new Set(ranked.slice(0, most));
	dropAll(nodes.filter((_, i) => !keptIndexes.has(i)));
	return nodes.filter((_, i) => keptIndexes.has(i));
}
