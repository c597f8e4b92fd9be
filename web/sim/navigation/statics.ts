/**
 * Static things that block or support walkers: fixed colliders, terrains, and water.
 * Owns: finding them, comparing them, and their surfaces as triangles in the world.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { Geometry } from '../../../shared/media/collider-geometry.ts';
import { isPointShape, shapeByName } from '../../../shared/media/collider-shapes.ts';
import { chunkCount, chunkPlace, type TerrainGround } from '../../../shared/media/terrain.ts';
import { fnv1a } from '../core/fnv.ts';
import { count, each, read, versionOf, type World } from '../core/world.ts';
import { geometryOf, groundAt } from '../physics/geometry.ts';
import { FIXED } from '../physics/mirror.ts';
import { type BodyKind, readBodyKind } from '../physics/sync-bodies.ts';
import { hullTriangles } from '../space/hull.ts';
import { pointsOf, sizeOf } from '../terrain/ground.ts';
import { type WaterEntity, watersOf, watersVersion } from '../water/water.ts';
import { shapeTriangles } from './shapes.ts';

/** Number of values in a row: shape, size, position and rotation. */
const ROW = 11;
const GROUND_SHAPE = -1;

/** All static things in slot order. Equal surveys mean equal things. */
export interface StaticSurvey {
	readonly waters: readonly WaterRectangle[];
	readonly rows: Float64Array;
	/** Geometry or ground of each row; null if it has neither. */
	readonly geometries: readonly (Geometry | TerrainGround | null)[];
}

/** Returns the versions of all data that a survey reads. */
export function staticsVersion(world: World): string {
	return [
		versionOf(world, PhysicsBody, 'kind'),
		versionOf(world, Collider, 'shape', 'size', 'geometry'),
		versionOf(world, Terrain, 'ground'),
		versionOf(world, Velocity),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent),
		watersVersion(world),
	].join();
}

