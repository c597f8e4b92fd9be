/** Collision shape of an entity. */

import * as z from 'zod';
import { component, json, vector3, words } from '../contract/component.ts';
import { optional } from '../contract/values.ts';
import { type Geometry, geometryValue, weighGeometry } from '../media/collider-geometry.ts';
import {
	Aabb,
	Capsule,
	type ColliderShapeName,
	ConvexHull,
	Cylinder,
	columnsOf,
	documentOf,
	findShapeName,
	HeightField,
	SHAPES,
	type ShapeSize,
	SIZED_SHAPES,
	Sphere,
	TriMesh,
} from '../media/collider-shapes.ts';

/** Schema of a collider in a document. */
export const colliderDocument = z
	.preprocess(
		(value) => {
			if (typeof value !== 'object' || value === null || !('shape' in value)) return value;
			const shape = findShapeName(String(value.shape));
			return shape === undefined ? value : { ...value, shape };
		},
		z.discriminatedUnion('shape', [
			Aabb.schema,
			Sphere.schema,
			Capsule.schema,
			Cylinder.schema,
			ConvexHull.schema,
			TriMesh.schema,
			HeightField.schema,
		]),
	)
	.describe(
		'Collision shape; it rotates with its entity. Aabb is a box by half extents (alias Box). Capsules and cylinders lie along y. Meshes and height fields are for Static bodies. Bodies catch on the seams between boxes: use one box, a mesh or a height field as a floor',
	)
	.meta({ id: 'Collider' });

export type ColliderDocument = z.output<typeof colliderDocument>;

const SIZE_MEANINGS = SIZED_SHAPES.map(({ name, sizes }) => {
	const keys = Object.keys(sizes);
	return `${name}: ${[0, 1, 2].map((index) => keys[index]?.replace('_', ' ') ?? '0').join(', ')}`;
});

interface StoredCollider {
	readonly shape: ColliderShapeName;
	readonly size: ShapeSize;
	readonly geometry: Geometry | null;
}

function colliderReadout({ shape, size, geometry }: StoredCollider) {
	return documentOf(shape, size, geometry) as ColliderDocument;
}

export const Collider = component({
	name: 'collider',
	title: 'Collider',
	scope: 'state',
	summary:
		'Collision shape, which rotates with its entity; mass 1 kg. POST /tuning sets restitution (default 0.3) and friction (default 0.5)',
	fields: {
		shape: words(
			SHAPES.map(({ name }) => name),
			'Kind of shape',
		),
		size: {
			...vector3(`${SIZE_MEANINGS.join('. ')}. For other shapes, a hash of their points`, 'm'),
			range: [1e-3, 1e4],
			lengthBy: {
				field: 'shape',
				lengths: Object.fromEntries(SHAPES.map(({ name, sizes }) => [name, Object.keys(sizes).length])),
			},
		},
		geometry: json<Geometry | null>(
			geometryValue,
			null,
			'Points of the shape; null for shapes without points',
			{
				sparse: true,
				weigh: weighGeometry,
			},
		),
	},
	readout: {
		schema: colliderDocument,
		from: colliderReadout,
	},
	spawn: {
		fields: { collider: optional(colliderDocument) },
		row: ({ collider }) => (collider == null ? null : columnsOf(collider)),
		describe: (row) => ({ collider: row && colliderReadout(row) }),
	},
	whole: true,
});
