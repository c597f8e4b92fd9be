/** A projectile, which flies and damages the first entity that it hits. */

import * as z from 'zod';
import { component, entityRef, scalar, vector3, words } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
import { TICK, tick } from '../contract/tick.ts';
import { vec3 } from '../contract/values.ts';
import { DAMAGE_CATEGORIES } from './defense.ts';

export const PROJECTILE_HITS = ['others', 'enemies', 'all'] as const;
/** Team number of a projectile without a team. */
export const NO_TEAM = -1;

/** Schema of all values of a projectile except its position. */
export const projectileData = z.strictObject({
	direction: vec3('Direction of flight, of length 1', { unit: 'unit vector' }),
	speed: z.number().describe('Speed (m/s)'),
	damage: z.number().describe('Damage to the entity that it hits (HP)'),
	category: z.enum(DAMAGE_CATEGORIES),
	radius: z.number().describe('It hits an entity whose origin is closer than this (m)'),
	hits: z.enum(PROJECTILE_HITS),
	team: z.int().nullable().describe('Team; null: none'),
	owner: handle.nullable(),
	ends_at: tick('Tick after which it is removed'),
});

export const Projectile = component({
	name: 'projectile',
	title: 'Projectile',
	scope: 'state',
	summary: 'Flies straight and damages the first living entity with health that it hits',
	fields: {
		direction: vector3('Direction of flight, of length 1', 'unit vector', [1, 0, 0]),
		speed: scalar('f32', 'Speed', { unit: 'm/s', initial: 20 }),
		damage: scalar('f32', 'Damage to the entity that it hits', { unit: 'HP', initial: 25 }),
		category: words(DAMAGE_CATEGORIES, 'Kind of damage'),
		radius: scalar('f32', 'It hits an entity whose origin is closer than this', { unit: 'm', initial: 0.5 }),
		hits: words(PROJECTILE_HITS, 'others: all but its owner; enemies: other teams only; all: its owner too'),
		team: scalar('i32', 'Team; -1: none', { initial: NO_TEAM }),
		owner: entityRef('Entity credited with the damage'),
		ends_at: scalar('u32', 'Tick after which it is removed', { unit: TICK }),
	},
	readout: {
		schema: z.literal(true),
		from: () => true,
		second: {
			key: 'projectile_data',
			schema: projectileData,
			from: (row) => ({ ...row, team: row.team === NO_TEAM ? null : row.team }),
		},
	},
});
