/**
 * The living entities with their rows at one point in time.
 * Owns: the comparison of two of them. Columns are shared with the world until one side writes, as in a clone.
 */

import type { Component } from '../../../shared/contract/component.ts';
import { hasBit } from './bits.ts';
import { cloneEntities, type Entities } from './entities.ts';
import { type ComponentTable, shareTables } from './table.ts';
import type { World } from './world.ts';

export interface WorldRows {
	readonly entities: Entities;
	readonly tables: readonly (ComponentTable | undefined)[];
}

export function rowsOf(world: World): WorldRows {
	return { entities: cloneEntities(world.entities), tables: shareTables(world).tables };
}

/** Returns true if the same entity lives in a slot of both. */
export function livesInBoth(a: WorldRows, b: WorldRows, slot: number): boolean {
	return (
		isAliveIn(a, slot) &&
		isAliveIn(b, slot) &&
		a.entities.generations.data[slot] === b.entities.generations.data[slot]
	);
}

function isAliveIn({ entities }: WorldRows, slot: number): boolean {
	return slot < entities.used && hasBit(entities.alive.data, slot);
}

/**
 * Returns the slots of entities that were despawned or have other components or values. Derived components and `except`
 * do not count. Columns without a write are skipped.
 */
export function changedSlots(before: WorldRows, after: WorldRows, except: Component): Set<number> {
	const changed = new Set<number>();
	const { used, alive, generations } = before.entities;
	const hasSameEntities =
		alive.data === after.entities.alive.data && generations.data === after.entities.generations.data;
	for (let slot = 0; !hasSameEntities && slot < used; slot++)
		if (hasBit(alive.data, slot) && !livesInBoth(before, after, slot)) changed.add(slot);
	for (let i = 0; i < Math.max(before.tables.length, after.tables.length); i++) {
		const [tableBefore, tableAfter] = [before.tables[i], after.tables[i]];
		if ((tableBefore ?? tableAfter)?.component !== except)
			addDifferences(changed, before.entities, tableBefore, tableAfter);
	}
	return changed;
}

/** Adds the slots of entities that lived before and whose component differs. */
function addDifferences(
	changed: Set<number>,
	{ used, alive }: Entities,
	before: ComponentTable | undefined,
	after: ComponentTable | undefined,
): void {
	if ((before ?? after)?.component.scope === 'derived') return;
	const [presentBefore, presentAfter] = [before?.presence.data, after?.presence.data];
	for (let slot = 0; presentBefore !== presentAfter && slot < used; slot++)
		if (isIn(presentBefore, slot) !== isIn(presentAfter, slot) && hasBit(alive.data, slot)) changed.add(slot);
	for (const [name, { data, stride }] of Object.entries(before?.columns ?? {})) {
		const next = after?.columns[name]?.data;
		if (next === undefined || next === data) continue;
		const length = Math.min(used * stride, data.length, next.length);
		for (let i = 0; i < length; i++) {
			if (data[i] === next[i]) continue;
			const slot = Math.floor(i / stride);
			// Values of entities without the component have no meaning.
			const hasBoth = isIn(presentBefore, slot) && isIn(presentAfter, slot);
			if (hasBoth && hasBit(alive.data, slot) && !isSame(data[i], next[i])) changed.add(slot);
		}
	}
}

const isIn = (presence: Uint32Array | undefined, slot: number): boolean =>
	presence !== undefined && hasBit(presence, slot);

/** Compares two values. Lists and records are never changed in place, so the same object is equal to itself. */
function isSame(before: unknown, after: unknown): boolean {
	if (Object.is(before, after)) return true;
	return typeof before === 'object' && JSON.stringify(before) === JSON.stringify(after);
}
