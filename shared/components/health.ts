/** Current and maximum health of an entity. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

export const healthPoints = number('Health, current and maximum', { unit: 'HP', min: 0 });

export const Health = component({
	name: 'health',
	title: 'Health',
	scope: 'state',
	summary: 'Current and maximum health; at 0 the entity is dead',
	fields: {
		current: scalar('f32', 'Current health', { unit: 'HP' }),
		max: scalar('f32', 'Maximum health', { unit: 'HP' }),
	},
	readout: {
		schema: z.tuple([z.number(), z.number()]),
		from: (row) => [row.current, row.max],
	},
	spawn: {
		fields: { health: optional(healthPoints) },
		row: ({ health }) => (health == null ? null : { current: health, max: health }),
		describe: (row) => ({ health: row?.max }),
	},
});
