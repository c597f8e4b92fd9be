/**
 * Geometry of colliders, from their document or from an asset.
 * Owns: the arrays for the physics library. They are created once for all worlds that share a document or an asset.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { shapeError } from '../../../shared/contract/explain-issue.ts';
import { extentOf, type Geometry } from '../../../shared/media/collider-geometry.ts';
import {
	type AnyPointShape,
	type ColliderShapeName,
	documentOf,
	isPointShape,
	type ShapeSize,
	shapeByName,
} from '../../../shared/media/collider-shapes.ts';
import type { TerrainGround } from '../../../shared/media/terrain.ts';
import type { AssetBytes } from '../core/assets.ts';
import type { Vector } from '../core/math/vector.ts';
import { get, has, read, type World } from '../core/world.ts';
import { isModel } from '../models/gltf.ts';
import { hullPointsOf, trianglesOf } from '../models/solid.ts';
import { heightRange, pointHeight, sizeOf } from '../terrain/ground.ts';
import type { TerrainTile } from '../terrain/tiles.ts';
import { moveTips, triangulateGrid, withRim } from './surfaces.ts';

/** Values of a Collider component. */
export interface ColliderValues {
	readonly shape: ColliderShapeName;
	readonly size: ShapeSize;
	readonly geometry: Geometry | null;
}

/** Points and triangles of a shape, for the library. */
export interface Points {
	/** Points, each as x, y, z. */
	readonly points: Float32Array;
	/** Triangles, each as three indexes of points. */
	readonly triangles: Uint32Array;
}

/** Bounds of a shape, relative to its entity. */
export interface Bounds {
	/**
	 * For heights: the number of rows and columns of squares, their total extent, and the offset of their middle from the
	 * entity. Null for other shapes.
	 */
	readonly field: {
		readonly rows: number;
		readonly columns: number;
		readonly size: readonly [number, number];
		readonly middle: readonly [number, number];
	} | null;
	/** Half extents of the box around the entity that contains the shape. */
	readonly half: Vector;
}

export interface ShapeGeometry extends Points, Bounds {}

/** Caches. Documents and asset bytes are never changed in place. */
const geometryByDocument = new WeakMap<Geometry, ShapeGeometry>();
const geometriesByBytes = new WeakMap<Uint8Array, Map<ColliderShapeName, ShapeGeometry>>();

/** Returns the geometry of a shape. Throws `asset_missing` and `asset_refused`. */
export function geometryOf(assets: AssetBytes, shape: AnyPointShape, geometry: Geometry): ShapeGeometry {
	if (geometry.asset == null) {
		let cached = geometryByDocument.get(geometry);
		if (cached === undefined) {
			cached = buildGeometry(geometry);
			geometryByDocument.set(geometry, cached);
		}
		return cached;
	}
	const bytes = assets.find(geometry.asset);
	if (bytes === undefined)
		throw new ApiError(
			'asset_missing',
			`The ${shape.name} needs the asset ${geometry.asset}, which this engine does not have.`,
			{
				fix: 'Upload it with POST /asset/upload, then send the call again.',
			},
		);
	const shapes = geometriesByBytes.get(bytes) ?? new Map<ColliderShapeName, ShapeGeometry>();
	geometriesByBytes.set(bytes, shapes);
	const cached = shapes.get(shape.name) ?? buildGeometry(readAsset(shape, geometry.asset, bytes));
	shapes.set(shape.name, cached);
	return cached;
}

/** Functions that read shapes from models. `subject` names the asset in error texts. */
const MODEL_READERS: {
	readonly [Name in ColliderShapeName]?: (bytes: Uint8Array, subject: string) => Geometry;
} = {
	ConvexHull: (bytes, subject) => ({ points: hullPointsOf(bytes, subject) }),
	TriMesh: trianglesOf,
};

