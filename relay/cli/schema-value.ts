/**
 * Values on the command line: `x,y,z`, `sphere:0.5`, `red,blue`, JSON. The JSON Schema of a field decides its form.
 * Owns: reading, writing and describing this syntax. Never: checks ranges; the engine does.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { nearest } from '../../shared/contract/nearest.ts';
import { UsageError } from './terminal.ts';

/** Returns a schema without its `null` alternative. */
export function withoutNull(schema: JsonSchema): JsonSchema {
	const options = alternatives(schema).filter((option) => !isNull(option));
	if (options.length !== 1 || options[0] === schema) return schema;
	return { ...schema, anyOf: undefined, oneOf: undefined, ...options[0] };
}

const isNull = ({ type }: JsonSchema): boolean => type === 'null';

/** Returns the schemas of a union, or the schema itself. A union beside `properties` only restricts these, so it does not count. */
export function alternatives(schema: JsonSchema): JsonSchema[] {
	const options = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
	return Array.isArray(options) ? (options as JsonSchema[]) : [schema];
}

export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
	return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

export function requiredOf(schema: JsonSchema): readonly string[] {
	return (schema.required ?? []) as string[];
}

/** Returns the values of an enum or constant as texts; undefined for any other schema. */
export function wordsOf(schema: JsonSchema): string[] | undefined {
	if (Array.isArray(schema.enum)) return schema.enum.map(String);
	return schema.const === undefined ? undefined : [String(schema.const)];
}

function vectorLength(schema: JsonSchema): number | undefined {
	const parts = schema.prefixItems;
	if (!Array.isArray(parts) || parts.length === 0) return undefined;
	return (parts as JsonSchema[]).every(isNumber) ? parts.length : undefined;
}

function isNumber({ type }: JsonSchema): boolean {
	return type === 'number' || type === 'integer';
}

/** Returns the alternative of a union that is free text, which is a short form of the others. */
function textForm(schema: JsonSchema): JsonSchema | undefined {
	const options = alternatives(schema);
	if (options.length < 2) return undefined;
	return options.find((option) => option.type === 'string' && wordsOf(option) === undefined);
}

/** Returns the description of a value for help, followed by that of its short text form. */
export function descriptionOf(given: JsonSchema): string {
	const schema = withoutNull(given);
	const form = textForm((schema.items ?? schema) as JsonSchema);
	const descriptions = [given.description ?? schema.description, form?.description];
	return [...new Set(descriptions.filter((text) => text !== undefined))].join('. ');
}

/** Record with one fixed word and numbers, such as `sphere:0.5`. */
interface Shape {
	readonly word: string;
	/** Name of the field that holds the word. */
	readonly key: string;
	/** Names of the fields that hold the numbers, in order. */
	readonly numbers: readonly string[];
}

/**
 * Returns the shapes of a union of records that each have one fixed word. Records with fields other than numbers, such as
 * hulls, are written as JSON and omitted. Undefined if fewer than two shapes remain.
 */
function shapesOf(schema: JsonSchema): Shape[] | undefined {
	const options = alternatives(schema);
	if (options.length < 2) return undefined;
	const shapes: Shape[] = [];
	for (const option of options) {
		const members = Object.entries(propertiesOf(option));
		const fixed = members.filter(([, member]) => member.const !== undefined);
		const rest = members.filter(([, member]) => member.const === undefined);
		if (fixed.length !== 1) return undefined;
		if (!rest.every(([, member]) => isNumber(member))) continue;
		const [key, { const: word }] = fixed[0]!;
		shapes.push({ word: String(word), key, numbers: rest.map(([name]) => name) });
	}
	return shapes.length < 2 ? undefined : shapes;
}

/** Returns the only required field of a record, such as the linear part of a velocity. */
function soleMember(schema: JsonSchema): [string, JsonSchema] | undefined {
	const required = requiredOf(schema);
	if (schema.type !== 'object' || required.length !== 1) return undefined;
	return [required[0]!, propertiesOf(schema)[required[0]!]!];
}

