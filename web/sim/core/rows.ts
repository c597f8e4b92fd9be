/**
 * The living entities with their rows at one moment, to compare with another.
 * Owns: that comparison. It shares columns with the world until one writes, as a clone does.
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

/** Returns true if the same entity lives in a slot. */
export function livesInBoth(a: WorldRows, b: WorldRows, slot: number): boolean {
	return (
		isThere(a, slot) &&
		isThere(b, slot) &&
		a.entities.generations.data[slot] === b.entities.generations.data[slot]
	);
}

function isThere({ entities }: WorldRows, slot: number): boolean {
	return slot < entities.used && hasBit(entities.alive.data, slot);
}

/**
 * Slots with an entity that is gone or has other components or values. Components that are only derived do not count, nor does `except`.
 * Columns without a write are not looked at.
 */
export function changedSlots(before: WorldRows, after: WorldRows, except: Component): Set<number> {
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
	before: ComponentTable | undefined,
	after: ComponentTable | undefined,
): void {
	if ((before ?? after)?.component.scope === 'derived') return;
	const [had, has] = [before?.presence.data, after?.presence.data];
	for (let slot = 0; had !== has && slot < used; slot++)
		if (isIn(had, slot) !== isIn(has, slot) && hasBit(alive.data, slot)) changed.add(slot);
	for (const [name, { data, stride }] of Object.entries(before?.columns ?? {})) {
		const next = after?.columns[name]?.data;
		if (next === undefined || next === data) continue;
		const length = Math.min(used * stride, data.length, next.length);
		for (let at = 0; at < length; at++) {
			if (data[at] === next[at]) continue;
			const slot = Math.floor(at / stride);
			// Values of entities without the component mean nothing.
			if (isIn(had, slot) && isIn(has, slot) && hasBit(alive.data, slot) && !isSame(data[at], next[at]))
				changed.add(slot);
		}
	}
}

const isIn = (presence: Uint32Array | undefined, slot: number): boolean =>
	presence !== undefined && hasBit(presence, slot);

/** Lists and records are replaced and never changed, so those that are the same are equal; others may be too. */
function isSame(before: unknown, after: unknown): boolean {
	if (Object.is(before, after)) return true;
	return typeof before === 'object' && JSON.stringify(before) === JSON.stringify(after);
}
