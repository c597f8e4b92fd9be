/**
 * JSON Schema (2020-12) for the Zod schemas of the contract.
 * Owns: the position of named schemas (those with `.meta({ id })`): inline, or once in the definitions of a document.
 */

import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;
type Io = 'input' | 'output';

interface SchemaParts {
	readonly root: JsonSchema;
	readonly named: Readonly<Record<string, JsonSchema>>;
	/** Cached schema that is complete by itself. */
	selfContained?: JsonSchema;
}

const LOCAL = '#/$defs/';
const memo = new WeakMap<z.ZodType, { input?: SchemaParts; output?: SchemaParts }>();

function partsOf(schema: z.ZodType, io: Io): SchemaParts {
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
			if (io === 'input' && zodSchema instanceof z.ZodObject) addRequired(zodSchema, jsonSchema);
			if (io === 'input' && zodSchema instanceof z.ZodDefault) addDefault(zodSchema, jsonSchema);
		},
	}) as JsonSchema;
	const { $schema: _, $defs, id, ...root } = json;
	const named = Object.entries(($defs ?? {}) as Record<string, JsonSchema>).map(
		([name, { id: __, ...definition }]) => [name, definition],
	);
	// If the schema itself has a name, it is one of the definitions.
	if (typeof id === 'string')
		return { root: { $ref: LOCAL + id }, named: Object.fromEntries([...named, [id, root]]) };
	return { root, named: Object.fromEntries(named) };
}

/** Adds required fields that zod omits because their schema starts with a transformation. */
function addRequired({ shape }: z.ZodObject, json: JsonSchema): void {
	const required = Object.keys(shape).filter(
		(key) =>
			(json.required as string[] | undefined)?.includes(key) ||
			!(shape[key] as z.ZodType).safeParse(undefined).success,
	);
	if (required.length > 0) json.required = required;
}

/** Adds the default. Zod omits it for schemas that transform the value, such as flags in a query. */
function addDefault({ def: { defaultValue } }: z.ZodDefault, json: JsonSchema): void {
	json.default = json.type === 'string' ? String(defaultValue) : defaultValue;
}

/** Returns a copy of a schema in which each reference is replaced by the result of `replace`. */
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
function referencedNames(schema: unknown): string[] {
	const names: string[] = [];
	withReferences(schema, (name) => {
		names.push(name);
		return {};
	});
	return names;
}

/**
 * Rewrites a schema for client generators, which support only a part of JSON Schema:
 * - A list of a fixed length never has `items: false`. If all items have one type, `items` is this type. Otherwise it is
 *   a union of all types. `maxItems` limits the length.
 * - A reference with other keywords is in `allOf`.
 * - A default that is an object is omitted. A schema for any value is `true`.
 * - A constant that is true or false has no `type`. A schema for null is a constant.
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
	const { prefixItems: partsOf, ...rest } = plain;
	if (!Array.isArray(partsOf) || plain.items !== false) return withPlainConstant(withPlainFields(plain));
	const kinds = new Map(partsOf.map((part) => [JSON.stringify(part), part]));
	const [first] = kinds.values();
	const closed = { ...rest, maxItems: partsOf.length };
	return kinds.size === 1 && plain.minItems === partsOf.length
		? { ...closed, items: first }
		: { ...closed, prefixItems: partsOf, items: { anyOf: [...kinds.values()] } };
}

/** Returns true for the alternative null, which generators support. */
function isNull(schema: unknown): boolean {
	return JSON.stringify(schema) === '{"type":"null"}';
}

/** Returns a schema without `type` beside a boolean constant, because generators take the constant for a text then. */
function withPlainConstant(schema: JsonSchema): JsonSchema {
	const { type, ...rest } = schema;
	if (type === 'null') return { ...rest, const: null };
	return typeof schema.const === 'boolean' ? rest : schema;
}

/** Returns an object schema without the keywords beside which generators ignore null in the fields. */
function withPlainFields(schema: JsonSchema): JsonSchema {
	if (schema.type !== 'object' || schema.properties === undefined) return schema;
	const { additionalProperties: others, allOf: conditions, ...rest } = schema;
	return {
		...rest,
		...(others === false ? { unevaluatedProperties: false } : {}),
		...(others === false || others === undefined ? {} : { additionalProperties: others }),
		// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
		...(conditions === undefined ? {} : { if: {}, then: { allOf: conditions } }),
	};
}

/** Returns the keywords beside a reference, without those that repeat the referenced schema. */
function withoutContent({ description, default: defaultValue }: JsonSchema): JsonSchema {
	return {
		...(description === undefined ? {} : { description }),
		...(defaultValue === undefined ? {} : { default: defaultValue }),
	};
}

/** Returns the names of schemas that contain themselves. */
function recursiveNames(named: SchemaParts['named']): Set<string> {
	const reached = (from: string): Set<string> => {
		const found = new Set<string>();
		const follow = (name: string): void => {
			for (const next of referencedNames(named[name]))
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
 * Returns the JSON Schema for values in requests (`input`) or answers (`output`). It is complete by itself. Only recursive
 * schemas are references, to its `$defs`.
 */
export function jsonSchema(schema: z.ZodType, io: Io): JsonSchema {
	const schemaParts = partsOf(schema, io);
	schemaParts.selfContained ??= selfContainedSchema(schemaParts);
	return schemaParts.selfContained;
}

function selfContainedSchema({ root, named }: SchemaParts): JsonSchema {
	const recursive = recursiveNames(named);
	const inline = (name: string): unknown =>
		recursive.has(name) ? { $ref: LOCAL + name } : withReferences(named[name], inline);
	const $defs = Object.fromEntries([...recursive].map((name) => [name, withReferences(named[name], inline)]));
	const schema = withReferences(root, inline) as JsonSchema;
	return recursive.size === 0 ? schema : { ...schema, $defs };
}

/** Schemas of one document. Each named schema is in `definitions` once, and other schemas refer to it. */
export class SchemaDefinitions {
	readonly definitions: Record<string, JsonSchema> = {};
	readonly #base: string;

	/** `base`: start of references, such as `#/definitions/`. */
	constructor(base: string) {
		this.#base = base;
	}

	/** Adds a definition. Returns a reference to it. */
	define(name: string, schema: JsonSchema): JsonSchema {
		this.definitions[name] = schema;
		return { $ref: this.#base + name };
	}

	/** Returns the same as `jsonSchema`, with references to the definitions. */
	schema(schema: z.ZodType, io: Io): JsonSchema {
		const { root, named } = partsOf(schema, io);
		// Requests and answers have separate definitions, because they may differ in defaults.
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
