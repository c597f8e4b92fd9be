/** Bounds of the world. */

import { FAR } from '../../../shared/contract/values.ts';
import type { Vector } from '../core/math/vector.ts';

/** Returns the place nearest to another that is in the world (m). */
export function inBounds([x, y, z]: Vector): [number, number, number] {
	return [clampToBounds(x), clampToBounds(y), clampToBounds(z)];
}

/** Returns a coordinate, held where 32-bit positions are fine enough. */
export function clampToBounds(part: number): number {
	return Math.min(FAR, Math.max(-FAR, part));
}
