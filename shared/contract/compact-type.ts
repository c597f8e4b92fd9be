/**
 * Writes JSON Schemas as short texts for language models, such as `number 0..100 m = 1`.
 * Owns: the notation of types, limits, units, defaults and fields. Never: decides which details fit.
 */

import type { JsonSchema } from './json-schema.ts';

/** Limits on the length of a text. */
export interface Detail {
	/** Maximum characters of a field's meaning; 0 omits it. */
	readonly meaning: number;
	/** Maximum characters of a meaning in named types and nested records. */
	readonly inner: number;
}

/** Definitions that a text may refer to, and the names that it has used so far. */
export interface TypeNames {
	readonly definitions: Readonly<Record<string, JsonSchema>>;
	/** Names of large records, whose fields other records may include as `...Name`. A record may include only earlier ones. */
	readonly bases: readonly string[];
	/** Names of definitions to which the text refers, in order. */
	readonly met: Set<string>;
	/** Long types without a name, each with the name of a field that has it. */
	readonly unnamed: Map<string, string>;
}

/** Limits of at least this size are not written, because they only protect 32-bit storage. */
const UNWRITTEN_LIMIT = 1e6;
/** Characters that the grammar of a text type has at least. */
const MIN_GRAMMAR_LENGTH = 60;
/** A type of at least this length gets a name if it occurs twice. */
const MIN_NAMED_LENGTH = 30;
/** Minimum number of fields that a record must share with a named one to include it. */
export const MIN_SHARED = 12;
/** Maximum number of fields of the named record that differ from those of the other record, or are missing there. */
const MAX_DIFFERING = 6;

type SchemaFields = Readonly<Record<string, JsonSchema>>;
const fieldsOf = (schema: JsonSchema): SchemaFields => (schema.properties ?? {}) as SchemaFields;
const requiredOf = (schema: JsonSchema): readonly string[] => (schema.required ?? []) as string[];
const nameIn = ($ref: unknown): string => String($ref).slice(String($ref).lastIndexOf('/') + 1);
const isNull = (schema: JsonSchema): boolean => schema.type === 'null';

/** Returns the alternatives of a schema without null, or the schema itself if it has none. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
	const all = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
	if (all === undefined || schema.properties !== undefined) return [schema];
	return all.filter((jsonSchema) => !isNull(jsonSchema));
}

/** Returns a word unchanged, and any other value as JSON. */
function literal(value: unknown): string {
	return typeof value === 'string' && /^[\w./:*+-]+$/.test(value) ? value : JSON.stringify(value);
}

function numberText(value: number): string {
	const long = String(value);
	const short = value.toExponential().replace('e+', 'e');
	return short.length < long.length ? short : long;
}

