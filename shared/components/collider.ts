/** The shape with which an entity collides. */

import * as z from 'zod';
import { component, vector3, words } from '../contract/component.ts';
import { optional, size } from '../contract/values.ts';

export const COLLIDER_SHAPES = ['Aabb', 'Sphere', 'Capsule'] as const;

/** A collider as documents carry it. */
export const colliderDocument = z
	.preprocess(
		(value) => {
			if (typeof value !== 'object' || value === null || !('shape' in value)) return value;
			const given = String(value.shape).toLowerCase();
			const shape = COLLIDER_SHAPES.find((s) => s.toLowerCase() === given);
			return shape === undefined ? value : { ...value, shape };
		},
		z.discriminatedUnion('shape', [
			z.strictObject({
				shape: z.literal('Aabb'),
				hx: size('Half extent along x'),
				hy: size('Half extent along y'),
				hz: size('Half extent along z'),
			}),
			z.strictObject({ shape: z.literal('Sphere'), radius: size('Radius') }),
			z.strictObject({
				shape: z.literal('Capsule'),
				radius: size('Radius'),
				half_height: size('Half the height of the cylinder between the caps, along y'),
			}),
		]),
	)
	.describe('Collision shape: a box by half extents, a sphere, or a capsule along y')
	.meta({ id: 'Collider' });

export type ColliderDocument = z.output<typeof colliderDocument>;

type Stored = Readonly<Record<'shape', (typeof COLLIDER_SHAPES)[number]>> & {
	readonly size: readonly [number, number, number];
};

function shown({ shape, size: [a, b, c] }: Stored): ColliderDocument {
	if (shape === 'Aabb') return { shape, hx: a, hy: b, hz: c };
	if (shape === 'Sphere') return { shape, radius: a };
	return { shape, radius: a, half_height: b };
}

function stored(document: ColliderDocument): Stored {
	const { shape } = document;
	if (shape === 'Aabb') return { shape, size: [document.hx, document.hy, document.hz] };
	if (shape === 'Sphere') return { shape, size: [document.radius, 0, 0] };
	return { shape, size: [document.radius, document.half_height, 0] };
}

export const Collider = component({
	name: 'collider',
	title: 'Collider',
	scope: 'state',
	summary: 'Collision shape, of 1 kg. Restitution and friction are those of /tuning: 0.3 and 0.5',
	fields: {
		shape: words(COLLIDER_SHAPES, 'Which shape'),
		size: {
			...vector3('Aabb: half extents x, y, z. Sphere: radius, 0, 0. Capsule: radius, half height, 0', 'm'),
			range: [1e-3, 1e4],
		},
	},
	readout: {
		schema: colliderDocument,
		from: shown,
	},
	spawn: {
		fields: { collider: optional(colliderDocument) },
		row: ({ collider }) => (collider == null ? null : stored(collider)),
		describe: (row) => ({ collider: row && shown(row) }),
	},
	whole: true,
});
