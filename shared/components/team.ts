/** Team of an entity. */

import * as z from 'zod';
import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { integer, optional } from '../contract/values.ts';

export const teamNumber = integer('Team number', { max: 255 });

export const Team = component({
	name: 'team',
	title: 'Team',
	scope: 'state',
	summary: 'Side that an entity is on',
	fields: { team: scalar('u8', 'Team number, 0 to 255') },
	readout: { schema: z.int(), from: (row) => row.team },
	spawn: singleValueSpawn('team', 'team', optional(teamNumber)),
});
