/**
 * Marks on schemas for the meaning of a part of a value, such as a tick or an entity.
 * Owns: the search for marked parts in a value. Marks are metadata, so the documents of the API show them too.
 */

import * as z from 'zod';

/** Metadata of a schema. */
export type Marks = Readonly<Record<string, unknown>>;

/** Returns the replacement of a marked part, or undefined to search inside the part. */
export type MarkReplacer = (marks: Marks, part: unknown) => unknown;

const metadata = new WeakMap<z.ZodType, { readonly marks: Marks | undefined }>();

/** Returns the marks of a schema. They are cached, because the library builds them for each call. */
function marksOf(schema: z.ZodType): Marks | undefined {
	let cached = metadata.get(schema);
	if (cached === undefined) {
		cached = { marks: schema.meta() };
		metadata.set(schema, cached);
	}
	return cached.marks;
}

/** Returns a value in which the marked parts of its schema are replaced. Parts that do not match the schema stay unchanged. */
export function replaceMarked(schema: z.ZodType, value: unknown, replace: MarkReplacer): unknown {
	const marks = marksOf(schema);
	const replaced = marks === undefined ? undefined : replace(marks, value);
	if (replaced !== undefined) return replaced;
	const replaceInside = (inner: unknown, part: unknown) => replaceMarked(inner as z.ZodType, part, replace);
	if (
		schema instanceof z.ZodNullable ||
		schema instanceof z.ZodOptional ||
		schema instanceof z.ZodDefault ||
		schema instanceof z.ZodReadonly ||
		schema instanceof z.ZodLazy
	)
		return replaceInside(schema.unwrap(), value);
	if (schema instanceof z.ZodPipe) return replaceInside(checkedSchema(schema), value);
	if (schema instanceof z.ZodUnion) {
		const matching = (schema.options as readonly z.ZodType[]).find(
			(option) => option.safeParse(value).success,
		);
		return matching === undefined ? value : replaceInside(matching, value);
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		if (schema instanceof z.ZodArray) return value.map((part) => replaceInside(schema.element, part));
		if (schema instanceof z.ZodTuple)
			return value.map((part, i) =>
				i < schema.def.items.length ? replaceInside(schema.def.items[i], part) : part,
			);
		return value;
	}
	if (schema instanceof z.ZodRecord)
		return mapMembers(value, (_, part) => replaceInside(schema.valueType, part));
	if (!(schema instanceof z.ZodObject)) return value;
	return mapMembers(value, (key, part) =>
		Object.hasOwn(schema.shape, key) ? replaceInside(schema.shape[key], part) : part,
	);
}

/** Returns the schema of a pipe, without the transformation before or after it. */
function checkedSchema({ def }: z.ZodPipe): unknown {
	return def.in instanceof z.ZodTransform ? def.out : def.in;
}

function mapMembers(value: object, change: (key: string, part: unknown) => unknown): Record<string, unknown> {
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(key, part)]));
}
