/**
 * The rows of one component as bytes, and back.
 * Owns: the saved form of present rows, and the check of read ones.
 */

import type { Component } from '../../../shared/contract/component.ts';
import { countBits, eachRun } from './bits.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import type { NumericArray } from './column.ts';
import { type ComponentTable, createTable, isTold } from './table.ts';

/** Characters of JSON in one piece, or little more: a column may be longer than one text can be. */
const PIECE = 1 << 22;

/** Writes which entities have a component, as `words` words of bits, and the rows of those that do. */
export function writeTable(writer: ByteWriter, table: ComponentTable, words: number): void {
	const presence = table.presence.data;
	writer.array(firstOf(presence, words));
	for (const [name, column] of Object.entries(table.columns)) {
		if (!isTold(table, name)) continue;
		if (Array.isArray(column.data)) writeValues(writer, presence, column.data);
		else writer.array(rowsOf(presence, column.data, column.stride, table.count));
	}
}

/** Returns the first `length` numbers, zeros where there are none. */
function firstOf(data: Uint32Array, length: number): Uint32Array {
	const first = new Uint32Array(length);
	first.set(data.subarray(0, length));
	return first;
}

function rowsOf(presence: Uint32Array, data: NumericArray, stride: number, count: number): NumericArray {
	const rows = new (data.constructor as new (length: number) => NumericArray)(count * stride);
	let at = 0;
	eachRun(presence, (from, to) => {
		rows.set(data.subarray(from * stride, to * stride), at);
		at += (to - from) * stride;
	});
	return rows;
}

function writeValues(writer: ByteWriter, presence: Uint32Array, values: readonly unknown[]): void {
	let texts: string[] = [];
	let length = 0;
	// Written before they are counted, so that no more than one piece is held as text; the writer copies it at its end.
	const pieces = new Uint32Array(1);
	writer.array(pieces);
	const endPiece = () => {
		writer.text(`[${texts.join(',')}]`);
		texts = [];
		length = 0;
		pieces[0]!++;
	};
	eachRun(presence, (from, to) => {
		for (let slot = from; slot < to; slot++) {
			if (length > PIECE) endPiece();
			// In the order of its keys: what reads it afterwards says it as before, to the byte.
			const text = JSON.stringify(values[slot] ?? null);
			texts.push(text);
			length += text.length;
		}
	});
	endPiece();
}

/** Returns the sparse columns of a table that are saved, as `component.field`. */
export function sparseColumns(table: ComponentTable): string[] {
	const { name: component, fields } = table.component;
	return Object.entries(fields).flatMap(([name, field]) =>
		field.kind === 'json' && field.sparse === true && isTold(table, name) ? [`${component}.${name}`] : [],
	);
}

/**
 * Reads the output of `writeTable` for a component, for entities with `slots` slots, with those of its sparse columns
 * that are named. Throws a RangeError.
 */
export function readTable(
	reader: ByteReader,
	component: Component,
	alive: Uint32Array,
	slots: number,
	version: number,
	sparse: readonly string[],
): ComponentTable {
	const table = createTable(component, slots, version);
	const presence = table.presence.data;
	const saved = reader.array(Uint32Array);
	saved.forEach((word, i) => {
		if ((word & ~(alive[i] ?? 0)) !== 0)
			throw new RangeError(`entities that are not alive have the component ${component.name}`);
	});
	presence.set(saved);
	table.count = countBits(presence);
	for (const [name, column] of Object.entries(table.columns)) {
		const what = `${component.name}.${name}`;
		const field = component.fields[name]!;
		if (field.kind === 'json' && field.sparse === true && !sparse.includes(what)) {
			eachRun(presence, (from, to) => (column.data as unknown[]).fill(field.initial, from, to));
			continue;
		}
		if (Array.isArray(column.data)) readValues(reader, presence, column.data, table.count, what);
		else {
			const most = 'words' in field ? field.words.length : undefined;
			readRows(reader, presence, column.data, column.stride, table.count, what, most);
		}
	}
	return table;
}

function readRows(
	reader: ByteReader,
	presence: Uint32Array,
	data: NumericArray,
	stride: number,
	count: number,
	what: string,
	words: number | undefined,
): void {
	const rows = reader.array(data.constructor as never) as NumericArray;
	if (rows.length !== count * stride) throw new RangeError(`${what} has ${rows.length} numbers`);
	if (words !== undefined && rows.some((word) => word >= words))
		throw new RangeError(`${what} has an unknown word`);
	let at = 0;
	eachRun(presence, (from, to) => {
		const size = (to - from) * stride;
		data.set(rows.subarray(at, at + size) as never, from * stride);
		at += size;
	});
}

function readValues(
	reader: ByteReader,
	presence: Uint32Array,
	data: unknown[],
	count: number,
	what: string,
): void {
	const [pieces = 0] = reader.array(Uint32Array);
	let values: unknown[] = [];
	for (let i = 0; i < pieces; i++) {
		const piece: unknown = JSON.parse(reader.text());
		if (!Array.isArray(piece)) throw new RangeError(`${what} is not a list`);
		values = i === 0 ? piece : values.concat(piece);
	}
	if (values.length !== count) throw new RangeError(`${what} has ${values.length} values`);
	let at = 0;
	eachRun(presence, (from, to) => {
		for (let slot = from; slot < to; slot++) data[slot] = values[at++];
	});
}
