/**
 * Limits the number of triangles of surfaces (meshes, heights) that moving bodies may touch in one step. Each takes the
 * physics library about 250 bytes and 3 microseconds.
 * Owns: the limit, and an upper bound of that number.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { isPointShape, shapeByName } from '../../../shared/media/collider-shapes.ts';
import { DT } from '../core/clock.ts';
import type { Vector } from '../core/math/vector.ts';
import { count, each, get, has, read, type World } from '../core/world.ts';
import { DYNAMIC_KIND } from './crowding.ts';
import {
	type Bounds,
	colliderAt,
	geometryOf,
	groundAt,
	groundBounds,
	halfExtent,
	isSurface,
	type ShapeGeometry,
} from './geometry.ts';

const MAX_TRIANGLES = 400_000;

const length = ([x, y, z]: Vector): number => Math.sqrt(x * x + y * y + z * z);

/** A surface and its pose. */
interface Surface {
	readonly shape: Bounds;
	/** Null for heights, whose triangles form a regular grid. */
	readonly mesh: ShapeGeometry | null;
	readonly position: Vector;
	/** x, y, z, w. */
	readonly rotation: readonly [number, number, number, number];
	/** Radius of its bounding sphere around its position. */
	readonly radius: number;
	readonly triangles: number;
}

const surfaceShapes = Collider.fields.shape.words.map((name) => isSurface(name));

/** Throws `too_crowded` if moving bodies may touch too many triangles in one tick. */
export function requireFewTriangles(world: World, limit = MAX_TRIANGLES): void {
	if (count(world, Collider) === 0) return;
	const surfaces = surfacesOf(world);
	const total = surfaces.reduce((sum, { triangles }) => sum + triangles, 0);
	if (total * count(world, PhysicsBody) <= limit) return;
	if (countReachable(world, surfaces, limit) <= limit) return;
	throw new ApiError(
		'too_crowded',
		`Moving bodies could touch more than ${limit} triangles in one tick, which is the limit of the physics library.`,
		{
			fix: 'Use fewer and larger triangles near bodies, make the bodies smaller, or move them away.',
		},
	);
}

function surfaceColliders(world: World): Surface[] {
	const surfaces: Surface[] = [];
	const shapes = read(world, Collider, 'shape') as Uint8Array;
	if (!surfaceShapes.some((is, word) => is && shapes.includes(word))) return surfaces;
	each(world, [Collider, PhysicsBody, LocalTransform], (slot) => {
		if (!surfaceShapes[shapes[slot]!]) return;
		const { shape: name, geometry } = colliderAt(world, slot);
		const shape = shapeByName(name);
		if (!isPointShape(shape) || geometry === null) return;
		const { position, rotation } = get(world, slot, LocalTransform)!;
		const points = geometryOf(world.assets, shape, geometry);
		const { field } = points;
		surfaces.push({
			shape: points,
			mesh: field === null ? points : null,
			position,
			rotation: rotation as Surface['rotation'],
			radius: length(points.half),
			triangles: field === null ? points.triangles.length / 3 : 2 * field.rows * field.columns,
		});
	});
	return surfaces;
}

/** Returns all surfaces, sorted by the lowest x of their bounding sphere. */
function surfacesOf(world: World): Surface[] {
	const surfaces = surfaceColliders(world);
	each(world, [Terrain, LocalTransform], (slot) => {
		const ground = groundAt(world, slot);
		if (ground === null) return;
		const { position, rotation } = get(world, slot, LocalTransform)!;
		const shape = groundBounds(ground);
		surfaces.push({
			shape,
			mesh: null,
			position,
			rotation: rotation as Surface['rotation'],
			radius: length(shape.half),
			triangles: 2 * (ground.width - 1) * (ground.height - 1),
		});
	});
	return surfaces.sort((a, b) => a.position[0] - a.radius - (b.position[0] - b.radius));
}

/** Counts the triangles that moving bodies may touch, until the count exceeds `limit`. */
function countReachable(world: World, surfaces: readonly Surface[], limit: number): number {
	const maxDiameter = surfaces.reduce((max, { radius }) => Math.max(max, 2 * radius), 0);
	const position = read(world, LocalTransform, 'position');
	const linear = read(world, Velocity, 'linear');
	const kinds = read(world, PhysicsBody, 'kind');
	let sum = 0;
	each(world, [PhysicsBody, Collider, LocalTransform], (slot) => {
		if (sum > limit || kinds[slot] !== DYNAMIC_KIND) return;
		const start = slot * 3;
		const speed = has(world, slot, Velocity)
			? length([linear[start]!, linear[start + 1]!, linear[start + 2]!])
			: 0;
		// During this tick, the body may touch triangles within this distance.
		const reach = length(halfExtent(world, colliderAt(world, slot))) + speed * DT;
		const center: Vector = [position[start]!, position[start + 1]!, position[start + 2]!];
		for (let i = findFirstFrom(surfaces, center[0] - reach - maxDiameter); i < surfaces.length; i++) {
			const surface = surfaces[i]!;
			if (surface.position[0] - surface.radius > center[0] + reach) break;
			sum += trianglesNear(surface, center, reach);
			if (sum > limit) return;
		}
	});
	return sum;
}

