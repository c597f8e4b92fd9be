/**
 * Rotations in degrees about x, y and z.
 * Owns: converting between quaternions and degrees, about the fixed axes x, then y, then z.
 */

import type { Quaternion, Vector } from '../entities/entity.ts';

const DEGREE = Math.PI / 180;

/** Returns the degrees about the fixed axes x, y, z, applied in that order, each from -180 to 180. */
export function toDegrees([x, y, z, w]: Quaternion): Vector {
	const sine = 2 * (w * y - z * x);
	const clean = (radians: number): number => {
		const degrees = Math.round((radians / DEGREE) * 1e4) / 1e4;
		return degrees === 0 ? 0 : degrees;
	};
	if (Math.abs(sine) > 0.9999999) {
		// Gimbal lock: turns about x and z are one turn, which is returned as one about x.
		const about = 2 * Math.atan2(x, w);
		return [clean(about > Math.PI ? about - 2 * Math.PI : about), clean(Math.sign(sine) * (Math.PI / 2)), 0];
	}
	return [
		clean(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
		clean(Math.asin(sine)),
		clean(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
	];
}

/** Returns the unit quaternion xyzw of those degrees. */
export function fromDegrees([dx, dy, dz]: Vector): Quaternion {
	const [cx, cy, cz] = [dx, dy, dz].map((d) => Math.cos((d * DEGREE) / 2)) as [number, number, number];
	const [sx, sy, sz] = [dx, dy, dz].map((d) => Math.sin((d * DEGREE) / 2)) as [number, number, number];
	return [
		sx * cy * cz - cx * sy * sz,
		cx * sy * cz + sx * cy * sz,
		cx * cy * sz - sx * sy * cz,
		cx * cy * cz + sx * sy * sz,
	];
}
