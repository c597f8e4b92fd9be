/**
 * Values that fit a JSON Schema and values that do not, read off the schema.
 * Owns: what can be wrong with a field. Never: knows a route; decides by itself that a value is bad, which ajv does.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { schemaValidator } from './schema-validator.ts';

const ajv = schemaValidator({ allErrors: false, formats: { base64: true } });

/** A document with one thing wrong, and what that is. */
export interface BadValue {
	readonly what: string;
	readonly value: unknown;
}

function alternativesOf(schema: JsonSchema): JsonSchema[] | undefined {
	return (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
}

/** The schema with each definition in place of what refers to it; within a definition the plainest value stands for another one. */
export function withoutRecursion(schema: JsonSchema): JsonSchema {
	const { $defs, ...root } = schema as { $defs?: Record<string, JsonSchema> };
	if ($defs === undefined) return schema;
	const named = (part: JsonSchema) => $defs[String(part.$ref).replace('#/$defs/', '')]!;
	const replaced = (part: unknown, replace: (part: JsonSchema) => unknown): unknown => {
		if (Array.isArray(part)) return part.map((one) => replaced(one, replace));
		if (typeof part !== 'object' || part === null) return part;
		if ('$ref' in part) return replace(part as JsonSchema);
		return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, replaced(value, replace)]));
	};
	const plainest = (part: JsonSchema) => ({ const: leastOf(named(part)) });
	return replaced(root, (part) => replaced(named(part), plainest)) as JsonSchema;
}

/**
 * Values that fit: first the plainest one with every optional field, then others that differ in one place
 * (every word, every alternative, both ends of every range). An integer is 0 and a number 1 where that is allowed.
 */
export function samplesOf(schema: JsonSchema): unknown[] {
	if ('$defs' in schema) return samplesOf(withoutRecursion(schema));
	const alternatives = alternativesOf(schema);
	if (alternatives !== undefined) return alternatives.flatMap(samplesOf);
	if ('const' in schema) return [schema.const];
	if (Array.isArray(schema.enum)) return schema.enum;
	switch (schema.type) {
		case 'integer':
		case 'number': {
			const { minimum = -1e9, maximum = 1e9 } = schema as { minimum?: number; maximum?: number };
			const plain = Math.min(maximum, Math.max(minimum, schema.type === 'integer' ? 0 : 1));
			return [...new Set([plain, minimum, maximum])];
		}
		case 'string': {
			const { minLength = 1, maxLength } = schema as { minLength?: number; maxLength?: number };
			const plain = 'x'.repeat(Math.max(1, minLength));
			return maxLength === undefined ? [plain] : [plain, 'y'.repeat(maxLength)];
		}
		case 'boolean':
			return [true, false];
		case 'null':
			return [null];
		case 'array': {
			const fixed = schema.prefixItems as JsonSchema[] | undefined;
			const item = (schema.items ?? {}) as JsonSchema;
			const members = fixed ?? [item];
			return variantsOf(
				members.map((member, index) => [index, member] as const),
				(entries) => entries.map(([, value]) => value),
			);
		}
		case 'object':
			return variantsOf(Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>), (entries) =>
				Object.fromEntries(entries),
			);
		default:
			return [null];
	}
}

/**
 * The least that fits: without optional fields. What stands around a spoilt place is no larger than it has to be, or a
 * scenario's bad values would be gigabytes.
 */
function leastOf(schema: JsonSchema): unknown {
	const alternatives = alternativesOf(schema);
	if (alternatives !== undefined) return leastOf(alternatives[0]!);
	if (schema.type === 'object') {
		const { properties = {}, required = [] } = schema as {
			properties?: Record<string, JsonSchema>;
			required?: string[];
		};
		// One of some has to be there: the first, as it says of itself.
		const [first] = alternativesOf(((schema.allOf ?? []) as JsonSchema[])[0] ?? {}) ?? [];
		const chosen = (first?.properties ?? {}) as Record<string, JsonSchema>;
		const keys = [...required, ...((first?.required ?? []) as string[])];
		const member = (key: string) =>
			chosen[key] !== undefined && 'const' in chosen[key] ? chosen[key] : (properties[key] ?? {});
		return Object.fromEntries(keys.map((key) => [key, key === 'clip' ? HASH : leastOf(member(key))]));
	}
	if (schema.type === 'array' && !Array.isArray(schema.enum)) {
		const {
			prefixItems,
			items = {},
			minItems = 0,
		} = schema as {
			prefixItems?: JsonSchema[];
			items?: JsonSchema;
			minItems?: number;
		};
		return prefixItems?.map(leastOf) ?? Array.from({ length: minItems }, () => leastOf(items));
	}
	return samplesOf(schema)[0];
}

/** The plainest value of every member, then one document for every other value of a member. */
function variantsOf<K extends string | number>(
	members: readonly (readonly [K, JsonSchema])[],
	build: (entries: [K, unknown][]) => unknown,
): unknown[] {
	const samples = members.map(([key, schema]) => [key, samplesOf(schema)] as const);
	const plain = samples.map(([key, [first]]) => [key, first] as [K, unknown]);
	const documents = [build(plain)];
	samples.forEach(([key, [, ...others]], at) => {
		for (const other of others) documents.push(build(plain.with(at, [key, other])));
	});
	return documents;
}

