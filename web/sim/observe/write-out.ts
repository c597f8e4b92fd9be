/**
 * Reading all entities out as the bytes of their JSON: the same text that JSON.stringify makes of `observe`,
 * without an object in between.
 * Owns: how a component's declaration becomes its text.
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
import { type JsonPiece, JsonWriter, piece } from './json-bytes.ts';
import { copyRows, keepRows, keptRows } from './kept-rows.ts';
import { fieldReader, sees } from './read-out.ts';

/** Writes what one entity shows. */
type SlotWriter = (out: JsonWriter, slot: number) => void;

const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const END = 0x7d;

/** Texts kept of one component. */
const MAX_TEXTS = 4096;

/** Writes a stored word, number or text as what it shows; the text is made once for all entities that have it. */
function sharedWriter(stored: ArrayLike<unknown>, show: (slot: number) => unknown): SlotWriter {
	const texts = new Map<unknown, JsonPiece>();
	return (out, slot) => {
		const value = stored[slot];
		// Lists and records are seldom the same one twice.
		if (typeof value === 'object') {
			out.value(show(slot));
			return;
		}
		let text = texts.get(value);
		if (text === undefined) {
			text = piece(JSON.stringify(show(slot)));
			if (texts.size < MAX_TEXTS) texts.set(value, text);
		}
		out.piece(text);
	};
}

function fieldWriter(field: Field, table: ComponentTable, name: string): SlotWriter {
	const { data } = table.columns[name]!;
	switch (field.kind) {
		case 'f32': {
			const numbers = data as Float32Array;
			const { size } = field;
			if (size === 1) return (out, slot) => out.float(numbers[slot]!);
			return (out, slot) => out.floats(numbers, slot * size, size);
		}
		case 'json':
		case 'word':
			return sharedWriter(data as ArrayLike<unknown>, (slot) => load(field, data, slot));
		default:
			return (out, slot) => out.value(load(field, data, slot));
	}
}

/** Returns a record of all fields, as components without a read-out of their own show, after its label. */
function recordWriter(label: string, component: Component, table: ComponentTable): SlotWriter {
	const fields = Object.entries(component.fields).map(([name, field], i) => ({
		key: piece(`${i === 0 ? `${label}{` : ','}${JSON.stringify(name)}:`),
		write: fieldWriter(field, table, name),
	}));
	const empty = piece(`${label}{}`);
	if (fields.length === 0) return (out) => out.piece(empty);
	return (out, slot) => {
		for (let i = 0; i < fields.length; i++) {
			out.piece(fields[i]!.key);
			fields[i]!.write(out, slot);
		}
		out.byte(END);
	};
}

type RowReadout = (row: Row<Component['fields']>) => unknown;

/** Writes what `from` shows of an entity's component, all its fields without one, after its label. */
function componentWriter(label: string, table: ComponentTable, from: RowReadout | undefined): SlotWriter {
	const { component } = table;
	if (from === undefined) return recordWriter(label, component, table);
	const names = Object.keys(component.fields);
	const reads = Object.entries(component.fields).map(([name, field]) => fieldReader(field, table, name));
	const show = (slot: number) => {
		const row: Record<string, unknown> = {};
		for (let i = 0; i < names.length; i++) row[names[i]!] = reads[i]!(slot);
		return from(row as Row<Component['fields']>);
	};
	const [only, ...others] = Object.values(table.columns);
	const write: SlotWriter =
		only !== undefined && others.length === 0 && only.stride === 1
			? sharedWriter(only.data as ArrayLike<unknown>, show)
			: (out, slot) => out.value(show(slot));
	const head = piece(label);
	return (out, slot) => {
		out.piece(head);
		write(out, slot);
	};
}

/** Slots that are written without a stop. */
const SLICE = 1024;

const ID = piece('{"id":');
const GENERATION = piece(',"generation":');

/** Returns the JSON list of all living entities in id order, as bytes. */
export function observeBytes(world: World, viewer?: EntityHandle): Uint8Array<ArrayBuffer> {
	const out = new JsonWriter();
	finishWork(writeEntities(out, world, viewer));
	return out.end();
}

/**
 * Writes the same list in slices. With a viewer: itself, what it saw on the last tick, and what has no visibility. Throws a
 * TooManyBytesError at the entity with which `out` has more than `most` bytes.
 */
export function* writeEntities(
	out: JsonWriter,
	world: World,
	viewer?: EntityHandle,
	only?: ReadonlySet<number>,
	most = Number.POSITIVE_INFINITY,
): SlicedWork<void> {
	const all = viewer === undefined && only === undefined;
	const memo = all ? keptRows(world) : null;
	const writeRow = rowWriter(out, world);
	const { used } = world.entities;
	const alive = world.entities.alive.data;
	const ends = all ? new Uint32Array(used) : null;
	out.byte(OPEN);
	const first = out.length;
	for (let slot = 0; slot < used; slot++) {
		if (memo !== null && !hasBit(memo.changed, slot)) slot = copyRows(out, memo, ends!, first, slot) - 1;
		else if (hasBit(alive, slot) && isWanted(world, slot, viewer, only)) {
			writeRow(slot);
			out.byte(COMMA);
		}
		if (ends !== null) ends[slot] = out.length - first;
		if (out.length > most) throw new TooManyBytesError(`there are more than ${most} bytes`);
		if (slot % SLICE === SLICE - 1) yield;
	}
	// Rows that a call can still undo are not kept: they are restored in place.
	if (ends !== null && world.undo === null) keepRows(world, out, first, ends);
	if (out.length > first) out.dropByte();
	out.byte(CLOSE);
}

function isWanted(
	world: World,
	slot: number,
	viewer: EntityHandle | undefined,
	only: ReadonlySet<number> | undefined,
): boolean {
	if (only !== undefined && !only.has(slot)) return false;
	return viewer === undefined || sees(world, viewer.id, slot);
}

/** Returns a function that writes all that one entity shows. */
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
		out.piece(ID);
		out.number(slot);
		out.piece(GENERATION);
		out.number(generations[slot]!);
		for (let i = 0; i < writers.length; i++) {
			const { presence, write } = writers[i]!;
			if (hasBit(presence, slot)) write(out, slot);
		}
		out.byte(END);
	};
}
