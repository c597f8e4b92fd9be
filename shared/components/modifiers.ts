/** How effects and equipment change an entity's numbers on this tick. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

/** Of one stat: `set` replaces the base (null: does not), then `add` is added, then the sum is multiplied. */
export const statChange = z.strictObject({
	set: z.number().nullable().describe('Takes the place of the base; null: does not'),
	add: z.number().describe('Is added'),
	multiply: z.number().describe('The sum is multiplied by this'),
});

const changes = z.record(z.string(), statChange);

export const Modifiers = component({
	name: 'modifiers',
	title: 'Modifiers',
	scope: 'state',
	summary: 'Stat changes in force, by stat; they follow from base stats, equipment and status effects',
	fields: {
		stats: json<Readonly<Record<string, z.output<typeof statChange>>>>(changes, {}, 'Stat -> change'),
	},
	readout: { schema: changes, from: (row) => row.stats },
	removable: false,
});
