/**
 * Valid and invalid values of a JSON Schema, derived from the schema.
 * Owns: the possible faults of a field. Never: knows a route; validates a value itself, because ajv does.
 */

import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { schemaValidator } from './schema-validator.ts';

const ajv = schemaValidator({ allErrors: false, formats: { base64: true } });

/** A document with one fault, and the description of the fault. */
export interface BadValue {
	readonly what: string;
	readonly value: unknown;
}

/** Returns the alternatives of a schema. Beside `properties` they only list required fields, and do not count. */
function alternativesOf(schema: JsonSchema): JsonSchema[] | undefined {
	return 'properties' in schema ? undefined : ((schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined);
}

/**
 * Returns the groups of fields of which an object must have one. Each group has a schema for each of its fields.
 */
function choicesOf(schema: JsonSchema): JsonSchema[][] {
	return [schema, ...((schema.allOf ?? []) as JsonSchema[])].flatMap(({ anyOf, oneOf }) => {
		const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
		return choices === undefined ? [] : [choices];
	});
}

/**
 * Returns the schema with references replaced by their definitions. Within a definition, a reference becomes the minimal
 * value, which ends the recursion.
 */
export function withoutRecursion(schema: JsonSchema): JsonSchema {
	const { $defs, ...root } = schema as { $defs?: Record<string, JsonSchema> };
	if ($defs === undefined) return schema;
	const definitionOf = (part: JsonSchema) => $defs[String(part.$ref).replace('#/$defs/', '')]!;
	const replaceReferences = (part: unknown, replace: (part: JsonSchema) => unknown): unknown => {
		if (Array.isArray(part)) return part.map((item) => replaceReferences(item, replace));
		if (typeof part !== 'object' || part === null) return part;
		if ('$ref' in part) return replace(part as JsonSchema);
		return Object.fromEntries(
			Object.entries(part).map(([key, value]) => [key, replaceReferences(value, replace)]),
		);
	};
	const plainest = (part: JsonSchema) => ({ const: leastOf(definitionOf(part)) });
	return replaceReferences(root, (part) => replaceReferences(definitionOf(part), plainest)) as JsonSchema;
}

/** Texts that fit the patterns and formats of schemas. */
const TEXTS: readonly string[] = ['/', 'AAAA', 'always', 'opaque', 'stat:add:1', 'dps:1'];
const TEXT_OF_FORMAT: Readonly<Record<string, string>> = { condition: 'always', action: 'log:x' };

/** Returns a simple text that fits a schema. */
function plainText(schema: JsonSchema): string {
	const {
		minLength = 1,
		pattern = '',
		format = '',
	} = schema as Record<'pattern' | 'format', string> & {
		minLength?: number;
	};
	const usual = typeof schema.default === 'string' ? [schema.default] : [];
	const texts = [TEXT_OF_FORMAT[format] ?? 'x'.repeat(Math.max(1, minLength)), ...usual, ...TEXTS];
	return texts.find((text) => new RegExp(pattern).test(text)) ?? texts[0]!;
}

/**
 * Returns values of which most are valid. The minimal value comes first, then values with one change: every field, word and
 * alternative, and both ends of every range. Where allowed, an integer is 0 and a number 1.
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
			const { maxLength } = schema as { maxLength?: number };
			const plain = plainText(schema);
			return maxLength === undefined ? [plain] : [plain, 'y'.repeat(maxLength)];
		}
		case 'boolean':
			return [true, false];
		case 'null':
			return [null];
		case 'array': {
			const fixed = schema.prefixItems as JsonSchema[] | undefined;
			const count = Math.max(1, Number(schema.minItems ?? 0));
			if (fixed === undefined)
				return samplesOf((schema.items ?? {}) as JsonSchema).map((item) => Array(count).fill(item));
			const least = fixed.map((item) => leastOf(item));
			const others = fixed.flatMap((member, index) =>
				samplesOf(member).map((value) => least.with(index, value)),
			);
			return [least, ...others];
		}
		case 'object': {
			const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
			const others = members.flatMap(([key, member]) => {
				const least = leastOf(schema, key) as Record<string, unknown>;
				return samplesOf(member).map((value) => ({ ...least, [key]: value }));
			});
			return [leastOf(schema), ...others];
		}
		default:
			return [null];
	}
}

/**
 * Returns the minimal valid value, without optional fields. The context of a fault must be small, or the invalid values of
 * a scenario would have gigabytes. `beside` is the field that the caller will add to the object.
 */
function leastOf(schema: JsonSchema, beside?: string): unknown {
	const alternatives = alternativesOf(schema);
	if (alternatives !== undefined) return leastOf(alternatives[0]!);
	if (schema.type === 'object') {
		const { properties = {}, required = [] } = schema as {
			properties?: Record<string, JsonSchema>;
			required?: string[];
		};
		// An object must have one field of each group: the field that is added, or else the first.
		const choices = choicesOf(schema).map(
			(some) =>
				some.find((jsonSchema) => (jsonSchema.required as string[] | undefined)?.includes(beside ?? '')) ??
				some[0]!,
		);
		const chosen: Record<string, JsonSchema> = Object.assign({}, ...choices.map((item) => item.properties));
		const leastIn = (key: string) => {
			if (key === 'clip') return HASH;
			if (chosen[key] !== undefined && 'const' in chosen[key]) return chosen[key].const;
			const own = properties[key] ?? {};
			const least = leastOf(own);
			// A list that is required by a group must not be empty.
			return key in chosen && Array.isArray(least) && least.length === 0 ? samplesOf(own)[0] : least;
		};
		const keys = [...required, ...choices.flatMap((item) => (item.required ?? []) as string[])];
		return Object.fromEntries(keys.map((key) => [key, leastIn(key)]));
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
		return (
			prefixItems?.map((item) => leastOf(item)) ?? Array.from({ length: minItems }, () => leastOf(items))
		);
	}
	return samplesOf(schema)[0];
}

/** Hash of an asset. Unlike a name, it is not looked up. */
const HASH = '0'.repeat(64);
const NAMES_ASSET = /(\.clip|texture)$/;
const OF_EVERY_TYPE: readonly unknown[] = [null, true, 5.5, -7, 'words', [], [[]], {}, { nonsense: 1 }];

/** Returns true if a value is valid for a schema. */
export function fits(schema: JsonSchema, value: unknown): boolean {
	return ajv.compile(schema)(value);
}

/** Compiled schema: returns true for a valid value. */
export type Validator = (value: unknown) => boolean;

/** Number of tried values for each requested one, because not all are valid. */
const TRIES = 4;

/** Returns at most `max` valid values from all parts of the schema. The first has as many fields as possible. */
export function fittingValuesOf(schema: JsonSchema, takes: Validator, max = Infinity): unknown[] {
	const samples = samplesOf(schema);
	let fullest = samples[0];
	for (const sample of samples) {
		if (!isObject(fullest) || !isObject(sample)) break;
		if (Object.keys(sample).every((key) => key in (fullest as object))) continue;
		const more = { ...sample, ...fullest };
		if (takes(more)) fullest = more;
	}
	return [...spreadOver(distinct([fullest, ...spreadOver(samples, TRIES * max)]).filter(takes), max)];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function distinct<T>(values: readonly T[]): T[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value] as const)).values()];
}

