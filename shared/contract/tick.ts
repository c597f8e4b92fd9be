/**
 * Ticks of the world in values: moments, not numbers of ticks.
 * Owns: the mark of a field that holds a tick, and its conversion between worlds. A deadline 20 ticks ahead stays 20
 * ticks ahead wherever a document is applied.
 */

import * as z from 'zod';
import type { Field } from './component.ts';
import { type Marks, replaceMarked } from './marks.ts';

/** Unit of a field that holds a tick of the world. */
export const TICK = 'tick';

/** Returns a tick to come; once it has passed it no longer matters by how much. */
export const tick = (description: string) => z.int().describe(description).meta({ unit: TICK });

/** Returns a tick that says how long something has lasted. */
export const pastTick = (description: string) =>
	z.int().describe(description).meta({ unit: TICK, past: true });

const LAST_TICK = 0xffffffff;

const due = (at: number, by: number, least: number) => Math.min(LAST_TICK, Math.max(least, at + by));

/**
 * Returns a field's value with its ticks moved by `by`, those to come to none before `least`. What does not fit stays
 * as it is.
 */
export function moveTicks(field: Field, value: unknown, by: number, least: number): unknown {
	if (field.kind === 'json') return moveTicksIn(field.schema, value, by, least);
	return field.unit === TICK && typeof value === 'number' ? due(value, by, least) : value;
}

/** Returns the same of a value that fits a schema. */
export function moveTicksIn(schema: z.ZodType, value: unknown, by: number, least: number): unknown {
	return replaceMarked(schema, value, ({ unit, past }: Marks, part) => {
		if (unit !== TICK || typeof part !== 'number') return undefined;
		return past === true ? part + by : due(part, by, least);
	});
}
