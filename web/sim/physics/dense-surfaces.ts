/**
 * Number of triangles of surfaces (meshes, heights) that the physics library may have to look at in its next step.
 * Owns: the most that it is given. Each triangle that a moving body may touch takes it some 250 bytes and 3 microseconds:
 * eight balls on a million cells of half a metre would take all of its memory.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { isPointed, shapeNamed } from '../../../shared/media/collider-shapes.ts';
import { DT } from '../core/clock.ts';
import type { Vector } from '../core/math/vector.ts';
import { count, each, get, has, read, type World } from '../core/world.ts';
import { DYNAMIC_KIND } from './crowding.ts';
import {
	type Bounds,
	colliderAt,
	extent,
	groundAt,
	groundBounds,
	isSurface,
	type Made,
	made,
} from './geometry.ts';

const MOST = 400_000;

const length = ([x, y, z]: Vector): number => Math.sqrt(x * x + y * y + z * z);

/** A surface, where it lies. */
interface Surface {
	readonly shape: Bounds;
	/** Null for heights, whose triangles are where they are by their order. */
	readonly mesh: Made | null;
	readonly position: Vector;
	/** x, y, z, w. */
	readonly rotation: readonly [number, number, number, number];
	/** Radius of the ball round its position that has all of it. */
	readonly radius: number;
	readonly triangles: number;
}

const surfaceShapes = Collider.fields.shape.words.map((name) => isSurface(name));

