/** Pose of an entity's mesh. Only the picture depends on it, so no digest includes it. */

import * as z from 'zod';
import { component, vector3, words } from '../contract/component.ts';
import { optional, vec3, word } from '../contract/values.ts';

export const LOOKS = ['own', 'heading'] as const;

const offset = vec3('Origin of the mesh relative to the entity, rotated with it', {
	min: -1000,
	max: 1000,
});
const looks = word(
	LOOKS,
	"own: the mesh rotates as the entity does; heading: it faces the entity's target, otherwise its direction of movement, otherwise as own",
);

export const Stance = component({
	name: 'stance',
	title: 'Stance',
	scope: 'view',
	summary: 'Pose of its mesh: offset from the entity, and facing',
	fields: {
		offset: vector3('Origin of the mesh relative to the entity, rotated with it', 'm'),
		looks: words(LOOKS, 'Direction that its -z faces'),
	},
	readout: {
		schema: z.strictObject({ offset, looks: z.enum(LOOKS) }),
		from: ({ offset, looks }) => ({ offset: [...offset] as [number, number, number], looks }),
	},
	spawn: {
		fields: {
			stance: optional(
				z
					.strictObject({ offset: optional(offset), looks: optional(looks) })
					.describe(
						'Pose of the mesh: a model has its origin at its feet, a body in its middle. Default: offset [0, 0, 0], looks own',
					)
					.meta({ id: 'Stance' }),
			),
		},
		row: ({ stance }) =>
			stance == null ? null : { offset: stance.offset ?? [0, 0, 0], looks: stance.looks ?? 'own' },
		describe: (row) => ({
			stance:
				row === undefined
					? undefined
					: { offset: [...row.offset] as [number, number, number], looks: row.looks },
		}),
	},
});
