/**
 * JSON Schemas as short texts for language models: `number 0..100 m = 1`.
 * Owns: how types, limits, units, defaults and fields are written. Never: a decision about what has room.
 */

import type { JsonSchema } from './json-schema.ts';

/** The length of the written form. */
export interface Detail {
	/** Maximum number of characters of a field's meaning; 0: none. */
	readonly meaning: number;
	/** The same for fields of named types and of nested records. */
	readonly inner: number;
}

/** The definitions that a text may refer to, and what it has written so far. */
export interface TypeNames {
	readonly definitions: Readonly<Record<string, JsonSchema>>;
	/** Records of many fields, which those after them in this list and those without a name may share. */
	readonly bases: readonly string[];
	/** Definitions referred to, in order. */
	readonly met: Set<string>;
	/** Field name of each long type that has no name. */
	readonly unnamed: Map<string, string>;
}

/** Limits of this size and more are not written: they only keep 32-bit storage valid. */
const NO_LIMIT = 1e6;
/** Maximum number of characters of a text's grammar if there is no room for more. */
const FEW_FORMS = 60;
/** Types of this length that occur twice get a name. */
const LONG = 30;
/** Records share the fields of a named one if they have at least this many of them, and lack at most this many. */
export const MIN_SHARED = 12;
const MAX_LACKED = 6;

type SchemaFields = Readonly<Record<string, JsonSchema>>;
const fieldsOf = (schema: JsonSchema): SchemaFields => (schema.properties ?? {}) as SchemaFields;
const requiredOf = (schema: JsonSchema): readonly string[] => (schema.required ?? []) as string[];
const nameIn = ($ref: unknown): string => String($ref).slice(String($ref).lastIndexOf('/') + 1);
const isNull = (schema: JsonSchema): boolean => schema.type === 'null';

/** Returns the alternatives of a schema, without null; itself if it has none. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
	const all = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
	if (all === undefined || schema.properties !== undefined) return [schema];
	return all.filter((jsonSchema) => !isNull(jsonSchema));
}

/** Returns a word as it is, any other value as JSON. */
function literal(value: unknown): string {
	return typeof value === 'string' && /^[\w./:*+-]+$/.test(value) ? value : JSON.stringify(value);
}

function numberText(value: number): string {
	const long = String(value);
	const short = value.toExponential().replace('e+', 'e');
	return short.length < long.length ? short : long;
}

function limitsText(low: unknown, high: unknown): string {
	const written = (limit: unknown) =>
		typeof limit === 'number' && Math.abs(limit) < NO_LIMIT ? numberText(limit) : '';
	const [from, to] = [written(low), written(high)];
	return from === '' && to === '' ? '' : ` ${from}..${to}`;
}

function plainText(schema: JsonSchema, names: TypeNames, detail: Detail): string {
	const { type, items, prefixItems: parts } = schema;
	if (schema.$ref !== undefined) {
		const name = nameIn(schema.$ref);
		names.met.add(name);
		return name;
	}
	if (schema.const !== undefined) return literal(schema.const);
	// A flag in a query is one of many words.
	if (
		Array.isArray(schema.enum) &&
		['true', 'false'].every((word) => (schema.enum as unknown[]).includes(word))
	)
		return 'flag';
	if (Array.isArray(schema.enum)) return schema.enum.map(literal).join('|');
	if (Array.isArray(parts)) {
		const texts = parts.map((part) => typeText(part as JsonSchema, names, detail));
		const alike = texts.every((text) => text === texts[0]);
		if (alike && texts.length > 1)
			return `vec${texts.length}${texts[0]!.replace(/^(number|int)/, (word) => (word === 'int' ? ' int' : ''))}`;
		return `[${texts.join(', ')}]`;
	}
	if (type === 'array') {
		const inside = typeText((items ?? {}) as JsonSchema, names, detail);
		return `[${inside}]${limitsText(schema.minItems, schema.maxItems)}`;
	}
	if (type === 'integer' || type === 'number') {
		const low = schema.minimum ?? schema.exclusiveMinimum;
		const word = type === 'integer' ? 'int' : 'number';
		return word + limitsText(low, schema.maximum ?? schema.exclusiveMaximum);
	}
	if (type === 'string') return 'text';
	if (type === 'boolean') return 'flag';
	if (type === 'object' || schema.properties !== undefined) return recordText(schema, names, detail);
	return Array.isArray(type) ? type.filter((candidate) => candidate !== 'null').join('|') : 'any';
}

