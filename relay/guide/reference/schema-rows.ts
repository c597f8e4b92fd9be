/**
 * Writes JSON Schemas as Markdown tables: field, type, meaning.
 * Owns: the text of a type, a range and a default.
 */

import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { alternatives, propertiesOf, requiredOf, withoutNull } from '../../cli/schema-form.ts';

/** Returns a link to a named schema, or only its name. */
export type Refer = (name: string) => string;

/** Maximum depth of listed members of a record. */
const MAX_DEPTH = 3;

/** Bounds that are only limits of storage. They are not shown. */
const STORAGE_BOUNDS: readonly unknown[] = [
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

/** Returns the lines of a Markdown table; none if there are no rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
	if (rows.length === 0) return [];
	const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line), ''];
}

/** Returns the last part of a reference: `Spawn` of `#/definitions/Spawn`. */
export const nameOf = (ref: unknown): string => String(ref).split('/').at(-1)!;

const isTuple = (schema: JsonSchema): boolean => Array.isArray(schema.prefixItems);

/** Returns the text of a type. */
export function typeText(nullableSchema: JsonSchema, refer: Refer): string {
	const schema = withoutNull(nullableSchema);
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

/** Returns the text of a record: its keys, and the word that distinguishes it from others. */
function recordText(members: readonly (readonly [string, JsonSchema])[]): string {
	const parts = members.map(([name, member]) =>
		member.const === undefined ? name : `${name}: ${JSON.stringify(member.const)}`,
	);
	return code(`{ ${parts.join(', ')} }`);
}

const isShownBound = (value: unknown): value is number =>
	typeof value === 'number' && !STORAGE_BOUNDS.includes(value);

/** Returns notes about the range, the length and the default of a value. */
function limitsOf(nullableSchema: JsonSchema): string[] {
	const schema = withoutNull(nullableSchema);
	const { minimum, maximum, exclusiveMinimum, maxItems, maxLength } = schema;
	const min = isShownBound(minimum) ? minimum : undefined;
	const max = isShownBound(maximum) ? maximum : undefined;
	const notes: string[] = [];
	if (min !== undefined && max !== undefined) notes.push(`${min} to ${max}`);
	else if (max !== undefined) notes.push(`at most ${max}`);
	else if (min !== undefined) notes.push(`${min} or more`);
	if (isShownBound(exclusiveMinimum)) notes.push(`above ${exclusiveMinimum}`);
	if (isShownBound(maxItems) && !isTuple(schema)) notes.push(`at most ${maxItems} entries`);
	if (isShownBound(maxLength) && schema.enum === undefined) notes.push(`at most ${maxLength} characters`);
	const defaultValue = { ...schema, ...nullableSchema }.default;
	if (defaultValue !== undefined) notes.push(`default ${code(JSON.stringify(defaultValue))}`);
	return notes;
}

function meaningOf(nullableSchema: JsonSchema, isRequired: boolean, isInput: boolean): string {
	const schema = withoutNull(nullableSchema);
	const description = nullableSchema.description ?? schema.description;
	const notes = [...(isRequired ? ['required'] : []), ...(isInput ? limitsOf(nullableSchema) : [])];
	const noteText = notes.length === 0 ? '' : `(${notes.join('; ')})`;
	return [typeof description === 'string' ? plainText(description) : '', noteText]
		.filter((part) => part !== '')
		.join(' ');
}

/** Returns the records whose members are listed below a field, each with the prefix of its members' names. */
function recordsIn(nullableSchema: JsonSchema, path: string): readonly (readonly [JsonSchema, string])[] {
	const schema = withoutNull(nullableSchema);
	if (schema.$ref !== undefined || isTuple(schema)) return [];
	if (schema.type === 'array') return recordsIn((schema.items ?? {}) as JsonSchema, `${path}[]`);
	const values = schema.additionalProperties;
	if (typeof values === 'object' && values !== null && schema.properties === undefined)
		return recordsIn(values as JsonSchema, `${path}.*`);
	const options = alternatives(schema);
	const records = (options.length > 1 ? options : [schema]).filter(
		(option) => option.$ref === undefined && Object.keys(propertiesOf(option)).length > 0,
	);
	return records.map((record) => [record, `${path}.`]);
}

function rowsOf(
	schema: JsonSchema,
	refer: Refer,
	isInput: boolean,
	prefix: string,
	depth: number,
): string[][] {
	return Object.entries(propertiesOf(schema)).flatMap(([name, member]) => {
		const path = prefix + name;
		const isRequired = isInput && requiredOf(schema).includes(name) && member.const === undefined;
		const row = [code(path), typeText(member, refer), meaningOf(member, isRequired, isInput)];
		const memberRows = new Map<string, string[]>();
		if (depth < MAX_DEPTH)
			for (const [record, memberPrefix] of recordsIn(member, path))
				for (const memberRow of rowsOf(record, refer, isInput, memberPrefix, depth + 1))
					memberRows.set(memberRow.join('|'), memberRow);
		return [row, ...memberRows.values()];
	});
}

/**
 * Returns the fields of a record as a table. A union has a table for each form. If the schema itself is a reference,
 * `definitions` resolves it. References inside it are links.
 */
export function fieldTables(
	schemaOrReference: JsonSchema,
	io: 'input' | 'output',
	refer: Refer,
	definitions: Readonly<Record<string, JsonSchema>> = {},
): string[] {
	const { $ref } = schemaOrReference;
	const schema = $ref === undefined ? schemaOrReference : (definitions[nameOf($ref)] ?? schemaOrReference);
	const forms = alternatives(schema);
	const isInput = io === 'input';
	return forms.flatMap((form, i) => {
		const rows = rowsOf(form, refer, isInput, '', 0);
		const meaning = meaningOf(form, false, isInput);
		return [
			...(i > 0 ? ['or', ''] : []),
			...(rows.length > 0
				? table(['field', 'type', 'meaning'], rows)
				: [`${typeText(form, refer)}${meaning === '' ? '' : `: ${meaning}`}`, '']),
		];
	});
}
