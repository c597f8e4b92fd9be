/**
 * A world: entities, their components, resources and parts, at one tick.
 * Owns: reading and writing columns, and adding and removing components.
 * Never: knows the clock, the network or the picture.
 */

import { components } from '../../../shared/components/index.ts';
import type { Component, EntityHandle, Field, Fields, Row } from '../../../shared/contract/component.ts';
import type { AssetBytes } from './assets.ts';
import { clearBit, hasBit, setBit } from './bits.ts';
import type { ChanceRun } from './chance.ts';
import { type Column, expandColumn, ownColumn } from './column.ts';
import { allocate, type Entities, handleOf, ownCells, release } from './entities.ts';
import type { HeldPart, WorldPart } from './part.ts';
import type { HeldResource, Resource } from './resource.ts';
import type { Undo } from './rollback.ts';
import {
	type ArrayOf,
	type ComponentTable,
	createTable,
	load,
	ownTable,
	ownTables,
	type ReadonlyArrayOf,
	store,
	type TableList,
} from './table.ts';
import { markChanged } from './version.ts';

/** Kind of host: `full` has everything; `bare` has no rendering, templates, prefabs, scripts and key bindings. */
export type HostProfile = 'full' | 'bare';

export interface World {
	readonly profile: HostProfile;
	/** Number of completed ticks. */
	tick: number;
	/** Seed of every draw, a whole number below 2^53. */
	seed: number;
	/** Changes with every change, and is unique among all worlds. Equal versions mean that nothing changed. */
	version: number;
	readonly entities: Entities;
	/** Tables by component index; undefined for a component that no entity has had. */
	tables: TableList;
	/** True if another world may have the same list of tables. It is then copied before a write. */
	tablesShared: boolean;
	/** Every resource that a world can have. */
	readonly declared: readonly Resource[];
	resources: ReadonlyMap<string, HeldResource>;
	/** True if another world may have the same map of resources. It is then copied before a write. */
	resourcesShared: boolean;
	readonly parts: Map<string, HeldPart>;
	/** Cached digest, and the version for which it is valid. */
	digest: { readonly version: number; readonly value: string } | null;
	/** Versions of the columns that systems have processed. If one is missing, the system repeats its work. */
	readonly processedVersions: Map<string, number>;
	/** Store of the bytes that the world refers to. */
	readonly assets: AssetBytes;
	/** State of chance while a tick runs; null between ticks. */
	chance: ChanceRun | null;
	/** State to restore if the running call fails; null if none is recorded. */
	undo: Undo | null;
}

function tableOf(world: World, component: Component): ComponentTable | undefined {
	return world.tables[component.index];
}

/** Returns the world's own table of a component, for changes. */
function tableToChange(world: World, component: Component): ComponentTable | undefined {
	return ownTable(world, component.index);
}

/** Returns true while a tick of the world runs. */
export const inTick = (world: World): boolean => world.chance !== null;

/** Returns the state of a part. */
export function partState<T>(world: World, part: WorldPart<T>): T {
	return world.parts.get(part.name)!.state as T;
}

/** Returns true if the entity in a slot has a component. */
export function has(world: World, slot: number, component: Component): boolean {
	const table = tableOf(world, component);
	return table !== undefined && hasBit(table.presence.data, slot);
}

/**
 * Returns the entities with a component, as bits by slot, for fast tests with `hasBit`. It is valid until a component
 * is added or removed.
 */
export function presence(world: World, component: Component): Uint32Array {
	return tableOf(world, component)?.presence.data ?? NO_IDS;
}

/** Returns the number of entities with a component. */
export function count(world: World, component: Component): number {
	return tableOf(world, component)?.count ?? 0;
}

/** Returns true if any entity has one of the components. */
export function hasAny(world: World, components: readonly Component[]): boolean {
	for (const component of components) if (count(world, component) > 0) return true;
	return false;
}

const NOTHING: readonly never[] = Object.freeze([]);
const NO_IDS = new Uint32Array(0);

/** Returns a field for all slots, for reading. Rows of entities without the component have no meaning. */
export function read<F extends Fields, K extends keyof F & string>(
	world: World,
	component: Component<F>,
	field: K,
): ReadonlyArrayOf<F[K]> {
	return (tableOf(world, component)?.columns[field]?.data ?? NOTHING) as unknown as ReadonlyArrayOf<F[K]>;
}

/**
 * Returns a field for all slots, for writing. The call copies a shared column and marks it as changed. The array is valid
 * until the next tick or the next added component.
 */
export function write<F extends Fields, K extends keyof F & string>(
	world: World,
	component: Component<F>,
	field: K,
): ArrayOf<F[K]> {
	const table = tableToChange(world, component);
	if (table === undefined) return [] as unknown as ArrayOf<F[K]>;
	const { undo } = world;
	const version = markChanged(world);
	const oldColumn = table.columns[field]!;
	const column = undo === null ? ownColumn(oldColumn, version) : undo.ownWholeColumn(oldColumn, version);
	const declaration: Field = component.fields[field]!;
	if (declaration.kind === 'json') undo?.beforeStore(declaration);
	setColumn(world, table, field, column);
	return column.data as ArrayOf<F[K]>;
}

/** Replaces a column of a table. */
function setColumn(
	world: World,
	{ component, columns }: ComponentTable,
	field: string,
	column: Column,
): void {
	const oldColumn = columns[field]!;
	if (column === oldColumn) return;
	columns[field] = column;
	world.undo?.addUndoStep(() => {
		tableToChange(world, component)!.columns[field] = oldColumn;
	});
}

/** Replaces the presence column of a table. */
function setPresence(world: World, table: ComponentTable, column: ComponentTable['presence']): void {
	const oldPresence = table.presence;
	if (column === oldPresence) return;
	table.presence = column;
	world.undo?.addUndoStep(() => {
		tableToChange(world, table.component)!.presence = oldPresence;
	});
}

