/** Marks a position where a team respawns. */

import * as z from 'zod';
import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { optional } from '../contract/values.ts';
import { teamNumber } from './team.ts';

export const SpawnPoint = component({
	name: 'spawn_point',
	title: 'SpawnPoint',
	scope: 'state',
	summary: 'Marks a position where a team respawns',
	fields: { team: scalar('u8', 'Team that respawns here') },
	readout: { schema: z.int(), from: (row) => row.team },
	spawn: singleValueSpawn('spawn_point', 'team', optional(teamNumber.describe('Team that respawns here'))),
});
