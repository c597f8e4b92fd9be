/**
 * Values that fit a JSON Schema and values that do not, read off the schema.
 * Owns: what can be wrong with a field. Never: knows a route; decides by itself that a value is bad, which ajv does.
 */

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../shared/contract/json-schema.ts';

const ajv = new Ajv2020({ strict: false, allErrors: false, formats: { base64: true } });

/** A document with one thing wrong, and what that is. */
export interface BadValue {
	readonly what: string;
	readonly value: unknown;
}

function alternativesOf(schema: JsonSchema): JsonSchema[] | undefined {
	return (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
}

/**
 * Values that fit: first the plainest one with every optional field, then others that differ in one place
 * (every word, every alternative, both ends of every range). An integer is 0 and a number 1 where that is allowed.
 */
export function samplesOf(schema: JsonSchema): unknown[] {
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

/** The first of the values that fit, without making the others. */
function plainOf(schema: JsonSchema): unknown {
	const alternatives = alternativesOf(schema);
	if (alternatives !== undefined) return plainOf(alternatives[0]!);
	if (schema.type === 'object') {
		const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
		return Object.fromEntries(properties.map(([key, member]) => [key, plainOf(member)]));
	}
	if (schema.type === 'array' && !Array.isArray(schema.enum)) {
		const fixed = schema.prefixItems as JsonSchema[] | undefined;
		return (fixed ?? [(schema.items ?? {}) as JsonSchema]).map(plainOf);
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

const OF_EVERY_TYPE: readonly unknown[] = [null, true, 5.5, -7, 'words', [], [[]], {}, { nonsense: 1 }];

/** Whether a schema takes a value. */
export function fits(schema: JsonSchema, value: unknown): boolean {
	return ajv.compile(schema)(value);
}

/** Every way in which this file can spoil a document of a schema: each is refused by the schema itself. */
export function badValuesOf(schema: JsonSchema): BadValue[] {
	const takes = ajv.compile(schema);
	const seen = new Set<string>();
	const found: BadValue[] = [];
	const offer = (what: string, value: unknown) => {
		const key = JSON.stringify(value);
		if (seen.has(key)) return;
		seen.add(key);
		if (!takes(value)) found.push({ what, value });
	};
	spoil(schema, '', (value) => value, offer, new Set());
	return found;
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
	for (const value of OF_EVERY_TYPE) bad(JSON.stringify(value), value);
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
			const plain = members.map(plainOf);
			if (minItems > 0) bad('too few items', plain.slice(0, minItems - 1));
			if (maxItems !== undefined) {
				const one = typeof plain[0] === 'object' && !Array.isArray(plain[0]) ? {} : plain[0];
				bad('too many items', Array(maxItems + 1).fill(one));
			}
			members.forEach((member, index) => {
				spoil(member, `${where}[${index}]`, (value) => put(plain.with(index, value)), offer, spoiled);
			});
			return;
		}
		case 'object': {
			const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
			const plain = plainOf(schema) as Record<string, unknown>;
			bad('an unknown key', { ...plain, nonsense: 1 });
			const shape = JSON.stringify(properties);
			if (spoiled.has(shape)) return;
			spoiled.add(shape);
			for (const key of (schema.required ?? []) as string[]) {
				const { [key]: _, ...rest } = plain;
				bad(`without ${key}`, rest);
			}
			for (const [key, member] of Object.entries(properties)) {
				bad(`${key}x next to ${key}`, { ...plain, [`${key}x`]: plain[key] });
				spoil(
					member,
					where === '' ? key : `${where}.${key}`,
					(value) => put({ ...plain, [key]: value }),
					offer,
					spoiled,
				);
			}
		}
	}
}