/** Returns true for a word, number, boolean or vector: a value that fits one flag. */
export function isSimple(given: JsonSchema): boolean {
	const schema = withoutNull(given);
	return isScalar(schema) || schema.type === 'boolean' || vectorLength(schema) !== undefined;
}

/** Returns true for a word or number: a value that can be an operand. */
export function isScalar(given: JsonSchema): boolean {
	const schema = withoutNull(given);
	return schema.type === 'string' || isNumber(schema) || wordsOf(schema) !== undefined;
}

/** Returns the form of a value, for help: `x,y,z`, `cube|sphere`, `JSON`. */
export function syntaxOf(given: JsonSchema): string {
	const schema = withoutNull(given);
	const words = wordsOf(schema);
	if (words !== undefined) return words.join('|');
	if (schema.type === 'boolean') return 'true|false';
	if (schema.type === 'integer') return 'N';
	if (schema.type === 'number') return 'NUMBER';
	if (schema.type === 'string') return 'TEXT';
	const length = vectorLength(schema);
	if (length !== undefined) return 'xyzw'.slice(0, length).split('').join(',');
	const shapes = shapesOf(schema);
	if (shapes)
		return shapes.map(({ word, numbers }) => `${word.toLowerCase()}:${numbers.join(',')}`).join('|');
	if (schema.type === 'array') {
		const items = (schema.items ?? {}) as JsonSchema;
		if (vectorLength(items) !== undefined) return `${syntaxOf(items)}:${syntaxOf(items)}`;
		if (isScalar(items)) return `${syntaxOf(items)},...`;
		if (textForm(items) !== undefined) return syntaxOf(items);
	}
	const entries = entriesOf(schema);
	if (entries !== undefined) return `KEY:${syntaxOf(entries)},...`;
	if (textForm(schema) !== undefined) return 'TEXT or JSON';
	const sole = soleMember(schema);
	return sole && isSimple(sole[1]) ? `${syntaxOf(sole[1])} or JSON` : 'JSON';
}

/** Returns the schema of the values of a record with free keys, if each is a word or number. */
export function entriesOf(schema: JsonSchema): JsonSchema | undefined {
	const values = schema.additionalProperties;
	if (schema.type !== 'object' || typeof values !== 'object' || values === null) return undefined;
	return isScalar(values as JsonSchema) ? (values as JsonSchema) : undefined;
}

function readEntry(text: string, values: JsonSchema, what: string): [string, unknown] {
	const [, key, value] = /^([^:]+):(.*)$/.exec(text) ?? [];
	if (key === undefined) throw new UsageError(`${what} takes key:value, not "${text}".`);
	return [key.trim(), readValue(values, value!, what)];
}

