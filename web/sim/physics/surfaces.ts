/**
 * Prepares surfaces for the physics library, so that bodies slide over the inner edges of level ground.
 * Owns: the library's option that fixes inner edges, and its side effects. With it, a triangle holds bodies only on its
 * front, and the border of a surface is not rounded. So meshes and heights get a back, and heights get a rim.
 */

import type { ColliderDesc } from '@dimforge/rapier3d-compat';
import type { Points, ShapeGeometry } from './geometry.ts';
import { RAPIER } from './rapier.ts';

/** Width of the rim around heights (m). With it, a body that lands on the outermost corner finds ground. */
const RIM = 1 / 64;

/** Distance from the front of a surface to its back (m). Resting bodies sink in by less, so they touch only one side. */
const THICKNESS = 1 / 512;

/**
 * Distance by which tips are moved along x and z (m). With fixed inner edges, the library finds no contact for a ball
 * exactly above a tip, and both are often at whole numbers.
 */
const TIP_OFFSET = [1 / 32, 1 / 64] as const;

/** Sides at which a grid of heights ends: low and high along x (columns) and z (rows). */
export interface GridEnds {
	readonly left: boolean;
	readonly right: boolean;
	readonly near: boolean;
	readonly far: boolean;
}

const ALL_ENDS: GridEnds = { left: true, right: true, near: true, far: true };

/**
 * Returns the collider of a surface that holds bodies on the fronts of its triangles. Seen from the front, their corners
 * are in counterclockwise order.
 */
export function createOneSidedDesc({ points, triangles }: Points): ColliderDesc {
	return RAPIER.ColliderDesc.trimesh(points, triangles, RAPIER.TriMeshFlags.FIX_INTERNAL_EDGES);
}

/** Returns the collider of a mesh or of heights, which holds bodies on both sides. */
export function createTwoSidedDesc({ points, triangles, field }: ShapeGeometry): ColliderDesc {
	const surface =
		field === null ? { points, triangles } : withRim(points, field.rows + 1, field.columns + 1, ALL_ENDS);
	const firstPoints = firstPointAtPosition(surface.points);
	const tips = tipsOf(surface, firstPoints);
	const movedPoints = moveTips(surface.points.slice(), (point) => tips[firstPoints[point]!] === 1);
	return createOneSidedDesc(withBack({ points: movedPoints, triangles: surface.triangles }, firstPoints));
}

/** Moves the points that are tips, in place. */
export function moveTips(points: Float32Array, isTip: (point: number) => boolean): Float32Array {
	for (let point = 0; point < points.length / 3; point++) {
		if (!isTip(point)) continue;
		points[point * 3] = points[point * 3]! + TIP_OFFSET[0];
		points[point * 3 + 2] = points[point * 3 + 2]! + TIP_OFFSET[1];
	}
	return points;
}

/** Returns 1 for each point that is higher than all points with which it shares a triangle, otherwise 0. */
function tipsOf({ points, triangles }: Points, firstPoints: Uint32Array): Uint8Array {
	const tips = new Uint8Array(firstPoints.length).fill(1);
	for (let i = 0; i < triangles.length; i++) {
		const [current, next] = [triangles[i]!, triangles[i % 3 === 2 ? i - 2 : i + 1]!];
		const [currentHeight, nextHeight] = [points[current * 3 + 1]!, points[next * 3 + 1]!];
		if (currentHeight <= nextHeight) tips[firstPoints[current]!] = 0;
		if (nextHeight <= currentHeight) tips[firstPoints[next]!] = 0;
	}
	return tips;
}

/** Returns the points of a grid, row by row, with two triangles for each square. Their fronts face up. */
export function triangulateGrid(points: Float32Array, rows: number, columns: number): Points {
	const triangles = new Uint32Array((rows - 1) * (columns - 1) * 6);
	let index = 0;
	for (let row = 0; row + 1 < rows; row++)
		for (let column = 0; column + 1 < columns; column++) {
			const corner = row * columns + column;
			triangles[index++] = corner;
			triangles[index++] = corner + columns;
			triangles[index++] = corner + 1;
			triangles[index++] = corner + 1;
			triangles[index++] = corner + columns;
			triangles[index++] = corner + columns + 1;
		}
	return { points, triangles };
}

/** Returns a grid with a level rim at the sides where it ends. */
export function withRim(points: Float32Array, rows: number, columns: number, ends: GridEnds): Points {
	const [left, near] = [Number(ends.left), Number(ends.near)];
	const allColumns = columns + left + Number(ends.right);
	const allRows = rows + near + Number(ends.far);
	const padded = new Float32Array(allColumns * allRows * 3);
	let to = 0;
	for (let row = -near; row < allRows - near; row++)
		for (let column = -left; column < allColumns - left; column++) {
			const [x, z] = [Math.min(columns - 1, Math.max(0, column)), Math.min(rows - 1, Math.max(0, row))];
			const from = (z * columns + x) * 3;
			padded[to++] = points[from]! + Math.sign(column - x) * RIM;
			padded[to++] = points[from + 1]!;
			padded[to++] = points[from + 2]! + Math.sign(row - z) * RIM;
		}
	return triangulateGrid(padded, allRows, allColumns);
}

/** Returns triangles and their backs: the same triangles, facing the other way, slightly behind. */
function withBack({ points, triangles }: Points, firstPoints: Uint32Array): Points {
	const count = points.length / 3;
	const normals = cornerNormals({ points, triangles }, firstPoints);
	const allPoints = new Float32Array(points.length * 2);
	allPoints.set(points);
	for (let i = 0; i < points.length; i++) allPoints[points.length + i] = points[i]! - THICKNESS * normals[i]!;
	const faces = new Uint32Array(triangles.length * 2);
	faces.set(triangles);
	for (let i = 0; i < triangles.length; i += 3) {
		faces[triangles.length + i] = triangles[i]! + count;
		faces[triangles.length + i + 1] = triangles[i + 2]! + count;
		faces[triangles.length + i + 2] = triangles[i + 1]! + count;
	}
	return { points: allPoints, triangles: faces };
}

/** Returns the mean unit normal of the triangles at each point; 0 if their normals cancel. */
function cornerNormals({ points, triangles }: Points, firstPoints: Uint32Array): Float64Array {
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
				const index = firstPoints[triangles[i + corner]!]! * 3 + axis;
				sums[index] = sums[index]! + normal[axis]!;
			}
	}
	const normals = new Float64Array(points.length);
	firstPoints.forEach((firstPoint, point) => {
		const start = firstPoint * 3;
		normals.set(unit(sums[start]!, sums[start + 1]!, sums[start + 2]!), point * 3);
	});
	return normals;
}

function unit(x: number, y: number, z: number): readonly [number, number, number] {
	const length = Math.sqrt(x * x + y * y + z * z);
	return length > 1e-9 ? [x / length, y / length, z / length] : [0, 0, 0];
}

/** Returns, for each point, the first point at the same position. */
function firstPointAtPosition(points: Float32Array): Uint32Array {
	const firstByPosition = new Map<string, number>();
	return Uint32Array.from({ length: points.length / 3 }, (_, point) => {
		const start = point * 3;
		const key = `${points[start]} ${points[start + 1]} ${points[start + 2]}`;
		const first = firstByPosition.get(key);
		if (first === undefined) firstByPosition.set(key, point);
		return first ?? point;
	});
}
