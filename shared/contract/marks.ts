/**
 * Marks on schemas that say what a part of a value means, wherever in the value it stands: ticks, entities.
 * Owns: finding the marked parts of a value. Marks are metadata, which documents about the contract show as well.
 */

import * as z from 'zod';

/** Metadata of a schema. */
export type Marks = Readonly<Record<string, unknown>>;

/** Gives the part in place of the marked one; undefined to look further inside. */
export type MarkReplacer = (marks: Marks, part: unknown) => unknown;

const metadata = new WeakMap<z.ZodType, { readonly marks: Marks | undefined }>();

/** Marks of a schema. The library puts them together again for each caller. */
function marksOf(schema: z.ZodType): Marks | undefined {
	let cached = metadata.get(schema);
	if (cached === undefined) {
		cached = { marks: schema.meta() };
		metadata.set(schema, cached);
	}
	return cached.marks;
}

/** Returns a value that fits a schema, with its marked parts replaced. What does not fit stays as it is. */
export function replaceMarked(schema: z.ZodType, value: unknown, replace: MarkReplacer): unknown {
	const marks = marksOf(schema);
	const replaced = marks === undefined ? undefined : replace(marks, value);
	if (replaced !== undefined) return replaced;
	const inside = (inner: unknown, part: unknown) => replaceMarked(inner as z.ZodType, part, replace);
	if (
		schema instanceof z.ZodNullable ||
		schema instanceof z.ZodOptional ||
		schema instanceof z.ZodDefault ||
		schema instanceof z.ZodReadonly ||
		schema instanceof z.ZodLazy
	)
		return inside(schema.unwrap(), value);
	if (schema instanceof z.ZodPipe) return inside(checked(schema), value);
	if (schema instanceof z.ZodUnion) {
		const fitting = (schema.options as readonly z.ZodType[]).find(
			(option) => option.safeParse(value).success,
		);
		return fitting === undefined ? value : inside(fitting, value);
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		if (schema instanceof z.ZodArray) return value.map((part) => inside(schema.element, part));
		if (schema instanceof z.ZodTuple)
			return value.map((part, i) => (i < schema.def.items.length ? inside(schema.def.items[i], part) : part));
		return value;
	}
	if (schema instanceof z.ZodRecord) return mapped(value, (_, part) => inside(schema.valueType, part));
	if (!(schema instanceof z.ZodObject)) return value;
	return mapped(value, (key, part) =>
		Object.hasOwn(schema.shape, key) ? inside(schema.shape[key], part) : part,
	);
}

/** Of a schema with a transformation before or behind it, the schema. */
function checked({ def }: z.ZodPipe): unknown {
	return def.in instanceof z.ZodTransform ? def.out : def.in;
}

function mapped(value: object, of: (key: string, part: unknown) => unknown): Record<string, unknown> {
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, of(key, part)]));
}
