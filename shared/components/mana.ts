/** Mana of an entity, which abilities cost. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

export const Mana = component({
	name: 'mana',
	title: 'Mana',
	scope: 'state',
	summary: 'Current and maximum mana, and its regeneration',
	fields: {
		current: scalar('f32', 'Current mana'),
		max: scalar('f32', 'Maximum mana'),
		regen: scalar('f32', 'Mana regenerated per second', { unit: '1/s', initial: 5 }),
	},
	readout: {
		schema: z.tuple([z.number(), z.number()]),
		from: (row) => [row.current, row.max],
		second: {
			key: 'mana_regen',
			schema: z.number().describe('Mana regenerated per second (1/s)'),
			from: (row) => row.regen,
		},
	},
	spawn: {
		fields: {
			mana: optional(number('Mana, current and maximum', { min: 0 })),
			mana_regen: optional(number('Mana regenerated per second; default 5', { unit: '1/s', min: 0 })),
		},
		row: ({ mana, mana_regen }, warnings) => {
			if (mana != null)
				return { current: mana, max: mana, ...(mana_regen == null ? {} : { regen: mana_regen }) };
			if (mana_regen != null) warnings.push('mana_regen has no effect without mana');
			return null;
		},
		describe: (row) => ({ mana: row?.max, mana_regen: row?.regen }),
	},
});
