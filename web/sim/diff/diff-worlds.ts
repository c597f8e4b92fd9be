/**
 * Differences between two worlds: entity by entity, field by field.
 * Owns: the search for differences and their format. Skips columns that two clones still share.
 */

import { components } from '../../../shared/components/index.ts';
import type { Component, Field } from '../../../shared/contract/component.ts';
import { hasBit } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { ColumnData } from '../core/column.ts';
import { digest } from '../core/digest.ts';
import { isAlive } from '../core/entities.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { type ComponentTable, load, strideOf } from '../core/table.ts';
import type { World } from '../core/world.ts';
import { type EntityView, entityReader } from '../observe/read-out.ts';

/** A field that differs, or a component that only one of the worlds has. The side without the component is null. */
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
	/** True if the state digests are equal. */
	readonly equal: boolean;
	/** Entities that exist only in the later world. */
	readonly spawned: readonly EntityView[];
	/** Entities that exist only in the earlier world. */
	readonly despawned: readonly EntityView[];
	readonly changed: readonly EntityChange[];
	/** Resources that differ. */
	readonly resources: readonly { readonly name: string; readonly from: unknown; readonly to: unknown }[];
	/** Other state that differs, such as pending `events`, `physics`, or `slots` (the ids of the next entities). */
	readonly parts: readonly string[];
	readonly totals: {
		readonly spawned: number;
		readonly despawned: number;
		readonly changed: number;
		readonly fields: number;
	};
	/** True if lists were cut at the limit. Totals always count everything. */
	readonly truncated: boolean;
}

/** Compares the state and the view of two worlds. Each list has at most `limit` entries. */
export function diffWorlds(from: World, to: World, limit = 100): WorldDiff {
	const spawned: number[] = [];
	const despawned: number[] = [];
	const common: number[] = [];
	const generationIn = (world: World, id: number) => world.entities.generations.data[id]!;
	const used = Math.max(from.entities.used, to.entities.used);
	for (let id = 0; id < used; id++) {
		const existed = isAlive(from, id);
		const exists = isAlive(to, id);
		const isSame = existed && exists && generationIn(from, id) === generationIn(to, id);
		if (isSame) common.push(id);
		else {
			if (existed) despawned.push(id);
			if (exists) spawned.push(id);
		}
	}
	const counts = new Uint32Array(used);
	for (const tables of tablePairs(from, to)) eachDifference(tables, common, (id) => counts[id]!++);
	const changedIds = common.filter((id) => counts[id]! > 0);
	// Only the listed entities are read out, because far more may differ.
	const listedIds = changedIds.slice(0, limit);
	const fields = new Map<number, FieldChange[]>(listedIds.map((id) => [id, []]));
	for (const tables of tablePairs(from, to))
		eachDifference(tables, listedIds, (id, name) => fields.get(id)!.push(changeOf(tables, id, name)));
	const changed = listedIds.map((id) => ({ id, generation: generationIn(to, id), fields: fields.get(id)! }));
	const totals = {
		spawned: spawned.length,
		despawned: despawned.length,
		changed: changedIds.length,
		fields: counts.reduce((sum, count) => sum + count, 0),
	};
	// Spawned and despawned entities always change the slots, so the slots are not listed then.
	const hasSameEntities = spawned.length + despawned.length === 0;
	return {
		equal: digest(from) === digest(to),
		spawned: spawned.slice(0, limit).map(entityReader(to)),
		despawned: despawned.slice(0, limit).map(entityReader(from)),
		changed,
		resources: resourceChanges(from, to),
		parts: [...partChanges(from, to), ...(hasSameEntities && !haveSameSlots(from, to) ? ['slots'] : [])],
		totals,
		truncated: Math.max(totals.spawned, totals.despawned, totals.changed) > limit,
	};
}

/** Tables of a component in two worlds; undefined in a world that never had the component. */
interface TablePair {
	readonly component: Component;
	readonly from: ComponentTable | undefined;
	readonly to: ComponentTable | undefined;
}

