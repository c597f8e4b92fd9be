/** Changes of an entity's stats by effects and equipment on this tick. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

/** Schema of the change of one stat: `set` replaces the base value unless it is null, then `add` is added, and the sum is multiplied. */
export const statChange = z.strictObject({
	set: z.number().nullable().describe('Replaces the base value; null: no replacement'),
	add: z.number().describe('Amount added to it'),
	multiply: z.number().describe('Factor by which the sum is multiplied'),
});

const changes = z.record(z.string(), statChange);

export const Modifiers = component({
	name: 'modifiers',
	title: 'Modifiers',
	scope: 'state',
	summary: 'Current changes of stats, computed from base stats, equipment and status effects',
	fields: {
		stats: json<Readonly<Record<string, z.output<typeof statChange>>>>(changes, {}, 'Stat -> change'),
	},
	readout: { schema: changes, from: (row) => row.stats },
	removable: false,
});
