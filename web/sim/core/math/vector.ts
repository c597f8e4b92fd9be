/** Rotation of vectors. Owns: the order of the operations. It decides the last bit, so all code uses this function. */

import type { Rotation, Vector } from '../../../../shared/contract/vector.ts';

export type { Rotation, Vector };

/** Returns a position plus a rotated vector: p + v + 2 q x (q x v + w v) for the quaternion (q, w). */
export function rotatedAbout([x, y, z, w]: Rotation, [a, b, c]: Vector, [px, py, pz]: Vector): Vector {
	const tx = 2 * (y * c - z * b);
	const ty = 2 * (z * a - x * c);
	const tz = 2 * (x * b - y * a);
	return [
		px + a + w * tx + y * tz - z * ty,
		py + b + w * ty + z * tx - x * tz,
		pz + c + w * tz + x * ty - y * tx,
	];
}
