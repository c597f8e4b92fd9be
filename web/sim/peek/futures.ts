/**
 * The exact distribution over many coming ticks.
 * Owns: the walk: a list of the states that the world can be in, each with its probability, tick by tick. States that cannot be told
 * apart from now on are one (dynamic programming over a Markov chain; Puterman 1994, section 4.2).
 * Never: samples. What does not fit the limits is dropped, the least probable first, and counted as not covered.
 */

import {
	addFractions,
	compareFractions,
	type Fraction,
	fraction,
	multiplyFractions,
} from '../../../shared/contract/fraction.ts';
import { type Choice, startChance } from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import { digest } from '../core/digest.ts';
import type { Work } from '../core/work.ts';
import type { World } from '../core/world.ts';
import type { Watch } from '../rules/conditions/watch.ts';
import { schedule } from '../schedule.ts';
import { beginTick, endTick, runSystem } from '../step.ts';
import { enumerate } from './enumerate.ts';

/** Draws of a tick that could have come out otherwise, and those of the ticks before it. */
export interface Path {
	/** Ticks completed before. */
	readonly tick: number;
	readonly choices: readonly Choice[];
	readonly before: Path | null;
}

/** A state that the world can be in. */
export interface Future {
	readonly odds: Fraction;
	/** One way to it, of possibly many. */
	readonly path: Path | null;
	readonly tick: number;
	readonly state_digest: string;
	/** Number of states that were merged into it, counted by digest; 1 unless `keyOf` merges more. */
	readonly merged: number;
	/** True if the condition holds; undefined without one. */
	readonly holds: boolean | undefined;
}

/** Limits that end a walk. */
export type Limit = 'max_ticks' | 'time';

export interface Futures {
	/** Ticks completed in the states of the last tick. */
	readonly tick: number;
	/** All ticks that were asked for were made, or no state is left that goes on. */
	readonly complete: boolean;
	/** Limit that ended the walk before that; null for none. */
	readonly stopped: Limit | null;
	/** States in which the condition holds, where it ends them; then those of the last tick. */
	readonly ended: readonly Future[];
	readonly open: readonly Future[];
	/** Probability of all of them. */
	readonly covered: Fraction;
	/** Ticks made, of all states together. */
	readonly made: number;
}

export interface FuturesOptions {
	readonly ticks: number;
	/** Most states at once. */
	readonly maxStates: number;
	/** Most ticks made, of all states together. */
	readonly maxMade: number;
	/** True when no time is left for more ticks. */
	readonly isLate: () => boolean;
	/** Looks at the first world already. */
	readonly watch?: Watch;
	/** A state in which the condition holds goes no further. */
	readonly ends?: boolean;
	/** States of one tick with the same key are one. It must have all that the coming ticks depend on. */
	readonly keyOf: (world: World) => string;
}

/** A state while the walk goes on. */
interface Node {
	world: World;
	readonly watch: Watch | undefined;
	odds: Fraction;
	readonly path: Path | null;
	/** Digests of the states that were merged into it; null for none. */
	digests: Set<string> | null;
}

/** Most ticks that are made in place before a copy of the world is taken again. */
const MAX_STRETCH = 32;

const ONE = fraction(1n);
const NONE = fraction(0n);

/** Walks through all states of the coming ticks. `world` is untouched, and must stay so until the end. */
export function* futuresOf(world: World, options: FuturesOptions): Work<Futures> {
	const walk = new Walk(options);
	try {
		return yield* walk.run(world);
	} finally {
		walk.dispose();
	}
}

class Walk {
	readonly #options: FuturesOptions;
	readonly #ended: Future[] = [];
	#nodes: Node[] = [];
	#next: Node[] = [];
	/** Ticks completed in the nodes. */
	#tick = 0;
	#made = 0;
	#stopped: Limit | null = null;

	constructor(options: FuturesOptions) {
		this.#options = options;
	}

