/** The shape with which an entity collides. */

import * as z from 'zod';
import {
	Aabb,
	Capsule,
	Cylinder,
	documentOf,
	SHAPES,
	type ShapeName,
	type ShapeSize,
	Sphere,
	shapeMeant,
	sizeOf,
} from '../contract/collider-shapes.ts';
import { component, vector3, words } from '../contract/component.ts';
import { optional } from '../contract/values.ts';

/** A collider as documents carry it. */
export const colliderDocument = z
	.preprocess(
		(value) => {
			if (typeof value !== 'object' || value === null || !('shape' in value)) return value;
			const shape = shapeMeant(String(value.shape));
			return shape === undefined ? value : { ...value, shape };
		},
		z.discriminatedUnion('shape', [Aabb.schema, Sphere.schema, Capsule.schema, Cylinder.schema]),
	)
	.describe(
		'Collision shape: a box by half extents (Aabb, or Box, which means the same: it turns with its entity), a sphere, or a capsule or cylinder along y',
	)
	.meta({ id: 'Collider' });

export type ColliderDocument = z.output<typeof colliderDocument>;

const NUMBERS = SHAPES.map(({ name, sizes }) => {
	const keys = Object.keys(sizes);
	return `${name}: ${[0, 1, 2].map((at) => keys[at]?.replace('_', ' ') ?? '0').join(', ')}`;
});

function shown({ shape, size }: { readonly shape: ShapeName; readonly size: ShapeSize }) {
	return documentOf(shape, size) as ColliderDocument;
}

export const Collider = component({
	name: 'collider',
	title: 'Collider',
	scope: 'state',
	summary:
		'Collision shape, of 1 kg, that turns with its entity. Restitution and friction are those of /tuning: 0.3 and 0.5',
	fields: {
		shape: words(
			SHAPES.map(({ name }) => name),
			'Which shape',
		),
		size: { ...vector3(NUMBERS.join('. '), 'm'), range: [1e-3, 1e4] },
	},
	readout: {
		schema: colliderDocument,
		from: shown,
	},
	spawn: {
		fields: { collider: optional(colliderDocument) },
		row: ({ collider }) => (collider == null ? null : { shape: collider.shape, size: sizeOf(collider) }),
		describe: (row) => ({ collider: row && shown(row) }),
	},
	whole: true,
});
