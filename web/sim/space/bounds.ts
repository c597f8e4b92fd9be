/** Bounds of the world. */

import { FAR } from '../../../shared/contract/values.ts';
import type { Vector } from '../core/math/vector.ts';

/** Returns the position in the world that is nearest to a position (m). */
export function clampPosition([x, y, z]: Vector): [number, number, number] {
	return [clampToBounds(x), clampToBounds(y), clampToBounds(z)];
}

/** Returns a coordinate, clamped to the range in which 32-bit positions are precise enough. */
export function clampToBounds(coordinate: number): number {
	return Math.min(FAR, Math.max(-FAR, coordinate));
}
