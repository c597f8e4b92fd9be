/** Whether an entity returns after its death, where its document says so itself. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';
import { flag, optional } from '../contract/values.ts';

export const Respawns = component({
	name: 'respawns',
	title: 'Respawns',
	scope: 'state',
	summary: 'Whether it returns after its death, whatever its role; without this its role and team decide',
	fields: {
		returns: scalar('u8', '1: it returns after the respawn delay; 0: it stays dead', { initial: 1 }),
	},
	readout: { schema: z.boolean(), from: (row) => row.returns !== 0 },
	spawn: {
		fields: {
			respawns: optional(
				flag(
					'Whether it returns after its death. Left out: those with a team return after 5 s or after the respawn_delay of the match, at their spawn_point; minions leave a corpse that goes after 2 s; buildings and those without a team stay dead',
				),
			),
		},
		row: ({ respawns }) => (respawns == null ? null : { returns: respawns ? 1 : 0 }),
		describe: (row) => ({ respawns: row && row.returns !== 0 }),
	},
});
