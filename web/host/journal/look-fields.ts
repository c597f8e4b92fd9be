/** Numbers of entities as answers show them. Owns: the shortest form of 32-bit numbers. */

import { shortestFloat32 } from '../../sim/core/float32.ts';
import type { ConditionLook } from '../../sim/rules/conditions/evaluate-condition.ts';
import { measure } from '../../sim/rules/conditions/measure.ts';

/** Returns a number of an entity; null if it lacks the field. */
export function fieldOf(look: ConditionLook, id: number, field: string): number | null {
	const number = measure(field).of(look.entity(id));
	if (number === undefined) return null;
	return Math.fround(number) === number ? shortestFloat32(number) : number;
}
