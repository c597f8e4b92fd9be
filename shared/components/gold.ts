/** Gold of an entity. */

import * as z from 'zod';
import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { integer, optional } from '../contract/values.ts';
import { Level } from './level.ts';

export const Gold = component({
	name: 'gold',
	title: 'Gold',
	scope: 'state',
	summary: 'Gold that an entity carries',
	fields: { amount: scalar('i32', 'Gold carried') },
	readout: { schema: z.int(), from: (row) => row.amount },
	spawn: {
		...singleValueSpawn(
			'gold',
			'amount',
			optional(integer('Gold carried; the entity also gets level 1', { min: -0x80000000, max: 0x7fffffff })),
		),
		brings: () => [[Level, {}]],
	},
});