function recordText(schema: JsonSchema, names: TypeNames, detail: Detail): string {
	const { additionalProperties: others } = schema;
	if (schema.properties === undefined && typeof others === 'object')
		return `{NAME: ${typeText(others as JsonSchema, names, detail)}}`;
	if (schema.properties === undefined) return '{}';
	const within = { meaning: 0, inner: 0 };
	return `{${fieldTexts(schema, names, within).join(', ')}}${togetherText(schema)}`;
}

/** Returns the type, its limits and its unit, in one line. */
export function typeText(schema: JsonSchema, names: TypeNames, detail: Detail): string {
	const all = alternatives(schema);
	const nested = all.map((jsonSchema) =>
		jsonSchema === schema ? plainText(jsonSchema, names, detail) : typeText(jsonSchema, names, detail),
	);
	const type = [...new Set(nested)].join('|');
	const { unit } = schema;
	return typeof unit === 'string' && unit !== 'factor' ? `${type} ${unit}` : type;
}

/** Returns the first sentences or clauses of a text that have room; none if not even a few words have. */
export function shortened(text: string, most: number): string {
	if (text.length <= most) return text;
	if (most < 8) return '';
	const head = text.slice(0, most + 1);
	const sentence = Math.max(...['. ', '; '].map((mark) => head.lastIndexOf(mark)));
	if (sentence > most / 4) return head.slice(0, sentence);
	const end = Math.max(...[': ', ', '].map((mark) => head.lastIndexOf(mark)), head.lastIndexOf(' ('));
	if (end > most / 4) return head.slice(0, end);
	return `${head.slice(0, Math.max(head.slice(0, most - 2).lastIndexOf(' '), 4))}...`;
}

/**
 * Returns the meaning of a field, without the unit and the parts that its type has; empty if it only repeats the
 * name.
 */