/** Returns the index of the first surface whose lowest x is not below a bound. */
function findFirstFrom(surfaces: readonly Surface[], bound: number): number {
	let [low, high] = [0, surfaces.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const { position, radius } = surfaces[middle]!;
		if (position[0] - radius < bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Returns an upper bound of the number of triangles of a surface within a distance of a point. */
function trianglesNear(
	{ shape, mesh, position, rotation, radius, triangles }: Surface,
	point: Vector,
	reach: number,
): number {
	const offset: Vector = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
	if (length(offset) > radius + reach) return 0;
	const center = rotateInversely(rotation, offset);
	if (center.some((part, axis) => Math.abs(part) > shape.half[axis]! + reach)) return 0;
	if (mesh !== null) return Math.min(triangles, binsOf(mesh).countNear(center, reach));
	const { columns, rows, size, middle } = shape.field!;
	const cellsAlong = (axis: 0 | 2, cells: number, size: number, middle: number) => {
		const cell = size / cells;
		const from = center[axis] - middle + size / 2;
		const first = Math.floor((from - reach) / cell);
		const last = Math.floor((from + reach) / cell);
		return Math.max(0, Math.min(cells - 1, last) - Math.max(0, first) + 1);
	};
	return 2 * cellsAlong(0, columns, size[0], middle[0]) * cellsAlong(2, rows, size[1], middle[1]);
}

/** Returns a vector rotated by the inverse of a unit quaternion. */
function rotateInversely([x, y, z, w]: Surface['rotation'], [a, b, c]: Vector): Vector {
	// v + 2 q x (q x v + w v) with the conjugate of the rotation.
	const tx = 2 * (z * b - y * c);
	const ty = 2 * (x * c - z * a);
	const tz = 2 * (y * a - x * b);
	return [a + w * tx + z * ty - y * tz, b + w * ty + x * tz - z * tx, c + w * tz + y * tx - x * ty];
}

/** Number of bins along each side of the bounding box of a mesh. */
const BINS_PER_SIDE = 16;

/** Number of triangles in each part of a mesh. */
interface TriangleBins {
	/** Returns an upper bound of the number of triangles within a distance of a point. */
	countNear(point: Vector, reach: number): number;
}

const binsByMesh = new WeakMap<ShapeGeometry, TriangleBins>();

function binsOf(shape: ShapeGeometry): TriangleBins {
	let bins = binsByMesh.get(shape);
	if (bins === undefined) {
		bins = buildBins(shape);
		binsByMesh.set(shape, bins);
	}
	return bins;
}

function buildBins({ points, triangles, half }: ShapeGeometry): TriangleBins {
	const side = BINS_PER_SIDE + 1;
	const counts = new Int32Array(side * side * side);
	const indexAt = (x: number, y: number, z: number) => (x * side + y) * side + z;
	const binAt = (value: number, axis: 0 | 1 | 2): number => {
		const width = (2 * half[axis]) / BINS_PER_SIDE;
		return width === 0
			? 0
			: Math.min(BINS_PER_SIDE - 1, Math.max(0, Math.floor((value + half[axis]) / width)));
	};
	for (let i = 0; i < triangles.length; i += 3) {
		const ends = ([0, 1, 2] as const).map((axis) => {
			const corners = [0, 1, 2].map((k) => points[triangles[i + k]! * 3 + axis]!);
			return [binAt(Math.min(...corners), axis), binAt(Math.max(...corners), axis) + 1] as const;
		});
		// Adds the corners of a difference array: +1 at the first bin and -1 after the last on each axis. Sums follow below.
		for (let corner = 0; corner < 8; corner++) {
			const [x, y, z] = ends.map((end, axis) => end[(corner >> axis) & 1]!) as [number, number, number];
			const sign = [1, -1, -1, 1, -1, 1, 1, -1][corner]!;
			counts[indexAt(x, y, z)] = counts[indexAt(x, y, z)]! + sign;
		}
	}
	for (const step of [1, side, side * side])
		for (let i = 0; i < counts.length; i++)
			if (Math.floor(i / step) % side > 0) counts[i] = counts[i]! + counts[i - step]!;
	return {
		countNear([x, y, z], reach) {
			let sum = 0;
			for (let i = binAt(x - reach, 0); i <= binAt(x + reach, 0); i++)
				for (let j = binAt(y - reach, 1); j <= binAt(y + reach, 1); j++)
					for (let k = binAt(z - reach, 2); k <= binAt(z + reach, 2); k++) sum += counts[indexAt(i, j, k)]!;
			return sum;
		},
	};
}
