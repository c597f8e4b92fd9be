/**
 * The memory that all worlds of a host take together, and how much they may.
 * Owns: the budget. What worlds share counts once. Counting exactly takes a while with many worlds, so a bound is kept that
 * every call that can cost memory raises, and it is counted again only when the bound passes the budget.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { nextTickBytes, weighWorld } from '../sim/core/weigh-world.ts';
import type { World } from '../sim/core/world.ts';

const MIB = 2 ** 20;
/** Well below what a tab of a browser may take. */
export const MEMORY_BUDGET = 4096 * MIB;

export class Memory {
	/** Most bytes that worlds may take. */
	budget: number;
	#bound = 0;
	/** What may be added to worlds, and at which version. */
	readonly #alone = new WeakMap<World, { readonly version: number; readonly bytes: number }>();

	constructor(budget = MEMORY_BUDGET) {
		this.budget = budget;
	}

	/** Before a world is stepped, forked or kept, which can cost as much as all that it holds. Throws `out_of_room`. */
	requireRoom(world: World, worlds: () => Iterable<World>, heaviest: () => string): void {
		const more = this.#nextTickBytes(world);
		this.#bound += more;
		if (this.#bound <= this.budget) return;
		const taken = weigh(worlds());
		this.#bound = taken + more;
		if (this.#bound <= this.budget) return;
		this.#bound = taken;
		throw new ApiError(
			'out_of_room',
			`The worlds use ${inMiB(taken)} of memory and this call may need ${inMiB(more)} more; the limit is ${inMiB(this.budget)}. ${heaviest()}`,
		);
	}

	#nextTickBytes(world: World): number {
		const cached = this.#alone.get(world);
		if (cached?.version === world.version) return cached.bytes;
		const bytes = nextTickBytes(world);
		this.#alone.set(world, { version: world.version, bytes });
		return bytes;
	}
}

export function inMiB(bytes: number): string {
	return `${(bytes / MIB).toFixed(1)} MiB`;
}

/** Bytes that worlds take together. */
export function weigh(worlds: Iterable<World>): number {
	const seen = new Set<object>();
	let total = 0;
	for (const world of worlds)
		weighWorld(world, (thing, bytes) => {
			if (seen.has(thing)) return;
			seen.add(thing);
			total += bytes;
		});
	return total;
}

/** Bytes that only one group of worlds holds: what dropping it gives back. */
export function ownWeights<K>(groups: Iterable<readonly [K, readonly World[]]>): Map<K, number> {
	const holders = new Map<object, { readonly key: K; bytes: number; alone: boolean }>();
	const own = new Map<K, number>();
	for (const [key, worlds] of groups) {
		own.set(key, 0);
		for (const world of worlds)
			weighWorld(world, (thing, bytes) => {
				const held = holders.get(thing);
				if (held === undefined) holders.set(thing, { key, bytes, alone: true });
				else if (held.key !== key) held.alone = false;
			});
	}
	for (const { key, bytes, alone } of holders.values()) if (alone) own.set(key, own.get(key)! + bytes);
	return own;
}
