/**
 * The shapes that colliders have: all that is to be known of a shape, in one place each.
 * Owns: the list. Documents, the component, checks, the physics library and the panels read it. A new shape is a row
 * at the end, because columns store the index of a shape.
 */

import * as z from 'zod';
import { size } from '../contract/values.ts';
import { fingerprintOf, type Geometry, geometryOf, heights, hull, mesh } from './collider-geometry.ts';

/**
 * Numbers of a collider, as its column `size` holds them; those that its shape does not use are 0. Of a shape of points:
 * a fingerprint of these.
 */
export type ShapeSize = readonly [number, number, number];

interface ColliderShape<N extends string, K extends string> {
	readonly name: N;
	/** Other words for it in documents. */
	readonly aliases: readonly string[];
	/** One word for people. */
	readonly label: string;
	/** Its numbers in the order of the column, in metres, with what they mean. At most three. */
	readonly sizes: Readonly<Record<K, string>>;
	/** Half extents of the box around it, before it turns. */
	extent(size: ShapeSize): ShapeSize;
	/** Description of the physics library for it, and the numbers that it takes. */
	readonly library: {
		readonly make: 'cuboid' | 'ball' | 'capsule' | 'cylinder';
		readonly numbers: (size: ShapeSize) => readonly number[];
	};
	readonly schema: z.ZodObject<
		{ shape: z.ZodLiteral<N> } & Readonly<Record<K, ReturnType<typeof size>>>,
		z.core.$strict
	>;
}

/** A shape that is made of points and not of a few numbers. */
interface PointShape<N extends string, S> {
	readonly name: N;
	readonly aliases: readonly string[];
	readonly label: string;
	readonly sizes: Readonly<Record<never, string>>;
	/** Points of it: the fields of a document, and the required content of an asset. */
	readonly points: { readonly names: readonly string[]; readonly held: z.ZodType<Geometry> };
	/** A surface without an inside: for Static bodies only. */
	readonly surface: boolean;
	readonly schema: S;
}

function shape<const N extends string, const K extends string>(
	declared: Omit<ColliderShape<N, K>, 'schema' | 'aliases'> & { readonly aliases?: readonly string[] },
): ColliderShape<N, K> {
	const numbers = Object.fromEntries(
		Object.entries<string>(declared.sizes).map(([key, meaning]) => [key, size(meaning)]),
	) as Record<K, ReturnType<typeof size>>;
	const schema = z.strictObject({ shape: z.literal(declared.name), ...numbers });
	return { aliases: [], ...declared, schema } as unknown as ColliderShape<N, K>;
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

const pointed = <const N extends string, S>(
	name: N,
	{ document, ...points }: PointShape<N, S>['points'] & { readonly document: S },
	more: Pick<PointShape<N, S>, 'aliases' | 'label' | 'surface'>,
): PointShape<N, S> => ({ name, sizes: {}, points, schema: document, ...more });

export const ConvexHull = pointed('ConvexHull', hull, { aliases: ['Hull'], label: 'hull', surface: false });
export const TriMesh = pointed('TriMesh', mesh, { aliases: ['Mesh'], label: 'mesh', surface: true });
export const HeightField = pointed('HeightField', heights, {
	aliases: ['Heights'],
	label: 'heights',
	surface: true,
});

/** Shapes of a few numbers. */
export const SIZED_SHAPES = [Aabb, Sphere, Capsule, Cylinder] as const;
/** Shapes of points. */
export const POINT_SHAPES = [ConvexHull, TriMesh, HeightField] as const;
export const SHAPES = [...SIZED_SHAPES, ...POINT_SHAPES] as const;

export type ColliderShapeName = (typeof SHAPES)[number]['name'];
export type SizedShape = ColliderShape<(typeof SIZED_SHAPES)[number]['name'], string>;
export type AnyPointShape = PointShape<(typeof POINT_SHAPES)[number]['name'], z.ZodType>;
export type AnyShape = SizedShape | AnyPointShape;

/** Returns true if a shape is made of points. */
export const isPointed = (shape: AnyShape): shape is AnyPointShape => 'points' in shape;

const byName = new Map<string, AnyShape>(SHAPES.map((item) => [item.name, item as unknown as AnyShape]));

/** Returns the shape of a name that is in the list. */
export function shapeNamed(name: ColliderShapeName): AnyShape {
	return byName.get(name)!;
}

/** Returns the name that a word in a document means, in whatever case, or undefined. */
export function shapeMeant(word: string): ColliderShapeName | undefined {
	const given = word.toLowerCase();
	return SHAPES.find(({ name, aliases }) =>
		[name, ...aliases].some((candidate) => candidate.toLowerCase() === given),
	)?.name;
}

/** Returns the columns for the shape of a document. */
export function columnsOf(document: { readonly shape: ColliderShapeName }): {
	readonly shape: ColliderShapeName;
	readonly size: ShapeSize;
	readonly geometry: Geometry | null;
} {
	const { shape } = document;
	const knownShape = shapeNamed(shape);
	if (isPointed(knownShape)) {
		const geometry = geometryOf(document);
		return { shape, size: fingerprintOf(geometry), geometry };
	}
	const numbers = document as unknown as Readonly<Record<string, number>>;
	const [a = 0, b = 0, c = 0] = Object.keys(knownShape.sizes).map((key) => numbers[key]!);
	return { shape, size: [a, b, c], geometry: null };
}

/** Returns the document of a shape with these numbers, or of these points. */
export function documentOf(
	name: ColliderShapeName,
	size: ShapeSize,
	geometry: Geometry | null = null,
): { readonly shape: ColliderShapeName } {
	const shape = shapeNamed(name);
	if (isPointed(shape)) return { shape: name, ...geometry };
	return { shape: name, ...Object.fromEntries(Object.keys(shape.sizes).map((key, i) => [key, size[i]!])) };
}