function looksLikeJson(text: string): boolean {
	return /^\s*[[{]/.test(text);
}

export function parseJson(text: string, what: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new UsageError(`${what} is not JSON: ${(error as Error).message}.`);
	}
}

function readNumber(text: string, schema: JsonSchema, what: string): number {
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new UsageError(`${what} takes a number, not "${text}".`);
	if (schema.type === 'integer' && !Number.isInteger(value))
		throw new UsageError(`${what} takes a whole number, not "${text}".`);
	return value;
}

function readWord(text: string, words: readonly string[], what: string): string {
	const word = words.find((known) => known.toLowerCase() === text.trim().toLowerCase());
	if (word !== undefined) return word;
	const near = nearest(text, words);
	const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
	throw new UsageError(`${what} takes one of: ${words.join(', ')}; not "${text}".${hint}`);
}

/** Reads the value that `text` contains. `what` names the argument in errors. Throws `UsageError`. */
export function readValue(given: JsonSchema, text: string, what: string): unknown {
	const schema = withoutNull(given);
	const words = wordsOf(schema);
	// A text "null" means null, unless the field takes any text.
	if (text === 'null' && schema.type !== 'string' && alternatives(given).some(isNull)) return null;
	if (words !== undefined) return readWord(text, words, what);
	if (schema.type === 'string') return text;
	if (isNumber(schema)) return readNumber(text, schema, what);
	if (schema.type === 'boolean') return readWord(text, ['true', 'false'], what) === 'true';
	if (looksLikeJson(text)) {
		const value = parseJson(text, what);
		return schema.type === 'array' && !Array.isArray(value) ? [value] : value;
	}
	const length = vectorLength(schema);
	if (length !== undefined) {
		const parts = text.split(',');
		if (parts.length !== length)
			throw new UsageError(`${what} takes ${length} numbers as ${syntaxOf(schema)}, not "${text}".`);
		return parts.map((part, i) => readNumber(part, (schema.prefixItems as JsonSchema[])[i]!, what));
	}
	const shapes = shapesOf(schema);
	if (shapes !== undefined) return readShape(shapes, text, what, syntaxOf(schema));
	if (schema.type === 'array') {
		const items = (schema.items ?? {}) as JsonSchema;
		if (text === '') return [];
		// A text form of a record, such as an action of a rule, contains commas.
		if (vectorLength(items) === undefined && !isScalar(items)) return [readValue(items, text, what)];
		const separator = vectorLength(items) === undefined ? ',' : ':';
		return text.split(separator).map((part) => readValue(items, part, what));
	}
	const entries = entriesOf(schema);
	if (entries !== undefined)
		return Object.fromEntries(text.split(',').map((part) => readEntry(part, entries, what)));
	const sole = soleMember(schema);
	if (sole !== undefined && isSimple(sole[1])) return { [sole[0]]: readValue(sole[1], text, what) };
	if (schema.type === undefined && !isValidJson(text)) return text;
	return parseJson(text, what);
}

/** Returns true if a text is valid JSON. */
function isValidJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

function readShape(shapes: readonly Shape[], text: string, what: string, syntax: string): unknown {
	const at = text.indexOf(':');
	const known = shapes.map(({ word }) => word);
	const word = readWord(at < 0 ? text : text.slice(0, at), known, what);
	const { key, numbers } = shapes.find((shape) => shape.word === word)!;
	const parts = at < 0 ? [] : text.slice(at + 1).split(',');
	if (parts.length !== numbers.length) throw new UsageError(`${what} takes ${syntax}, not "${text}".`);
	const value: Record<string, unknown> = { [key]: word };
	for (const [i, name] of numbers.entries()) value[name] = readNumber(parts[i]!, { type: 'number' }, what);
	return value;
}

/** Writes a value as the text that `readValue` reads back. */
export function writeValue(given: JsonSchema, value: unknown): string {
	const schema = withoutNull(given);
	if (typeof value === 'string' && (schema.type === 'string' || wordsOf(schema) !== undefined)) return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (vectorLength(schema) !== undefined) return (value as number[]).join(',');
	const shapes = shapesOf(schema);
	if (shapes !== undefined) {
		const record = value as Record<string, unknown>;
		const shape = shapes.find(({ word, key }) => record[key] === word);
		if (shape) return `${shape.word.toLowerCase()}:${shape.numbers.map((name) => record[name]).join(',')}`;
	}
	if (schema.type === 'array' && Array.isArray(value)) {
		const items = (schema.items ?? {}) as JsonSchema;
		if (vectorLength(items) !== undefined) return value.map((item) => writeValue(items, item)).join(':');
		const texts = value.map(String);
		if (isScalar(items) && !texts.some((text) => text.includes(','))) return texts.join(',');
	}
	const sole = soleMember(schema);
	if (sole !== undefined && isSimple(sole[1])) {
		const record = value as Record<string, unknown>;
		if (Object.keys(record).length === 1 && sole[0] in record) return writeValue(sole[1], record[sole[0]]);
	}
	return JSON.stringify(value);
}
