/**
 * Writes all entities as the bytes of their JSON: the same text that JSON.stringify makes of `observe`, but without
 * objects in between.
 * Owns: the conversion of a component's declaration to a writer.
 */

import {
	type Component,
	type EntityHandle,
	type Field,
	type Row,
	readoutKey,
} from '../../../shared/contract/component.ts';
import { hasBit } from '../core/bits.ts';
import { TooManyBytesError } from '../core/bytes.ts';
import { finishWork, type SlicedWork } from '../core/sliced-work.ts';
import { type ComponentTable, load } from '../core/table.ts';
import type { World } from '../core/world.ts';
import { type EncodedJson, encodeJson, JsonWriter } from './json-bytes.ts';
import { canSee, fieldReader } from './read-out.ts';
import { cachedRowsOf, cacheRows, copyRows } from './row-cache.ts';

/** Writes the JSON of a component or a field of one entity. */
type SlotWriter = (out: JsonWriter, slot: number) => void;

const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const CLOSE_RECORD = 0x7d;

/** Maximum number of cached texts of one writer. */
const MAX_TEXTS = 4096;

/** Returns a writer of a stored word, number or text. It encodes each value once, for all entities that have it. */
function cachingWriter(stored: ArrayLike<unknown>, readValue: (slot: number) => unknown): SlotWriter {
	const texts = new Map<unknown, EncodedJson>();
	return (out, slot) => {
		const value = stored[slot];
		// Entities rarely share lists and records.
		if (typeof value === 'object') {
			out.writeValue(readValue(slot));
			return;
		}
		let text = texts.get(value);
		if (text === undefined) {
			text = encodeJson(JSON.stringify(readValue(slot)));
			if (texts.size < MAX_TEXTS) texts.set(value, text);
		}
		out.writeEncoded(text);
	};
}

function fieldWriter(field: Field, table: ComponentTable, name: string): SlotWriter {
	const { data } = table.columns[name]!;
	switch (field.kind) {
		case 'f32': {
			const numbers = data as Float32Array;
			const { size } = field;
			if (size === 1) return (out, slot) => out.writeFloat(numbers[slot]!);
			return (out, slot) => out.writeFloats(numbers, slot * size, size);
		}
		case 'json':
		case 'word':
			return cachingWriter(data as ArrayLike<unknown>, (slot) => load(field, data, slot));
		default:
			return (out, slot) => out.writeValue(load(field, data, slot));
	}
}

