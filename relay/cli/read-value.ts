/**
 * Reads values from words of the command line: `x,y,z`, `sphere:0.5`, `red,blue`, JSON. The schema of a field decides the form.
 * Owns: the parsing and its errors. Never: checks ranges; the engine does.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { nearest } from '../../shared/contract/nearest.ts';
import {
	alternatives,
	entriesOf,
	isNull,
	isScalar,
	isSimple,
	shapesOf,
	soleMember,
	type TaggedNumbers,
	vectorLength,
	withoutNull,
	wordsOf,
} from './schema-form.ts';
import { UsageError } from './terminal.ts';
import { syntaxOf } from './value-syntax.ts';

/** Reads the value in a text. `name`: the argument in error texts. Throws `UsageError`. */
export function readValue(nullableSchema: JsonSchema, text: string, name: string): unknown {
	const schema = withoutNull(nullableSchema);
	// A text "null" means null, unless the field takes any text.
	if (text === 'null' && schema.type !== 'string' && alternatives(nullableSchema).some(isNull)) return null;
	return isScalar(schema) || schema.type === 'boolean'
		? readScalar(schema, text, name)
		: readComposite(schema, text, name);
}

function readScalar(schema: JsonSchema, text: string, name: string): string | number | boolean {
	const words = wordsOf(schema);
	if (words !== undefined) return readWord(text, words, name);
	if (schema.type === 'string') return text;
	if (schema.type === 'boolean') return readWord(text, ['true', 'false'], name) === 'true';
	return readNumber(text, schema, name);
}

/** Reads a vector, record or list, from JSON or its short form. */
function readComposite(schema: JsonSchema, text: string, name: string): unknown {
	if (/^\s*[[{]/.test(text)) {
		const value = parseJson(text, name);
		return schema.type === 'array' && !Array.isArray(value) ? [value] : value;
	}
	if (vectorLength(schema) !== undefined) return readVector(schema, text, name);
	const shapes = shapesOf(schema);
	if (shapes !== undefined) return readTaggedNumbers(shapes, text, name, syntaxOf(schema));
	if (schema.type === 'array') return readList((schema.items ?? {}) as JsonSchema, text, name);
	const entries = entriesOf(schema);
	if (entries !== undefined)
		return Object.fromEntries(text.split(',').map((part) => readEntry(part, entries, name)));
	const sole = soleMember(schema);
	if (sole !== undefined && isSimple(sole[1])) return { [sole[0]]: readValue(sole[1], text, name) };
	if (schema.type === undefined && !isValidJson(text)) return text;
	return parseJson(text, name);
}

function readNumber(text: string, schema: JsonSchema, name: string): number {
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new UsageError(`${name} takes a number, not "${text}".`);
	if (schema.type === 'integer' && !Number.isInteger(value))
		throw new UsageError(`${name} takes a whole number, not "${text}".`);
	return value;
}

/** Reads one of `words`, in letters of either case. */
function readWord(text: string, words: readonly string[], name: string): string {
	const word = words.find((candidate) => candidate.toLowerCase() === text.trim().toLowerCase());
	if (word !== undefined) return word;
	const similar = nearest(text, words);
	const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
	throw new UsageError(`${name} takes one of: ${words.join(', ')}; not "${text}".${hint}`);
}

function readVector(schema: JsonSchema, text: string, name: string): number[] {
	const components = schema.prefixItems as JsonSchema[];
	const parts = text.split(',');
	if (parts.length !== components.length)
		throw new UsageError(`${name} takes ${components.length} numbers as ${syntaxOf(schema)}, not "${text}".`);
	return parts.map((part, i) => readNumber(part, components[i]!, name));
}

function readList(items: JsonSchema, text: string, name: string): unknown[] {
	if (text === '') return [];
	const isVector = vectorLength(items) !== undefined;
	// A text form of a record, such as an action of a rule, contains commas.
	if (!isVector && !isScalar(items)) return [readValue(items, text, name)];
	return text.split(isVector ? ':' : ',').map((part) => readValue(items, part, name));
}

function readEntry(text: string, values: JsonSchema, name: string): [string, unknown] {
	const [, key, value] = /^([^:]+):(.*)$/.exec(text) ?? [];
	if (key === undefined) throw new UsageError(`${name} takes key:value, not "${text}".`);
	return [key.trim(), readValue(values, value!, name)];
}

function readTaggedNumbers(
	shapes: readonly TaggedNumbers[],
	text: string,
	name: string,
	syntax: string,
): Record<string, unknown> {
	const [tag, ...rest] = text.split(':');
	const words = shapes.map(({ word }) => word);
	const word = readWord(tag!, words, name);
	const { key, numbers } = shapes.find((shape) => shape.word === word)!;
	const parts = rest.length === 0 ? [] : rest.join(':').split(',');
	if (parts.length !== numbers.length) throw new UsageError(`${name} takes ${syntax}, not "${text}".`);
	const value: Record<string, unknown> = { [key]: word };
	for (const [i, member] of numbers.entries())
		value[member] = readNumber(parts[i]!, { type: 'number' }, name);
	return value;
}

export function parseJson(text: string, name: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new UsageError(`${name} is not JSON: ${(error as Error).message}.`);
	}
}

function isValidJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
