/**
 * JSON Schemas as tables of Markdown: field, type, meaning.
 * Owns: the text of a type, a range and a default.
 */

import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { alternatives, propertiesOf, requiredOf, withoutNull } from '../../cli/schema-form.ts';

/** A named schema as a link, or its name alone. */
export type Refer = (name: string) => string;

/** Levels of a record's members that are listed. */
const MAX_DEPTH = 3;

/** Bounds that only say what the engine can store. */
const WIDEST: readonly unknown[] = [
	-1e9,
	1e9,
	-1e6,
	1e6,
	0xffffffff,
	Number.MAX_SAFE_INTEGER,
	-Number.MAX_SAFE_INTEGER,
];

const code = (text: string): string => `\`${text}\``;

/** Returns a text of a declaration as Markdown of one line. Code in backticks stays as it is. */
export function plainText(text: string): string {
	return text
		.split('`')
		.map((part, i) => (i % 2 === 1 ? part : part.replace(/<(?=[a-z/!?])|\*|\[(?=[^\]]*\]\()/gi, '\\$&')))
		.join('`');
}

/** Returns a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns a table of Markdown; nothing when it has no rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
	if (rows.length === 0) return [];
	const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line), ''];
}

/** Returns the last part of a reference: `Spawn` of `#/definitions/Spawn`. */
export const nameOf = (ref: unknown): string => String(ref).split('/').at(-1)!;

const isTuple = (schema: JsonSchema): boolean => Array.isArray(schema.prefixItems);

/** Returns the type of a value in words. */
export function typeText(given: JsonSchema, refer: Refer): string {
	const schema = withoutNull(given);
	if (schema.$ref !== undefined) return refer(nameOf(schema.$ref));
	if (Array.isArray(schema.enum)) return schema.enum.map((word) => code(JSON.stringify(word))).join(', ');
	if (schema.const !== undefined) return code(JSON.stringify(schema.const));
	const options = alternatives(schema);
	if (options.length > 1) return [...new Set(options.map((option) => typeText(option, refer)))].join(' or ');
	if (isTuple(schema)) return tupleText(schema.prefixItems as JsonSchema[], refer);
	if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema, refer)}`;
	const names = Object.entries(propertiesOf(schema));
	if (names.length > 0) return recordText(names);
	const values = schema.additionalProperties;
	if (schema.type === 'object' && typeof values === 'object' && values !== null)
		return `record of ${typeText(values as JsonSchema, refer)}`;
	return schema.type === undefined ? 'any' : String(schema.type);
}

function tupleText(parts: readonly JsonSchema[], refer: Refer): string {
	const isNumbers = parts.every(({ type }) => type === 'number' || type === 'integer');
	if (isNumbers && parts.length <= 4 && parts.length > 2)
		return code(`[${[...'xyzw'].slice(0, parts.length).join(', ')}]`);
	return `[${parts.map((part) => typeText(part, refer)).join(', ')}]`;
}

/** Returns a record by its keys, and by the word that distinguishes it from others. */
function recordText(members: readonly (readonly [string, JsonSchema])[]): string {
	const parts = members.map(([name, member]) =>
		member.const === undefined ? name : `${name}: ${JSON.stringify(member.const)}`,
	);
	return code(`{ ${parts.join(', ')} }`);
}

const bound = (value: unknown): value is number => typeof value === 'number' && !WIDEST.includes(value);

/** Range, length and default of a value, as sentences without their stop. */
function limitsOf(given: JsonSchema): string[] {
	const schema = withoutNull(given);
	const { minimum, maximum, exclusiveMinimum, maxItems, maxLength } = schema;
	const least = bound(minimum) ? minimum : undefined;
	const most = bound(maximum) ? maximum : undefined;
	const notes: string[] = [];
	if (least !== undefined && most !== undefined) notes.push(`${least} to ${most}`);
	else if (most !== undefined) notes.push(`at most ${most}`);
	else if (least !== undefined) notes.push(`${least} or more`);
	if (bound(exclusiveMinimum)) notes.push(`above ${exclusiveMinimum}`);
	if (bound(maxItems) && !isTuple(schema)) notes.push(`at most ${maxItems} entries`);
	if (bound(maxLength) && schema.enum === undefined) notes.push(`at most ${maxLength} characters`);
	const usual = { ...schema, ...given }.default;
	if (usual !== undefined) notes.push(`default ${code(JSON.stringify(usual))}`);
	return notes;
}

function meaningOf(given: JsonSchema, required: boolean, input: boolean): string {
	const schema = withoutNull(given);
	const description = given.description ?? schema.description;
	const notes = [...(required ? ['required'] : []), ...(input ? limitsOf(given) : [])];
	const end = notes.length === 0 ? '' : `(${notes.join('; ')})`;
	return [typeof description === 'string' ? plainText(description) : '', end]
		.filter((part) => part !== '')
		.join(' ');
}

/** Returns the records whose members are listed below a field, each with what is written before their names. */
function insideOf(given: JsonSchema, path: string): readonly (readonly [JsonSchema, string])[] {
	const schema = withoutNull(given);
	if (schema.$ref !== undefined || isTuple(schema)) return [];
	if (schema.type === 'array') return insideOf((schema.items ?? {}) as JsonSchema, `${path}[]`);
	const values = schema.additionalProperties;
	if (typeof values === 'object' && values !== null && schema.properties === undefined)
		return insideOf(values as JsonSchema, `${path}.*`);
	const options = alternatives(schema);
	const records = (options.length > 1 ? options : [schema]).filter(
		(option) => option.$ref === undefined && Object.keys(propertiesOf(option)).length > 0,
	);
	return records.map((record) => [record, `${path}.`]);
}

function rowsOf(schema: JsonSchema, refer: Refer, input: boolean, before: string, depth: number): string[][] {
	return Object.entries(propertiesOf(schema)).flatMap(([name, member]) => {
		const path = before + name;
		const required = input && requiredOf(schema).includes(name) && member.const === undefined;
		const own = [code(path), typeText(member, refer), meaningOf(member, required, input)];
		const below = new Map<string, string[]>();
		if (depth < MAX_DEPTH)
			for (const [record, prefix] of insideOf(member, path))
				for (const row of rowsOf(record, refer, input, prefix, depth + 1)) below.set(row.join('|'), row);
		return [own, ...below.values()];
	});
}

/**
 * Returns the fields of a record as a table. A union has a table for each form. `definitions` resolves the schema
 * itself when it is a reference; references inside it are links.
 */
export function fieldTables(
	given: JsonSchema,
	io: 'input' | 'output',
	refer: Refer,
	definitions: Readonly<Record<string, JsonSchema>> = {},
): string[] {
	const schema = given.$ref === undefined ? given : (definitions[nameOf(given.$ref)] ?? given);
	const forms = alternatives(schema);
	const input = io === 'input';
	return forms.flatMap((form, i) => {
		const rows = rowsOf(form, refer, input, '', 0);
		const meaning = meaningOf(form, false, input);
		return [
			...(i > 0 ? ['or', ''] : []),
			...(rows.length > 0
				? table(['field', 'type', 'meaning'], rows)
				: [`${typeText(form, refer)}${meaning === '' ? '' : `: ${meaning}`}`, '']),
		];
	});
}