/** Returns a writer of a label and a record of all fields, for components without a read-out of their own. */
function recordWriter(label: string, component: Component, table: ComponentTable): SlotWriter {
	const fields = Object.entries(component.fields).map(([name, field], i) => ({
		key: encodeJson(`${i === 0 ? `${label}{` : ','}${JSON.stringify(name)}:`),
		write: fieldWriter(field, table, name),
	}));
	const empty = encodeJson(`${label}{}`);
	if (fields.length === 0) return (out) => out.writeEncoded(empty);
	return (out, slot) => {
		for (let i = 0; i < fields.length; i++) {
			out.writeEncoded(fields[i]!.key);
			fields[i]!.write(out, slot);
		}
		out.writeByte(CLOSE_RECORD);
	};
}

type RowReadout = (row: Row<Component['fields']>) => unknown;

/** Returns a writer of a label and a component. `from` converts the row; without it, all fields are written. */
function componentWriter(label: string, table: ComponentTable, from: RowReadout | undefined): SlotWriter {
	const { component } = table;
	if (from === undefined) return recordWriter(label, component, table);
	const names = Object.keys(component.fields);
	const readers = Object.entries(component.fields).map(([name, field]) => fieldReader(field, table, name));
	const readValue = (slot: number) => {
		const row: Record<string, unknown> = {};
		for (let i = 0; i < names.length; i++) row[names[i]!] = readers[i]!(slot);
		return from(row as Row<Component['fields']>);
	};
	const [onlyColumn, ...others] = Object.values(table.columns);
	const write: SlotWriter =
		onlyColumn !== undefined && others.length === 0 && onlyColumn.stride === 1
			? cachingWriter(onlyColumn.data as ArrayLike<unknown>, readValue)
			: (out, slot) => out.writeValue(readValue(slot));
	const labelJson = encodeJson(label);
	return (out, slot) => {
		out.writeEncoded(labelJson);
		write(out, slot);
	};
}

/** Number of slots that are written in one slice. */
const SLICE = 1024;

const ID = encodeJson('{"id":');
const GENERATION = encodeJson(',"generation":');

/** Returns the JSON list of all living entities in id order, as bytes. */
export function observeBytes(world: World, viewer?: EntityHandle): Uint8Array<ArrayBuffer> {
	const out = new JsonWriter();
	finishWork(writeEntities(out, world, viewer));
	return out.finish();
}

/**
 * Writes the same list in slices. `viewer`: as for `observe`. `ids`: the entities to write, if not all. Throws a
 * TooManyBytesError at the entity with which `out` has more than `maxBytes` bytes.
 */
export function* writeEntities(
	out: JsonWriter,
	world: World,
	viewer?: EntityHandle,
	ids?: ReadonlySet<number>,
	maxBytes = Number.POSITIVE_INFINITY,
): SlicedWork<void> {
	const isWhole = viewer === undefined && ids === undefined;
	const cached = isWhole ? cachedRowsOf(world) : null;
	const writeRow = rowWriter(out, world);
	const { used } = world.entities;
	const alive = world.entities.alive.data;
	const ends = isWhole ? new Uint32Array(used) : null;
	out.writeByte(OPEN);
	const start = out.length;
	for (let slot = 0; slot < used; slot++) {
		if (cached !== null && !hasBit(cached.changedSlots, slot))
			slot = copyRows(out, cached, ends!, start, slot) - 1;
		else if (hasBit(alive, slot) && isIncluded(world, slot, viewer, ids)) {
			writeRow(slot);
			out.writeByte(COMMA);
		}
		if (ends !== null) ends[slot] = out.length - start;
		if (out.length > maxBytes) throw new TooManyBytesError(`there are more than ${maxBytes} bytes`);
		if (slot % SLICE === SLICE - 1) yield;
	}
	// Rows that a running call can still undo are not cached, because the undo restores them in place.
	if (ends !== null && world.undo === null) cacheRows(world, out, start, ends);
	if (out.length > start) out.dropByte();
	out.writeByte(CLOSE);
}

function isIncluded(
	world: World,
	slot: number,
	viewer: EntityHandle | undefined,
	ids: ReadonlySet<number> | undefined,
): boolean {
	if (ids !== undefined && !ids.has(slot)) return false;
	return viewer === undefined || canSee(world, viewer.id, slot);
}

/** Returns a function that writes the JSON of one entity. */
function rowWriter(out: JsonWriter, world: World): (slot: number) => void {
	const writers = world.tables.flatMap((table) => {
		if (table === undefined || table.count === 0) return [];
		const key = readoutKey(table.component);
		if (key === null) return [];
		const { from, second } = table.component.readout ?? {};
		const keys = [{ key, from }, ...(second === undefined ? [] : [second])];
		return keys.map(({ key, from }) => ({
			presence: table.presence.data,
			write: componentWriter(`,${JSON.stringify(key)}:`, table, from),
		}));
	});
	const generations = world.entities.generations.data;
	return (slot) => {
		out.writeEncoded(ID);
		out.writeNumber(slot);
		out.writeEncoded(GENERATION);
		out.writeNumber(generations[slot]!);
		for (let i = 0; i < writers.length; i++) {
			const { presence, write } = writers[i]!;
			if (hasBit(presence, slot)) write(out, slot);
		}
		out.writeByte(CLOSE_RECORD);
	};
}
