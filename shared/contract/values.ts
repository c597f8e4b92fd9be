/**
 * The values that routes and components are made of, each with its unit, range and description.
 * Owns: the ranges that keep the physics library and 32-bit storage sound.
 */

import * as z from 'zod';
import { namesBy } from './entity-mark.ts';
import { names } from './thing.ts';

/** Metres from the origin beyond which 32-bit positions are too coarse to simulate. */
export const FAR = 1e6;
const U32 = 0xffffffff;

interface NumberRange {
	readonly unit?: string;
	readonly min?: number;
	readonly max?: number;
}

/** Returns a finite number, stored with 32 bits. Unit and range go into the schema. */
export function number(description: string, { unit, min = -1e9, max = 1e9 }: NumberRange = {}) {
	return z
		.number()
		.min(min)
		.max(max)
		.describe(unit === undefined ? description : `${description} (${unit})`)
		.meta(unit === undefined ? {} : { unit });
}

/** Returns a whole number. */
export function integer(description: string, { unit, min = 0, max = U32 }: NumberRange = {}) {
	return z
		.int()
		.min(min)
		.max(max)
		.describe(unit === undefined ? description : `${description} (${unit})`)
		.meta(unit === undefined ? {} : { unit });
}

/** Three numbers x, y, z. */
export function vec3(description: string, { unit = 'm', min = -FAR, max = FAR }: NumberRange = {}) {
	const part = z.number().min(min).max(max);
	return z.tuple([part, part, part]).describe(`${description} [x, y, z] (${unit})`).meta({ unit });
}

/** Of vectors that have a direction: as JSON Schema has it, not every part is next to nothing. */
const SHORTEST = 1e-6;
export const someLength = { not: { items: { type: 'number', minimum: -SHORTEST, maximum: SHORTEST } } };
export const hasLength = (parts: readonly number[]): boolean =>
	parts.some((part) => Math.abs(part) > SHORTEST);

/** Returns a rotation as a quaternion x, y, z, w; any length but zero, made a unit quaternion when stored. */
export function quaternion(description: string) {
	const part = z.number().min(-FAR).max(FAR);
	return z
		.tuple([part, part, part, part])
		.refine(hasLength, 'a rotation must have a length above 0')
		.describe(`${description} [x, y, z, w] (unit quaternion)`)
		.meta({ unit: 'unit quaternion', ...someLength });
}

/** One of a closed list of words, accepted in any letter case. */
export function word<const W extends readonly [string, ...string[]]>(words: W, description: string) {
	const canonical = new Map(words.map((w) => [w.toLowerCase(), w]));
	return z
		.preprocess(
			(value) => (typeof value === 'string' ? (canonical.get(value.trim().toLowerCase()) ?? value) : value),
			z.enum(words as unknown as { [K in W[number]]: K } & readonly [string, ...string[]]),
		)
		.describe(description) as unknown as z.ZodType<W[number], string>;
}

/**
 * Returns the schema of records that are distinguished by the word under a key. The word is accepted in any letter
 * case, also in records under its key `within`.
 */
export function caseInsensitiveTag<T extends z.ZodType>(key: string, union: T, within?: string): T {
	const words = [...(union._zod.propValues?.[key] ?? [])].filter((word) => word !== undefined);
	const canonical = new Map(words.map((word) => [String(word).toLowerCase(), word]));
	const read = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(read);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => {
				if (name === within) return [name, read(member)];
				const word = name === key && typeof member === 'string' ? member.trim().toLowerCase() : undefined;
				return [name, word === undefined ? member : (canonical.get(word) ?? member)];
			}),
		);
	};
	return z.preprocess(read, union) as unknown as T;
}

/** Returns a text of bounded length. */
export function text(description: string, max = 200) {
	return z.string().max(max).describe(description);
}

/** Of records, as JSON Schema has it: the field is there and not null; the flag is set. */
export const isGiven = (field: string) => ({
	properties: { [field]: { not: { type: 'null' } } },
	required: [field],
});
export const isTrue = (field: string) => ({ properties: { [field]: { const: true } }, required: [field] });