/** Returns the kind of a fault, without its path. A shortened list keeps one fault of each kind. */
const kindOf = ({ what }: { readonly what: string }) =>
	what
		.slice(what.indexOf(': ') + 2)
		.replace(/^without .*/, 'without a field')
		.replace(/^.*x next to .*/, 'a field that is unknown beside one like it');

/**
 * Returns invalid documents of a schema, each with one fault: all of them, or about `max` from all parts, with at least one
 * of each kind.
 */
export function badValuesOf(schema: JsonSchema, takes: Validator, max = Infinity): BadValue[] {
	const offered: { readonly what: string; readonly make: () => unknown }[] = [];
	spoil(
		withoutRecursion(schema),
		'',
		(value) => value,
		(what, make) => void offered.push({ what, make }),
		new Set(),
	);
	const first = new Map(offered.toReversed().map((item) => [kindOf(item), item] as const));
	const chosen = new Set([...first.values(), ...spreadOver(offered, max)]);
	const visited = new Set<string>();
	return [...chosen].flatMap(({ what, make }) => {
		const value = make();
		const key = JSON.stringify(value);
		if (visited.has(key) || takes(value)) return [];
		visited.add(key);
		return [{ what, value }];
	});
}

/** Returns at most `max` of the values, evenly spread, with the first one. */
export function spreadOver<T>(values: readonly T[], max = Infinity): readonly T[] {
	if (values.length <= max) return values;
	return Array.from({ length: max }, (_, index) => values[Math.floor((index * values.length) / max)]!);
}

/**
 * Offers every fault of the value that `schema` describes. `put` inserts a value and returns the whole document. An object
 * whose shape is in `spoiled` gets no faults inside, because an entity occurs in many places of a scenario; values of the
 * wrong type are still offered.
 */
function spoil(
	schema: JsonSchema,
	where: string,
	put: (value: unknown) => unknown,
	offer: (what: string, make: () => unknown) => void,
	spoiled: Set<string>,
): void {
	const bad = (what: string, value: unknown) => offer(`${where || 'the body'}: ${what}`, () => put(value));
	for (const value of OF_EVERY_TYPE) {
		// A text would be looked up as the name of an asset, and refused with another code.
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
			// A body with such a long list would be refused for its size.
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
				const beside = leastOf(schema, key) as Record<string, unknown>;
				bad(`${key}x next to ${key}`, { ...beside, [key]: right, [`${key}x`]: right });
				spoil(
					member,
					where === '' ? key : `${where}.${key}`,
					(value) => put({ ...beside, [key]: value }),
					offer,
					spoiled,
				);
			}
		}
	}
}
