/**
 * Forms of a JSON Schema that the command line can write: word, number, vector, list, and record with one fixed word.
 * Owns: the detection of these forms. Other files read, write and describe values in them.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';

/** Returns a schema without its `null` alternative. */
export function withoutNull(schema: JsonSchema): JsonSchema {
	const options = alternatives(schema).filter((option) => !isNull(option));
	if (options.length !== 1 || options[0] === schema) return schema;
	return { ...schema, anyOf: undefined, oneOf: undefined, ...options[0] };
}

export const isNull = ({ type }: JsonSchema): boolean => type === 'null';

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

/** Returns the number of components of a vector; undefined for any other schema. */
export function vectorLength(schema: JsonSchema): number | undefined {
	const components = schema.prefixItems;
	if (!Array.isArray(components) || components.length === 0) return undefined;
	return (components as JsonSchema[]).every(isNumber) ? components.length : undefined;
}

export function isNumber({ type }: JsonSchema): boolean {
	return type === 'number' || type === 'integer';
}

/** Returns the alternative of a union that is free text, which is a short form of the others. */
export function textForm(schema: JsonSchema): JsonSchema | undefined {
	const options = alternatives(schema);
	if (options.length < 2) return undefined;
	return options.find((option) => option.type === 'string' && wordsOf(option) === undefined);
}

/** Record with one fixed word and numbers, such as `sphere:0.5`. */
export interface TaggedNumbers {
	readonly word: string;
	/** Name of the field with the word. */
	readonly key: string;
	/** Names of the fields with the numbers, in order. */
	readonly numbers: readonly string[];
}

/**
 * Returns the shapes of a union of records that each have one fixed word. Records with fields other than numbers, such as
 * hulls, are written as JSON and omitted. Undefined if fewer than two shapes remain.
 */
export function shapesOf(schema: JsonSchema): TaggedNumbers[] | undefined {
	const options = alternatives(schema);
	if (options.length < 2) return undefined;
	const shapes: TaggedNumbers[] = [];
	for (const option of options) {
		const members = Object.entries(propertiesOf(option));
		const constants = members.filter(([, member]) => member.const !== undefined);
		const rest = members.filter(([, member]) => member.const === undefined);
		if (constants.length !== 1) return undefined;
		if (!rest.every(([, member]) => isNumber(member))) continue;
		const [key, { const: word }] = constants[0]!;
		shapes.push({ word: String(word), key, numbers: rest.map(([name]) => name) });
	}
	return shapes.length < 2 ? undefined : shapes;
}

/** Returns the only required field of a record, such as the linear part of a velocity. */
export function soleMember(schema: JsonSchema): [string, JsonSchema] | undefined {
	const required = requiredOf(schema);
	if (schema.type !== 'object' || required.length !== 1) return undefined;
	return [required[0]!, propertiesOf(schema)[required[0]!]!];
}

/** Returns true for a word, number, boolean or vector: a value that fits one flag. */
export function isSimple(nullableSchema: JsonSchema): boolean {
	const schema = withoutNull(nullableSchema);
	return isScalar(schema) || schema.type === 'boolean' || vectorLength(schema) !== undefined;
}

/** Returns true for a word or number: a value that can be an operand. */
export function isScalar(nullableSchema: JsonSchema): boolean {
	const schema = withoutNull(nullableSchema);
	return schema.type === 'string' || isNumber(schema) || wordsOf(schema) !== undefined;
}

/** Returns the schema of the values of a record with free keys, if each is a word or number. */
export function entriesOf(schema: JsonSchema): JsonSchema | undefined {
	const values = schema.additionalProperties;
	if (schema.type !== 'object' || typeof values !== 'object' || values === null) return undefined;
	return isScalar(values as JsonSchema) ? (values as JsonSchema) : undefined;
}
