/** What a world holds in memory. Owns: the estimates for what has no length in bytes. */

import type { ColumnData } from './column.ts';
import type { World } from './world.ts';

/** A thing that takes memory; worlds that share it tell the same object. */
export type Tell = (thing: object, bytes: number) => void;

/** Bytes thought to be taken by one stored list or record. */
const RECORD_BYTES = 64;

/** Tells all that a world holds, each thing once. */
export function weighWorld(world: World, tell: Tell): void {
	const { alive, generations, free } = world.entities;
	for (const { data } of [alive, generations, free]) tell(data, data.byteLength);
	for (const table of world.tables) {
		if (table === undefined) continue;
		tell(table.presence.data, table.presence.data.byteLength);
		for (const name in table.columns) {
			const { data } = table.columns[name]!;
			tell(data, bytesOf(data, table.count));
		}
	}
	for (const { value } of world.resources.values())
		if (typeof value === 'object' && value !== null) tell(value, textBytes(value));
	for (const { part, state } of world.parts.values()) part.weigh?.(state, tell);
}

/** Bytes thought to be taken by the next tick of a world that shares all it holds with others. */
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

/** Resources are never changed in place, so that a length holds for good. */
const cached = new WeakMap<object, number>();

function textBytes(value: object): number {
	let bytes = cached.get(value);
	if (bytes === undefined) {
		bytes = 2 * JSON.stringify(value).length;
		cached.set(value, bytes);
	}
	return bytes;
}