/** Returns the tables of the components that may differ between two worlds. */
function tablePairs(from: World, to: World): TablePair[] {
	return components.flatMap((component, index) => {
		const tables = { component, from: from.tables[index], to: to.tables[index] };
		const isEmpty = (tables.from?.count ?? 0) === 0 && (tables.to?.count ?? 0) === 0;
		return component.scope === 'derived' || tables.from === tables.to || isEmpty ? [] : [tables];
	});
}

/**
 * Calls `visit` for each field that differs, in entities of both worlds. The name is missing if only one world has the
 * component.
 */
function eachDifference(
	{ component, from, to }: TablePair,
	ids: readonly number[],
	visit: (id: number, name?: string) => void,
): void {
	const names = Object.keys(component.fields).filter((name) => from?.columns[name] !== to?.columns[name]);
	if (names.length === 0 && from?.presence === to?.presence) return;
	for (const id of ids) {
		const hadComponent = from !== undefined && hasBit(from.presence.data, id);
		const hasComponent = to !== undefined && hasBit(to.presence.data, id);
		if (hadComponent !== hasComponent) visit(id);
		else if (hasComponent)
			for (const name of names) {
				const [a, b] = [from!.columns[name]!.data, to!.columns[name]!.data];
				if (!isSameValue(component.fields[name]!, a, b, id)) visit(id, name);
			}
	}
}

function changeOf({ component, from, to }: TablePair, id: number, name?: string): FieldChange {
	const valueIn = (table: ComponentTable | undefined): unknown => {
		if (table === undefined || !hasBit(table.presence.data, id)) return null;
		return name === undefined
			? rowOf(table, id)
			: jsonValueOf(component.fields[name]!, table.columns[name]!.data, id);
	};
	const field = name === undefined ? component.name : `${component.name}.${name}`;
	return { field, from: valueIn(from), to: valueIn(to) };
}

function isSameValue(field: Field, a: ColumnData, b: ColumnData, slot: number): boolean {
	if (Array.isArray(a) || Array.isArray(b))
		return a[slot] === b[slot] || canonicalJson(a[slot]) === canonicalJson(b[slot]);
	const stride = strideOf(field);
	for (let i = slot * stride; i < (slot + 1) * stride; i++) if (!Object.is(a[i], b[i])) return false;
	return true;
}

/** Returns a stored value as JSON; 32-bit numbers in their shortest exact form. */
export function jsonValueOf(field: Field, data: ColumnData, slot: number): unknown {
	const value = load(field, data, slot) as unknown;
	if (field.kind !== 'f32') return value;
	return Array.isArray(value) ? value.map(shortestFloat32) : shortestFloat32(value as number);
}

/** Returns all fields of one entity's component as JSON. */
export function rowOf(table: ComponentTable, slot: number): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(table.component.fields).map(([name, field]) => [
			name,
			jsonValueOf(field, table.columns[name]!.data, slot),
		]),
	);
}

function resourceChanges(from: World, to: World) {
	const names = [...new Set([...from.resources.keys(), ...to.resources.keys()])].sort();
	const changes: { name: string; from: unknown; to: unknown }[] = [];
	for (const name of names) {
		const [a, b] = [from.resources.get(name), to.resources.get(name)];
		const { scope, transient } = (a ?? b)!.resource;
		if (scope === 'derived' || transient || a?.value === b?.value) continue;
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

/** Returns true if the next entities will get the same ids and generations in both worlds. */
function haveSameSlots({ entities: a }: World, { entities: b }: World): boolean {
	if (a.used !== b.used || a.freeCount !== b.freeCount) return false;
	for (let i = 0; i < a.freeCount; i++) {
		const id = a.free.data[i]!;
		if (id !== b.free.data[i] || a.generations.data[id] !== b.generations.data[id]) return false;
	}
	return true;
}