/** Returns a number that increases whenever one of the fields, or the presence of the component, may have changed. */
export function versionOf(world: World, component: Component, ...fields: string[]): number {
	const table = tableOf(world, component);
	if (table === undefined) return 0;
	let newest = table.presence.version;
	for (const field of fields) newest = Math.max(newest, table.columns[field]!.version);
	return newest;
}

/** Visits every slot that has all the components, in slot order. `visit` may remove components. */
export function each(world: World, all: readonly Component[], visit: (slot: number) => void): void {
	const presences: Uint32Array[] = [];
	let length = Number.POSITIVE_INFINITY;
	for (const component of all) {
		const table = tableOf(world, component);
		if (table === undefined || table.count === 0) return;
		presences.push(table.presence.data);
		length = Math.min(length, table.presence.data.length);
	}
	const firstPresence = presences[0]!;
	for (let i = 0; i < length; i++) {
		let bits = firstPresence[i]!;
		for (let j = 1; j < presences.length; j++) bits &= presences[j]![i]!;
		while (bits !== 0) {
			const lowestBit = bits & -bits;
			visit(i * 32 + (31 - Math.clz32(lowestBit)));
			bits ^= lowestBit;
		}
	}
}

/** Returns the values of one entity's component, or undefined if it does not have it. */
export function get<F extends Fields>(
	world: World,
	slot: number,
	component: Component<F>,
): Row<F> | undefined {
	const table = tableOf(world, component);
	if (table === undefined || !hasBit(table.presence.data, slot)) return undefined;
	const row: Record<string, unknown> = {};
	for (const name in component.fields) {
		row[name] = load(component.fields[name]!, table.columns[name]!.data, slot);
	}
	return row as Row<F>;
}

function initialValueOf(field: Field): unknown {
	if (field.kind === 'json') return field.initial;
	if (field.kind === 'word') return field.words[0];
	if (field.kind === 'entity') return null;
	return field.size === 1 ? field.initial[0] : field.initial;
}

/** Creates the table of a component that no entity has had. */
function addTable(world: World, index: number, slots: number, version: number): ComponentTable {
	const table = createTable(components[index]!, slots, version);
	ownTables(world)[index] = table;
	world.undo?.markGrown();
	world.undo?.addUndoStep(() => {
		ownTables(world)[index] = undefined;
	});
	return table;
}

/** Enlarges a table to a number of slots. */
function expandTable(world: World, table: ComponentTable, slots: number, version: number): void {
	world.undo?.markGrown();
	setPresence(world, table, expandColumn(table.presence, slots >>> 5, version));
	for (const name in table.columns)
		setColumn(world, table, name, expandColumn(table.columns[name]!, slots, version));
}

/**
 * Adds a component to an entity, or changes the passed fields if it has the component. In a new component, other fields
 * get their initial value.
 */
export function add<F extends Fields>(
	world: World,
	slot: number,
	component: Component<F>,
	values: Partial<Row<F>> = {},
): void {
	const { index } = component;
	const version = markChanged(world);
	const slots = world.entities.generations.data.length;
	const table = ownTable(world, index) ?? addTable(world, index, slots, version);
	if (table.presence.data.length * 32 < slots) expandTable(world, table, slots, version);
	const isPresent = hasBit(table.presence.data, slot);
	if (!isPresent) {
		setPresence(world, table, ownCells(world, table.presence, version, slot >>> 5));
		setBit(table.presence.data, slot);
		table.count++;
	}
	for (const name in component.fields) {
		const value = values[name];
		if (value === undefined && isPresent) continue;
		const field: Field = component.fields[name]!;
		const oldColumn = table.columns[name]!;
		const { stride } = oldColumn;
		// Old numbers of an entity that never had the component have no meaning, so an undo need not save them.
		const hasOldValue = isPresent || field.kind === 'json' || world.undo?.hasRemovedComponent === true;
		const column = ownCells(world, oldColumn, version, slot * stride, hasOldValue ? stride : 0);
		if (field.kind === 'json') world.undo?.beforeStore(field, value);
		if (column !== oldColumn) setColumn(world, table, name, column);
		store(field, column.data, slot, (value ?? initialValueOf(field)) as never);
	}
}

/** Removes a component from an entity. Returns false if the entity did not have it. */
export function remove(world: World, slot: number, component: Component): boolean {
	if (!has(world, slot, component)) return false;
	const table = tableToChange(world, component)!;
	const version = markChanged(world);
	if (world.undo !== null) world.undo.hasRemovedComponent = true;
	setPresence(world, table, ownCells(world, table.presence, version, slot >>> 5));
	clearBit(table.presence.data, slot);
	table.count--;
	for (const name in component.fields) {
		if (component.fields[name]!.kind !== 'json') continue;
		const column = ownCells(world, table.columns[name]!, version, slot);
		setColumn(world, table, name, column);
		(column.data as unknown[])[slot] = undefined;
	}
	return true;
}

/** Creates an entity with no components. */
export function spawn(world: World): EntityHandle {
	return allocate(world);
}

/** Removes an entity and all its components. Its slot is reused later with a higher generation. */
export function despawn(world: World, slot: number): void {
	const entity = handleOf(world, slot);
	for (const { part, state } of world.parts.values()) {
		if (part.beforeDespawn === undefined) continue;
		world.undo?.savePart(part);
		part.beforeDespawn(state, world, entity);
	}
	for (const table of world.tables) if (table !== undefined) remove(world, slot, table.component);
	release(world, slot);
}

/** Returns the components of an entity, in declared order. */
export function componentsOf(world: World, slot: number): Component[] {
	return components.filter((component) => has(world, slot, component));
}
