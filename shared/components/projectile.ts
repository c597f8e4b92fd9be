/** Something that flies and hurts the first thing it meets. */

import * as z from 'zod';
import { component, entityRef, scalar, vector3, words } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
import { TICK, tick } from '../contract/tick.ts';
import { vec3 } from '../contract/values.ts';
import { DAMAGE_CATEGORIES } from './defense.ts';

export const PROJECTILE_HITS = ['others', 'enemies', 'all'] as const;
/** Team of a projectile that belongs to none. */
export const NO_TEAM = -1;

export const Projectile = component({
	name: 'projectile',
	title: 'Projectile',
	scope: 'state',
	summary: 'Flies straight on and damages the first living entity with health on its way',
	fields: {
		direction: vector3('Direction of flight, of length 1', 'unit vector', [1, 0, 0]),
		speed: scalar('f32', 'Speed', { unit: 'm/s', initial: 20 }),
		damage: scalar('f32', 'Damage to what it hits', { unit: 'HP', initial: 25 }),
		category: words(DAMAGE_CATEGORIES, 'Kind of damage'),
		radius: scalar('f32', 'Closer than this to the origin of an entity it hits', { unit: 'm', initial: 0.5 }),
		hits: words(
			PROJECTILE_HITS,
			'others: anything but its owner; enemies: other teams only; all: its owner as well',
		),
		team: scalar('i32', 'Team it belongs to; -1: none', { initial: NO_TEAM }),
		owner: entityRef('Who is credited with the damage'),
		ends_at: scalar('u32', 'Tick at whose end it is gone', { unit: TICK }),
	},
	readout: {
		schema: z.literal(true),
		from: () => true,
		also: {
			key: 'projectile_data',
			schema: z.strictObject({
				direction: vec3('Direction of flight, of length 1', { unit: 'unit vector' }),
				speed: z.number().describe('Speed (m/s)'),
				damage: z.number().describe('Damage to what it hits (HP)'),
				category: z.enum(DAMAGE_CATEGORIES),
				radius: z.number().describe('Closer than this to the origin of an entity it hits (m)'),
				hits: z.enum(PROJECTILE_HITS),
				team: z.int().nullable().describe('Team it belongs to; null: none'),
				owner: handle.nullable(),
				ends_at: tick('Tick at whose end it is gone'),
			}),
			from: (row) => ({ ...row, team: row.team === NO_TEAM ? null : row.team }),
		},
	},
});
