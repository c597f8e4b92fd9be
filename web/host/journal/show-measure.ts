/** Values of measures in answers: 32-bit numbers in their shortest form. */

import { shortestFloat32 } from '../../sim/core/float32.ts';
import type { ConditionLook } from '../../sim/rules/conditions/evaluate-condition.ts';
import { measure } from '../../sim/rules/conditions/measure.ts';

/** Returns a measure of an entity; null if the entity does not have it. */
export function showMeasure(look: ConditionLook, id: number, field: string): number | null {
	const value = measure(field).of(look.entity(id));
	if (value === undefined) return null;
	return Math.fround(value) === value ? shortestFloat32(value) : value;
}
