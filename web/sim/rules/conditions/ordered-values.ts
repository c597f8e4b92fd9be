/**
 * Entities in the order of a number, so that conditions look only at those within their bounds.
 * Owns: the lists. They are shared by all conditions, and by forks until one of them writes. A list is made when the
 * looks without it have cost as much as sorting.
 */

import type { Component } from '../../../../shared/contract/component.ts';
import type { NumericArray } from '../../core/column.ts';
import { strideOf } from '../../core/table.ts';
import { count, each, read, versionOf, type World } from '../../core/world.ts';

/** A condition holds only for entities with this number from `low` to `high`. */
export interface NumberBounds {
	readonly component: Component;
	readonly field: string;
	/** Index of the number in the field. */
	readonly lane: number;
	readonly low: number;
	readonly high: number;
}

interface ValueOrder {
	/** Version of the column and of the component's presence. */
	readonly version: number;
	/** Looks so far. */
	asked: number;
	values: Float64Array;
	slots: Uint32Array | null;
}

/** By the data of a column, one for each number of an entity. */
const lists = new WeakMap<object, ValueOrder[]>();

const NONE = new Uint32Array(0);
const UNSORTED = new Float64Array(0);

/** Slots within one of the bounds, the one with the fewest, in slot order; null if it is cheaper to look at all. */
export function slotsWithin(world: World, all: readonly NumberBounds[]): Uint32Array | null {
	let best: Uint32Array | null = null;
	for (const bounds of all) {
		if (count(world, bounds.component) === 0) return NONE;
		const { values, slots } = orderedBy(world, bounds);
		if (slots === null) continue;
		const from = firstAtLeast(values, bounds.low);
		const to = firstAbove(values, bounds.high, from);
		if (from === to) return NONE;
		if (to - from < (best?.length ?? slots.length / 2)) best = slots.subarray(from, to);
	}
	return best === null ? null : best.slice().sort();
}

function orderedBy(world: World, { component, field, lane }: NumberBounds): ValueOrder {
	const data = read(world, component, field) as unknown as NumericArray;
	const version = versionOf(world, component, field);
	let lanes = lists.get(data);
	if (lanes === undefined) {
		lanes = [];
		lists.set(data, lanes);
	}
	let list = lanes[lane];
	if (list?.version !== version) {
		list = { version, asked: 0, values: UNSORTED, slots: null };
		lanes[lane] = list;
	}
	const entities = count(world, component);
	if (list.slots === null && ++list.asked > 32 - Math.clz32(entities)) {
		const stride = strideOf(component.fields[field]!);
		const slots = new Uint32Array(entities);
		let at = 0;
		each(world, [component], (slot) => {
			slots[at++] = slot;
		});
		const numberOf = (slot: number) => data[slot * stride + lane]!;
		slots.sort((a, b) => numberOf(a) - numberOf(b));
		list.values = Float64Array.from(slots, numberOf);
		list.slots = slots;
	}
	return list;
}

function firstAtLeast(values: Float64Array, least: number): number {
	let [low, high] = [0, values.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle]! < least) low = middle + 1;
		else high = middle;
	}
	return low;
}

function firstAbove(values: Float64Array, most: number, from: number): number {
	let [low, high] = [from, values.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle]! <= most) low = middle + 1;
		else high = middle;
	}
	return low;
}
