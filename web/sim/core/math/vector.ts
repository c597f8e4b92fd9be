/** Vectors of space. Owns: turning one. The order of the operations decides the last bit, so it is the same everywhere. */

import type { Rotation, Vector } from '../../../../shared/contract/vector.ts';

export type { Rotation, Vector };

/** Returns a vector, turned by a rotation about the origin, as seen from a position: p + v + 2 q x (q x v + w v). */
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
