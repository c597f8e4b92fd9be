/**
 * Entities sorted by a number, so that conditions test only the entities within their bounds.
 * Owns: the lists. All conditions share them, and so do forks until one of them writes. A list is sorted when searches
 * without it have cost as much as sorting.
 */

import type { Component } from '../../../../shared/contract/component.ts';
import type { NumericArray } from '../../core/column.ts';
import { strideOf } from '../../core/table.ts';
import { count, each, read, versionOf, type World } from '../../core/world.ts';

/** Bounds of a number: the condition holds only for entities whose number is from `low` to `high`. */
export interface NumberBounds {
	readonly component: Component;
	readonly field: string;
	/** Index of the number in the field. */
	readonly lane: number;
	readonly low: number;
	readonly high: number;
}

interface SortedValues {
	/** Version of the column and of the component's presence. */
	readonly version: number;
	/** Number of searches before the list was sorted. */
	searches: number;
	values: Float64Array;
	slots: Uint32Array | null;
}

/** Lists by the data of a column, one for each number of the field. */
const listsByColumn = new WeakMap<object, SortedValues[]>();

const NONE = new Uint32Array(0);
const UNSORTED = new Float64Array(0);

/**
 * Returns the slots within one of the bounds, in slot order. It uses the bounds with the fewest slots. Returns null if
 * testing all entities is cheaper.
 */
export function slotsWithin(world: World, allBounds: readonly NumberBounds[]): Uint32Array | null {
	let result: Uint32Array | null = null;
	for (const bounds of allBounds) {
		if (count(world, bounds.component) === 0) return NONE;
		const { values, slots } = sortedValuesOf(world, bounds);
		if (slots === null) continue;
		const from = findFirstAtLeast(values, bounds.low);
		const to = findFirstAbove(values, bounds.high, from);
		if (from === to) return NONE;
		if (to - from < (result?.length ?? slots.length / 2)) result = slots.subarray(from, to);
	}
	return result === null ? null : result.slice().sort();
}

function sortedValuesOf(world: World, { component, field, lane }: NumberBounds): SortedValues {
	const data = read(world, component, field) as unknown as NumericArray;
	const version = versionOf(world, component, field);
	let byLane = listsByColumn.get(data);
	if (byLane === undefined) {
		byLane = [];
		listsByColumn.set(data, byLane);
	}
	let sorted = byLane[lane];
	if (sorted?.version !== version) {
		sorted = { version, searches: 0, values: UNSORTED, slots: null };
		byLane[lane] = sorted;
	}
	const entities = count(world, component);
	if (sorted.slots === null && ++sorted.searches > 32 - Math.clz32(entities)) {
		const stride = strideOf(component.fields[field]!);
		const slots = new Uint32Array(entities);
		let index = 0;
		each(world, [component], (slot) => {
			slots[index++] = slot;
		});
		const numberOf = (slot: number) => data[slot * stride + lane]!;
		slots.sort((a, b) => numberOf(a) - numberOf(b));
		sorted.values = Float64Array.from(slots, numberOf);
		sorted.slots = slots;
	}
	return sorted;
}

function findFirstAtLeast(values: Float64Array, minimum: number): number {
	let [low, high] = [0, values.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle]! < minimum) low = middle + 1;
		else high = middle;
	}
	return low;
}

function findFirstAbove(values: Float64Array, maximum: number, from: number): number {
	let [low, high] = [from, values.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle]! <= maximum) low = middle + 1;
		else high = middle;
	}
	return low;
}
