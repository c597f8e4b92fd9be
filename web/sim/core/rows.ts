/**
 * Who lived and what each had at one moment, to compare with another.
 * Owns: that comparison. It shares columns with the world until somebody writes, as a clone does.
 */

import type { Component } from '../../../shared/contract/component.ts';
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

/**
 * Slots whose entity is gone, or whose components or values differ. Components that are only derived do not count, nor does `except`.
 * Columns without a write are not looked at.
 */
export function changedSlots(before: Rows, after: Rows, except: Component): Set<number> {
	const changed = new Set<number>();
	const { used, alive, generations } = before.entities;
	const isSame =
		alive.data === after.entities.alive.data && generations.data === after.entities.generations.data;
	for (let slot = 0; !isSame && slot < used; slot++)
		if (hasBit(alive.data, slot) && !livesInBoth(before, after, slot)) changed.add(slot);
	for (let i = 0; i < Math.max(before.tables.length, after.tables.length); i++) {
		const [was, is] = [before.tables[i], after.tables[i]];
		if ((was ?? is)?.component !== except) addDifferences(changed, before.entities, was, is);
	}
	return changed;
}

/** Adds the slots of entities that lived before in which a component differs. */
function addDifferences(
	changed: Set<number>,
	{ used, alive }: Entities,
	before: Table | undefined,
	after: Table | undefined,
): void {
	const known = before ?? after;
	if (known === undefined || known.component.scope === 'derived' || before === after) return;
	const had = (table: Table | undefined, slot: number): boolean =>
		table !== undefined && hasBit(table.presence.data, slot);
	const written = Object.keys(known.columns).filter(
		(name) => before?.columns[name]?.data !== after?.columns[name]?.data,
	);
	if (written.length === 0 && before?.presence.data === after?.presence.data) return;
	for (let slot = 0; slot < used; slot++) {
		if (!hasBit(alive.data, slot)) continue;
		const present = had(before, slot);
		if (present !== had(after, slot)) changed.add(slot);
		else if (
			present &&
			!written.every((name) => sameCells(before!.columns[name]!, after!.columns[name]!, slot))
		)
			changed.add(slot);
	}
}

/** Values of lists and records are replaced and never changed, so those that are the same are equal; others may be too. */
function sameCells(a: Column, b: Column, slot: number): boolean {
	for (let i = slot * a.stride; i < (slot + 1) * a.stride; i++) {
		const [before, after] = [a.data[i], b.data[i]];
		if (Object.is(before, after)) continue;
		if (typeof before !== 'object' || JSON.stringify(before) !== JSON.stringify(after)) return false;
	}
	return true;
}