/** Throws `too_crowded` when moving bodies may touch too many triangles in one tick. Changes nothing. */
export function requireFewTriangles(world: World, most = MOST): void {
	if (count(world, Collider) === 0) return;
	const surfaces = surfacesOf(world);
	const all = surfaces.reduce((sum, { triangles }) => sum + triangles, 0);
	if (all * count(world, PhysicsBody) <= most) return;
	if (touched(world, surfaces, most) <= most) return;
	throw new ApiError(
		'too_crowded',
		`Moving bodies could touch more than ${most} triangles in one tick, which is the limit of the physics library.`,
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
		const shape = shapeNamed(name);
		if (!isPointed(shape) || geometry === null) return;
		const { position, rotation } = get(world, slot, LocalTransform)!;
		const points = made(world.assets, shape, geometry);
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

/** Returns all surfaces, by the lowest x that they may reach. */
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

/** Triangles that moving bodies may touch, counted until they are more than `most`. */
function touched(world: World, surfaces: readonly Surface[], most: number): number {
	const widest = surfaces.reduce((most, { radius }) => Math.max(most, 2 * radius), 0);
	const position = read(world, LocalTransform, 'position');
	const linear = read(world, Velocity, 'linear');
	const kinds = read(world, PhysicsBody, 'kind');
	let sum = 0;
	each(world, [PhysicsBody, Collider, LocalTransform], (slot) => {
		if (sum > most || kinds[slot] !== DYNAMIC_KIND) return;
		const at = slot * 3;
		const speed = has(world, slot, Velocity) ? length([linear[at]!, linear[at + 1]!, linear[at + 2]!]) : 0;
		// On its way through this tick it may touch whatever is this near.
		const reach = length(extent(world, colliderAt(world, slot))) + speed * DT;
		const center: Vector = [position[at]!, position[at + 1]!, position[at + 2]!];
		for (let i = firstFrom(surfaces, center[0] - reach - widest); i < surfaces.length; i++) {
			const surface = surfaces[i]!;
			if (surface.position[0] - surface.radius > center[0] + reach) break;
			sum += trianglesNear(surface, center, reach);
			if (sum > most) return;
		}
	});
	return sum;
}

/** Returns the first surface whose lowest x is not below a bound. */
function firstFrom(surfaces: readonly Surface[], bound: number): number {
	let [low, high] = [0, surfaces.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const { position, radius } = surfaces[middle]!;
		if (position[0] - radius < bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** At most this many triangles of a surface are within a distance of a point. */
function trianglesNear(
	{ shape, mesh, position, rotation, radius, triangles }: Surface,
	point: Vector,
	reach: number,
): number {
	const offset: Vector = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
	if (length(offset) > radius + reach) return 0;
	const center = turnedBack(rotation, offset);
	if (center.some((part, axis) => Math.abs(part) > shape.half[axis]! + reach)) return 0;
	if (mesh !== null) return Math.min(triangles, binsOf(mesh).near(center, reach));
	const { columns, rows, size, middle } = shape.field!;
	const along = (axis: 0 | 2, cells: number, size: number, middle: number) => {
		const cell = size / cells;
		const from = center[axis] - middle + size / 2;
		const first = Math.floor((from - reach) / cell);
		const last = Math.floor((from + reach) / cell);
		return Math.max(0, Math.min(cells - 1, last) - Math.max(0, first) + 1);
	};
	return 2 * along(0, columns, size[0], middle[0]) * along(2, rows, size[1], middle[1]);
}

/** Returns a vector in the axes of what is turned by a rotation of unit length. */
function turnedBack([x, y, z, w]: Surface['rotation'], [a, b, c]: Vector): Vector {
	// v + 2 q x (q x v + w v) with the conjugate of the rotation.
	const tx = 2 * (z * b - y * c);
	const ty = 2 * (x * c - z * a);
	const tz = 2 * (y * a - x * b);
	return [a + w * tx + z * ty - y * tz, b + w * ty + x * tz - z * tx, c + w * tz + y * tx - x * ty];
}

/** Bins along each side of the box round a mesh. */
const BINS = 16;

/** Number of triangles that reach into each part of a mesh. */
interface Bins {
	/** At most this many triangles are within a distance of a point. */
	near(point: Vector, reach: number): number;
}

const binned = new WeakMap<Made, Bins>();

function binsOf(shape: Made): Bins {
	let bins = binned.get(shape);
	if (bins === undefined) {
		bins = makeBins(shape);
		binned.set(shape, bins);
	}
	return bins;
}

function makeBins({ points, triangles, half }: Made): Bins {
	const side = BINS + 1;
	const counts = new Int32Array(side * side * side);
	const at = (x: number, y: number, z: number) => (x * side + y) * side + z;
	const bin = (value: number, axis: 0 | 1 | 2): number => {
		const width = (2 * half[axis]) / BINS;
		return width === 0 ? 0 : Math.min(BINS - 1, Math.max(0, Math.floor((value + half[axis]) / width)));
	};
	for (let i = 0; i < triangles.length; i += 3) {
		const ends = ([0, 1, 2] as const).map((axis) => {
			const corners = [0, 1, 2].map((k) => points[triangles[i + k]! * 3 + axis]!);
			return [bin(Math.min(...corners), axis), bin(Math.max(...corners), axis) + 1] as const;
		});
		// One more from its first bin on and one less behind its last, on each axis: summed up below.
		for (let corner = 0; corner < 8; corner++) {
			const [x, y, z] = ends.map((end, axis) => end[(corner >> axis) & 1]!) as [number, number, number];
			const sign = [1, -1, -1, 1, -1, 1, 1, -1][corner]!;
			counts[at(x, y, z)] = counts[at(x, y, z)]! + sign;
		}
	}
	for (const step of [1, side, side * side])
		for (let i = 0; i < counts.length; i++)
			if (Math.floor(i / step) % side > 0) counts[i] = counts[i]! + counts[i - step]!;
	return {
		near([x, y, z], reach) {
			let sum = 0;
			for (let i = bin(x - reach, 0); i <= bin(x + reach, 0); i++)
				for (let j = bin(y - reach, 1); j <= bin(y + reach, 1); j++)
					for (let k = bin(z - reach, 2); k <= bin(z + reach, 2); k++) sum += counts[at(i, j, k)]!;
			return sum;
		},
	};
}
