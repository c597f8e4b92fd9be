/**
 * Converts simple colliders into triangles.
 * Owns: the approximation of round shapes. Their corners are outside the shape, so that the triangles enclose it.
 */

import type { ShapeSize, SizedShape } from '../../../shared/media/collider-shapes.ts';
import { cos, sin } from '../core/math.ts';

const SEGMENTS = 16;
/** Number of rings from top to bottom of a ball. */
const RINGS = 8;
const FULL_TURN = 2 * Math.PI;
/** Factor that moves the corners of a circle outwards, so that its sides touch the circle. */
const OUTWARD_FACTOR = 1 / cos(Math.PI / SEGMENTS);

type Ring = readonly [radius: number, y: number];

/** Returns the surface of a shape around its centre, with nine numbers for each triangle. */
export function shapeTriangles({ name }: SizedShape, [a, b, c]: ShapeSize): Float64Array {
	switch (name) {
		case 'Aabb':
			return boxTriangles(a, b, c);
		case 'Sphere':
			return trianglesOf(ballRings(a, 0));
		case 'Capsule':
			return trianglesOf(ballRings(a, b));
		case 'Cylinder':
			return trianglesOf([
				[0, b],
				[a, b],
				[a, -b],
				[0, -b],
			]);
	}
}

function boxTriangles(x: number, y: number, z: number): Float64Array {
	const corner = (i: number): readonly number[] => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z];
	const faces = [
		[0, 1, 3, 2],
		[4, 6, 7, 5],
		[0, 4, 5, 1],
		[2, 3, 7, 6],
		[0, 2, 6, 4],
		[1, 5, 7, 3],
	];
	return Float64Array.from(faces.flatMap(([p, q, r, s]) => [p, q, r, p, r, s].flatMap((i) => corner(i!))));
}

/** Returns the rings of a ball or capsule, whose hemispheres are moved up and down by `half`. */
function ballRings(radius: number, half: number): Ring[] {
	const rings: Ring[] = [];
	for (let i = 0; i <= RINGS; i++) {
		const angle = (Math.PI * i) / RINGS;
		const ringRadius = i === 0 || i === RINGS ? 0 : radius * sin(angle);
		const y = radius * cos(angle);
		if (2 * i <= RINGS) rings.push([ringRadius, y + half]);
		if (2 * i >= RINGS) rings.push([ringRadius, y - half]);
	}
	return rings;
}

/** Returns the triangles between horizontal rings, which are sorted from top to bottom. */
function trianglesOf(rings: readonly Ring[]): Float64Array {
	const corners: number[] = [];
	const addCorner = ([radius, y]: Ring, i: number) => {
		const angle = (FULL_TURN * (i % SEGMENTS)) / SEGMENTS;
		corners.push(radius * OUTWARD_FACTOR * cos(angle), y, radius * OUTWARD_FACTOR * sin(angle));
	};
	for (let ring = 0; ring + 1 < rings.length; ring++) {
		const [upper, lower] = [rings[ring]!, rings[ring + 1]!];
		for (let i = 0; i < SEGMENTS; i++) {
			if (lower[0] > 0) {
				addCorner(upper, i);
				addCorner(lower, i + 1);
				addCorner(lower, i);
			}
			if (upper[0] > 0) {
				addCorner(upper, i);
				addCorner(upper, i + 1);
				addCorner(lower, i + 1);
			}
		}
	}
	return Float64Array.from(corners);
}
