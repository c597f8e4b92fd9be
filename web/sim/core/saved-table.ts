/**
 * Saves the rows of one component as bytes, and loads them.
 * Owns: the saved form of the rows, and the checks of loaded rows.
 */

import type { Component } from '../../../shared/contract/component.ts';
import { countBits, eachRun } from './bits.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import type { NumericArray } from './column.ts';
import { type ComponentTable, createTable, isSaved } from './table.ts';

/** Approximate number of characters of JSON in one piece. A column may be longer than a JavaScript string can be. */
const PIECE_LENGTH = 1 << 22;

/** Writes the entities that have a component, as `words` words of bits, and their rows. */
export function writeTable(writer: ByteWriter, table: ComponentTable, words: number): void {
	const presence = table.presence.data;
	writer.writeArray(firstWordsOf(presence, words));
	for (const [name, column] of Object.entries(table.columns)) {
		if (!isSaved(table, name)) continue;
		if (Array.isArray(column.data)) writeValues(writer, presence, column.data);
		else writer.writeArray(packRows(presence, column.data, column.stride, table.count));
	}
}

/** Returns the first `length` numbers, padded with zeros. */
function firstWordsOf(data: Uint32Array, length: number): Uint32Array {
	const firstWords = new Uint32Array(length);
	firstWords.set(data.subarray(0, length));
	return firstWords;
}

function packRows(presence: Uint32Array, data: NumericArray, stride: number, count: number): NumericArray {
	const rows = new (data.constructor as new (length: number) => NumericArray)(count * stride);
	let offset = 0;
	eachRun(presence, (from, to) => {
		rows.set(data.subarray(from * stride, to * stride), offset);
		offset += (to - from) * stride;
	});
	return rows;
}

function writeValues(writer: ByteWriter, presence: Uint32Array, values: readonly unknown[]): void {
	let texts: string[] = [];
	let length = 0;
	// The writer copies this array only at its end. So the count can change after it is written, and only one piece is in
	// memory as text.
	const pieceCount = new Uint32Array(1);
	writer.writeArray(pieceCount);
	const endPiece = () => {
		writer.writeText(`[${texts.join(',')}]`);
		texts = [];
		length = 0;
		pieceCount[0]!++;
	};
	eachRun(presence, (from, to) => {
		for (let slot = from; slot < to; slot++) {
			if (length > PIECE_LENGTH) endPiece();
			// The order of keys is kept, so that a loaded world returns the same bytes.
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
		field.kind === 'json' && field.sparse === true && isSaved(table, name) ? [`${component}.${name}`] : [],
	);
}

/**
 * Reads the output of `writeTable` for a component into a table with `slots` slots. `sparse` names the sparse columns that
 * were saved. Throws a RangeError if the bytes are invalid.
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
	const saved = reader.readArray(Uint32Array);
	saved.forEach((word, i) => {
		if ((word & ~(alive[i] ?? 0)) !== 0)
			throw new RangeError(`entities that are not alive have the component ${component.name}`);
	});
	presence.set(saved);
	table.count = countBits(presence);
	for (const [name, column] of Object.entries(table.columns)) {
		const path = `${component.name}.${name}`;
		const field = component.fields[name]!;
		if (field.kind === 'json' && field.sparse === true && !sparse.includes(path)) {
			eachRun(presence, (from, to) => (column.data as unknown[]).fill(field.initial, from, to));
			continue;
		}
		if (Array.isArray(column.data)) readValues(reader, presence, column.data, table.count, path);
		else {
			const wordCount = 'words' in field ? field.words.length : undefined;
			readRows(reader, presence, column.data, column.stride, table.count, path, wordCount);
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
	path: string,
	wordCount: number | undefined,
): void {
	const rows = reader.readArray(data.constructor as never) as NumericArray;
	if (rows.length !== count * stride) throw new RangeError(`${path} has ${rows.length} numbers`);
	if (wordCount !== undefined && rows.some((word) => word >= wordCount))
		throw new RangeError(`${path} has an unknown word`);
	let offset = 0;
	eachRun(presence, (from, to) => {
		const size = (to - from) * stride;
		data.set(rows.subarray(offset, offset + size) as never, from * stride);
		offset += size;
	});
}

function readValues(
	reader: ByteReader,
	presence: Uint32Array,
	data: unknown[],
	count: number,
	path: string,
): void {
	const [pieceCount = 0] = reader.readArray(Uint32Array);
	let values: unknown[] = [];
	for (let i = 0; i < pieceCount; i++) {
		const piece: unknown = JSON.parse(reader.readText());
		if (!Array.isArray(piece)) throw new RangeError(`${path} is not a list`);
		values = i === 0 ? piece : values.concat(piece);
	}
	if (values.length !== count) throw new RangeError(`${path} has ${values.length} values`);
	let index = 0;
	eachRun(presence, (from, to) => {
		for (let slot = from; slot < to; slot++) data[slot] = values[index++];
	});
}
