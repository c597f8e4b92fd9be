/**
 * Colliders of a few numbers as triangles.
 * Owns: how finely what is round is cut. Its corners lie outside of it, so that nothing round is smaller here than it is.
 */

import type { ShapeSize, SizedShape } from '../../../shared/media/collider-shapes.ts';
import { cos, sin } from '../core/math.ts';

const AROUND = 16;
/** From top to bottom of a ball. */
const DOWN = 8;
const TURN = 2 * Math.PI;
/** Factor by which a circle's corners must be farther out, so that its sides touch it. */
const OUTSIDE = 1 / cos(Math.PI / AROUND);

type Ring = readonly [radius: number, y: number];

/** Returns the surface of a shape around its middle, nine numbers a triangle. */
export function shapeTriangles({ name }: SizedShape, [a, b, c]: ShapeSize): Float64Array {
	switch (name) {
		case 'Aabb':
			return box(a, b, c);
		case 'Sphere':
			return trianglesOf(ball(a, 0));
		case 'Capsule':
			return trianglesOf(ball(a, b));
		case 'Cylinder':
			return trianglesOf([
				[0, b],
				[a, b],
				[a, -b],
				[0, -b],
			]);
	}
}

function box(x: number, y: number, z: number): Float64Array {
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

/** Rings of a ball, its halves `half` above and below the middle. */
function ball(radius: number, half: number): Ring[] {
	const rings: Ring[] = [];
	for (let i = 0; i <= DOWN; i++) {
		const angle = (Math.PI * i) / DOWN;
		const across = i === 0 || i === DOWN ? 0 : radius * sin(angle);
		const y = radius * cos(angle);
		if (2 * i <= DOWN) rings.push([across, y + half]);
		if (2 * i >= DOWN) rings.push([across, y - half]);
	}
	return rings;
}

/** Rings about the vertical, the uppermost first, joined by triangles. */
function trianglesOf(rings: readonly Ring[]): Float64Array {
	const corners: number[] = [];
	const point = ([radius, y]: Ring, i: number) => {
		const angle = (TURN * (i % AROUND)) / AROUND;
		corners.push(radius * OUTSIDE * cos(angle), y, radius * OUTSIDE * sin(angle));
	};
	for (let ring = 0; ring + 1 < rings.length; ring++) {
		const [upper, lower] = [rings[ring]!, rings[ring + 1]!];
		for (let i = 0; i < AROUND; i++) {
			if (lower[0] > 0) {
				point(upper, i);
				point(lower, i + 1);
				point(lower, i);
			}
			if (upper[0] > 0) {
				point(upper, i);
				point(upper, i + 1);
				point(lower, i + 1);
			}
		}
	}
	return Float64Array.from(corners);
}
