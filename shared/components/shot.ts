/** Projectile of a fighter that shoots. */

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
		lifetime: number('Time until it is removed', { unit: 's', min: 0, max: 1e5 }).default(3),
		radius: number('It hits an entity whose origin is closer than this', {
			unit: 'm',
			min: 0,
			max: 1e3,
		}).default(0.5),
		category: word(DAMAGE_CATEGORIES, 'Kind of damage').default('physical'),
		hits: word(PROJECTILE_HITS, 'Entities it hits').default('enemies'),
		spread: optional(spreadDocument),
	})
	.meta({ id: 'Shot' });

export const Shot = component({
	name: 'shot',
	title: 'Shot',
	scope: 'state',
	summary: 'Projectile that a fighter shoots instead of a direct attack; it deals the damage of the attack',
	fields: {
		speed: scalar('f32', 'Speed', { unit: 'm/s', initial: 20 }),
		lifetime: scalar('f32', 'Time until it is removed', { unit: 's', initial: 3 }),
		radius: scalar('f32', 'It hits an entity whose origin is closer than this', { unit: 'm', initial: 0.5 }),
		category: words(DAMAGE_CATEGORIES, 'Kind of damage'),
		hits: words(
			PROJECTILE_HITS,
			'others: all but the fighter; enemies: other teams only; all: the fighter too',
		),
		spread: json<SpreadDocument | null>(
			spreadDocument.nullable(),
			null,
			'Directions from which one is chosen at random, or null',
		),
	},
	spawn: {
		fields: {
			combat_projectile: optional(
				shotDocument.describe('Projectile that it shoots at its targets instead of a direct attack'),
			),
		},
		otherFields: ['combat', 'building_type'],
		row: ({ combat_projectile: shot, combat, building_type }) =>
			shot == null || (combat !== true && building_type == null)
				? null
				: { ...shot, spread: shot.spread ?? null },
		describe: (row, rowOf) => {
			if (row === undefined || rowOf(Combat) === undefined) return {};
			const { spread, ...settings } = row;
			return { combat_projectile: { ...settings, ...(spread === null ? {} : { spread }) } };
		},
	},
});
