/** Poses of nodes in a model as 4 x 4 matrices in column order. Owns: arithmetic that is equal on all machines. */

import type { Vector } from '../core/math/vector.ts';

export type Matrix = ArrayLike<number>;

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Returns the product of two matrices: `b` is applied first. */
export function multiply(a: Matrix, b: Matrix): Matrix {
	const out = new Float64Array(16);
	for (let column = 0; column < 4; column++)
		for (let row = 0; row < 4; row++) {
			let sum = 0;
			for (let i = 0; i < 4; i++) sum += a[i * 4 + row]! * b[column * 4 + i]!;
			out[column * 4 + row] = sum;
		}
	return out;
}

interface Pose {
	readonly translation?: readonly number[] | undefined;
	/** Unit quaternion x, y, z, w. */
	readonly rotation?: readonly number[] | undefined;
	readonly scale?: readonly number[] | undefined;
}

/** Returns the matrix of a pose: scaled, then rotated, then moved. */
export function poseMatrix({ translation, rotation, scale }: Pose): Matrix {
	const [x = 0, y = 0, z = 0, w = 1] = rotation ?? [];
	const [sx = 1, sy = 1, sz = 1] = scale ?? [];
	const [tx = 0, ty = 0, tz = 0] = translation ?? [];
	return [
		(1 - 2 * (y * y + z * z)) * sx,
		2 * (x * y + z * w) * sx,
		2 * (x * z - y * w) * sx,
		0,
		2 * (x * y - z * w) * sy,
		(1 - 2 * (x * x + z * z)) * sy,
		2 * (y * z + x * w) * sy,
		0,
		2 * (x * z + y * w) * sz,
		2 * (y * z - x * w) * sz,
		(1 - 2 * (x * x + y * y)) * sz,
		0,
		tx,
		ty,
		tz,
		1,
	];
}

/** Returns a point transformed by a matrix. */
export function transformPoint(m: Matrix, x: number, y: number, z: number): Vector {
	return [
		m[0]! * x + m[4]! * y + m[8]! * z + m[12]!,
		m[1]! * x + m[5]! * y + m[9]! * z + m[13]!,
		m[2]! * x + m[6]! * y + m[10]! * z + m[14]!,
	];
}

/** Returns true if a matrix mirrors, which means that its determinant is negative. */
export function isMirrored(m: Matrix): boolean {
	const [a, b, c] = [m[0]!, m[1]!, m[2]!];
	const [d, e, f] = [m[4]!, m[5]!, m[6]!];
	const [g, h, i] = [m[8]!, m[9]!, m[10]!];
	return a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) < 0;
}
