/**
 * Volume of colliders and the boxes by which they float.
 * Owns: that every shape floats like the box around it, filled evenly with the shape's own volume; a ball floats like a ball.
 */

import { isPointed, shapeNamed } from '../../../shared/media/collider-shapes.ts';
import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { hullTriangles } from '../space/hull.ts';
import { type Made, made, type Shaped } from './geometry.ts';

export interface Volume {
	/** Cubic metres. */
	readonly volume: number;
	/** Middle of the box from the origin of the entity, and its half extents (m). */
	readonly middle: Vector;
	readonly half: Vector;
	readonly isBall: boolean;
}

const CENTRE: Vector = [0, 0, 0];

/** Returns the volume of a collider; null for surfaces, which have none. */
export function volumeOf(world: World, { shape, size, geometry }: Shaped): Volume | null {
	const known = shapeNamed(shape);
	if (isPointed(known)) return known.surface ? null : hullVolume(made(world.assets, known, geometry!));
	const [a, b, c] = size;
	const half = known.extent(size);
	const round = Math.PI * a * a;
	switch (known.library.make) {
		case 'cuboid':
			return { volume: 8 * a * b * c, middle: CENTRE, half, isBall: false };
		case 'ball':
			return { volume: (4 / 3) * round * a, middle: CENTRE, half, isBall: true };
		case 'capsule':
			return { volume: round * (2 * b + (4 / 3) * a), middle: CENTRE, half, isBall: false };
		case 'cylinder':
			return { volume: round * 2 * b, middle: CENTRE, half, isBall: false };
	}
}

const hulls = new WeakMap<Made, Volume>();

function hullVolume(hull: Made): Volume {
	let found = hulls.get(hull);
	if (found === undefined) {
		found = measured(hull.points);
		hulls.set(hull, found);
	}
	return found;
}

function measured(points: Float32Array): Volume {
	const low = [Infinity, Infinity, Infinity];
	const high = [-Infinity, -Infinity, -Infinity];
	points.forEach((part, i) => {
		low[i % 3] = Math.min(low[i % 3]!, part);
		high[i % 3] = Math.max(high[i % 3]!, part);
	});
	const axis = (of: (low: number, high: number) => number): Vector => [
		of(low[0]!, high[0]!),
		of(low[1]!, high[1]!),
		of(low[2]!, high[2]!),
	];
	return {
		volume: enclosed(hullTriangles(points)),
		middle: axis((least, most) => (least + most) / 2),
		half: axis((least, most) => (most - least) / 2),
		isBall: false,
	};
}

/** Volume within triangles that face outwards: the sum of the pyramids over them. */
function enclosed(corners: Float64Array): number {
	let sum = 0;
	for (let at = 0; at < corners.length; at += 9) {
		const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(at, at + 9) as unknown as readonly [
			...Vector,
			...Vector,
			...Vector,
		];
		sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
	}
	return Math.abs(sum) / 6;
}
