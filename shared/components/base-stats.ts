/** An entity's own stats, before effects and equipment. */

import * as z from 'zod';
import { component, json, singleValueSpawn } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

export type StatTable = Readonly<Record<string, number>>;

export const statTable = z
	.record(z.string().min(1).max(80), number('Value of the stat'))
	.refine((table) => Object.keys(table).length <= 100, 'at most 100 stats')
	.meta({ maxProperties: 100 })
	.describe('Stat -> value');

const statsReadout = z.record(z.string(), z.number());

export const BaseStats = component({
	name: 'base_stats',
	title: 'BaseStats',
	scope: 'state',
	summary:
		'Base stats of the entity. They replace the values in its other components, such as combat; only max_health and max_mana do not',
	fields: { stats: json<StatTable>(statsReadout, {}, 'Stat -> value') },
	readout: { schema: statsReadout, from: (row) => row.stats },
	spawn: singleValueSpawn(
		'base_stats',
		'stats',
		optional(statTable.describe('Base stats: stat -> value; they replace the values of combat')),
	),
});

export const StatGrowth = component({
	spawn: singleValueSpawn(
		'stat_growth',
		'stats',
		optional(statTable.describe('Stat -> amount added per level')),
	),
	name: 'stat_growth',
	title: 'StatGrowth',
	scope: 'state',
	summary: 'Amounts that each level adds to the base stats',
	fields: { stats: json<StatTable>(statsReadout, {}, 'Stat -> increase') },
	readout: { schema: statsReadout, from: (row) => row.stats },
});
