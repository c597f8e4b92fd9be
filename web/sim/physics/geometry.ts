/**
 * Points of colliders, from their document or from an asset.
 * Owns: the numbers as the physics library takes them, made once for all worlds that share a document or an asset.
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
	isPointed,
	type ShapeSize,
	shapeNamed,
} from '../../../shared/media/collider-shapes.ts';
import type { TerrainGround } from '../../../shared/media/terrain.ts';
import type { AssetBytes } from '../core/assets.ts';
import type { Vector } from '../core/math/vector.ts';
import { get, has, read, type World } from '../core/world.ts';
import { isModel } from '../models/gltf.ts';
import { hullPointsOf, trianglesOf } from '../models/solid.ts';
import { heightRange, pointHeight, sizeOf } from '../terrain/ground.ts';
import type { TerrainTile } from '../terrain/tiles.ts';
import { gridOf, moveAside, withRim } from './surfaces.ts';

/** A collider as columns hold it. */
export interface Shaped {
	readonly shape: ColliderShapeName;
	readonly size: ShapeSize;
	readonly geometry: Geometry | null;
}

/** Arguments from which the library makes a shape. */
export interface Points {
	/** Corners in order: x, y, z. */
	readonly points: Float32Array;
	/** Three corners each. */
	readonly triangles: Uint32Array;
}

/** Bounds of a shape, around its entity. */
export interface Bounds {
	/**
	 * Of ground by its heights: how many rows and columns of squares there are, their extent, and where its middle is from
	 * the entity; null for other shapes.
	 */
	readonly field: {
		readonly rows: number;
		readonly columns: number;
		readonly size: readonly [number, number];
		readonly middle: readonly [number, number];
	} | null;
	/** Half extents of the box round the entity that has all of it. */
	readonly half: Vector;
}

export interface Made extends Points, Bounds {}

/** Documents are never changed in place, and asset bytes neither. */
const ofDocument = new WeakMap<Geometry, Made>();
const ofBytes = new WeakMap<Uint8Array, Map<ColliderShapeName, Made>>();

