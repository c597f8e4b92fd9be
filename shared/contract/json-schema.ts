/**
 * JSON Schema (2020-12) of the contract's schemas.
 * Owns: where named schemas (those with `.meta({ id })`) go: in place, or once among a document's definitions.
 */

import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;
type Io = 'input' | 'output';

interface SchemaParts {
	readonly root: JsonSchema;
	readonly named: Readonly<Record<string, JsonSchema>>;
	/** Complete in itself, once it was asked for. */
	whole?: JsonSchema;
}

const LOCAL = '#/$defs/';
const memo = new WeakMap<z.ZodType, { input?: SchemaParts; output?: SchemaParts }>();

function parts(schema: z.ZodType, io: Io): SchemaParts {
	let cached = memo.get(schema);
	if (cached === undefined) {
		cached = {};
		memo.set(schema, cached);
	}
	cached[io] ??= generate(schema, io);
	return cached[io];
}

function generate(schema: z.ZodType, io: Io): SchemaParts {
	const json = z.toJSONSchema(schema, {
		io,
		unrepresentable: 'any',
		reused: 'inline',
		override: ({ zodSchema, jsonSchema }) => {
			if (io === 'input' && zodSchema instanceof z.ZodObject) requireAll(zodSchema, jsonSchema);
			if (io === 'input' && zodSchema instanceof z.ZodDefault) tellDefault(zodSchema, jsonSchema);
		},
	}) as JsonSchema;
	const { $schema: _, $defs, id, ...root } = json;
	const named = Object.entries(($defs ?? {}) as Record<string, JsonSchema>).map(
		([name, { id: __, ...own }]) => [name, own],
	);
	// A schema that has a name itself is its own definition.
	if (typeof id === 'string')
		return { root: { $ref: LOCAL + id }, named: Object.fromEntries([...named, [id, root]]) };
	return { root, named: Object.fromEntries(named) };
}

/** Adds the fields that must be there and that zod leaves out: unions of alternatives that look at the value first. */
function requireAll({ shape }: z.ZodObject, json: JsonSchema): void {
	const required = Object.keys(shape).filter(
		(key) =>
			(json.required as string[] | undefined)?.includes(key) ||
			!(shape[key] as z.ZodType).safeParse(undefined).success,
	);
	if (required.length > 0) json.required = required;
}

/** Adds the default, which zod leaves out where reading changes what was sent: words in any letter case, flags in a query. */
function tellDefault({ def: { defaultValue } }: z.ZodDefault, json: JsonSchema): void {
	json.default = json.type === 'string' ? String(defaultValue) : defaultValue;
}

/** Rebuilds a schema with what `replace` makes of each reference. */
function withReferences(schema: unknown, replace: (name: string) => unknown): unknown {
	if (Array.isArray(schema)) return schema.map((part) => withReferences(part, replace));
	if (typeof schema !== 'object' || schema === null) return schema;
	const { $ref, ...rest } = schema as JsonSchema;
	const others = Object.fromEntries(
		Object.entries(rest).map(([key, value]) => [key, withReferences(value, replace)]),
	);
	if (typeof $ref !== 'string' || !$ref.startsWith(LOCAL))
		return $ref === undefined ? others : { ...others, $ref };
	return { ...(replace($ref.slice(LOCAL.length)) as object), ...others };
}

/** Returns the names that a schema refers to. */
function referredTo(schema: unknown): string[] {
	const names: string[] = [];
	withReferences(schema, (name) => {
		names.push(name);
		return {};
	});
	return names;
}

/**
 * Rewrites a schema for generators of clients, which know less of JSON Schema:
 * - A list of a fixed length never has `false` as its `items`. A list of one kind has that kind, any other has any of its parts. `maxItems` closes both.
 * - A reference beside other keywords is within `allOf`.
 * - A default that is an object is left out, and a value that may be anything is `true`.
 * - A constant that is true or false has no type beside it. What can only be null is a constant.
 * - An object with fields has neither `additionalProperties: false` nor `allOf` beside them. `unevaluatedProperties`
 *   closes it, and joint conditions of fields are under `then`.
 */
