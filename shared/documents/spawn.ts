/**
 * The document that describes an entity: the body of POST /spawn, and an entry of levels.
 * Owns: its fields, the same wherever it is used.
 */

import * as z from 'zod';
import { BUILDING_TYPES, LANES } from '../components/building.ts';
import { colliderDocument } from '../components/collider.ts';
import { COMBAT_STYLES, crit } from '../components/combat.ts';
import { lootEntry } from '../components/loot.ts';
import { BODY_KINDS } from '../components/physics-body.ts';
import { shotDocument } from '../components/shot.ts';
import {
	entityId,
	flag,
	integer,
	number,
	optional,
	position,
	quaternion,
	scale,
	text,
	vec3,
	word,
} from '../contract/values.ts';
import { hasWeight } from '../contract/weight.ts';
import { belongingsFields } from './belongings.ts';

export const velocityDocument = z
	.strictObject({
		linear: vec3('Linear velocity', { unit: 'm/s', min: -1e4, max: 1e4 }),
		angular: vec3('Angular velocity, axis times speed', { unit: 'rad/s', min: -1e3, max: 1e3 }).default([
			0, 0, 0,
		]),
	})
	.describe('Velocity')
	.meta({ id: 'Velocity' });

export const ROLE_WORDS = ['hero', 'minion', 'tower', 'structure'] as const;

export const teamNumber = integer('Team number', { max: 255 });
export const healthPoints = number('Health, current and maximum', { unit: 'HP', min: 0 });
export const colorText = text(
	'Colour: red, blue, green, gold, silver, gray, white, black, yellow, cyan, magenta, orange, or "r,g,b" with parts from 0 to 1. Unknown ones become white',
	100,
);
export const meshText = text(
	'Shape that is drawn: cube, sphere, plane, cylinder, cone, or the path of a model file. Unknown ones are drawn as a placeholder',
	200,
);
export const tagList = z.array(text('Label', 100)).max(100).describe('Labels');
export const agentNumber = integer('Number of the agent that owns the entity');

const I32 = { min: -0x80000000, max: 0x7fffffff };

/** Name of a template or a prefab. */
export const registryName = text('Name', 100).min(1);
export const prefabSummary = text('What it is', 500);

const plainFields = {
	agent_id: optional(agentNumber),
	mesh: optional(meshText),
	color: optional(colorText),
	position: optional(position),
	rotation: optional(quaternion('Rotation')),
	scale: optional(scale),
	velocity: optional(velocityDocument),
	collider: optional(colliderDocument),
	physics_body: optional(word(BODY_KINDS, 'Kind of body. Dynamic and Kinematic also get a velocity')),
	parent: optional(entityId.describe('Id of the entity that this one hangs on')),
	health: optional(healthPoints),
	team: optional(teamNumber),
	tags: optional(tagList),
	combat: optional(flag('Fights by itself. Without a body it is given a Kinematic one')),
	combat_damage: optional(number('Damage of a blow; default 10', { unit: 'HP', min: 0 })),
	combat_range: optional(number('Reach of a blow; default 1.5', { unit: 'm', min: 0, max: 1e4 })),
	combat_speed: optional(
		number('Speed of walking, also on patrol; default 3', { unit: 'm/s', min: 0, max: 1e3 }),
	),
	combat_cooldown: optional(number('Time between blows; default 1', { unit: 's', min: 0, max: 1e5 })),
	combat_detect_range: optional(
		number('Distance within which it notices enemies; default 20, or its reach where that is more', {
			unit: 'm',
			min: 0,
			max: 1e4,
		}),
	),
	combat_style: optional(word(COMBAT_STYLES, 'melee chases, stationary stays where it is; default melee')),
	combat_projectile: optional(
		shotDocument.describe('What it shoots at its targets instead of striking them'),
	),
	march: optional(
		vec3(
			'Way it walks while it has nobody to fight: a direction on the ground, of any length; [0, 0, 0] to stand. Left out, team 1 walks along +x and others along -x',
			{ unit: 'direction' },
		),
	),
	crit: optional(crit.describe('Critical blows of a fighter')),
	armor: optional(
		number('Armour: physical damage is multiplied by 1 - f a / (1 + f |a|), f 0.06 unless tuned', {
			min: -1e6,
			max: 1e6,
		}),
	),
	magic_resist: optional(number('Share of magical damage that is turned away', { min: -100, max: 1 })),
	ai_patrol: optional(z.array(vec3('Waypoint')).max(1000).describe('Waypoints, walked in a loop')),
	gold: optional(integer('Gold carried; also gives level 1', I32)),
	gold_bounty: optional(integer('Gold for the killer', I32)),
	xp_bounty: optional(integer('Experience for the killer', { unit: 'XP' })),
	role: optional(word(ROLE_WORDS, 'Part it plays')),
	spawn_point: optional(teamNumber.describe('Team that respawns here')),
	player: optional(flag('Played by a person')),
	building_type: optional(
		word(BUILDING_TYPES, 'Kind of building; gives it health and, for towers, a weapon'),
	),
	lane: optional(word(LANES, 'Lane of a building')),
	...belongingsFields,
};

export const spawnFields = {
	...plainFields,
	loot: optional(
		z
			.array(lootEntry(z.strictObject(plainFields).omit({ parent: true })))
			.min(1)
			.max(100)
			.refine(hasWeight, 'one of the weights must be above zero')
			.describe('What it leaves behind when it dies: one of these, decided once for each death'),
	),
};

export const spawnDocument = z.strictObject(spawnFields).meta({ id: 'Spawn' });
export type SpawnDocument = z.output<typeof spawnDocument>;