/** Collects all static things. */
export function surveyStatics(world: World): StaticSurvey {
	const slots: number[] = [];
	const bodyKind: BodyKind = { kind: 0, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const addIfFixed = (slot: number) => {
		readBodyKind(world, slot, bodyKind, kinds, shapes);
		if (bodyKind.kind === FIXED) slots.push(slot);
	};
	each(world, [PhysicsBody, Collider, LocalTransform], addIfFixed);
	if (count(world, Terrain) > 0) {
		each(world, [Terrain, LocalTransform], addIfFixed);
		slots.sort((a, b) => a - b);
	}
	const sizes = read(world, Collider, 'size');
	const geometries = read(world, Collider, 'geometry');
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	const rows = new Float64Array(slots.length * ROW);
	const shapeData: (Geometry | TerrainGround | null)[] = [];
	slots.forEach((slot, i) => {
		const start = i * ROW;
		const ground = groundAt(world, slot);
		rows[start] = ground === null ? shapes[slot]! : GROUND_SHAPE;
		if (ground === null) for (let j = 0; j < 3; j++) rows[start + 1 + j] = sizes[slot * 3 + j]!;
		for (let j = 0; j < 3; j++) rows[start + 4 + j] = position[slot * 3 + j]!;
		for (let j = 0; j < 4; j++) rows[start + 7 + j] = rotation[slot * 4 + j]!;
		shapeData.push(ground ?? geometries[slot] ?? null);
	});
	return { rows, geometries: shapeData, waters: watersOf(world).flatMap(waterRectangles) };
}

export function isSameSurvey(a: StaticSurvey, b: StaticSurvey): boolean {
	if (a.rows.length !== b.rows.length) return false;
	for (let i = 0; i < a.rows.length; i++) if (a.rows[i] !== b.rows[i]) return false;
	if (a.waters.map(({ key }) => key).join() !== b.waters.map(({ key }) => key).join()) return false;
	return a.geometries.every((thing, i) => thing === b.geometries[i]);
}

/** A rectangle of water. Ground in it costs more to walk on, or is not walkable. */
export interface WaterRectangle {
	/** Text of its numbers. Waters with equal texts are equal for walkers. */
	readonly key: string;
	readonly minX: number;
	readonly minZ: number;
	readonly maxX: number;
	readonly maxZ: number;
	/** Heights between which ground is deep in water (m). */
	readonly low: number;
	readonly high: number;
	/** Factor of the cost of a metre of ground; 0 means not walkable. */
	readonly cost: number;
}

function waterRectangles({ areas, level, depth, wade, walk_cost }: WaterEntity): WaterRectangle[] {
	// Rules may set any number. Water is never cheaper than ground, because the search relies on the lowest cost.
	const cost = walk_cost === 0 ? 0 : Math.max(1, walk_cost);
	if (cost === 1) return [];
	const [low, high] = [level - depth, level - wade];
	return areas.map((area) => ({
		...area,
		low,
		high,
		cost,
		key: [area.minX, area.minZ, area.maxX, area.maxZ, low, high, cost].join(' '),
	}));
}

/** Static body, or a rotated terrain. */
export interface Solid {
	/** Text of its kind and pose. Things with equal texts are equal for walkers. */
	readonly key: string;
	/** True if it has a volume, which blocks completely. */
	readonly isConvex: boolean;
	/** Corners of its triangles in the world, nine numbers each. */
	readonly triangles: Float64Array;
	readonly minX: number;
	readonly minZ: number;
	readonly maxX: number;
	readonly maxZ: number;
}

/** A terrain that is not rotated, so that its sides are along x and z. */
export interface Field {
	readonly key: string;
	readonly ground: TerrainGround;
	/** Position of its corner with the lowest x and z (m). */
	readonly x: number;
	readonly y: number;
	readonly z: number;
	readonly minX: number;
	readonly minZ: number;
	readonly maxX: number;
	readonly maxZ: number;
}

export interface Statics {
	readonly solids: readonly Solid[];
	readonly fields: readonly Field[];
	readonly waters: readonly WaterRectangle[];
}

type Pose = readonly [x: number, y: number, z: number, qx: number, qy: number, qz: number, qw: number];

const isUpright = ([, , , x, y, z]: Pose): boolean => x === 0 && y === 0 && z === 0;

/** Returns the static things of a survey. Solids that `before` contains are reused. */
export function staticsOf(
	world: World,
	{ rows, geometries: shapeData, waters }: StaticSurvey,
	before: ReadonlyMap<string, Solid>,
): Statics {
	const solids: Solid[] = [];
	const fields: Field[] = [];
	shapeData.forEach((data, i) => {
		const start = i * ROW;
		const pose = Array.from(rows.subarray(start + 4, start + ROW)) as unknown as Pose;
		if (rows[start] === GROUND_SHAPE) {
			const ground = data as TerrainGround;
			if (isUpright(pose)) fields.push(fieldOf(ground, pose));
			else
				solids.push(
					solidOf(`ground ${groundText(ground)} ${pose.join()}`, false, before, pose, () =>
						groundTriangles(ground),
					),
				);
			return;
		}
		const shape = shapeByName(Collider.fields.shape.words[rows[start]!]!);
		const size = [rows[start + 1]!, rows[start + 2]!, rows[start + 3]!] as const;
		const key = `${shape.name} ${size.join()} ${pose.join()}`;
		if (!isPointShape(shape))
			solids.push(solidOf(key, true, before, pose, () => shapeTriangles(shape, size)));
		else {
			const { points, triangles } = geometryOf(world.assets, shape, data as Geometry);
			if (shape.surface) solids.push(solidOf(key, false, before, pose, () => cornersOf(points, triangles)));
			else solids.push(solidOf(key, true, before, pose, () => hullTriangles(points)));
		}
	});
	const compareKeys = (a: { readonly key: string }, b: { readonly key: string }) =>
		a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
	return { solids: solids.sort(compareKeys), fields: fields.sort(compareKeys), waters };
}

function fieldOf(ground: TerrainGround, [x, y, z]: Pose): Field {
	const [width, depth] = sizeOf(ground);
	return {
		key: `${x},${y},${z}`,
		ground,
		x,
		y,
		z,
		minX: x,
		minZ: z,
		maxX: x + width,
		maxZ: z + depth,
	};
}

function cornersOf(points: Float32Array, triangles: Uint32Array): Float64Array {
	const corners = new Float64Array(triangles.length * 3);
	triangles.forEach((point, i) => {
		corners.set(points.subarray(point * 3, point * 3 + 3), i * 3);
	});
	return corners;
}

const textByGround = new WeakMap<TerrainGround, string>();

/** Returns a text that is equal for equal grounds. Solids are sorted by it, so that the order does not depend on objects. */
function groundText(ground: TerrainGround): string {
	let text = textByGround.get(ground);
	if (text === undefined) {
		const { width, height, cell_size } = ground;
		const { heights } = heightsOf(ground);
		const bytes = new Uint8Array(heights.buffer, heights.byteOffset, heights.byteLength);
		text = `${width} ${height} ${cell_size} ${fnv1a(bytes).toString(16)}`;
		textByGround.set(ground, text);
	}
	return text;
}

/** Returns the triangles of a whole terrain, relative to its corner. */
function groundTriangles(ground: TerrainGround): Float64Array {
	const { heights, columns } = heightsOf(ground);
	const { width, height, cell_size: edge } = ground;
	const corners = new Float64Array((width - 1) * (height - 1) * 18);
	let index = 0;
	const addCorner = (column: number, row: number) => {
		corners[index++] = column * edge;
		corners[index++] = heights[row * columns + column]!;
		corners[index++] = row * edge;
	};
	for (let row = 0; row + 1 < height; row++)
		for (let column = 0; column + 1 < width; column++) {
			addCorner(column, row);
			addCorner(column, row + 1);
			addCorner(column + 1, row);
			addCorner(column + 1, row);
			addCorner(column, row + 1);
			addCorner(column + 1, row + 1);
		}
	return corners;
}

function solidOf(
	key: string,
	isConvex: boolean,
	before: ReadonlyMap<string, Solid>,
	pose: Pose,
	createTriangles: () => Float64Array,
): Solid {
	const solid = before.get(key);
	if (solid !== undefined) return solid;
	const corners = transformCorners(createTriangles(), pose);
	let [minX, minZ, maxX, maxZ] = [Infinity, Infinity, -Infinity, -Infinity];
	for (let i = 0; i < corners.length; i += 3) {
		minX = Math.min(minX, corners[i]!);
		maxX = Math.max(maxX, corners[i]!);
		minZ = Math.min(minZ, corners[i + 2]!);
		maxZ = Math.max(maxZ, corners[i + 2]!);
	}
	return { key, isConvex, triangles: corners, minX, minZ, maxX, maxZ };
}

/** Rotates and moves corners in place, and returns them. */
function transformCorners(corners: Float64Array, [px, py, pz, x, y, z, w]: Pose): Float64Array {
	for (let i = 0; i < corners.length; i += 3) {
		const [a, b, c] = [corners[i]!, corners[i + 1]!, corners[i + 2]!];
		// v + 2 q x (q x v + w v)
		const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
		corners[i] = px + a + w * tx + y * tz - z * ty;
		corners[i + 1] = py + b + w * ty + z * tx - x * tz;
		corners[i + 2] = pz + c + w * tz + x * ty - y * tx;
	}
	return corners;
}

/** All heights of a ground in rows along x (m). */
export interface Heights {
	readonly heights: Float32Array;
	readonly columns: number;
}

const heightsByGround = new WeakMap<TerrainGround, Heights>();

export function heightsOf(ground: TerrainGround): Heights {
	let cached = heightsByGround.get(ground);
	if (cached === undefined) {
		cached = { heights: allHeights(ground), columns: ground.width };
		heightsByGround.set(ground, cached);
	}
	return cached;
}

function allHeights(ground: TerrainGround): Float32Array {
	const { width, height } = ground;
	const heights = new Float32Array(width * height);
	for (let index = 0; index < chunkCount(ground); index++) {
		const { column, row, columns, rows } = chunkPlace(ground, index);
		const points = pointsOf(ground, index).heights;
		for (let chunkRow = 0; chunkRow < rows; chunkRow++)
			heights.set(
				points.subarray(chunkRow * columns, (chunkRow + 1) * columns),
				(row + chunkRow) * width + column,
			);
	}
	return heights;
}
