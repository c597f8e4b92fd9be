/**
 * What differs between two worlds: entity by entity, field by field.
 * Owns: how differences are found and shown. Columns that two clones still share are not looked at.
 */

import { components } from '../../../shared/components/index.ts';
import type { Component, Field } from '../../../shared/contract/component.ts';
import { hasBit } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { ColumnData } from '../core/column.ts';
import { digest } from '../core/digest.ts';
import { isAlive } from '../core/entities.ts';
import { shortest } from '../core/float32.ts';
import { load, strideOf, type Table } from '../core/table.ts';
import type { World } from '../core/world.ts';
import { type EntityView, entityReader } from '../observe/read-out.ts';

/** One field that differs; a whole component when it came or went, its other side being null. */
export interface FieldChange {
	/** `component.field`, or `component`. */
	readonly field: string;
	readonly from: unknown;
	readonly to: unknown;
}

export interface EntityChange {
	readonly id: number;
	readonly generation: number;
	readonly fields: readonly FieldChange[];
}

export interface WorldDiff {
	/** Whether the state digests are equal. */
	readonly equal: boolean;
	/** Entities only in the later one, as they are there. */
	readonly spawned: readonly EntityView[];
	/** Entities only in the earlier one, as they were there. */
	readonly despawned: readonly EntityView[];
	readonly changed: readonly EntityChange[];
	/** Resources that differ. */
	readonly resources: readonly { readonly name: string; readonly from: unknown; readonly to: unknown }[];
	/** Other state that differs: `events` that wait, `physics`, or `slots`, the ids that the next entities get. */
	readonly parts: readonly string[];
	readonly totals: {
		readonly spawned: number;
		readonly despawned: number;
		readonly changed: number;
		readonly fields: number;
	};
	/** Whether lists were cut at the limit; totals never are. */
	readonly truncated: boolean;
}

/** Compares everything that is state or view; each list holds at most `limit` entries. */
export function diffWorlds(from: World, to: World, limit = 100): WorldDiff {
	const spawned: number[] = [];
	const despawned: number[] = [];
	const staying: number[] = [];
	const generationIn = (world: World, id: number) => world.entities.generations.data[id]!;
	const used = Math.max(from.entities.used, to.entities.used);
	for (let id = 0; id < used; id++) {
		const was = isAlive(from, id);
		const is = isAlive(to, id);
		const same = was && is && generationIn(from, id) === generationIn(to, id);
		if (same) staying.push(id);
		else {
			if (was) despawned.push(id);
			if (is) spawned.push(id);
		}
	}
	const changes = new Map<number, FieldChange[]>();
	components.forEach((component, index) => {
		if (component.scope !== 'derived')
			compareTables(component, from.tables[index], to.tables[index], staying, changes);
	});
	const ids = [...changes.keys()].sort((a, b) => a - b);
	const changed = ids.map((id) => ({ id, generation: generationIn(to, id), fields: changes.get(id)! }));
	const totals = {
		spawned: spawned.length,
		despawned: despawned.length,
		changed: changed.length,
		fields: changed.reduce((sum, { fields }) => sum + fields.length, 0),
	};
	// Entities that spawned or went have moved the slots on: that needs no line of its own.
	const sameEntities = spawned.length + despawned.length === 0;
	return {
		equal: digest(from) === digest(to),
		spawned: spawned.slice(0, limit).map(entityReader(to)),
		despawned: despawned.slice(0, limit).map(entityReader(from)),
		changed: changed.slice(0, limit),
		resources: resourceChanges(from, to),
		parts: [...partChanges(from, to), ...(sameEntities && !sameSlots(from, to) ? ['slots'] : [])],
		totals,
		truncated: Math.max(totals.spawned, totals.despawned, totals.changed) > limit,
	};
}

function note(changes: Map<number, FieldChange[]>, slot: number, change: FieldChange): void {
	const known = changes.get(slot);
	if (known === undefined) changes.set(slot, [change]);
	else known.push(change);
}

function compareTables(
	component: Component,
	from: Table | undefined,
	to: Table | undefined,
	staying: readonly number[],
	changes: Map<number, FieldChange[]>,
): void {
	if (from === to || ((from?.count ?? 0) === 0 && (to?.count ?? 0) === 0)) return;
	const names = Object.keys(component.fields).filter((name) => from?.columns[name] !== to?.columns[name]);
	if (names.length === 0 && from?.presence === to?.presence) return;
	for (const slot of staying) {
		const was = from !== undefined && hasBit(from.presence.data, slot);
		const is = to !== undefined && hasBit(to.presence.data, slot);
		if (was !== is) {
			note(changes, slot, {
				field: component.name,
				from: was ? rowOf(from!, slot) : null,
				to: is ? rowOf(to!, slot) : null,
			});
			continue;
		}
		if (!is) continue;
		for (const name of names) {
			const field = component.fields[name]!;
			const [a, b] = [from!.columns[name]!.data, to!.columns[name]!.data];
			if (!sameValue(field, a, b, slot))
				note(changes, slot, {
					field: `${component.name}.${name}`,
					from: shownValue(field, a, slot),
					to: shownValue(field, b, slot),
				});
		}
	}
}

function sameValue(field: Field, a: ColumnData, b: ColumnData, slot: number): boolean {
	if (Array.isArray(a) || Array.isArray(b))
		return a[slot] === b[slot] || canonicalJson(a[slot]) === canonicalJson(b[slot]);
	const stride = strideOf(field);
	for (let i = slot * stride; i < (slot + 1) * stride; i++) if (!Object.is(a[i], b[i])) return false;
	return true;
}

/** A stored value as JSON; 32-bit numbers in their shortest exact form. */
export function shownValue(field: Field, data: ColumnData, slot: number): unknown {
	const value = load(field, data, slot) as unknown;
	if (field.kind !== 'f32') return value;
	return Array.isArray(value) ? value.map(shortest) : shortest(value as number);
}

/** All fields of one entity's component as JSON. */
export function rowOf(table: Table, slot: number): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(table.component.fields).map(([name, field]) => [
			name,
			shownValue(field, table.columns[name]!.data, slot),
		]),
	);
}

function resourceChanges(from: World, to: World) {
	const names = [...new Set([...from.resources.keys(), ...to.resources.keys()])].sort();
	const changes: { name: string; from: unknown; to: unknown }[] = [];
	for (const name of names) {
		const [a, b] = [from.resources.get(name), to.resources.get(name)];
		const { scope, passing } = (a ?? b)!.resource;
		if (scope === 'derived' || passing || a?.value === b?.value) continue;
		if (canonicalJson(a?.value) !== canonicalJson(b?.value))
			changes.push({ name, from: a?.value ?? null, to: b?.value ?? null });
	}
	return changes;
}

function partChanges(from: World, to: World): string[] {
	return [...from.parts.keys()].sort().filter((name) => {
		const [a, b] = [from.parts.get(name)!, to.parts.get(name)];
		if (b === undefined || a.part.scope === 'derived') return false;
		const [left, right] = [a.part.digest(a.state), b.part.digest(b.state)];
		return left.length !== right.length || left.some((byte, i) => byte !== right[i]);
	});
}

/** Whether the next entities get the same ids and generations in both, living ones set aside. */
function sameSlots({ entities: a }: World, { entities: b }: World): boolean {
	if (a.used !== b.used || a.freeCount !== b.freeCount) return false;
	for (let i = 0; i < a.freeCount; i++) {
		const id = a.free.data[i]!;
		if (id !== b.free.data[i] || a.generations.data[id] !== b.generations.data[id]) return false;
	}
	return true;
}