/** Returns the points of a shape. Throws `asset_missing`, `asset_refused`. */
export function made(assets: AssetBytes, shape: AnyPointShape, geometry: Geometry): Made {
	if (geometry.asset == null) {
		let cached = ofDocument.get(geometry);
		if (cached === undefined) {
			cached = make(geometry);
			ofDocument.set(geometry, cached);
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
	const shapes = ofBytes.get(bytes) ?? new Map<ColliderShapeName, Made>();
	ofBytes.set(bytes, shapes);
	const cached = shapes.get(shape.name) ?? make(readAsset(shape, geometry.asset, bytes));
	shapes.set(shape.name, cached);
	return cached;
}

/** Readers of shapes from models. */
const MODELS: { readonly [Name in ColliderShapeName]?: (bytes: Uint8Array, what: string) => Geometry } = {
	ConvexHull: (bytes, what) => ({ points: hullPointsOf(bytes, what) }),
	TriMesh: trianglesOf,
};

function readAsset({ name, points }: AnyPointShape, hash: string, bytes: Uint8Array): Geometry {
	const fromModel = MODELS[name];
	const fix = `Upload ${fromModel === undefined ? '' : 'a GLB model, or '}JSON with ${points.names.join(' and ')} in the form of a ${name} document.`;
	let sent: unknown;
	if (isModel(bytes)) {
		if (fromModel === undefined)
			throw new ApiError(
				'asset_refused',
				`The asset ${hash} is a model, but a ${name} cannot be made from a model.`,
				{
					fix,
				},
			);
		sent = fromModel(bytes, `The asset ${hash}`);
	} else
		try {
			sent = JSON.parse(new TextDecoder().decode(bytes));
		} catch {
			throw new ApiError('asset_refused', `The asset ${hash} is not JSON, which a ${name} needs.`, {
				fix,
			});
		}
	const parsed = points.held.safeParse(sent);
	if (parsed.success) return parsed.data;
	const { message } = shapeError('asset_refused', points.held, parsed.error, sent, `The asset ${hash}`);
	throw new ApiError('asset_refused', message, { fix });
}

function make(geometry: Geometry): Made {
	const half = extentOf(geometry);
	const { points = [], triangles = [], heights, size } = geometry;
	if (heights != null) return { ...field(heights, size!), half };
	return {
		points: Float32Array.from((points ?? []).flat()),
		triangles: Uint32Array.from((triangles ?? []).flat()),
		field: null,
		half,
	};
}

/** Heights in rows along x, round the middle of an extent. */
function field(
	heights: readonly (readonly number[])[],
	size: readonly [number, number],
): Points & Pick<Bounds, 'field'> {
	const [rows, columns] = [heights.length, heights[0]!.length];
	return {
		...squares(rows, columns, {
			x: (column) => (column / (columns - 1) - 0.5) * size[0],
			y: (column, row) => heights[row]![column]!,
			z: (row) => (row / (rows - 1) - 0.5) * size[1],
		}),
		field: { rows: rows - 1, columns: columns - 1, size, middle: [0, 0] },
	};
}

/** Places of the points of a grid. */
interface Grid {
	x(column: number): number;
	y(column: number, row: number): number;
	z(row: number): number;
}

/**
 * Ground as triangles, two for each square. The library has a shape of its own for heights, but a world with one
 * continues otherwise after it was written out and read in again than it would have.
 */
function squares(rows: number, columns: number, grid: Grid): Points {
	return gridOf(gridPoints(rows, columns, grid), rows, columns);
}

function gridPoints(rows: number, columns: number, { x, y, z }: Grid): Float32Array {
	const points = new Float32Array(rows * columns * 3);
	let at = 0;
	for (let row = 0; row < rows; row++)
		for (let column = 0; column < columns; column++) {
			points[at++] = x(column);
			points[at++] = y(column, row);
			points[at++] = z(row);
		}
	return points;
}

/** Returns the ground of a terrain in a slot, or null: it is an obstacle by itself, without a collider. */
export function groundAt(world: World, slot: number): TerrainGround | null {
	return has(world, slot, Terrain) ? (read(world, Terrain, 'ground')[slot] ?? null) : null;
}

const ofGround = new WeakMap<TerrainGround, Bounds>();

/** Returns the bounds of a terrain's squares; its corner is at the entity. */
export function groundBounds(ground: TerrainGround): Bounds {
	let bounds = ofGround.get(ground);
	if (bounds === undefined) {
		const size = sizeOf(ground);
		const { lowest, highest } = heightRange(ground);
		const middle = [size[0] / 2, size[1] / 2] as const;
		bounds = {
			field: { rows: ground.height - 1, columns: ground.width - 1, size, middle },
			half: [size[0], Math.max(Math.abs(lowest), Math.abs(highest)), size[1]],
		};
		ofGround.set(ground, bounds);
	}
	return bounds;
}

/** Offsets of the points that share a triangle with one of a terrain: column and row from it. */
const BESIDE = [
	[1, 0],
	[-1, 0],
	[0, 1],
	[0, -1],
	[1, -1],
	[-1, 1],
] as const;

/** Returns true if a point of a terrain is higher than all those beside it; one on its border is not. */
function isTip(ground: TerrainGround, column: number, row: number): boolean {
	if (column === 0 || row === 0 || column + 1 === ground.width || row + 1 === ground.height) return false;
	const height = pointHeight(ground, column, row);
	return BESIDE.every(([x, z]) => pointHeight(ground, column + x, row + z) < height);
}

/**
 * Returns the triangles of a tile of a terrain, with a rim where the terrain ends. Elsewhere it goes one square into
 * the tiles beside it: the library needs both sides of an edge to know how it holds bodies.
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
	moveAside(points, (at) => isTip(ground, left + (at % columns), near + Math.floor(at / columns)));
	return withRim(points, rows, columns, {
		left: left === 0,
		right: left + columns === ground.width,
		near: near === 0,
		far: near + rows === ground.height,
	});
}

/** Half extents of the box around a collider, before it turns. */
export function extent(world: World, { shape, size, geometry }: Shaped): Vector {
	const form = shapeNamed(shape);
	return isPointed(form) ? made(world.assets, form, geometry!).half : form.extent(size);
}

/** Returns true if a shape is a surface without an inside. */
export function isSurface(shape: ColliderShapeName): boolean {
	const form = shapeNamed(shape);
	return isPointed(form) && form.surface;
}

/** Returns the collider in a slot that has one. */
export function colliderAt(world: World, slot: number): Shaped {
	const size = read(world, Collider, 'size');
	const at = slot * 3;
	return {
		shape: Collider.fields.shape.words[read(world, Collider, 'shape')[slot]!]!,
		size: [size[at]!, size[at + 1]!, size[at + 2]!],
		geometry: read(world, Collider, 'geometry')[slot] ?? null,
	};
}

/** Throws when no such collider can be made, or not with such a body: `asset_missing`, `asset_refused`, `static_only`. */
export function requireCollider(
	world: World,
	{ shape, geometry }: Pick<Shaped, 'shape' | 'geometry'>,
	body: 'Dynamic' | 'Static' | 'Kinematic' | null,
): void {
	const form = shapeNamed(shape);
	if (!isPointed(form)) return;
	made(world.assets, form, geometry!);
	if (form.surface && body !== null && body !== 'Static')
		throw new ApiError('static_only', `A ${shape} has no volume, so a ${body} body cannot use it.`);
}

/** The same for an entity as it is. */
export function requireColliderOf(world: World, id: number): void {
	const collider = get(world, id, Collider);
	if (collider === undefined) return;
	const { shape, size, geometry } = collider;
	const form = shapeNamed(shape);
	if (!isPointed(form)) return;
	const document = documentOf(shape, size, geometry);
	const parsed = form.schema.safeParse(document);
	if (!parsed.success) throw shapeError('invalid_body', form.schema, parsed.error, document, `The ${shape}`);
	requireCollider(world, collider, get(world, id, PhysicsBody)?.kind ?? null);
}
