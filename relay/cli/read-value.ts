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

/** Reads the value that `text` contains. `what` names the argument in errors. Throws `UsageError`. */
export function readValue(nullableSchema: JsonSchema, text: string, what: string): unknown {
	const schema = withoutNull(nullableSchema);
	// A text "null" means null, unless the field takes any text.
	if (text === 'null' && schema.type !== 'string' && alternatives(nullableSchema).some(isNull)) return null;
	return isScalar(schema) || schema.type === 'boolean'
		? readScalar(schema, text, what)
		: readComposite(schema, text, what);
}

function readScalar(schema: JsonSchema, text: string, what: string): string | number | boolean {
	const words = wordsOf(schema);
	if (words !== undefined) return readWord(text, words, what);
	if (schema.type === 'string') return text;
	if (schema.type === 'boolean') return readWord(text, ['true', 'false'], what) === 'true';
	return readNumber(text, schema, what);
}

/** Reads a vector, record or list, from JSON or its short form. */
function readComposite(schema: JsonSchema, text: string, what: string): unknown {
	if (/^\s*[[{]/.test(text)) {
		const value = parseJson(text, what);
		return schema.type === 'array' && !Array.isArray(value) ? [value] : value;
	}
	if (vectorLength(schema) !== undefined) return readVector(schema, text, what);
	const shapes = shapesOf(schema);
	if (shapes !== undefined) return readTaggedNumbers(shapes, text, what, syntaxOf(schema));
	if (schema.type === 'array') return readList((schema.items ?? {}) as JsonSchema, text, what);
	const entries = entriesOf(schema);
	if (entries !== undefined)
		return Object.fromEntries(text.split(',').map((part) => readEntry(part, entries, what)));
	const sole = soleMember(schema);
	if (sole !== undefined && isSimple(sole[1])) return { [sole[0]]: readValue(sole[1], text, what) };
	if (schema.type === undefined && !isValidJson(text)) return text;
	return parseJson(text, what);
}

function readNumber(text: string, schema: JsonSchema, what: string): number {
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new UsageError(`${what} takes a number, not "${text}".`);
	if (schema.type === 'integer' && !Number.isInteger(value))
		throw new UsageError(`${what} takes a whole number, not "${text}".`);
	return value;
}

/** Reads one of `words`, in letters of either case. */
function readWord(text: string, words: readonly string[], what: string): string {
	const word = words.find((candidate) => candidate.toLowerCase() === text.trim().toLowerCase());
	if (word !== undefined) return word;
	const similar = nearest(text, words);
	const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
	throw new UsageError(`${what} takes one of: ${words.join(', ')}; not "${text}".${hint}`);
}

function readVector(schema: JsonSchema, text: string, what: string): number[] {
	const components = schema.prefixItems as JsonSchema[];
	const parts = text.split(',');
	if (parts.length !== components.length)
		throw new UsageError(`${what} takes ${components.length} numbers as ${syntaxOf(schema)}, not "${text}".`);
	return parts.map((part, i) => readNumber(part, components[i]!, what));
}

function readList(items: JsonSchema, text: string, what: string): unknown[] {
	if (text === '') return [];
	const isVector = vectorLength(items) !== undefined;
	// A text form of a record, such as an action of a rule, contains commas.
	if (!isVector && !isScalar(items)) return [readValue(items, text, what)];
	return text.split(isVector ? ':' : ',').map((part) => readValue(items, part, what));
}

function readEntry(text: string, values: JsonSchema, what: string): [string, unknown] {
	const [, key, value] = /^([^:]+):(.*)$/.exec(text) ?? [];
	if (key === undefined) throw new UsageError(`${what} takes key:value, not "${text}".`);
	return [key.trim(), readValue(values, value!, what)];
}

function readTaggedNumbers(
	shapes: readonly TaggedNumbers[],
	text: string,
	what: string,
	syntax: string,
): Record<string, unknown> {
	const [tag, ...rest] = text.split(':');
	const words = shapes.map(({ word }) => word);
	const word = readWord(tag!, words, what);
	const { key, numbers } = shapes.find((shape) => shape.word === word)!;
	const parts = rest.length === 0 ? [] : rest.join(':').split(',');
	if (parts.length !== numbers.length) throw new UsageError(`${what} takes ${syntax}, not "${text}".`);
	const value: Record<string, unknown> = { [key]: word };
	for (const [i, name] of numbers.entries()) value[name] = readNumber(parts[i]!, { type: 'number' }, what);
	return value;
}

export function parseJson(text: string, what: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new UsageError(`${what} is not JSON: ${(error as Error).message}.`);
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