export function withPlainSchemas(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map((part) => (isNull(part) ? part : withPlainSchemas(part)));
	if (typeof schema !== 'object' || schema === null) return schema;
	const { $ref, ...plain } = Object.fromEntries(
		Object.entries(schema).flatMap(([key, value]) => {
			if (key === 'default' && typeof value === 'object' && !Array.isArray(value)) return [];
			const isAny = key === 'additionalProperties' && JSON.stringify(value) === '{}';
			return [[key, isAny ? true : withPlainSchemas(value)]];
		}),
	);
	const isAlone = Object.keys(plain).every((key) => key === 'description');
	if (typeof $ref === 'string')
		return isAlone ? { $ref, ...plain } : { allOf: [{ $ref }], ...withoutContent(plain) };
	const { prefixItems: parts, ...rest } = plain;
	if (!Array.isArray(parts) || plain.items !== false) return withPlainConstant(withPlainFields(plain));
	const kinds = new Map(parts.map((part) => [JSON.stringify(part), part]));
	const [first] = kinds.values();
	const closed = { ...rest, maxItems: parts.length };
	return kinds.size === 1 && plain.minItems === parts.length
		? { ...closed, items: first }
		: { ...closed, prefixItems: parts, items: { anyOf: [...kinds.values()] } };
}

/** Returns true if a schema is the alternative null, which generators know as such. */
function isNull(schema: unknown): boolean {
	return JSON.stringify(schema) === '{"type":"null"}';
}

/** Generators take `true` beside a type for the text 'true'. */
function withPlainConstant(schema: JsonSchema): JsonSchema {
	const { type, ...rest } = schema;
	if (type === 'null') return { ...rest, const: null };
	return typeof schema.const === 'boolean' ? rest : schema;
}

/** Beside what is taken out here, generators do not look into the fields, and so know no null in them. */
function withPlainFields(schema: JsonSchema): JsonSchema {
	if (schema.type !== 'object' || schema.properties === undefined) return schema;
	const { additionalProperties: others, allOf: together, ...rest } = schema;
	return {
		...rest,
		...(others === false ? { unevaluatedProperties: false } : {}),
		...(others === false || others === undefined ? {} : { additionalProperties: others }),
		// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
		...(together === undefined ? {} : { if: {}, then: { allOf: together } }),
	};
}

/** Keywords beside a reference that are not copies of what it refers to. */
function withoutContent({ description, default: usual }: JsonSchema): JsonSchema {
	return {
		...(description === undefined ? {} : { description }),
		...(usual === undefined ? {} : { default: usual }),
	};
}

/** Returns the names of schemas that are within themselves. */
function recursive(named: SchemaParts['named']): Set<string> {
	const reached = (from: string): Set<string> => {
		const found = new Set<string>();
		const follow = (name: string): void => {
			for (const next of referredTo(named[name]))
				if (!found.has(next)) {
					found.add(next);
					follow(next);
				}
		};
		follow(from);
		return found;
	};
	return new Set(Object.keys(named).filter((name) => reached(name).has(name)));
}

/**
 * JSON Schema of a call's values: sent by the caller (`input`) or answered (`output`), complete in itself. Recursive
 * schemas are referred to, under `$defs`.
 */
export function jsonSchema(schema: z.ZodType, io: Io): JsonSchema {
	const schemaParts = parts(schema, io);
	schemaParts.whole ??= wholeOf(schemaParts);
	return schemaParts.whole;
}

function wholeOf({ root, named }: SchemaParts): JsonSchema {
	const recursiveNames = recursive(named);
	const inline = (name: string): unknown =>
		recursiveNames.has(name) ? { $ref: LOCAL + name } : withReferences(named[name], inline);
	const $defs = Object.fromEntries(
		[...recursiveNames].map((name) => [name, withReferences(named[name], inline)]),
	);
	const whole = withReferences(root, inline) as JsonSchema;
	return recursiveNames.size === 0 ? whole : { ...whole, $defs };
}

/** Schemas of one document: named ones stand once, under `definitions`, and are referred to from everywhere. */
export class SchemaDefinitions {
	readonly definitions: Record<string, JsonSchema> = {};
	readonly #base: string;

	/** `base` such as `#/definitions/`. */
	constructor(base: string) {
		this.#base = base;
	}

	/** Adds a definition, and answers a reference to it. */
	define(name: string, schema: JsonSchema): JsonSchema {
		this.definitions[name] = schema;
		return { $ref: this.#base + name };
	}

	/** Returns the same as `jsonSchema`, with references to the definitions. */
	schema(schema: z.ZodType, io: Io): JsonSchema {
		const { root, named } = parts(schema, io);
		// What is sent and what is answered can differ in defaults: then they are two definitions.
		const refer = (name: string): JsonSchema => {
			const key = io === 'input' ? name : `${name}Answer`;
			if (!(key in this.definitions)) {
				this.definitions[key] = {};
				this.definitions[key] = withReferences(named[name], refer) as JsonSchema;
			}
			return { $ref: this.#base + key };
		};
		return withReferences(root, refer) as JsonSchema;
	}
}
