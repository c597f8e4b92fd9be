/**
 * The document that defines a hero.
 * Owns: its fields, which are the same in calls and in the registries of scenarios and levels.
 */

import * as z from 'zod';
import { abilityList } from '../components/abilities.ts';
import { statTable } from '../components/base-stats.ts';
import { integer, number, optional, text } from '../contract/values.ts';

export const heroName = text('Name of the hero, case-sensitive', 100).min(1);

export const heroDocument = z
	.strictObject({
		name: heroName,
		health: number('Health', { unit: 'HP', min: 0 }).default(600),
		mana: number('Mana', { min: 0 }).default(300),
		gold: integer('Gold', { min: -0x80000000, max: 0x7fffffff }).default(625),
		damage: number('Damage per attack', { unit: 'HP', min: 0 }).default(50),
		range: number('Attack range', { unit: 'm', min: 0, max: 1e4 }).default(1.5),
		cooldown: optional(number('Time between attacks; left out: 1', { unit: 's', min: 0, max: 1e5 })),
		speed: optional(number('Walking speed; left out: 3', { unit: 'm/s', min: 0, max: 1e3 })),
		mana_regen: optional(number('Mana regenerated per second; left out: 5', { unit: '1/s', min: 0 })),
		base_stats: statTable.default({}),
		stat_growth: statTable.default({}).describe('Stat -> amount added per level'),
		abilities: abilityList.default([]),
	})
	.describe('A hero')
	.meta({ id: 'Hero' });

export type HeroDocument = z.output<typeof heroDocument>;
