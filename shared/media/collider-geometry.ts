/**
 * Points of colliders: hulls, meshes and heights.
 * Owns: their form in a request or in an asset, their limits, and the test for equality.
 */

import * as z from 'zod';
import { isGiven, number, optional } from '../contract/values.ts';
import type { Vector } from '../contract/vector.ts';

/** Points of a collider in a document, or the asset that contains them. */
export interface Geometry {
	readonly points?: readonly Vector[] | undefined;
	readonly triangles?: readonly Vector[] | undefined;
	readonly heights?: readonly (readonly number[])[] | undefined;
	readonly size?: readonly [number, number] | undefined;
	readonly asset?: string | undefined;
}

/** Bytes of memory for a point or a triangle, both as a list of three numbers and in the physics library. */
const POINT_BYTES = 80;

/** Yields the memory that the points of a shape take. */
export function* weighGeometry(geometry: Geometry | null): Generator<readonly [Geometry, number]> {
	if (geometry === null) return;
	const { points, triangles, heights } = geometry;
	const heightBytes = 16 * (heights?.reduce((sum, row) => sum + row.length, 0) ?? 0);
	yield [geometry, POINT_BYTES * ((points?.length ?? 0) + (triangles?.length ?? 0)) + heightBytes];
}

/** Maximum numbers of points and triangles. */
interface GeometryLimits {
	/** Maximum number of points of a hull. */
	readonly hull: number;
	readonly points: number;
	readonly triangles: number;
	/** Maximum number of heights along each side. */
	readonly heights: number;
}

/** Limits in a request or a document. */
const INLINE_LIMITS: GeometryLimits = { hull: 256, points: 4096, triangles: 8192, heights: 128 };
/** Limits in an asset. */
const ASSET_LIMITS: GeometryLimits = { hull: 4096, points: 262_144, triangles: 524_288, heights: 512 };

/** Maximum distance of a point from its entity, on each axis (m). */
const MAX_DISTANCE = 1e4;
/** Minimum thickness of a hull (m). */
const MIN_THICKNESS = 1e-3;

/** -0 becomes 0: JSON writes both as 0, and the physics library distinguishes them. */
const coordinate = z
	.number()
	.min(-MAX_DISTANCE)
	.max(MAX_DISTANCE)
	.overwrite((value) => value + 0);
const point = z.tuple([coordinate, coordinate, coordinate]);
const corner = z.int().min(0);

/** Returns the field for an asset that replaces the points in a document. */
const assetOf = (content: string) =>
	optional(
		z
			.string()
			.regex(/^[0-9a-f]{64}$/, 'an asset must be named by its SHA-256, 64 hexadecimal digits')
			.describe(`Instead of these: SHA-256 of an asset, ${content}`),
	);
const MODEL = 'a GLB model or JSON such as {"points": [...]}';
const ASSET_CONTENTS = {
	ConvexHull: MODEL,
	TriMesh: MODEL,
	HeightField: 'JSON such as {"heights": [...]}',
} as const;

/** Returns true if all corners of triangles are indices of points. */
function hasValidCorners({ points, triangles }: Geometry): boolean {
	const count = points?.length ?? 0;
	return triangles == null || triangles.every((corners) => corners.every((at) => at < count));
}

const hullFields = ({ hull }: GeometryLimits) => ({
	points: z
		.array(point)
		.min(4)
		.max(hull)
		.refine(spansVolume, 'the points are in one plane: a hull needs a volume')
		.describe('Points [x, y, z] around the entity (m) that the hull encloses'),
});

const meshFields = ({ points, triangles }: GeometryLimits) => ({
	points: z.array(point).min(3).max(points).describe('Corners [x, y, z] around the entity (m)'),
	triangles: z
		.array(z.tuple([corner, corner, corner]))
		.min(1)
		.max(triangles)
		.describe('Three corners each, as indices of points'),
});

const heightFields = ({ heights }: GeometryLimits) => ({
	heights: z
		.array(z.array(coordinate).min(2).max(heights))
		.min(2)
		.max(heights)
		.refine(
			(rows) => rows.every(({ length }) => length === rows[0]!.length),
			'all rows must have the same length',
		)
		.describe('Heights above the entity (m), in rows along x, one row after another along z'),
	size: z
		.tuple([
			number('Extent along x', { min: 1e-3, max: 2 * MAX_DISTANCE }),
			number('Extent along z', { min: 1e-3, max: 2 * MAX_DISTANCE }),
		])
		.describe('Extent of all rows [along x, along z], centred on the entity (m)'),
});

type GeometryFields = Readonly<Record<string, z.ZodType>>;

const makeOptional = (fields: GeometryFields): GeometryFields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, field]) => [name, optional(field).describe(field.description!)]),
	);

