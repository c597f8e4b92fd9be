/**
 * Ticks of the world in values. They are points in time, not numbers of ticks.
 * Owns: the mark of a field with a tick, and its conversion between worlds. A deadline 20 ticks ahead stays 20 ticks
 * ahead in any world to which a document is applied.
 */

import * as z from 'zod';
import type { Field } from './component.ts';
import { type Marks, replaceMarked } from './marks.ts';

/** Unit of a field that holds a tick of the world. */
export const TICK = 'tick';

/** Returns the schema of a future tick. After it has passed, its exact value has no meaning. */
export const tick = (description: string) => z.int().describe(description).meta({ unit: TICK });

/** Returns the schema of a past tick, since which something lasts. */
export const pastTick = (description: string) =>
	z.int().describe(description).meta({ unit: TICK, past: true });

const LAST_TICK = 0xffffffff;

const moveTick = (tick: number, offset: number, min: number) =>
	Math.min(LAST_TICK, Math.max(min, tick + offset));

/**
 * Returns a field's value with its ticks moved by `offset`. Future ticks become at least `min`. Parts that do not match the
 * schema stay unchanged.
 */
export function moveTicks(field: Field, value: unknown, offset: number, min: number): unknown {
	if (field.kind === 'json') return moveTicksIn(field.schema, value, offset, min);
	return field.unit === TICK && typeof value === 'number' ? moveTick(value, offset, min) : value;
}

/** Returns a value of a schema with its ticks moved, as `moveTicks` does. */
export function moveTicksIn(schema: z.ZodType, value: unknown, offset: number, min: number): unknown {
	return replaceMarked(schema, value, ({ unit, past }: Marks, part) => {
		if (unit !== TICK || typeof part !== 'number') return undefined;
		return past === true ? part + offset : moveTick(part, offset, min);
	});
}
