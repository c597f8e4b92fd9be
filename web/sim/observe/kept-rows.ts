/**
 * The bytes of a world's rows as they were last read out, for rows in which nothing changed since.
 * Owns: the comparison, value by value. Columns are shared with the world until it writes, as with a clone.
 */

import { hasBit, setBit } from '../core/bits.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { Column } from '../core/column.ts';
import { rowsOf, type WorldRows } from '../core/rows.ts';
import type { ComponentTable } from '../core/table.ts';
import type { World } from '../core/world.ts';
import type { JsonWriter } from './json-bytes.ts';

/**
 * Maximum number of bytes that all kept rows take together: enough for a world of some 40,000 entities. Rows of a
 * fork that was deleted count until others need the room.
 */
const MAX_BYTES = 32 * 2 ** 20;

interface WrittenRows {
	readonly rows: WorldRows;
	/** The rows in slot order, each with a comma behind it. */
	readonly bytes: Uint8Array;
	/** By slot, where its row ends: where it begins if it has none. */
	readonly ends: Uint32Array;
}

/** Rows of a world, as long as there is room for them. */
interface RowsHolder {
	written: WrittenRows | null;
}
const holders = new WeakMap<World, RowsHolder>();
const cache = new BoundedCache<RowsHolder>(MAX_BYTES, (holder) => {
	holder.written = null;
});

/** Rows as they were written, and the slots in which something is different now. */
interface KeptRows extends WrittenRows {
	readonly changed: Uint32Array;
}

function holderOf(world: World): RowsHolder {
	let holder = holders.get(world);
	if (holder === undefined) {
		holder = { written: null };
		holders.set(world, holder);
	}
	return holder;
}

/** Lets a copy, which was just taken to read a world, use and keep the rows of this world. */
export function shareRows(world: World, copy: World): void {
	// Rows that a call can still undo are restored in place, in the copy too.
	if (world.undo === null) holders.set(copy, holderOf(world));
}

/** Keeps the rows of the world as it is now, which `out` has from `first` on, if there is room for them. */
export function keepRows(world: World, out: JsonWriter, first: number, ends: Uint32Array): void {
	const holder = holderOf(world);
	// The columns that the world replaces stay until the next read-out: about as much again.
	const weight = 2 * (out.length - first + ends.byteLength);
	cache.drop(holder);
	holder.written = null;
	if (weight > MAX_BYTES) return;
	holder.written = { rows: rowsOf(world), bytes: out.since(first), ends };
	cache.use(holder, weight);
}

/** Returns the rows that were last kept of a world; null if there are none. */
export function keptRows(world: World): KeptRows | null {
	const written = holders.get(world)?.written ?? null;
	if (written === null) return null;
	const { rows, ends } = written;
	const { used, alive, generations } = world.entities;
	const changed = new Uint32Array(Math.ceil(used / 32));
	for (let slot = ends.length; slot < used; slot++) setBit(changed, slot);
	addDifferences(changed, rows.entities.alive.data, alive.data);
	addChanged(changed, rows.entities.generations, generations);
	for (let i = 0; i < Math.max(rows.tables.length, world.tables.length); i++)
		addChangedTable(changed, rows.tables[i], world.tables[i]);
	return { ...written, changed };
}

function addChangedTable(
	changed: Uint32Array,
	before: ComponentTable | undefined,
	after: ComponentTable | undefined,
): void {
	if (before === after) return;
	addDifferences(changed, before?.presence.data ?? NO_SLOTS, after?.presence.data ?? NO_SLOTS);
	if (before === undefined || after === undefined) return;
	for (const name in after.columns) addChanged(changed, before.columns[name]!, after.columns[name]!);
}

const NO_SLOTS = new Uint32Array(0);

/** Adds slots that are in one of two sets. */
function addDifferences(changed: Uint32Array, before: Uint32Array, after: Uint32Array): void {
	if (before === after) return;
	for (let i = 0; i < changed.length; i++) changed[i]! |= (before[i] ?? 0) ^ (after[i] ?? 0);
}

/** Adds slots with other values in a column. */
function addChanged(changed: Uint32Array, before: Column, after: Column): void {
	const [was, is] = [before.data, after.data];
	if (was === is) return;
	const { stride } = after;
	const length = Math.min(was.length, is.length, changed.length * 32 * stride);
	for (let at = 0; at < length; at++) if (was[at] !== is[at]) setBit(changed, Math.floor(at / stride));
}

/** Copies the rows of slots without a change from `slot` on; returns the next slot with one. */
export function copyRows(
	out: JsonWriter,
	{ bytes, ends: before, changed }: KeptRows,
	ends: Uint32Array,
	first: number,
	slot: number,
): number {
	let end = slot + 1;
	while (end < ends.length && !hasBit(changed, end)) end++;
	const from = slot === 0 ? 0 : before[slot - 1]!;
	const moved = out.length - first - from;
	for (let i = slot; i < end; i++) ends[i] = before[i]! + moved;
	out.raw(bytes.subarray(from, before[end - 1]!));
	return end;
}
