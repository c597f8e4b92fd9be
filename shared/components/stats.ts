/** Resolved stats, computed from base stats, effects and equipment. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';

const values = z.record(z.string(), z.number());
const bonus = z.strictObject({
	health: z.number().describe('Part of the maximum health that comes from changes (HP)'),
	mana: z.number().describe('Part of the maximum mana that comes from changes'),
});

export const Stats = component({
	name: 'stats',
	title: 'ResolvedStats',
	scope: 'state',
	summary: 'Current values of all stats that are set or changed. Answers show the values alone',
	fields: {
		values: json<Readonly<Record<string, number>>>(values, {}, 'Stat -> current value'),
		bonus: json<z.output<typeof bonus>>(
			bonus,
			{ health: 0, mana: 0 },
			'Amounts that changes add to maximum health and mana',
		),
	},
	readout: { schema: values, from: (row) => row.values },
	removable: false,
});
