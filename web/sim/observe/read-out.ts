/**
 * Reads out entities for /observe and /entities/{id}.
 * Owns: the conversion of stored values to JSON values. 32-bit numbers have their shortest form.
 */

import { components } from '../../../shared/components/index.ts';
import { VisibleTo } from '../../../shared/components/visible-to.ts';
import {
	type Component,
	type EntityHandle,
	type Field,
	type Row,
	readoutKey,
} from '../../../shared/contract/component.ts';
import { eachEntity } from '../core/entities.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { type ComponentTable, load } from '../core/table.ts';
import { get, has, type World } from '../core/world.ts';

/** JSON of an entity: `id`, `generation` and a field for each component. */
export type EntityView = { id: number; generation: number } & Record<string, unknown>;

type SlotReader = (slot: number) => unknown;

/** Returns a function that reads the JSON value of a field of an entity. */
export function fieldReader(field: Field, table: ComponentTable, name: string): SlotReader {
	const { data } = table.columns[name]!;
	if (field.kind !== 'f32') return (slot) => load(field, data, slot);
	const numbers = data as Float32Array;
	switch (field.size) {
		case 1:
			return (slot) => shortestFloat32(numbers[slot]!);
		case 3:
			return (slot) => [
				shortestFloat32(numbers[slot * 3]!),
				shortestFloat32(numbers[slot * 3 + 1]!),
				shortestFloat32(numbers[slot * 3 + 2]!),
			];
		case 4:
			return (slot) => [
				shortestFloat32(numbers[slot * 4]!),
				shortestFloat32(numbers[slot * 4 + 1]!),
				shortestFloat32(numbers[slot * 4 + 2]!),
				shortestFloat32(numbers[slot * 4 + 3]!),
			];
		default:
			return (slot) => (load(field, data, slot) as readonly number[]).map(shortestFloat32);
	}
}

type RowReadout = (row: Row<Component['fields']>) => unknown;

function componentReader(
	component: Component,
	table: ComponentTable,
	rowReadout: RowReadout | undefined,
): SlotReader {
	const fields = Object.entries(component.fields).map(
		([name, field]) => [name, fieldReader(field, table, name)] as const,
	);
	const readRow = (slot: number) => {
		const values: Record<string, unknown> = {};
		for (const [name, readField] of fields) values[name] = readField(slot);
		return values;
	};
	return rowReadout ? (slot) => rowReadout(readRow(slot) as Row<Component['fields']>) : readRow;
}

/** Returns a function that reads out an entity. It is valid until the world changes. */
export function entityReader(world: World): (id: number) => EntityView {
	const readers = world.tables.flatMap((table) => {
		if (table === undefined || table.count === 0) return [];
		const { component } = table;
		const key = readoutKey(component);
		if (key === null) return [];
		const { from, second } = component.readout ?? {};
		const readers = [{ key, component, read: componentReader(component, table, from) }];
		if (second !== undefined)
			readers.push({ key: second.key, component, read: componentReader(component, table, second.from) });
		return readers;
	});
	return (id) => {
		const view: EntityView = { id, generation: world.entities.generations.data[id]! };
		for (const { key, component, read } of readers) if (has(world, id, component)) view[key] = read(id);
		return view;
	};
}

/**
 * Returns all living entities in id order. With a viewer: only itself, the entities that it saw on the last tick, and
 * entities without `VisibleTo`.
 */
export function observe(world: World, viewer?: EntityHandle): EntityView[] {
	const readEntity = entityReader(world);
	const views: EntityView[] = [];
	eachEntity(world, (id) => {
		if (viewer !== undefined && !canSee(world, viewer.id, id)) return;
		views.push(readEntity(id));
	});
	return views;
}

/** Returns true for the viewer itself, for an entity that it saw on the last tick, and for one without `VisibleTo`. */
export function canSee(world: World, viewer: number, id: number): boolean {
	if (viewer === id) return true;
	const visibility = get(world, id, VisibleTo);
	return visibility === undefined || visibility.observers.includes(viewer);
}

/** Returns the number of distinct sets of components among the living entities. */
export function countArchetypes(world: World): number {
	const sets = new Set<string>();
	eachEntity(world, (id) => {
		let key = '';
		for (let i = 0; i < components.length; i++) if (has(world, id, components[i]!)) key += `${i},`;
		sets.add(key);
	});
	return sets.size;
}
