/**
 * Ticks of the world in values: moments, not numbers of ticks.
 * Owns: how a field says that it holds one, and counting them from elsewhere: what is due in 20 ticks is due in 20 ticks
 * wherever a document is applied.
 */

import * as z from 'zod';
import type { Field } from './component.ts';

/** Unit of a field that holds a tick of the world. */
export const TICK = 'tick';

/** A tick to come; once it has passed it no longer matters by how much. */
export const tick = (description: string) => z.int().describe(description).meta({ unit: TICK });

/** A tick that says how long something has lasted. */
export const pastTick = (description: string) =>
	z.int().describe(description).meta({ unit: TICK, past: true });

const LAST_TICK = 0xffffffff;

/** A field's value with its ticks moved by `by`, those to come to none before `least`. What does not fit stays as it is. */
export function moveTicks(field: Field, value: unknown, by: number, least: number): unknown {
	const due = (at: number) => Math.min(LAST_TICK, Math.max(least, at + by));
	const moved = (schema: z.ZodType, part: unknown): unknown => {
		const { unit, past } = schema.meta() ?? {};
		if (unit === TICK && typeof part === 'number') return past === true ? part + by : due(part);
		if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
			return moved(schema.unwrap() as z.ZodType, part);
		if (typeof part !== 'object' || part === null) return part;
		if (schema instanceof z.ZodArray && Array.isArray(part))
			return part.map((member) => moved(schema.element as z.ZodType, member));
		if (!(schema instanceof z.ZodObject)) return part;
		return Object.fromEntries(
			Object.entries(part).map(([key, member]) => {
				const inner = schema.shape[key] as z.ZodType | undefined;
				return [key, inner === undefined ? member : moved(inner, member)];
			}),
		);
	};
	if (field.kind === 'json') return moved(field.schema, value);
	return field.unit === TICK && typeof value === 'number' ? due(value) : value;
}
