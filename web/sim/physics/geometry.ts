/**
 * What colliders of points are made of, from their document or from an asset.
 * Owns: the numbers as the physics library takes them, made once for all worlds that share a document or an asset.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { extentOf, type Geometry } from '../../../shared/contract/collider-geometry.ts';
import {
	type AnyPointShape,
	documentOf,
	isPointed,
	type ShapeName,
	type ShapeSize,
	shapeNamed,
} from '../../../shared/contract/collider-shapes.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { shapeError } from '../../../shared/contract/explain-issue.ts';
import type { Ground } from '../../../shared/contract/terrain.ts';
import type { AssetBytes } from '../core/assets.ts';
import { get, has, read, type World } from '../core/world.ts';
import { heightRows, range, sizeOf } from '../terrain/ground.ts';

type Vector = readonly [number, number, number];

/** A collider as columns hold it. */
export interface Shaped {
	readonly shape: ShapeName;
	readonly size: ShapeSize;
	readonly geometry: Geometry | null;
}

export interface Made {
	/** Corners one after the other: x, y, z. */
	readonly points: Float32Array;
	/** Three corners each. */
	readonly triangles: Uint32Array;
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

/** Documents are never changed in place, and asset bytes neither. */
const ofDocument = new WeakMap<Geometry, Made>();
const ofBytes = new WeakMap<Uint8Array, Map<ShapeName, Made>>();

/** The points of a shape. Throws `asset_missing`, `asset_refused`. */
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
			`The ${shape.name} needs the asset ${geometry.asset}, which is not here.`,
			{
				fix: 'Upload it with POST /asset/upload, then send this again.',
			},
		);
	const shapes = ofBytes.get(bytes) ?? new Map<ShapeName, Made>();
	ofBytes.set(bytes, shapes);
	const cached = shapes.get(shape.name) ?? make(readAsset(shape, geometry.asset, bytes));
	shapes.set(shape.name, cached);
	return cached;
}

function readAsset({ name, points }: AnyPointShape, hash: string, bytes: Uint8Array): Geometry {
	const fix = `Upload JSON that holds ${points.names.join(' and ')} as the document of a ${name} has them.`;
	let sent: unknown;
	try {
		sent = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw new ApiError('asset_refused', `The asset ${hash} is no JSON, and a ${name} needs it to be.`, {
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
	if (heights != null) return { ...squares(heights, size!), half };
	return {
		points: Float32Array.from((points ?? []).flat()),
		triangles: Uint32Array.from((triangles ?? []).flat()),
		field: null,
		half,
	};
}

/**
 * Ground as triangles, two for each square. The library has a shape of its own for heights, but a world with one goes on
 * otherwise after it was written out and read in again than it would have.
 */
function squares(
	rows: readonly ArrayLike<number>[],
	size: readonly [number, number],
	middle: readonly [number, number] = [0, 0],
): Pick<Made, 'points' | 'triangles' | 'field'> {
	const [deep, wide] = [rows.length, rows[0]!.length];
	const points = new Float32Array(deep * wide * 3);
	const triangles = new Uint32Array((deep - 1) * (wide - 1) * 6);
	rows.forEach((heights, row) => {
		const z = (row / (deep - 1) - 0.5) * size[1] + middle[1];
		for (let column = 0; column < wide; column++) {
			const at = (row * wide + column) * 3;
			points[at] = (column / (wide - 1) - 0.5) * size[0] + middle[0];
			points[at + 1] = heights[column]!;
			points[at + 2] = z;
		}
	});
	let at = 0;
	for (let row = 0; row + 1 < deep; row++)
		for (let column = 0; column + 1 < wide; column++) {
			const corner = row * wide + column;
			triangles[at++] = corner;
			triangles[at++] = corner + wide;
			triangles[at++] = corner + 1;
			triangles[at++] = corner + 1;
			triangles[at++] = corner + wide;
			triangles[at++] = corner + wide + 1;
		}
	return { points, triangles, field: { rows: deep - 1, columns: wide - 1, size, middle } };
}

/** The ground of a terrain in a slot, or null: it is an obstacle by itself, without a collider. */
export function groundAt(world: World, slot: number): Ground | null {
	return has(world, slot, Terrain) ? (read(world, Terrain, 'ground')[slot] ?? null) : null;
}

const ofGround = new WeakMap<Ground, Made>();

/** The triangles of a terrain; its corner is at the entity. */
export function madeGround(ground: Ground): Made {
	let known = ofGround.get(ground);
	if (known === undefined) {
		const size = sizeOf(ground);
		const { lowest, highest } = range(ground);
		const middle = [size[0] / 2, size[1] / 2] as const;
		const high = Math.max(Math.abs(lowest), Math.abs(highest));
		known = { ...squares(heightRows(ground), size, middle), half: [size[0], high, size[1]] };
		ofGround.set(ground, known);
	}
	return known;
}

/** Half extents of the box around a collider, before it turns. */
export function extent(world: World, { shape, size, geometry }: Shaped): Vector {
	const form = shapeNamed(shape);
	return isPointed(form) ? made(world.assets, form, geometry!).half : form.extent(size);
}

/** Whether a shape is a surface without an inside. */
export function isSurface(shape: ShapeName): boolean {
	const form = shapeNamed(shape);
	return isPointed(form) && form.surface;
}

/** The collider in a slot that has one. */
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
		throw new ApiError('static_only', `A ${shape} has no inside, so a ${body} body cannot have it.`);
}

/** The same for an entity as it is. */
export function requireColliderOf(world: World, id: number): void {
	const held = get(world, id, Collider);
	if (held === undefined) return;
	const { shape, size, geometry } = held;
	const form = shapeNamed(shape);
	if (!isPointed(form)) return;
	const document = documentOf(shape, size, geometry);
	const parsed = form.schema.safeParse(document);
	if (!parsed.success) throw shapeError('invalid_body', form.schema, parsed.error, document, `The ${shape}`);
	requireCollider(world, held, get(world, id, PhysicsBody)?.kind ?? null);
}
