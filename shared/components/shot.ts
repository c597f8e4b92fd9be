/** What a fighter shoots, instead of striking. */

import * as z from 'zod';
import { component, json, scalar, words } from '../contract/component.ts';
import { number, optional, word } from '../contract/values.ts';
import { Combat } from './combat.ts';
import { DAMAGE_CATEGORIES } from './defense.ts';
import { PROJECTILE_HITS } from './projectile.ts';
import { type SpreadDocument, spreadDocument } from './spread.ts';

export const shotDocument = z
	.strictObject({
		speed: number('Speed', { unit: 'm/s', min: 0, max: 1e5 }).default(20),
		lifetime: number('Time until it is gone', { unit: 's', min: 0, max: 1e5 }).default(3),
		radius: number('Hits what comes closer than this', { unit: 'm', min: 0, max: 1e3 }).default(0.5),
		category: word(DAMAGE_CATEGORIES, 'Kind of damage').default('physical'),
		hits: word(PROJECTILE_HITS, 'What it hits besides enemies').default('enemies'),
		spread: optional(spreadDocument),
	})
	.meta({ id: 'Shot' });

export type ShotDocument = z.output<typeof shotDocument>;

export const Shot = component({
	name: 'shot',
	title: 'Shot',
	scope: 'state',
	summary: 'What a fighter shoots at its target instead of striking; the damage is that of its blow',
	fields: {
		speed: scalar('f32', 'Speed', { unit: 'm/s', initial: 20 }),
		lifetime: scalar('f32', 'Time until it is gone', { unit: 's', initial: 3 }),
		radius: scalar('f32', 'Closer than this to the origin of an entity it hits', { unit: 'm', initial: 0.5 }),
		category: words(DAMAGE_CATEGORIES, 'Kind of damage'),
		hits: words(
			PROJECTILE_HITS,
			'others: anything but the fighter; enemies: other teams only; all: everybody',
		),
		spread: json<SpreadDocument | null>(
			spreadDocument.nullable(),
			null,
			'Which ways chance may send it, or null',
		),
	},
	spawn: {
		fields: {
			combat_projectile: optional(
				shotDocument.describe('What it shoots at its targets instead of striking them'),
			),
		},
		also: ['combat', 'building_type'],
		row: ({ combat_projectile: shot, combat, building_type }) =>
			shot == null || (combat !== true && building_type == null)
				? null
				: { ...shot, spread: shot.spread ?? null },
		describe: (row, rowOf) => {
			if (row === undefined || rowOf(Combat) === undefined) return {};
			const { spread, ...rest } = row;
			return { combat_projectile: { ...rest, ...(spread === null ? {} : { spread }) } };
		},
	},
});
