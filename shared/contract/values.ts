/**
 * Schemas of basic values for routes and components, each with its unit, range and description.
 * Owns: the ranges that are safe for the physics library and 32-bit storage.
 */

import * as z from 'zod';
import { namesBy } from './entity-mark.ts';
import { namesThing } from './thing.ts';

/** Metres from the origin beyond which 32-bit positions are too coarse to simulate. */
export const FAR = 1e6;
const U32 = 0xffffffff;

interface NumberRange {
	readonly unit?: string;
	readonly min?: number;
	readonly max?: number;
}

/** Returns the schema of a finite number that is stored with 32 bits. */
export function number(description: string, { unit, min = -1e9, max = 1e9 }: NumberRange = {}) {
	return z
		.number()
		.min(min)
		.max(max)
		.describe(unit === undefined ? description : `${description} (${unit})`)
		.meta(unit === undefined ? {} : { unit });
}

/** Returns the schema of a whole number. */
export function integer(description: string, { unit, min = 0, max = U32 }: NumberRange = {}) {
	return z
		.int()
		.min(min)
		.max(max)
		.describe(unit === undefined ? description : `${description} (${unit})`)
		.meta(unit === undefined ? {} : { unit });
}

/** Returns the schema of three numbers x, y, z. */
export function vec3(description: string, { unit = 'm', min = -FAR, max = FAR }: NumberRange = {}) {
	const part = z.number().min(min).max(max);
	return z.tuple([part, part, part]).describe(`${description} [x, y, z] (${unit})`).meta({ unit });
}

/** A vector has a direction if the amount of at least one component exceeds this. */
const MIN_COMPONENT = 1e-6;
/** JSON Schema of a vector with a direction. */
export const someLengthSchema = {
	not: { items: { type: 'number', minimum: -MIN_COMPONENT, maximum: MIN_COMPONENT } },
};
export const hasLength = (parts: readonly number[]): boolean =>
	parts.some((part) => Math.abs(part) > MIN_COMPONENT);

/** Returns the schema of a rotation as a quaternion x, y, z, w. It may have any length above 0, and is stored as a unit quaternion. */
export function quaternion(description: string) {
	const part = z.number().min(-FAR).max(FAR);
	return z
		.tuple([part, part, part, part])
		.refine(hasLength, 'a rotation must have a length above 0')
		.describe(`${description} [x, y, z, w] (unit quaternion)`)
		.meta({ unit: 'unit quaternion', ...someLengthSchema });
}

/** Returns the schema of one of a list of words, in any letter case. */
export function word<const W extends readonly [string, ...string[]]>(words: W, description: string) {
	const canonical = new Map(words.map((candidate) => [candidate.toLowerCase(), candidate]));
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

/** Returns the schema of a text with a maximum length. */
export function text(description: string, max = 200) {
	return z.string().max(max).describe(description);
}

/** Returns the JSON Schema of records in which a field is present and not null. */
export const isGiven = (field: string) => ({
	properties: { [field]: { not: { type: 'null' } } },
	required: [field],
});
/** Returns the JSON Schema of records in which a flag is true. */
export const isTrue = (field: string) => ({ properties: { [field]: { const: true } }, required: [field] });

/**
 * Returns the schema of a text that becomes the key of a record. It is not empty, and not `__proto__`, which objects
 * lose.
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

/** Returns the schema of a flag in a query, where all values are texts. */
export function queryFlag(description: string) {
	return z
		.stringbool(FLAGS)
		.describe(description)
		.meta({ enum: [...FLAGS.truthy, ...FLAGS.falsy] });
}

export function flag(description: string) {
	return z.boolean().describe(description);
}

/** Returns the schema of a field that may be omitted or null. Both mean the same. */
export function optional<T extends z.ZodType>(schema: T) {
	return schema.nullish();
}

/** Returns fields that may all be omitted or null. */
export const optionalFields = <S extends Record<string, z.ZodType>>(fields: S) =>
	Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, optional(field)])) as {
		[K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>>;
	};

function defaultForNull<T extends z.ZodType>(field: z.ZodDefault<T>) {
	const defaultValue = () => field.def.defaultValue as z.output<T>;
	return field
		.unwrap()
		.nullable()
		.default(field.def.defaultValue as never)
		.transform((value) => (value ?? defaultValue()) as z.output<T>);
}

type NullMeansDefault<S> = {
	[K in keyof S]: S[K] extends z.ZodDefault<infer T extends z.ZodType>
		? ReturnType<typeof defaultForNull<T>>
		: S[K];
};

/** Returns fields of which those with a default may also be null, which means the default. */
export function nullMeansDefault<const S extends Record<string, z.ZodType>>(fields: S): NullMeansDefault<S> {
	const nullableFields = Object.entries(fields).map(([name, field]) => [
		name,
		field instanceof z.ZodDefault ? defaultForNull(field as z.ZodDefault<z.ZodType>) : field,
	]);
	return Object.fromEntries(nullableFields) as NullMeansDefault<S>;
}

/** Returns the schema of a name at the end of a path, without words that other routes have at this position. */
export const withoutReserved = <T extends z.ZodType<string>>(name: T, ...reserved: readonly string[]) =>
	name
		.refine(
			(candidate) => !reserved.includes(candidate),
			`reserved: ${reserved.map((word) => `"${word}"`).join(', ')}`,
		)
		.meta({ ...name.meta(), not: { enum: [...reserved] } });

/** Schema of the length of a list in an answer. */
export const listLength = z.int().describe('Number of items in the list');

export const entityId = integer('Entity id: the index of its slot').meta(namesBy('id'));
export const generation = integer('Entity generation: increases when the slot is reused');

/** Schema of the id of an existing entity. */
export const existingEntityId = entityId.meta(namesThing('entity'));

/** Fields by which requests name an entity. Without a generation, they mean the entity that currently has the slot. */
export const entityReference = {
	entity_id: existingEntityId,
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
/** Current position in an answer. It has no limits, because bodies can fly farther than callers can place them. */
export const place = z
	.tuple([z.number(), z.number(), z.number()])
	.describe('Position [x, y, z] (m)')
	.meta({ unit: 'm' });
export const scale = vec3('Scale on each axis', { unit: 'factor', min: 0, max: 1e4 });
export const rotation = quaternion('Rotation');
export const size = (description: string) => number(description, { unit: 'm', min: 1e-3, max: 1e4 });

/** Answer of routes that only confirm their success. */
export const message = z.strictObject({
	ok: z.literal(true).describe('Done'),
	message: text('Result, for people', 500).optional(),
});
