/** How the mesh of an entity stands: what only shows where it is, so no digest has it. */

import * as z from 'zod';
import { component, vector3, words } from '../contract/component.ts';
import { optional, vec3, word } from '../contract/values.ts';

export const LOOKS = ['own', 'heading'] as const;

const offset = vec3('Where the origin of the mesh is, from the entity and turned with it', {
	min: -1000,
	max: 1000,
});
const looks = word(
	LOOKS,
	'own: the mesh is turned as the entity is; heading: it looks at whom the entity fights, or where it goes, and else as it is turned',
);

export const Stance = component({
	name: 'stance',
	title: 'Stance',
	scope: 'view',
	summary: 'How its mesh stands: where it is from the entity, and what it looks at',
	fields: {
		offset: vector3('Where the origin of the mesh is, from the entity and turned with it', 'm'),
		looks: words(LOOKS, 'What its -z looks at'),
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
						'How the mesh stands: models stand on their origin, and bodies have theirs in their middle. Left out: offset [0, 0, 0], looks own',
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
