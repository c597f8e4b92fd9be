/** Memory of a world. Owns: the estimates for values without a length in bytes. */

import type { Field } from '../../../shared/contract/component.ts';
import type { Column, ColumnData } from './column.ts';
import { LARGE_VALUE, valueBytes } from './value-bytes.ts';
import type { World } from './world.ts';

/** Receives an object that uses memory. Worlds that share an object report the same object. */
export type ReportBytes = (object: object, bytes: number) => void;

/** Estimated bytes of one stored list or record that is not large. */
export const RECORD_BYTES = 64;

/** Reports all objects that a world keeps in memory. */
export function weighWorld(world: World, report: ReportBytes): void {
	const { alive, generations, free } = world.entities;
	for (const { data } of [alive, generations, free]) report(data, data.byteLength);
	for (const table of world.tables) {
		if (table === undefined) continue;
		report(table.presence.data, table.presence.data.byteLength);
		for (const name in table.columns) {
			const column = table.columns[name]!;
			report(column.data, bytesOf(column.data, table.count));
			if (!Array.isArray(column.data)) continue;
			for (const [object, bytes] of largeObjects(table.component.fields[name]!, column))
				report(object, bytes);
		}
	}
	for (const { value } of world.resources.values())
		if (typeof value === 'object' && value !== null) report(value, valueBytes(value));
	for (const { part, state } of world.parts.values()) part.weigh?.(state, report);
}

/** Returns the estimated bytes of each resource, by name. */
export function resourceBytes(world: World): ReadonlyMap<string, number> {
	const bytes = new Map<string, number>();
	for (const { resource, value } of world.resources.values())
		if (resource.scope !== 'derived') bytes.set(resource.name, valueBytes(value));
	return bytes;
}

/** Returns the estimated bytes that the next tick adds, if the world shares all its memory with others. */
export function nextTickBytes(world: World): number {
	let bytes = 0;
	weighWorld(world, (_, objectBytes) => {
		bytes += objectBytes;
	});
	for (const { part, state } of world.parts.values()) bytes += part.nextTickBytes?.(state) ?? 0;
	return bytes;
}

function bytesOf(data: ColumnData, rows: number): number {
	return Array.isArray(data) ? data.length * 8 + rows * RECORD_BYTES : data.byteLength;
}

type LargeValues = readonly (readonly [object: object, bytes: number])[];
const largeByColumn = new WeakMap<Column, { readonly version: number; readonly objects: LargeValues }>();

/**
 * Returns the large objects in the values of a column. Values of despawned entities count until their slot is
 * overwritten.
 */
function largeObjects(field: Field, column: Column): LargeValues {
	const cached = largeByColumn.get(column);
	if (cached?.version === column.version) return cached.objects;
	const weigh = (field.kind === 'json' ? field.weigh : undefined) ?? weighValue;
	const objects: (readonly [object, number])[] = [];
	let textBytes = 0;
	for (const value of column.data as readonly unknown[]) {
		if (typeof value === 'string') textBytes += value.length > RECORD_BYTES ? valueBytes(value) : 0;
		else if (typeof value === 'object' && value !== null) objects.push(...weigh(value));
	}
	if (textBytes > 0) objects.push([column, textBytes]);
	// An object that several entities share counts once.
	const distinctObjects = [...new Map(objects)];
	largeByColumn.set(column, { version: column.version, objects: distinctObjects });
	return distinctObjects;
}

/**
 * Weighs a value of a field without its own `weigh`. Returns the value, and the large values inside it, which others may
 * share. Small values are included in `RECORD_BYTES`.
 */
function weighValue(value: object): LargeValues {
	const cached = weightsByValue.get(value);
	if (cached !== undefined) return cached;
	const bytes = valueBytes(value);
	if (bytes < LARGE_VALUE) return NONE;
	const innerValues: (readonly [object, number])[] = [];
	let ownBytes = bytes;
	for (const part of Object.values(value) as unknown[]) {
		if (typeof part !== 'object' || part === null || valueBytes(part) < LARGE_VALUE) continue;
		ownBytes -= valueBytes(part);
		innerValues.push(...weighValue(part));
	}
	const objects: LargeValues = [[value, ownBytes], ...innerValues];
	weightsByValue.set(value, objects);
	return objects;
}
const NONE: LargeValues = [];
/** Results by value. Values are never changed in place. */
const weightsByValue = new WeakMap<object, LargeValues>();
