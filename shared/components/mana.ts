/** What abilities are paid with. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';

export const Mana = component({
	name: 'mana',
	title: 'Mana',
	scope: 'state',
	summary: 'Current and maximum mana, and how fast it returns',
	fields: {
		current: scalar('f32', 'Mana now'),
		max: scalar('f32', 'Most mana it can have'),
		regen: scalar('f32', 'Mana that returns', { unit: '1/s', initial: 5 }),
	},
	readout: {
		schema: z.tuple([z.number(), z.number()]),
		from: (row) => [row.current, row.max],
		also: {
			key: 'mana_regen',
			schema: z.number().describe('Mana that returns (1/s)'),
			from: (row) => row.regen,
		},
	},
});
