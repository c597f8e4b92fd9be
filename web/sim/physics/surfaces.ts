/**
 * Surfaces in the form for the physics library, so that bodies slide over the inner edges of level ground.
 * Owns: the library's mending of inner edges and what it costs. With it a triangle holds bodies on its front only, and the
 * border of a surface has no roundness. So meshes and heights get a back, and grounds of heights a rim.
 */

import type { ColliderDesc } from '@dimforge/rapier3d-compat';
import type { Made, Points } from './geometry.ts';
import { RAPIER } from './rapier.ts';

/** Width of the rim around heights (m): a body that comes down on their outermost corner meets ground. */
const RIM = 1 / 64;

/** From the front of a surface to its back (m). Bodies that lie on one side sink in by less, so they never touch the other. */
const THICKNESS = 1 / 512;

/**
 * Distance by which tips are moved aside along x and z (m). With its inner edges mended, the library finds no contact
 * for a ball whose middle is right above a tip, and both are often at whole numbers.
 */
const ASIDE = [1 / 32, 1 / 64] as const;

/** Sides of a grid of heights that end it: low and high along x (columns) and z (rows). */
export interface Ends {
	readonly left: boolean;
	readonly right: boolean;
	readonly near: boolean;
	readonly far: boolean;
}

const ALL_ENDS: Ends = { left: true, right: true, near: true, far: true };

/**
 * Returns the collider of a surface that holds bodies on the fronts of its triangles: seen from there, corners turn
 * to the left.
 */
export function oneSided({ points, triangles }: Points): ColliderDesc {
	return RAPIER.ColliderDesc.trimesh(points, triangles, RAPIER.TriMeshFlags.FIX_INTERNAL_EDGES);
}

/** Returns the collider of a mesh or of heights, which holds bodies on both sides. */
export function twoSided({ points, triangles, field }: Made): ColliderDesc {
	const surface =
		field === null ? { points, triangles } : withRim(points, field.rows + 1, field.columns + 1, ALL_ENDS);
	const first = firstAlike(surface.points);
	const tips = tipsOf(surface, first);
	const moved = moveAside(surface.points.slice(), (point) => tips[first[point]!] === 1);
	return oneSided(withBack({ points: moved, triangles: surface.triangles }, first));
}

/** Moves points that are tips aside, in place. */
export function moveAside(points: Float32Array, isTip: (point: number) => boolean): Float32Array {
	for (let point = 0; point < points.length / 3; point++) {
		if (!isTip(point)) continue;
		points[point * 3] = points[point * 3]! + ASIDE[0];
		points[point * 3 + 2] = points[point * 3 + 2]! + ASIDE[1];
	}
	return points;
}

/** 1 for each point that is higher than all points it shares a triangle with. */
function tipsOf({ points, triangles }: Points, first: Uint32Array): Uint8Array {
	const tips = new Uint8Array(first.length).fill(1);
	for (let i = 0; i < triangles.length; i++) {
		const [current, next] = [triangles[i]!, triangles[i % 3 === 2 ? i - 2 : i + 1]!];
		const [from, to] = [points[current * 3 + 1]!, points[next * 3 + 1]!];
		if (from <= to) tips[first[current]!] = 0;
		if (to <= from) tips[first[next]!] = 0;
	}
	return tips;
}

/** Returns the points of a grid, row by row, with two triangles for each square; fronts are up. */
export function gridOf(points: Float32Array, rows: number, columns: number): Points {
	const triangles = new Uint32Array((rows - 1) * (columns - 1) * 6);
	let at = 0;
	for (let row = 0; row + 1 < rows; row++)
		for (let column = 0; column + 1 < columns; column++) {
			const corner = row * columns + column;
			triangles[at++] = corner;
			triangles[at++] = corner + columns;
			triangles[at++] = corner + 1;
			triangles[at++] = corner + 1;
			triangles[at++] = corner + columns;
			triangles[at++] = corner + columns + 1;
		}
	return { points, triangles };
}

/** Returns a grid that continues beyond the sides that end it, level with its border. */
export function withRim(points: Float32Array, rows: number, columns: number, ends: Ends): Points {
	const [left, near] = [Number(ends.left), Number(ends.near)];
	const [wide, deep] = [columns + left + Number(ends.right), rows + near + Number(ends.far)];
	const padded = new Float32Array(wide * deep * 3);
	let to = 0;
	for (let row = -near; row < deep - near; row++)
		for (let column = -left; column < wide - left; column++) {
			const [x, z] = [Math.min(columns - 1, Math.max(0, column)), Math.min(rows - 1, Math.max(0, row))];
			const from = (z * columns + x) * 3;
			padded[to++] = points[from]! + Math.sign(column - x) * RIM;
			padded[to++] = points[from + 1]!;
			padded[to++] = points[from + 2]! + Math.sign(row - z) * RIM;
		}
	return gridOf(padded, deep, wide);
}

/** Triangles together with their back: the same ones, facing the other way, a little behind. */
function withBack({ points, triangles }: Points, first: Uint32Array): Points {
	const count = points.length / 3;
	const backs = cornerNormals({ points, triangles }, first);
	const both = new Float32Array(points.length * 2);
	both.set(points);
	for (let i = 0; i < points.length; i++) both[points.length + i] = points[i]! - THICKNESS * backs[i]!;
	const faces = new Uint32Array(triangles.length * 2);
	faces.set(triangles);
	for (let i = 0; i < triangles.length; i += 3) {
		faces[triangles.length + i] = triangles[i]! + count;
		faces[triangles.length + i + 1] = triangles[i + 2]! + count;
		faces[triangles.length + i + 2] = triangles[i + 1]! + count;
	}
	return { points: both, triangles: faces };
}

/** Of each point the mean direction that triangles there face, of length 1; 0 if they face all ways. */
function cornerNormals({ points, triangles }: Points, first: Uint32Array): Float64Array {
	const sums = new Float64Array(points.length);
	for (let i = 0; i < triangles.length; i += 3) {
		const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
		const [ux, uy, uz] = [
			points[b]! - points[a]!,
			points[b + 1]! - points[a + 1]!,
			points[b + 2]! - points[a + 2]!,
		];
		const [vx, vy, vz] = [
			points[c]! - points[a]!,
			points[c + 1]! - points[a + 1]!,
			points[c + 2]! - points[a + 2]!,
		];
		const normal = unit(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
		for (let corner = 0; corner < 3; corner++)
			for (let axis = 0; axis < 3; axis++) {
				const at = first[triangles[i + corner]!]! * 3 + axis;
				sums[at] = sums[at]! + normal[axis]!;
			}
	}
	const normals = new Float64Array(points.length);
	first.forEach((alike, point) => {
		const at = alike * 3;
		normals.set(unit(sums[at]!, sums[at + 1]!, sums[at + 2]!), point * 3);
	});
	return normals;
}

function unit(x: number, y: number, z: number): readonly [number, number, number] {
	const length = Math.sqrt(x * x + y * y + z * z);
	return length > 1e-9 ? [x / length, y / length, z / length] : [0, 0, 0];
}

/** Of each point the first one at the same position. */
function firstAlike(points: Float32Array): Uint32Array {
	const firstAt = new Map<string, number>();
	return Uint32Array.from({ length: points.length / 3 }, (_, point) => {
		const at = point * 3;
		const key = `${points[at]} ${points[at + 1]} ${points[at + 2]}`;
		const found = firstAt.get(key);
		if (found === undefined) firstAt.set(key, point);
		return found ?? point;
	});
}
