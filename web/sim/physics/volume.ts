/**
 * Volume of colliders, and the boxes that represent them in water.
 * Owns: the approximation: a shape floats like its bounding box, filled evenly with the shape's own volume. Only a ball
 * floats like a ball.
 */

import { isPointShape, shapeByName } from '../../../shared/media/collider-shapes.ts';
import type { Vector } from '../core/math/vector.ts';
import type { World } from '../core/world.ts';
import { hullTriangles } from '../space/hull.ts';
import { type ColliderValues, geometryOf, type ShapeGeometry } from './geometry.ts';

export interface Volume {
	/** Volume of the shape (m³). */
	readonly volume: number;
	/** Centre of the box relative to the entity, and its half extents (m). */
	readonly middle: Vector;
	readonly half: Vector;
	readonly isBall: boolean;
}

const CENTRE: Vector = [0, 0, 0];

/** Returns the volume of a collider; null for surfaces, which have none. */
export function volumeOf(world: World, { shape, size, geometry }: ColliderValues): Volume | null {
	const declared = shapeByName(shape);
	if (isPointShape(declared))
		return declared.surface ? null : volumeOfHull(geometryOf(world.assets, declared, geometry!));
	const [a, b, c] = size;
	const half = declared.extent(size);
	const circle = Math.PI * a * a;
	switch (declared.library.make) {
		case 'cuboid':
			return { volume: 8 * a * b * c, middle: CENTRE, half, isBall: false };
		case 'ball':
			return { volume: (4 / 3) * circle * a, middle: CENTRE, half, isBall: true };
		case 'capsule':
			return { volume: circle * (2 * b + (4 / 3) * a), middle: CENTRE, half, isBall: false };
		case 'cylinder':
			return { volume: circle * 2 * b, middle: CENTRE, half, isBall: false };
	}
}

const volumesByHull = new WeakMap<ShapeGeometry, Volume>();

function volumeOfHull(hull: ShapeGeometry): Volume {
	let volume = volumesByHull.get(hull);
	if (volume === undefined) {
		volume = volumeOfPoints(hull.points);
		volumesByHull.set(hull, volume);
	}
	return volume;
}

function volumeOfPoints(points: Float32Array): Volume {
	const low = [Infinity, Infinity, Infinity];
	const high = [-Infinity, -Infinity, -Infinity];
	points.forEach((coordinate, i) => {
		low[i % 3] = Math.min(low[i % 3]!, coordinate);
		high[i % 3] = Math.max(high[i % 3]!, coordinate);
	});
	const eachAxis = (combine: (low: number, high: number) => number): Vector => [
		combine(low[0]!, high[0]!),
		combine(low[1]!, high[1]!),
		combine(low[2]!, high[2]!),
	];
	return {
		volume: enclosedVolume(hullTriangles(points)),
		middle: eachAxis((lowest, highest) => (lowest + highest) / 2),
		half: eachAxis((lowest, highest) => (highest - lowest) / 2),
		isBall: false,
	};
}

/** Returns the volume enclosed by triangles that face outwards: the sum of the pyramids from the origin to them. */
function enclosedVolume(corners: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < corners.length; i += 9) {
		const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(i, i + 9) as unknown as readonly [
			...Vector,
			...Vector,
			...Vector,
		];
		sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
	}
	return Math.abs(sum) / 6;
}
