/**
 * Cache of the JSON of a world's entities, as bytes. Unchanged rows are copied instead of written again.
 * Owns: finding the changed rows, value by value. Columns are shared with the world until it writes, as with a clone.
 */

import { hasBit, setBit } from '../core/bits.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { Column } from '../core/column.ts';
import { rowsOf, type WorldRows } from '../core/rows.ts';
import type { ComponentTable } from '../core/table.ts';
import type { World } from '../core/world.ts';
import type { JsonWriter } from './json-bytes.ts';

/**
 * Maximum number of bytes of all cached rows: enough for a world of some 40,000 entities. Rows of a deleted fork count
 * until others need the space.
 */
const MAX_BYTES = 32 * 2 ** 20;

interface RowBytes {
	/** Columns from which the bytes were written. */
	readonly rows: WorldRows;
	/** JSON of the entities in slot order, each followed by a comma. */
	readonly bytes: Uint8Array;
	/** End offset of the row of each slot. A slot without a row has the same end as the slot before it. */
	readonly ends: Uint32Array;
}

/** Cached rows of a world; null after they were dropped. */
interface RowsHolder {
	written: RowBytes | null;
}
const holders = new WeakMap<World, RowsHolder>();
const cache = new BoundedCache<RowsHolder>(MAX_BYTES, (holder) => {
	holder.written = null;
});

/** Cached rows, and the set of the slots that have changed since. */
interface CachedRows extends RowBytes {
	readonly changedSlots: Uint32Array;
}

function holderOf(world: World): RowsHolder {
	let holder = holders.get(world);
	if (holder === undefined) {
		holder = { written: null };
		holders.set(world, holder);
	}
	return holder;
}

/** Lets a new copy, which is taken to read a world, use and replace the cached rows of the world. */
export function shareRows(world: World, copy: World): void {
	// An undo of a running call restores rows in place, in the copy too.
	if (world.undo === null) holders.set(copy, holderOf(world));
}

/** Caches the current rows of a world, which are in `out` from offset `start` on, if there is room for them. */
export function cacheRows(world: World, out: JsonWriter, start: number, ends: Uint32Array): void {
	const holder = holderOf(world);
	// Columns that the world replaces stay in memory until the next read-out: about the same number of bytes again.
	const weight = 2 * (out.length - start + ends.byteLength);
	cache.drop(holder);
	holder.written = null;
	if (weight > MAX_BYTES) return;
	holder.written = { rows: rowsOf(world), bytes: out.copyFrom(start), ends };
	cache.use(holder, weight);
}

/** Returns the cached rows of a world; null if there are none. */
export function cachedRowsOf(world: World): CachedRows | null {
	const written = holders.get(world)?.written ?? null;
	if (written === null) return null;
	const { rows, ends } = written;
	const { used, alive, generations } = world.entities;
	const changedSlots = new Uint32Array(Math.ceil(used / 32));
	for (let slot = ends.length; slot < used; slot++) setBit(changedSlots, slot);
	addDifferences(changedSlots, rows.entities.alive.data, alive.data);
	addChanged(changedSlots, rows.entities.generations, generations);
	for (let i = 0; i < Math.max(rows.tables.length, world.tables.length); i++)
		addChangedTable(changedSlots, rows.tables[i], world.tables[i]);
	return { ...written, changedSlots };
}

function addChangedTable(
	changedSlots: Uint32Array,
	before: ComponentTable | undefined,
	after: ComponentTable | undefined,
): void {
	if (before === after) return;
	addDifferences(changedSlots, before?.presence.data ?? NO_SLOTS, after?.presence.data ?? NO_SLOTS);
	if (before === undefined || after === undefined) return;
	for (const name in after.columns) addChanged(changedSlots, before.columns[name]!, after.columns[name]!);
}

const NO_SLOTS = new Uint32Array(0);

/** Adds the slots that are in exactly one of two sets. */
function addDifferences(changedSlots: Uint32Array, before: Uint32Array, after: Uint32Array): void {
	if (before === after) return;
	for (let i = 0; i < changedSlots.length; i++) changedSlots[i]! |= (before[i] ?? 0) ^ (after[i] ?? 0);
}

/** Adds the slots whose values in a column differ. */
function addChanged(changedSlots: Uint32Array, before: Column, after: Column): void {
	const [oldData, newData] = [before.data, after.data];
	if (oldData === newData) return;
	const { stride } = after;
	const length = Math.min(oldData.length, newData.length, changedSlots.length * 32 * stride);
	for (let index = 0; index < length; index++)
		if (oldData[index] !== newData[index]) setBit(changedSlots, Math.floor(index / stride));
}

/** Copies the rows of unchanged slots from `slot` on. Returns the next slot that is not copied. */
export function copyRows(
	out: JsonWriter,
	{ bytes, ends: oldEnds, changedSlots }: CachedRows,
	ends: Uint32Array,
	start: number,
	slot: number,
): number {
	let end = slot + 1;
	while (end < ends.length && !hasBit(changedSlots, end)) end++;
	const from = slot === 0 ? 0 : oldEnds[slot - 1]!;
	const shift = out.length - start - from;
	for (let i = slot; i < end; i++) ends[i] = oldEnds[i]! + shift;
	out.writeBytes(bytes.subarray(from, oldEnds[end - 1]!));
	return end;
}
