/** Marks an entity that a person plays. */

import * as z from 'zod';
import { component } from '../contract/component.ts';
import { flag, optional } from '../contract/values.ts';

export const Player = component({
	name: 'player',
	title: 'Player',
	scope: 'state',
	summary: 'A person plays it; it does not fight automatically',
	fields: {},
	readout: { schema: z.literal(true), from: () => true },
	spawn: {
		fields: { player: optional(flag('A person plays it')) },
		row: ({ player }) => (player === true ? {} : null),
		describe: (row) => ({ player: row && true }),
	},
});
