/** Level and experience of an entity. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';

export const Level = component({
	name: 'level',
	title: 'Level',
	scope: 'state',
	summary: 'Level and experience. Answers show the level alone',
	fields: {
		level: scalar('u32', 'Level, from 1', { initial: 1 }),
		xp: scalar('u32', 'Experience gained since the level was reached', { unit: 'XP' }),
	},
	readout: {
		schema: z.int(),
		from: (row) => row.level,
		second: {
			key: 'xp',
			schema: z.int().describe('Experience gained since the level was reached'),
			from: (row) => row.xp,
		},
	},
});