/**
 * Returns a text that becomes the key of a record: one or more characters, and not the one key that records do not
 * keep.
 */
export function keyText(description: string, max = 200) {
	return text(description, max)
		.min(1)
		.refine((name) => name !== '__proto__', 'no name may be __proto__')
		.meta({ not: { const: '__proto__' } });
}

const FLAGS = {
	truthy: ['true', '1', 'yes', 'on', 'y', 'enabled'],
	falsy: ['false', '0', 'no', 'off', 'n', 'disabled'],
};

/** Returns a flag in a query, where everything is text. */
export function queryFlag(description: string) {
	return z
		.stringbool(FLAGS)
		.describe(description)
		.meta({ enum: [...FLAGS.truthy, ...FLAGS.falsy] });
}

export function flag(description: string) {
	return z.boolean().describe(description);
}

/** May be left out or null, which mean the same. */
export function optional<T extends z.ZodType>(schema: T) {
	return schema.nullish();
}

function defaultForNull<T extends z.ZodType>(field: z.ZodDefault<T>) {
	const usual = () => field.def.defaultValue as z.output<T>;
	return field
		.unwrap()
		.nullable()
		.default(field.def.defaultValue as never)
		.transform((given) => (given ?? usual()) as z.output<T>);
}

type NullMeansDefault<S> = {
	[K in keyof S]: S[K] extends z.ZodDefault<infer T extends z.ZodType>
		? ReturnType<typeof defaultForNull<T>>
		: S[K];
};

/** Returns the same fields; those with a default may be null as well, which means the same as leaving them out. */
export function nullMeansDefault<const S extends Record<string, z.ZodType>>(fields: S): NullMeansDefault<S> {
	const taken = Object.entries(fields).map(([name, field]) => [
		name,
		field instanceof z.ZodDefault ? defaultForNull(field as z.ZodDefault<z.ZodType>) : field,
	]);
	return Object.fromEntries(taken) as NullMeansDefault<S>;
}

/** Returns a name that an address ends with, without those that other routes have there. */
export const unreserved = <T extends z.ZodType<string>>(name: T, ...reserved: readonly string[]) =>
	name
		.refine((sent) => !reserved.includes(sent), `reserved: ${reserved.map((word) => `"${word}"`).join(', ')}`)
		.meta({ ...name.meta(), not: { enum: [...reserved] } });

/** Length of a list in an answer. */
export const listLength = z.int().describe('Number of items in the list');

export const entityId = integer('Entity id: the index of its slot').meta(namesBy('id'));
export const generation = integer('Entity generation: increases when the slot is reused');

/** Names an entity that is there. */
export const thatEntity = entityId.meta(names('entity'));

/** Fields by which requests name an entity. Without a generation the entity that has the slot now is meant. */
export const namedEntity = {
	entity_id: thatEntity,
	entity_generation: generation
		.nullish()
		.describe('Its generation; refused if another entity has the slot now'),
	generation: generation.nullish().describe('The same as entity_generation'),
};

export const ticks = integer('Ticks of 1/60 s', { unit: 'ticks' });
export const digest = z
	.string()
	.regex(/^[0-9a-f]{16}$/)
	.describe('State digest: 64-bit FNV-1a over the canonical state, 16 hexadecimal digits');

export const position = vec3('Position');
/** Position that something has reached: bodies fly, and children are, farther out than anything can be put. */
export const place = z
	.tuple([z.number(), z.number(), z.number()])
	.describe('Position [x, y, z] (m)')
	.meta({ unit: 'm' });
export const scale = vec3('Scale on each axis', { unit: 'factor', min: 0, max: 1e4 });
export const rotation = quaternion('Rotation');
export const size = (description: string) => number(description, { unit: 'm', min: 1e-3, max: 1e4 });

/** The answer of routes that say no more than that it happened. */
export const message = z.strictObject({
	ok: z.literal(true).describe('Done'),
	message: text('Result, for people', 500).optional(),
});
