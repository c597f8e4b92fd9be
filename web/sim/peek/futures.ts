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

export interface Futures {
	/** Ticks completed in the states of the last tick. */
	readonly tick: number;
	/** All ticks that were asked for were made, or no state is left that goes on. */
	readonly complete: boolean;
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
	/** Looks at the first world already. */
	readonly watch?: Watch;
	/** A state in which the condition holds goes no further. */
	readonly ends?: boolean;
	/** States of one tick with the same key are one. It must have all that the coming ticks depend on. */
	readonly keyOf: (world: World) => string;
}

/** A state while the walk goes on. */
interface Node {
	readonly world: World;
	readonly watch: Watch | undefined;
	odds: Fraction;
	readonly path: Path | null;
	readonly digests: Set<string>;
}

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
	#made = 0;

	constructor(options: FuturesOptions) {
		this.#options = options;
	}

	*run(world: World): Work<Futures> {
		const { ticks, ends, watch } = this.#options;
		const start: Node = { world: clone(world), watch, odds: ONE, path: null, digests: new Set() };
		if (ends === true && watch!.find(world).passed) this.#end(start, true);
		else this.#nodes = [start];
		let { tick } = world;
		for (let i = 0; i < ticks && this.#nodes.length > 0; i++) {
			if (!(yield* this.#tick())) break;
			tick++;
		}
		return this.#result(tick, tick === world.tick + ticks || this.#nodes.length === 0);
	}

	/** Makes one tick of every state. Returns false, with all as it was, if that is more than may be made. */
	*#tick(): Work<boolean> {
		const { maxMade } = this.#options;
		const endedBefore = this.#ended.length;
		const merged = new Map<string, Node>();
		for (const node of this.#nodes) {
			for (const { world, choices } of successors(node.world)) {
				if (++this.#made > maxMade) {
					this.#ended.length = endedBefore;
					for (const made of this.#next.splice(0)) dispose(made.world);
					return false;
				}
				this.#take(node, world, choices, merged);
				yield;
			}
		}
		for (const node of this.#nodes) dispose(node.world);
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
			this.#end({ world, watch, odds, path, digests: new Set() }, true);
			return;
		}
		const key = `${keyOf(world)} ${watch?.memory ?? ''}`;
		const same = merged.get(key);
		if (same !== undefined) {
			same.odds = addFractions(same.odds, odds);
			same.digests.add(digest(world));
			return;
		}
		const node: Node = { world: clone(world), watch, odds, path, digests: new Set([digest(world)]) };
		merged.set(key, node);
		this.#next.push(node);
	}

	#end(node: Node, holds: boolean): void {
		this.#ended.push(futureOf(node, holds));
	}

	#result(tick: number, complete: boolean): Futures {
		const open = this.#nodes.map((node) => futureOf(node, node.watch?.find(node.world).passed));
		const all = [...this.#ended, ...open];
		const covered = all.reduce((sum, { odds }) => addFractions(sum, odds), NONE);
		return { tick, complete, ended: this.#ended, open, covered, made: this.#made };
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
		merged: Math.max(1, digests.size),
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