	*run(world: World): Work<Futures> {
		const { ticks, ends, watch } = this.#options;
		const start: Node = { world: clone(world), watch: watch?.copy(), odds: ONE, path: null, digests: null };
		if (ends === true && watch!.find(world).passed) this.#end(start, true);
		this.#nodes = [start];
		if (this.#ended.length > 0) this.#dropNodes();
		const last = world.tick + ticks;
		this.#tick = world.tick;
		while (this.#tick < last && this.#nodes.length > 0) {
			if (this.#nodes.length === 1) yield* this.#goSurely(last);
			if (this.#stopped !== null || this.#tick === last || this.#nodes.length === 0) break;
			if (!(yield* this.#branch())) break;
			this.#tick++;
		}
		return this.#result();
	}

	/** True if one more tick may be made; notes the limit otherwise. */
	#mayMake(): boolean {
		if (this.#made >= this.#options.maxMade) this.#stopped = 'max_ticks';
		else if (this.#options.isLate()) this.#stopped = 'time';
		return this.#stopped === null;
	}

	/**
	 * Makes the ticks of the only state up to the first that has several outcomes. No other state can be equal to it, so they cost as
	 * much as a step: a copy is taken now and then, to go back to before that tick.
	 */
	*#goSurely(last: number): Work<void> {
		const node = this.#nodes[0]!;
		for (let most = 1; this.#tick < last; most = Math.min(2 * most, MAX_STRETCH)) {
			let before = clone(node.world);
			try {
				let made = 0;
				for (; made < most && this.#tick < last; made++) {
					if (!this.#mayMake()) return;
					if (sureTick(node.world) === null) {
						for (let again = 0; again < made; again++) {
							sureTick(before);
							yield;
						}
						[node.world, before] = [before, node.world];
						return;
					}
					this.#tick++;
					this.#made++;
					const holds = node.watch?.find(node.world).passed;
					if (holds === true && this.#options.ends === true) {
						this.#end(node, true);
						this.#dropNodes();
						return;
					}
					yield;
				}
			} finally {
				dispose(before);
			}
		}
	}

	#dropNodes(): void {
		for (const { world } of this.#nodes) dispose(world);
		this.#nodes = [];
	}

	/** Makes one tick of every state. Returns false, with all as it was, if that is more than may be made. */
	*#branch(): Work<boolean> {
		const endedBefore = this.#ended.length;
		const merged = new Map<string, Node>();
		// The walk was here already if there is a single state: the tick has several outcomes.
		const isOpen = this.#nodes.length === 1;
		for (const node of this.#nodes) {
			for (const { world, choices } of isOpen ? enumerate(node.world) : successors(node.world)) {
				if (!this.#mayMake()) {
					this.#ended.length = endedBefore;
					for (const made of this.#next.splice(0)) dispose(made.world);
					return false;
				}
				this.#made++;
				this.#take(node, world, choices, merged);
				yield;
			}
		}
		this.#dropNodes();
		this.#nodes = mostProbable(this.#next, this.#options.maxStates);
		this.#next = [];
		return true;
	}

	/** Enters a state that follows on another. The caller keeps the world. */
	#take(from: Node, world: World, choices: readonly Choice[], merged: Map<string, Node>): void {
		const { ends, keyOf } = this.#options;
		const odds = choices.reduce(
			(product, { probability }) => multiplyFractions(product, probability),
			from.odds,
		);
		const open = choices.filter(
			({ outcomes }) => outcomes.filter(({ probability }) => probability.num > 0n).length > 1,
		);
		const path = open.length === 0 ? from.path : { tick: from.world.tick, choices: open, before: from.path };
		const watch = from.watch?.copy();
		const holds = watch?.find(world).passed;
		if (ends === true && holds === true) {
			this.#end({ world, watch, odds, path, digests: null }, true);
			return;
		}
		const key = `${keyOf(world)} ${watch?.memory ?? ''}`;
		const same = merged.get(key);
		if (same !== undefined) {
			same.odds = addFractions(same.odds, odds);
			same.digests ??= new Set([digest(same.world)]);
			same.digests.add(digest(world));
			return;
		}
		const node: Node = { world: clone(world), watch, odds, path, digests: null };
		merged.set(key, node);
		this.#next.push(node);
	}

	#end(node: Node, holds: boolean): void {
		this.#ended.push(futureOf(node, holds));
	}

	#result(): Futures {
		const open = this.#nodes.map((node) => futureOf(node, node.watch?.find(node.world).passed));
		const all = [...this.#ended, ...open];
		const covered = all.reduce((sum, { odds }) => addFractions(sum, odds), NONE);
		return {
			tick: this.#tick,
			complete: this.#stopped === null,
			stopped: this.#stopped,
			ended: this.#ended,
			open,
			covered,
			made: this.#made,
		};
	}

	dispose(): void {
		for (const { world } of [...this.#nodes, ...this.#next]) dispose(world);
	}
}

function futureOf({ odds, path, world, digests }: Node, holds: boolean | undefined): Future {
	return {
		odds,
		path,
		tick: world.tick,
		state_digest: digest(world),
		merged: digests?.size ?? 1,
		holds,
	};
}

/** The most probable nodes, in the order in which they came; the others are disposed of. */
function mostProbable(nodes: Node[], most: number): Node[] {
	if (nodes.length <= most) return nodes;
	const ranked = nodes
		.map((_, i) => i)
		.sort((a, b) => compareFractions(nodes[b]!.odds, nodes[a]!.odds) || a - b);
	const kept = new Set(ranked.slice(0, most));
	return nodes.filter((node, i) => {
		if (!kept.has(i)) dispose(node.world);
		return kept.has(i);
	});
}

/** Every state that the next tick can lead to. Each world is the reader's until the next one is asked for. */
function* successors(
	world: World,
): Generator<{ readonly world: World; readonly choices: readonly Choice[] }, void> {
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
function sureTick(world: World): readonly Choice[] | null {
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