function meaningOf(schema: JsonSchema, name = ''): string {
	const own =
		schema.description ?? alternatives(schema).find((jsonSchema) => jsonSchema.description)?.description;
	if (typeof own !== 'string' || own.toLowerCase().replace(/ [[(].*/, '') === name.replaceAll('_', ' '))
		return '';
	return own.replace(/ \((?:[^() ]+|unit quaternion)\)$/, '').replace(/ \[x, y, z(?:, w)?\]/, '');
}

function togetherText(schema: JsonSchema): string {
	const groups = [schema, ...((schema.allOf ?? []) as JsonSchema[])].flatMap(({ anyOf, oneOf }) => [
		{ words: 'at least one of', of: anyOf as JsonSchema[] | undefined },
		{ words: 'exactly one of', of: oneOf as JsonSchema[] | undefined },
	]);
	const texts = groups.flatMap(({ words, of }) =>
		of?.every((jsonSchema) => requiredOf(jsonSchema).length > 0)
			? [`${words} ${of.map((jsonSchema) => requiredOf(jsonSchema).join('+')).join(', ')}`]
			: [],
	);
	return texts.length > 0 ? ` # ${texts.join('; ')}` : '';
}

/** Returns a named record that has all fields of `schema`, and the names that `schema` lacks. */
function sharedWith(
	schema: JsonSchema,
	{ definitions, bases }: TypeNames,
): { name: string; lacked: string[] } | undefined {
	const fields = fieldsOf(schema);
	if (Object.keys(fields).length < MIN_SHARED) return undefined;
	const isSame = (named: JsonSchema, field: string): boolean =>
		JSON.stringify(fieldsOf(named)[field]) === JSON.stringify(fields[field]) &&
		requiredOf(named).includes(field) === requiredOf(schema).includes(field);
	for (const name of bases) {
		const named = definitions[name]!;
		if (named === schema) return undefined;
		const all = Object.keys(fieldsOf(named));
		const lacked = all.filter((field) => !isSame(named, field));
		if (lacked.length <= MAX_LACKED && all.length - lacked.length >= MIN_SHARED) return { name, lacked };
	}
	return undefined;
}

/**
 * Returns the fields of a record, one text each: `name?: type = default # meaning`. `?` means that it may be omitted
 * or null. Fields of a named record come as `...Name`.
 */
export function fieldTexts(
	schema: JsonSchema,
	names: TypeNames,
	detail: Detail,
	spread: boolean = true,
): string[] {
	const shared = spread ? sharedWith(schema, names) : undefined;
	const required = requiredOf(schema);
	const texts: string[] = [];
	let usedKeys: readonly string[] = [];
	if (shared !== undefined) {
		const { name, lacked } = shared;
		names.met.add(name);
		usedKeys = Object.keys(fieldsOf(names.definitions[name]!)).filter((field) => !lacked.includes(field));
		const own = Object.keys(fieldsOf(schema));
		const without = lacked.filter((field) => !own.includes(field));
		texts.push(`...${name}${without.length > 0 ? ` without ${without.join(' ')}` : ''}`);
	}
	const within = { meaning: detail.inner, inner: detail.inner };
	for (const [name, field] of Object.entries(fieldsOf(schema))) {
		if (usedKeys.includes(name)) continue;
		const type = typeText(field, names, within);
		if (type.length >= LONG && !names.unnamed.has(type)) names.unnamed.set(type, name);
		const isRequired = required.includes(name);
		const nullable = isRequired && ((field.anyOf ?? []) as JsonSchema[]).some(isNull) ? '|null' : '';
		const usual = field.default === undefined || field.default === null ? '' : ` = ${literal(field.default)}`;
		const meaning = shortened(meaningOf(field, name), detail.meaning);
		const sense = meaning === '' || detail.meaning === 0 ? '' : ` # ${meaning}`;
		texts.push(`${name}${isRequired ? '' : '?'}: ${type}${nullable}${usual}${sense}`);
	}
	return texts;
}

/** Returns the key whose word tells the alternatives of a type apart, and each alternative's schema by its word. */
function tagged(schema: JsonSchema, { definitions }: TypeNames) {
	const resolved = (jsonSchema: JsonSchema): JsonSchema =>
		jsonSchema.$ref === undefined ? jsonSchema : definitions[nameIn(jsonSchema.$ref)]!;
	const all = alternatives(schema).map(resolved);
	if (all.length < 2) return undefined;
	const [key] = Object.keys(fieldsOf(all[0]!)).filter((name) =>
		all.every((jsonSchema) => typeof fieldsOf(jsonSchema)[name]?.const === 'string'),
	);
	return key === undefined ? undefined : { key, all };
}

/** Returns a named type, as lines. Records distinguished by a word come one a line: `word: field: type, ...`. */
export function typeLines(name: string, schema: JsonSchema, names: TypeNames, detail: Detail): string[] {
	const meaning = shortened(meaningOf(schema), detail.inner);
	const sense = meaning === '' || detail.inner === 0 ? '' : ` # ${meaning}`;
	if (schema.properties !== undefined) return [`${name} = ${recordText(schema, names, detail)}${sense}`];
	const groups = alternatives(schema).flatMap((jsonSchema) => (jsonSchema.oneOf ? [jsonSchema] : []));
	const parts = groups.length > 1 ? groups : [schema];
	const lines: string[] = [];
	for (const part of parts) {
		const found = tagged(part, names);
		if (found === undefined) {
			const type = typeText(schema, names, detail);
			// The meaning of a text is its grammar.
			const grammar = shortened(meaningOf(schema), Math.max(detail.inner, FEW_FORMS));
			return [`${name} = ${type}${type === 'text' && grammar !== '' ? ` # ${grammar}` : sense}`];
		}
		const { key, all } = found;
		lines.push(`${lines.length === 0 ? name : 'or'} = {${key}: WORD, fields}:${sense}`);
		const words = new Map<string, string[]>();
		for (const jsonSchema of all) {
			const { word, rest } = variant(key, jsonSchema, names, detail);
			words.set(rest, [...(words.get(rest) ?? []), word]);
		}
		for (const [rest, alike] of words) lines.push(`  ${alike.join('|')}${rest}`);
	}
	return lines;
}

/** Returns the word of an alternative, and its fields. Alternatives with the same fields are written together. */
function variant(key: string, jsonSchema: JsonSchema, names: TypeNames, detail: Detail) {
	const { [key]: word, ...properties } = fieldsOf(jsonSchema);
	const required = requiredOf(jsonSchema).filter((field) => field !== key);
	const fields = fieldTexts({ ...jsonSchema, properties, required }, names, { meaning: 0, inner: 0 });
	const meaning = shortened(meaningOf(jsonSchema), detail.inner);
	const sense = meaning === '' || detail.inner === 0 ? '' : ` # ${meaning}`;
	const rest = `${fields.length > 0 ? `: ${fields.join(', ')}` : ''}${togetherText(jsonSchema)}${sense}`;
	return { word: literal(word!.const), rest };
}

/** Returns the words about fields that belong together, such as "exactly one of do, outcomes"; empty without any. */
export const togetherWords = (schema: JsonSchema): string => togetherText(schema).trim();
