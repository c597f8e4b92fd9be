/**
 * Shapes of colliders, with all facts about each.
 * Owns: the list of shapes. Documents, the component, checks, the physics library and the panels read it. Add a new shape at the
 * end, because columns store the index of a shape.
 */

import * as z from 'zod';
import { size } from '../contract/values.ts';
import { fingerprintOf, type Geometry, geometryOf, heights, hull, mesh } from './collider-geometry.ts';

/**
 * Numbers of a collider, as in its column `size`. Unused numbers are 0. For a shape of points they are a fingerprint of
 * the points.
 */
export type ShapeSize = readonly [number, number, number];

interface ColliderShape<N extends string, K extends string> {
	readonly name: N;
	/** Other words for it in documents. */
	readonly aliases: readonly string[];
	/** Word for people. */
	readonly label: string;
	/** Meanings of its numbers (m), in the order of the column. There are at most three. */
	readonly sizes: Readonly<Record<K, string>>;
	/** Returns the half extents of the box around it, without its rotation. */
	extent(size: ShapeSize): ShapeSize;
	/** Constructor in the physics library, and its arguments. */
	readonly library: {
		readonly make: 'cuboid' | 'ball' | 'capsule' | 'cylinder';
		readonly numbers: (size: ShapeSize) => readonly number[];
	};
	readonly schema: z.ZodObject<
		{ shape: z.ZodLiteral<N> } & Readonly<Record<K, ReturnType<typeof size>>>,
		z.core.$strict
	>;
}

/** A shape that consists of points instead of a few numbers. */
interface PointShape<N extends string, S> {
	readonly name: N;
	readonly aliases: readonly string[];
	readonly label: string;
	readonly sizes: Readonly<Record<never, string>>;
	/** Names of the point fields in a document, and the schema of an asset's content. */
	readonly points: { readonly names: readonly string[]; readonly held: z.ZodType<Geometry> };
	/** True for a surface without an inside, which only Static bodies may have. */
	readonly surface: boolean;
	readonly schema: S;
}

function shape<const N extends string, const K extends string>(
	declaration: Omit<ColliderShape<N, K>, 'schema' | 'aliases'> & { readonly aliases?: readonly string[] },
): ColliderShape<N, K> {
	const numbers = Object.fromEntries(
		Object.entries<string>(declaration.sizes).map(([key, meaning]) => [key, size(meaning)]),
	) as Record<K, ReturnType<typeof size>>;
	const schema = z.strictObject({ shape: z.literal(declaration.name), ...numbers });
	return { aliases: [], ...declaration, schema } as unknown as ColliderShape<N, K>;
}

const RADIUS = 'Radius';

export const Aabb = shape({
	name: 'Aabb',
	aliases: ['Box'],
	label: 'box',
	sizes: { hx: 'Half extent along x', hy: 'Half extent along y', hz: 'Half extent along z' },
	extent: (size) => size,
	library: { make: 'cuboid', numbers: (size) => size },
});

export const Sphere = shape({
	name: 'Sphere',
	label: 'ball',
	sizes: { radius: RADIUS },
	extent: ([radius]) => [radius, radius, radius],
	library: { make: 'ball', numbers: ([radius]) => [radius] },
});

export const Capsule = shape({
	name: 'Capsule',
	label: 'capsule',
	sizes: { radius: RADIUS, half_height: 'Half the height of the cylinder between the caps, along y' },
	extent: ([radius, half]) => [radius, half + radius, radius],
	library: { make: 'capsule', numbers: ([radius, half]) => [half, radius] },
});

export const Cylinder = shape({
	name: 'Cylinder',
	label: 'cylinder',
	sizes: { radius: RADIUS, half_height: 'Half the height, along y' },
	extent: ([radius, half]) => [radius, half, radius],
	library: { make: 'cylinder', numbers: ([radius, half]) => [half, radius] },
});

const pointShape = <const N extends string, S>(
	name: N,
	{ document, ...points }: PointShape<N, S>['points'] & { readonly document: S },
	facts: Pick<PointShape<N, S>, 'aliases' | 'label' | 'surface'>,
): PointShape<N, S> => ({ name, sizes: {}, points, schema: document, ...facts });

export const ConvexHull = pointShape('ConvexHull', hull, {
	aliases: ['Hull'],
	label: 'hull',
	surface: false,
});
export const TriMesh = pointShape('TriMesh', mesh, { aliases: ['Mesh'], label: 'mesh', surface: true });
export const HeightField = pointShape('HeightField', heights, {
	aliases: ['Heights'],
	label: 'heights',
	surface: true,
});

/** Shapes with a few numbers. */
export const SIZED_SHAPES = [Aabb, Sphere, Capsule, Cylinder] as const;
/** Shapes of points. */
export const POINT_SHAPES = [ConvexHull, TriMesh, HeightField] as const;
export const SHAPES = [...SIZED_SHAPES, ...POINT_SHAPES] as const;

export type ColliderShapeName = (typeof SHAPES)[number]['name'];
export type SizedShape = ColliderShape<(typeof SIZED_SHAPES)[number]['name'], string>;
export type AnyPointShape = PointShape<(typeof POINT_SHAPES)[number]['name'], z.ZodType>;
export type AnyShape = SizedShape | AnyPointShape;

/** Returns true if a shape consists of points. */
export const isPointShape = (shape: AnyShape): shape is AnyPointShape => 'points' in shape;

const byName = new Map<string, AnyShape>(SHAPES.map((item) => [item.name, item as unknown as AnyShape]));

/** Returns the shape with this name. */
export function shapeByName(name: ColliderShapeName): AnyShape {
	return byName.get(name)!;
}

/** Returns the name of a shape for a word in a document, in any case; undefined for an unknown word. */
export function findShapeName(word: string): ColliderShapeName | undefined {
	const lowerWord = word.toLowerCase();
	return SHAPES.find(({ name, aliases }) =>
		[name, ...aliases].some((candidate) => candidate.toLowerCase() === lowerWord),
	)?.name;
}

/** Returns the values of the columns for the shape in a document. */
export function columnsOf(document: { readonly shape: ColliderShapeName }): {
	readonly shape: ColliderShapeName;
	readonly size: ShapeSize;
	readonly geometry: Geometry | null;
} {
	const { shape } = document;
	const knownShape = shapeByName(shape);
	if (isPointShape(knownShape)) {
		const geometry = geometryOf(document);
		return { shape, size: fingerprintOf(geometry), geometry };
	}
	const numbers = document as unknown as Readonly<Record<string, number>>;
	const [a = 0, b = 0, c = 0] = Object.keys(knownShape.sizes).map((key) => numbers[key]!);
	return { shape, size: [a, b, c], geometry: null };
}

/** Returns the document of a shape from the values of its columns. */
export function documentOf(
	name: ColliderShapeName,
	size: ShapeSize,
	geometry: Geometry | null = null,
): { readonly shape: ColliderShapeName } {
	const shape = shapeByName(name);
	if (isPointShape(shape)) return { shape: name, ...geometry };
	return { shape: name, ...Object.fromEntries(Object.keys(shape.sizes).map((key, i) => [key, size[i]!])) };
}