/** Returns the schemas of a collider of points: of its document, and of the content of its asset. */
function pointSchemas<const N extends keyof typeof ASSET_CONTENTS>(
	name: N,
	doc: string,
	fields: (limits: GeometryLimits) => GeometryFields,
) {
	const names = Object.keys(fields(INLINE_LIMITS));
	const document = z
		.strictObject({
			shape: z.literal(name),
			...makeOptional(fields(INLINE_LIMITS)),
			asset: assetOf(ASSET_CONTENTS[name]),
		})
		.refine(
			(fields: Readonly<Record<string, unknown>>) =>
				names.every((name) => (fields[name] == null) === (fields.asset != null)),
			`send ${names.join(' and ')}, or asset instead`,
		)
		.refine(
			hasValidCorners as (geometry: object) => boolean,
			'a triangle has a corner that is not an index of points',
		)
		.describe(doc)
		.meta({ id: name, allOf: names.map((name) => ({ oneOf: [isGiven('asset'), isGiven(name)] })) });
	const pointFields = z
		.strictObject(fields(ASSET_LIMITS))
		.refine(
			hasValidCorners as (geometry: object) => boolean,
			'a triangle has a corner that is not an index of points',
		);
	return {
		names,
		document: document as unknown as z.ZodObject<{
			shape: z.ZodLiteral<N>;
			points: z.ZodOptional<z.ZodType<Geometry['points']>>;
			triangles: z.ZodOptional<z.ZodType<Geometry['triangles']>>;
			heights: z.ZodOptional<z.ZodType<Geometry['heights']>>;
			size: z.ZodOptional<z.ZodType<Geometry['size']>>;
			asset: z.ZodOptional<z.ZodType<Geometry['asset']>>;
		}>,
		held: pointFields as unknown as z.ZodType<Geometry>,
	};
}

export const hull = pointSchemas('ConvexHull', 'The convex hull of points', hullFields);
export const mesh = pointSchemas(
	'TriMesh',
	'Triangles that collide with bodies on both sides. For Static bodies only',
	meshFields,
);
export const heights = pointSchemas(
	'HeightField',
	'Ground as a grid of heights that collides with bodies on both sides. For Static bodies only',
	heightFields,
);

/** Schema of the points in a world. */
export const geometryValue = z
	.strictObject({
		...makeOptional({
			...hullFields(INLINE_LIMITS),
			...meshFields(INLINE_LIMITS),
			...heightFields(INLINE_LIMITS),
		}),
		points: optional(z.array(point).min(3).max(INLINE_LIMITS.points).describe('Points or corners (m)')),
		asset: assetOf('a model or JSON'),
	})
	.describe('Points of the shape, or the asset that has them')
	.nullable() as unknown as z.ZodType<Geometry | null>;

/** Returns the points of a collider's document. */
export function geometryOf({ shape: _, ...geometry }: { readonly shape: string }): Geometry {
	return Object.fromEntries(Object.entries(geometry).filter(([, value]) => value != null));
}

/** Returns the half extents of the smallest box, centred on the entity, that contains the geometry. */
export function extentOf({ points, heights: rows, size }: Geometry): Vector {
	if (rows != null) {
		const [x, z] = size!;
		return [x / 2, Math.max(...rows.map((row) => Math.max(...row.map(Math.abs)))), z / 2];
	}
	const half: [number, number, number] = [0, 0, 0];
	for (const at of points ?? [])
		for (let axis = 0; axis < 3; axis++) half[axis] = Math.max(half[axis]!, Math.abs(at[axis]!));
	return half;
}

/**
 * Returns three integers below 2^24 that distinguish one geometry from another. They are three variants of the hash
 * FNV-1a.
 */
export function fingerprintOf(geometry: Geometry): Vector {
	const text = JSON.stringify(geometry);
	const words = [0x811c9dc5, 0x01000193, 0x9e3779b9];
	for (let i = 0; i < text.length; i++)
		for (let at = 0; at < 3; at++)
			words[at] = Math.imul(words[at]! ^ (text.charCodeAt(i) + at), 0x01000193 + 2 * at);
	const [a = 0, b = 0, c = 0] = words.map((word) => (word ^ (word >>> 8)) & 0xffffff);
	return [a, b, c];
}

/** Returns true if points span a volume, which points in or near one plane do not. */
function spansVolume(points: readonly Vector[]): boolean {
	const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
	const cross = (a: Vector, b: Vector): Vector => [
		a[1] * b[2] - a[2] * b[1],
		a[2] * b[0] - a[0] * b[2],
		a[0] * b[1] - a[1] * b[0],
	];
	const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	const farthest = (measure: (from: Vector) => number): [Vector, number] => {
		let farthestPoint = points[0]!;
		let maxDistance = -1;
		for (const at of points) {
			const distance = measure(at);
			if (distance > maxDistance) [farthestPoint, maxDistance] = [at, distance];
		}
		return [farthestPoint, maxDistance];
	};
	const [first] = points;
	const [second, squaredLength] = farthest((at) => dot(subtract(at, first!), subtract(at, first!)));
	if (squaredLength < MIN_THICKNESS * MIN_THICKNESS) return false;
	const direction = subtract(second, first!);
	const [third, squaredWidth] = farthest((at) => {
		const product = cross(direction, subtract(at, first!));
		return dot(product, product) / squaredLength;
	});
	if (squaredWidth < MIN_THICKNESS * MIN_THICKNESS) return false;
	const normal = cross(direction, subtract(third, first!));
	const size = Math.sqrt(dot(normal, normal));
	const [, thickness] = farthest((at) => Math.abs(dot(normal, subtract(at, first!))) / size);
	return thickness >= MIN_THICKNESS;
}