function limitsText(low: unknown, high: unknown): string {
	const limitText = (limit: unknown) =>
		typeof limit === 'number' && Math.abs(limit) < UNWRITTEN_LIMIT ? numberText(limit) : '';
	const [from, to] = [limitText(low), limitText(high)];
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
	// A flag in a query has several words.
	if (
		Array.isArray(schema.enum) &&
		['true', 'false'].every((word) => (schema.enum as unknown[]).includes(word))
	)
		return 'flag';
	if (Array.isArray(schema.enum)) return schema.enum.map(literal).join('|');
	if (Array.isArray(parts)) {
		const texts = parts.map((part) => typeText(part as JsonSchema, names, detail));
		const areEqual = texts.every((text) => text === texts[0]);
		if (areEqual && texts.length > 1)
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
	const innerDetail = { meaning: 0, inner: 0 };
	return `{${fieldTexts(schema, names, innerDetail).join(', ')}}${dependencyComment(schema)}`;
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

/** Returns the first sentences or clauses of a text that fit into `maxLength` characters; an empty text if `maxLength` is below 8. */
export function shortenMeaning(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	if (maxLength < 8) return '';
	const head = text.slice(0, maxLength + 1);
	const sentence = Math.max(...['. ', '; '].map((mark) => head.lastIndexOf(mark)));
	if (sentence > maxLength / 4) return head.slice(0, sentence);
	const end = Math.max(...[': ', ', '].map((mark) => head.lastIndexOf(mark)), head.lastIndexOf(' ('));
	if (end > maxLength / 4) return head.slice(0, end);
	return `${head.slice(0, Math.max(head.slice(0, maxLength - 2).lastIndexOf(' '), 4))}...`;
}

/**
 * Returns the meaning of a field, without the unit and the names of axes, which the type shows. It is empty if it only
 * repeats the name.
 */
function meaningOf(schema: JsonSchema, name = ''): string {
	const description =
		schema.description ?? alternatives(schema).find((jsonSchema) => jsonSchema.description)?.description;
	if (
		typeof description !== 'string' ||
		description.toLowerCase().replace(/ [[(].*/, '') === name.replaceAll('_', ' ')
	)
		return '';
	return description.replace(/ \((?:[^() ]+|unit quaternion)\)$/, '').replace(/ \[x, y, z(?:, w)?\]/, '');
}

/** Returns the comment about fields that depend on each other; empty if there are none. */
function dependencyComment(schema: JsonSchema): string {
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

/** Returns a named record that shares most of its fields with `schema`, and the fields that differ; undefined if there is none. */
function sharedRecord(
	schema: JsonSchema,
	{ definitions, bases }: TypeNames,
): { name: string; differing: string[] } | undefined {
	const fields = fieldsOf(schema);
	if (Object.keys(fields).length < MIN_SHARED) return undefined;
	const isSame = (named: JsonSchema, field: string): boolean =>
		JSON.stringify(fieldsOf(named)[field]) === JSON.stringify(fields[field]) &&
		requiredOf(named).includes(field) === requiredOf(schema).includes(field);
	for (const name of bases) {
		const named = definitions[name]!;
		if (named === schema) return undefined;
		const fieldNames = Object.keys(fieldsOf(named));
		const differing = fieldNames.filter((field) => !isSame(named, field));
		const sharedCount = fieldNames.length - differing.length;
		if (differing.length <= MAX_DIFFERING && sharedCount >= MIN_SHARED) return { name, differing };
	}
	return undefined;
}

/**
 * Returns the fields of a record as texts: `name?: type = default # meaning`. `?` means that the field may be omitted or
 * null. With `spread`, fields of a named record are written as `...Name`.
 */
export function fieldTexts(
	schema: JsonSchema,
	names: TypeNames,
	detail: Detail,
	spread: boolean = true,
): string[] {
	const shared = spread ? sharedRecord(schema, names) : undefined;
	const required = requiredOf(schema);
	const texts: string[] = [];
	let sharedKeys: readonly string[] = [];
	if (shared !== undefined) {
		const { name, differing } = shared;
		names.met.add(name);
		sharedKeys = Object.keys(fieldsOf(names.definitions[name]!)).filter(
			(field) => !differing.includes(field),
		);
		const missing = differing.filter((field) => !(field in fieldsOf(schema)));
		texts.push(`...${name}${missing.length > 0 ? ` without ${missing.join(' ')}` : ''}`);
	}
	const innerDetail = { meaning: detail.inner, inner: detail.inner };
	for (const [name, field] of Object.entries(fieldsOf(schema))) {
		if (sharedKeys.includes(name)) continue;
		const type = typeText(field, names, innerDetail);
		if (type.length >= MIN_NAMED_LENGTH && !names.unnamed.has(type)) names.unnamed.set(type, name);
		const isRequired = required.includes(name);
		const nullable = isRequired && ((field.anyOf ?? []) as JsonSchema[]).some(isNull) ? '|null' : '';
		const defaultText =
			field.default === undefined || field.default === null ? '' : ` = ${literal(field.default)}`;
		const meaning = shortenMeaning(meaningOf(field, name), detail.meaning);
		const comment = meaning === '' || detail.meaning === 0 ? '' : ` # ${meaning}`;
		texts.push(`${name}${isRequired ? '' : '?'}: ${type}${nullable}${defaultText}${comment}`);
	}
	return texts;
}

/** Returns the key whose word distinguishes the alternatives of a type, and their schemas; undefined if there is none. */
function taggedAlternatives(schema: JsonSchema, { definitions }: TypeNames) {
	const resolve = (jsonSchema: JsonSchema): JsonSchema =>
		jsonSchema.$ref === undefined ? jsonSchema : definitions[nameIn(jsonSchema.$ref)]!;
	const options = alternatives(schema).map(resolve);
	if (options.length < 2) return undefined;
	const [key] = Object.keys(fieldsOf(options[0]!)).filter((name) =>
		options.every((jsonSchema) => typeof fieldsOf(jsonSchema)[name]?.const === 'string'),
	);
	return key === undefined ? undefined : { key, options };
}

/** Returns a named type as lines. Records that are distinguished by a word have one line each: `word: field: type, ...`. */
export function typeLines(name: string, schema: JsonSchema, names: TypeNames, detail: Detail): string[] {
	const meaning = shortenMeaning(meaningOf(schema), detail.inner);
	const comment = meaning === '' || detail.inner === 0 ? '' : ` # ${meaning}`;
	if (schema.properties !== undefined) return [`${name} = ${recordText(schema, names, detail)}${comment}`];
	const groups = alternatives(schema).flatMap((jsonSchema) => (jsonSchema.oneOf ? [jsonSchema] : []));
	const parts = groups.length > 1 ? groups : [schema];
	const lines: string[] = [];
	for (const part of parts) {
		const tagged = taggedAlternatives(part, names);
		if (tagged === undefined) {
			const type = typeText(schema, names, detail);
			// The meaning of a text type is its grammar, so it is never omitted.
			const grammar = shortenMeaning(meaningOf(schema), Math.max(detail.inner, MIN_GRAMMAR_LENGTH));
			return [`${name} = ${type}${type === 'text' && grammar !== '' ? ` # ${grammar}` : comment}`];
		}
		const { key, options } = tagged;
		lines.push(`${lines.length === 0 ? name : 'or'} = {${key}: WORD, fields}:${comment}`);
		const wordsByRest = new Map<string, string[]>();
		for (const option of options) {
			const { word, rest } = alternativeText(key, option, names, detail);
			wordsByRest.set(rest, [...(wordsByRest.get(rest) ?? []), word]);
		}
		for (const [rest, words] of wordsByRest) lines.push(`  ${words.join('|')}${rest}`);
	}
	return lines;
}

/** Returns the word of an alternative, and the text of its fields. */
function alternativeText(key: string, jsonSchema: JsonSchema, names: TypeNames, detail: Detail) {
	const { [key]: word, ...properties } = fieldsOf(jsonSchema);
	const required = requiredOf(jsonSchema).filter((field) => field !== key);
	const fields = fieldTexts({ ...jsonSchema, properties, required }, names, { meaning: 0, inner: 0 });
	const meaning = shortenMeaning(meaningOf(jsonSchema), detail.inner);
	const comment = meaning === '' || detail.inner === 0 ? '' : ` # ${meaning}`;
	const rest = `${fields.length > 0 ? `: ${fields.join(', ')}` : ''}${dependencyComment(jsonSchema)}${comment}`;
	return { word: literal(word!.const), rest };
}

/** Returns the text about fields that depend on each other, such as "exactly one of do, outcomes"; empty without any. */
export const dependencyText = (schema: JsonSchema): string => dependencyComment(schema).trim();
