/** Memory of a world. Owns: the estimates for what has no length in bytes. */

import type { Field } from '../../../shared/contract/component.ts';
import type { Column, ColumnData } from './column.ts';
import { LARGE_VALUE, valueBytes } from './value-bytes.ts';
import type { World } from './world.ts';

/** A thing that takes memory; worlds that share it tell the same object. */
export type Tell = (thing: object, bytes: number) => void;

/** Bytes thought to be taken by one stored list or record that is not large. */
export const RECORD_BYTES = 64;

/** Tells all that a world holds, each thing once. */
export function weighWorld(world: World, tell: Tell): void {
	const { alive, generations, free } = world.entities;
	for (const { data } of [alive, generations, free]) tell(data, data.byteLength);
	for (const table of world.tables) {
		if (table === undefined) continue;
		tell(table.presence.data, table.presence.data.byteLength);
		for (const name in table.columns) {
			const column = table.columns[name]!;
			tell(column.data, bytesOf(column.data, table.count));
			if (!Array.isArray(column.data)) continue;
			for (const [thing, bytes] of largeThings(table.component.fields[name]!, column)) tell(thing, bytes);
		}
	}
	for (const { value } of world.resources.values())
		if (typeof value === 'object' && value !== null) tell(value, valueBytes(value));
	for (const { part, state } of world.parts.values()) part.weigh?.(state, tell);
}

/** Returns bytes thought to be taken by what a world holds beside its entities, by name. */
export function resourceBytes(world: World): ReadonlyMap<string, number> {
	const bytes = new Map<string, number>();
	for (const { resource, value } of world.resources.values())
		if (resource.scope !== 'derived') bytes.set(resource.name, valueBytes(value));
	return bytes;
}

/** Returns bytes thought to be taken by the next tick of a world that shares all it holds with others. */
export function nextTickBytes(world: World): number {
	let bytes = 0;
	weighWorld(world, (_, held) => {
		bytes += held;
	});
	for (const { part, state } of world.parts.values()) bytes += part.nextTickBytes?.(state) ?? 0;
	return bytes;
}

function bytesOf(data: ColumnData, rows: number): number {
	return Array.isArray(data) ? data.length * 8 + rows * RECORD_BYTES : data.byteLength;
}

type Large = readonly (readonly [thing: object, bytes: number])[];
const large = new WeakMap<Column, { readonly version: number; readonly things: Large }>();

/**
 * Returns the large things in the values of a column; those of entities that are gone are held until something takes
 * their place.
 */
function largeThings(field: Field, column: Column): Large {
	const cached = large.get(column);
	if (cached?.version === column.version) return cached.things;
	const weigh = (field.kind === 'json' ? field.weigh : undefined) ?? whole;
	const things: (readonly [object, number])[] = [];
	let texts = 0;
	for (const value of column.data as readonly unknown[]) {
		if (typeof value === 'string') texts += value.length > RECORD_BYTES ? valueBytes(value) : 0;
		else if (typeof value === 'object' && value !== null) things.push(...weigh(value));
	}
	if (texts > 0) things.push([column, texts]);
	// What several entities share counts once.
	const once = [...new Map(things)];
	large.set(column, { version: column.version, things: once });
	return once;
}

/**
 * Of a field without a rule of its own: a value, and the large values inside it, which others may share. Small ones are in what is
 * counted for each row.
 */
function whole(value: object): Large {
	const cached = wholes.get(value);
	if (cached !== undefined) return cached;
	const bytes = valueBytes(value);
	if (bytes < LARGE_VALUE) return NONE;
	const inside: (readonly [object, number])[] = [];
	let own = bytes;
	for (const part of Object.values(value) as unknown[]) {
		if (typeof part !== 'object' || part === null || valueBytes(part) < LARGE_VALUE) continue;
		own -= valueBytes(part);
		inside.push(...whole(part));
	}
	const things: Large = [[value, own], ...inside];
	wholes.set(value, things);
	return things;
}
const NONE: Large = [];
/** By large value, which is never changed in place. */
const wholes = new WeakMap<object, Large>();
