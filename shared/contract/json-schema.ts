/** JSON Schema (2020-12) of the contract's schemas. */

import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

const memo = new WeakMap<z.ZodType, { input?: JsonSchema; output?: JsonSchema }>();

/** What a caller may send (`input`) or will get (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
	let known = memo.get(schema);
	if (known === undefined) {
		known = {};
		memo.set(schema, known);
	}
	known[io] ??= withoutNoise(
		z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema,
	);
	return known[io];
}

function withoutNoise({ $schema: _, ...rest }: JsonSchema): JsonSchema {
	return rest;
}
