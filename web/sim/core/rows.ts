/**
 * Who lived and what each had at one moment, to compare with another.
 * Owns: that comparison. It shares columns with the world until somebody writes, as a clone does.
 */

import { hasBit } from './bits.ts';
import type { Column } from './column.ts';
import { cloneEntities, type Entities } from './entities.ts';
import { cloneTable, type Table } from './table.ts';
import type { World } from './world.ts';

export interface Rows {
	readonly entities: Entities;
	readonly tables: readonly (Table | undefined)[];
}

export function rowsOf({ entities, tables }: World): Rows {
	return { entities: cloneEntities(entities), tables: tables.map((table) => table && cloneTable(table)) };
}

/** Whether the same entity lives in a slot. */
export function livesInBoth(a: Rows, b: Rows, slot: number): boolean {
	return (
		isThere(a, slot) &&
		isThere(b, slot) &&
		a.entities.generations.data[slot] === b.entities.generations.data[slot]
	);
}

function isThere({ entities }: Rows, slot: number): boolean {
	return slot < entities.used && hasBit(entities.alive.data, slot);
}

/** Whether the same entity lives in a slot, with all that it had. What is only derived does not count. */
export function sameRow(a: Rows, b: Rows, slot: number): boolean {
	if (!livesInBoth(a, b, slot)) return false;
	for (let i = 0; i < Math.max(a.tables.length, b.tables.length); i++)
		if (!sameComponent(a.tables[i], b.tables[i], slot)) return false;
	return true;
}

function sameComponent(a: Table | undefined, b: Table | undefined, slot: number): boolean {
	if ((a ?? b)?.component.scope === 'derived') return true;
	const [before, after] = [a, b].map((table) => table !== undefined && hasBit(table.presence.data, slot));
	if (before !== after) return false;
	if (!before) return true;
	return Object.keys(a!.columns).every((name) => sameCells(a!.columns[name]!, b!.columns[name]!, slot));
}

/** Values of lists and records are replaced and never changed, so those that are the same are equal; others may be too. */
function sameCells(a: Column, b: Column, slot: number): boolean {
	if (a.data === b.data) return true;
	for (let i = slot * a.stride; i < (slot + 1) * a.stride; i++) {
		const [before, after] = [a.data[i], b.data[i]];
		if (Object.is(before, after)) continue;
		if (typeof before !== 'object' || JSON.stringify(before) !== JSON.stringify(after)) return false;
	}
	return true;
}