function readAsset({ name, points }: AnyPointShape, hash: string, bytes: Uint8Array): Geometry {
	const readModel = MODEL_READERS[name];
	const fix = `Upload ${readModel === undefined ? '' : 'a GLB model, or '}JSON with ${points.names.join(' and ')} in the form of a ${name} document.`;
	let document: unknown;
	if (isModel(bytes)) {
		if (readModel === undefined)
			throw new ApiError(
				'asset_refused',
				`The asset ${hash} is a model, but a ${name} cannot be made from a model.`,
				{
					fix,
				},
			);
		document = readModel(bytes, `The asset ${hash}`);
	} else
		try {
			document = JSON.parse(new TextDecoder().decode(bytes));
		} catch {
			throw new ApiError('asset_refused', `The asset ${hash} is not JSON, which a ${name} needs.`, {
				fix,
			});
		}
	const parsed = points.held.safeParse(document);
	if (parsed.success) return parsed.data;
	const { message } = shapeError('asset_refused', points.held, parsed.error, document, `The asset ${hash}`);
	throw new ApiError('asset_refused', message, { fix });
}

function buildGeometry(geometry: Geometry): ShapeGeometry {
	const half = extentOf(geometry);
	const { points = [], triangles = [], heights, size } = geometry;
	if (heights != null) return { ...heightFieldOf(heights, size!), half };
	return {
		points: Float32Array.from((points ?? []).flat()),
		triangles: Uint32Array.from((triangles ?? []).flat()),
		field: null,
		half,
	};
}

/** Returns the points and triangles of heights in rows along x, centred on the entity. */
function heightFieldOf(
	heights: readonly (readonly number[])[],
	size: readonly [number, number],
): Points & Pick<Bounds, 'field'> {
	const [rows, columns] = [heights.length, heights[0]!.length];
	return {
		...gridTriangles(rows, columns, {
			x: (column) => (column / (columns - 1) - 0.5) * size[0],
			y: (column, row) => heights[row]![column]!,
			z: (row) => (row / (rows - 1) - 0.5) * size[1],
		}),
		field: { rows: rows - 1, columns: columns - 1, size, middle: [0, 0] },
	};
}

/** Coordinates of the points of a grid. */
interface Grid {
	x(column: number): number;
	y(column: number, row: number): number;
	z(row: number): number;
}

/**
 * Returns a grid as triangles, two for each square. The library also has a shape for heights. It is not used, because a
 * world with it does not continue identically after it was saved and loaded.
 */
function gridTriangles(rows: number, columns: number, grid: Grid): Points {
	return triangulateGrid(gridPoints(rows, columns, grid), rows, columns);
}

function gridPoints(rows: number, columns: number, { x, y, z }: Grid): Float32Array {
	const points = new Float32Array(rows * columns * 3);
	let index = 0;
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) {
			points[index++] = x(column);
			points[index++] = y(column, row);
			points[index++] = z(row);
		}
	return points;
}

/** Returns the ground of a terrain in a slot, or null. The ground is an obstacle even without a collider. */
export function groundAt(world: World, slot: number): TerrainGround | null {
	return has(world, slot, Terrain) ? (read(world, Terrain, 'ground')[slot] ?? null) : null;
}

const boundsByGround = new WeakMap<TerrainGround, Bounds>();

/** Returns the bounds of a terrain, whose corner is at the entity. */
export function groundBounds(ground: TerrainGround): Bounds {
	let bounds = boundsByGround.get(ground);
	if (bounds === undefined) {
		const size = sizeOf(ground);
		const { lowest, highest } = heightRange(ground);
		const middle = [size[0] / 2, size[1] / 2] as const;
		bounds = {
			field: { rows: ground.height - 1, columns: ground.width - 1, size, middle },
			half: [size[0], Math.max(Math.abs(lowest), Math.abs(highest)), size[1]],
		};
		boundsByGround.set(ground, bounds);
	}
	return bounds;
}

