/** Marks a place where a team respawns. */

import * as z from 'zod';
import { component, scalar } from '../contract/component.ts';

export const SpawnPoint = component({
	name: 'spawn_point',
	title: 'SpawnPoint',
	scope: 'state',
	summary: 'Marks a place where a team respawns',
	fields: { team: scalar('u8', 'Team that respawns here') },
	readout: { schema: z.int(), from: (row) => row.team },
});
