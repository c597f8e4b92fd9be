/** Setting of an entity: whether it respawns after its death. */

import * as z from 'zod';
import { component, yesNo } from '../contract/component.ts';
import { flag, optional } from '../contract/values.ts';

export const Respawns = component({
	name: 'respawns',
	title: 'Respawns',
	scope: 'state',
	summary: 'Respawn after death; without this component, role and team decide',
	fields: {
		returns: yesNo('1: it respawns after the respawn delay; 0: it stays dead', 1),
	},
	readout: { schema: z.boolean(), from: (row) => row.returns !== 0 },
	spawn: {
		fields: {
			respawns: optional(
				flag(
					"Respawns after its death. Left out: entities with a team respawn at the team's spawn_point, after 5 s or the respawn_delay of the match. Minions leave a corpse for 2 s. Buildings and entities without a team stay dead",
				),
			),
		},
		row: ({ respawns }) => (respawns == null ? null : { returns: respawns ? 1 : 0 }),
		describe: (row) => ({ respawns: row && row.returns !== 0 }),
	},
});
