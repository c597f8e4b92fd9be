/** Agent that owns the entity. Only this agent may change or despawn it. */

import * as z from 'zod';
import { component, scalar, singleValueSpawn } from '../contract/component.ts';
import { integer, optional } from '../contract/values.ts';

export const agentNumber = integer('Number of the agent that owns the entity');

export const Owner = component({
	name: 'agent_id',
	title: 'Owner',
	scope: 'state',
	summary: 'Agent that owns the entity. Only this agent may change or despawn it',
	fields: { agent: scalar('u32', 'Number of the owning agent') },
	readout: { schema: z.int(), from: (row) => row.agent },
	spawn: singleValueSpawn('agent_id', 'agent', optional(agentNumber)),
	removable: false,
});