/** Of an asset, which is not looked up as a name is. */
const HASH = '0'.repeat(64);
const NAMES_ASSET = /\.(texture|clip)$/;
const OF_EVERY_TYPE: readonly unknown[] = [null, true, 5.5, -7, 'words', [], [[]], {}, { nonsense: 1 }];

/** Whether a schema takes a value. */
export function fits(schema: JsonSchema, value: unknown): boolean {
	return ajv.compile(schema)(value);
}

/**
 * Every way in which this file can spoil a document of a schema, or `max` of them from all over it: each is refused by the
 * schema itself.
 */
export function badValuesOf(schema: JsonSchema, max = Infinity): BadValue[] {
	const takes = ajv.compile(schema);
	const offered: BadValue[] = [];
	const offer = (what: string, value: unknown) => void offered.push({ what, value });
	spoil(withoutRecursion(schema), '', (value) => value, offer, new Set());
	const seen = new Set<string>();
	return spreadOver(offered, max).filter(({ value }) => {
		const key = JSON.stringify(value);
		if (seen.has(key)) return false;
		seen.add(key);
		return !takes(value);
	});
}

/** Returns at most `max` of the values, at equal distances from each other, the first among them. */
export function spreadOver<T>(values: readonly T[], max = Infinity): readonly T[] {
	if (values.length <= max) return values;
	return Array.from({ length: max }, (_, index) => values[Math.floor((index * values.length) / max)]!);
}

/**
 * `put` sets a value in the place that `schema` describes and answers the whole document. An object of the same shape
 * in another place (`spoiled`) is not spoiled through and through a second time: an entity occurs in many places of a
 * scenario. That its place wants such an object is still seen.
 */
function spoil(
	schema: JsonSchema,
	where: string,
	put: (value: unknown) => unknown,
	offer: (what: string, value: unknown) => void,
	spoiled: Set<string>,
): void {
	const bad = (what: string, value: unknown) => offer(`${where || 'the body'}: ${what}`, put(value));
	for (const value of OF_EVERY_TYPE) {
		// A name of an asset is looked up before anything else is, and refused as such.
		if (typeof value === 'string' && NAMES_ASSET.test(where)) continue;
		bad(JSON.stringify(value), value);
	}
	const alternatives = alternativesOf(schema);
	if (alternatives !== undefined) {
		for (const alternative of alternatives) spoil(alternative, where, put, offer, spoiled);
		return;
	}
	if (Array.isArray(schema.enum)) bad('an unknown word', `${schema.enum[0]}x`);
	if (typeof schema.const === 'string') bad('an unknown word', `${schema.const}x`);
	switch (schema.type) {
		case 'integer':
		case 'number': {
			const { minimum = -1e9, maximum = 1e9 } = schema as { minimum?: number; maximum?: number };
			bad('too small', minimum - Math.max(1, Math.abs(minimum) * 1e-6));
			bad('too large', maximum + Math.max(1, Math.abs(maximum) * 1e-6));
			bad('far too large', 1e300);
			bad('a number as text', '1');
			return;
		}
		case 'string': {
			const { minLength = 0, maxLength } = schema as { minLength?: number; maxLength?: number };
			if (maxLength !== undefined) bad('too long', 'x'.repeat(maxLength + 1));
			if (minLength > 0) bad('too short', 'x'.repeat(minLength - 1));
			if (schema.pattern !== undefined) for (const text of ['a b', 'a/b', '?', 'ü#']) bad(`"${text}"`, text);
			return;
		}
		case 'array': {
			const fixed = schema.prefixItems as JsonSchema[] | undefined;
			const { minItems = 0, maxItems } = schema as { minItems?: number; maxItems?: number };
			const members = fixed ?? [(schema.items ?? {}) as JsonSchema];
			const count = fixed?.length ?? Math.max(1, minItems);
			const least = Array.from({ length: count }, (_, index) => leastOf(members[index] ?? members[0]!));
			if (minItems > 0) bad('too few items', least.slice(0, minItems - 1));
			// A list that no body has room for is refused for its size, whatever the schema says.
			const reachable =
				maxItems !== undefined && maxItems * JSON.stringify(least[0]).length < MAX_DOCUMENT_BYTES;
			if (reachable) bad('too many items', Array(maxItems + 1).fill(least[0]));
			members.forEach((member, index) => {
				spoil(member, `${where}[${index}]`, (value) => put(least.with(index, value)), offer, spoiled);
			});
			return;
		}
		case 'object': {
			const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
			const least = leastOf(schema) as Record<string, unknown>;
			bad('an unknown key', { ...least, nonsense: 1 });
			const shape = JSON.stringify(properties);
			if (spoiled.has(shape)) return;
			spoiled.add(shape);
			for (const key of (schema.required ?? []) as string[]) {
				const { [key]: _, ...rest } = least;
				bad(`without ${key}`, rest);
			}
			for (const [key, member] of Object.entries(properties)) {
				const right = leastOf(member);
				bad(`${key}x next to ${key}`, { ...least, [key]: right, [`${key}x`]: right });
				spoil(
					member,
					where === '' ? key : `${where}.${key}`,
					(value) => put({ ...least, [key]: value }),
					offer,
					spoiled,
				);
			}
		}
	}
}