/** Offsets (column and row) of the points of a terrain that share a triangle with a point. */
const NEIGHBOURS = [
	[1, 0],
	[-1, 0],
	[0, 1],
	[0, -1],
	[1, -1],
	[-1, 1],
] as const;

/** Returns true if an inner point of a terrain is higher than all its neighbours. */
function isTip(ground: TerrainGround, column: number, row: number): boolean {
	if (column === 0 || row === 0 || column + 1 === ground.width || row + 1 === ground.height) return false;
	const height = pointHeight(ground, column, row);
	return NEIGHBOURS.every(([x, z]) => pointHeight(ground, column + x, row + z) < height);
}

/**
 * Returns the triangles of a tile of a terrain, with a rim at the border of the terrain. At inner borders it overlaps the
 * next tile by one square, because the library needs both sides of an edge.
 */
export function tilePoints(ground: TerrainGround, tile: TerrainTile): Points {
	const [left, near] = [Math.max(0, tile.column - 1), Math.max(0, tile.row - 1)];
	const columns = Math.min(ground.width, tile.column + tile.columns + 1) - left;
	const rows = Math.min(ground.height, tile.row + tile.rows + 1) - near;
	const points = gridPoints(rows, columns, {
		x: (column) => (left + column) * ground.cell_size,
		y: (column, row) => pointHeight(ground, left + column, near + row),
		z: (row) => (near + row) * ground.cell_size,
	});
	moveTips(points, (index) => isTip(ground, left + (index % columns), near + Math.floor(index / columns)));
	return withRim(points, rows, columns, {
		left: left === 0,
		right: left + columns === ground.width,
		near: near === 0,
		far: near + rows === ground.height,
	});
}

/** Returns the half extents of a collider's bounding box, before rotation. */
export function halfExtent(world: World, { shape, size, geometry }: ColliderValues): Vector {
	const declared = shapeByName(shape);
	return isPointShape(declared) ? geometryOf(world.assets, declared, geometry!).half : declared.extent(size);
}

/** Returns true if a shape is a surface without an inside. */
export function isSurface(shape: ColliderShapeName): boolean {
	const declared = shapeByName(shape);
	return isPointShape(declared) && declared.surface;
}

/** Returns the collider in a slot that has one. */
export function colliderAt(world: World, slot: number): ColliderValues {
	const size = read(world, Collider, 'size');
	const start = slot * 3;
	return {
		shape: Collider.fields.shape.words[read(world, Collider, 'shape')[slot]!]!,
		size: [size[start]!, size[start + 1]!, size[start + 2]!],
		geometry: read(world, Collider, 'geometry')[slot] ?? null,
	};
}

/** Throws `asset_missing`, `asset_refused` or `static_only` if the collider, or its use with the body, is impossible. */
export function requireCollider(
	world: World,
	{ shape, geometry }: Pick<ColliderValues, 'shape' | 'geometry'>,
	body: 'Dynamic' | 'Static' | 'Kinematic' | null,
): void {
	const declared = shapeByName(shape);
	if (!isPointShape(declared)) return;
	geometryOf(world.assets, declared, geometry!);
	if (declared.surface && body !== null && body !== 'Static')
		throw new ApiError('static_only', `A ${shape} has no volume, so a ${body} body cannot use it.`);
}

/** Checks the collider of an entity in the same way, and its values too. */
export function requireColliderOf(world: World, id: number): void {
	const collider = get(world, id, Collider);
	if (collider === undefined) return;
	const { shape, size, geometry } = collider;
	const declared = shapeByName(shape);
	if (!isPointShape(declared)) return;
	const document = documentOf(shape, size, geometry);
	const parsed = declared.schema.safeParse(document);
	if (!parsed.success)
		throw shapeError('invalid_body', declared.schema, parsed.error, document, `The ${shape}`);
	requireCollider(world, collider, get(world, id, PhysicsBody)?.kind ?? null);
}
