/** Routes of the tag Gameplay: trigger zones, projectiles, movement goals and view filters. */

import * as z from 'zod';
import { colorText } from '../components/color.ts';
import { DAMAGE_CATEGORIES } from '../components/defense.ts';
import { effectDocument } from '../components/effects.ts';
import { meshText } from '../components/mesh.ts';
import { PROJECTILE_HITS, projectileData } from '../components/projectile.ts';
import { shotDocument } from '../components/shot.ts';
import { spreadDocument } from '../components/spread.ts';
import { teamNumber } from '../components/team.ts';
import { TRIGGER_ACTION, TRIGGER_ACTIONS, TRIGGER_RATES } from '../components/trigger-zone.ts';
import { VIEW_RULE } from '../components/view-filter.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	entityReference,
	flag,
	generation,
	hasLength,
	isGiven,
	listLength,
	message,
	nullMeansDefault,
	number,
	optional,
	place,
	position,
	someLengthSchema,
	text,
	ticks,
	vec3,
	word,
} from '../contract/values.ts';
import { entityErrors, warnings } from './world.ts';

const createdMessage = message.extend({
	id: entityId,
	entity_id: entityId,
	generation,
	entity_generation: generation,
	warnings,
});

const halfExtents = vec3('Half extents of the box; an extent of 0 or less contains nothing');

const actionIs = (pattern: string) => ({
	properties: { action: { type: 'string', pattern } },
	required: ['action'],
});
/** JSON Schema that refuses the fields of one action beside another action. */
const actionFieldRules = {
	allOf: [
		{ anyOf: [{ not: isGiven('effect') }, actionIs('^effect$')] },
		{ anyOf: [{ not: isGiven('target') }, actionIs('^teleport')] },
		{ anyOf: [{ not: actionIs('^effect$') }, isGiven('effect')] },
		{ anyOf: [{ not: actionIs('^teleport$') }, isGiven('target')] },
	],
};

export const createTrigger = route({
	id: 'gameplay.create_trigger',
	tag: 'Gameplay',
	method: 'POST',
	path: '/trigger/create',
	cli: ['trigger', 'create'],
	summary: 'Creates a box that damages, heals, teleports or applies an effect to entities inside it',
	description:
		'It acts on every tick on living entities with health whose origin is strictly inside; a teleport also on moving bodies. An effect is applied again on every tick: with the policy refresh and a short duration it lasts while an entity stays inside. Rules can move it and change its size: set_field trigger_zone.half.x.',
	effect: 'write',
	body: z
		.strictObject(
			nullMeansDefault({
				position: position.default([0, 0, 0]),
				zone: halfExtents.default([1, 1, 1]),
				action: text('damage:N or heal:N with N in HP, teleport:x,y,z, or effect', 200)
					.meta({ pattern: TRIGGER_ACTION })
					.default('damage:10'),
				per: word(TRIGGER_RATES, 'Unit of N: per tick or per second').default('tick'),
				category: word(DAMAGE_CATEGORIES, 'Kind of damage').default('physical'),
				target: optional(vec3('With action "teleport": the destination')),
				effect: optional(effectDocument.describe('With action "effect": the effect')),
				team: optional(teamNumber.describe('Acts only on entities of this team')),
				once: flag('Acts only on the first tick an entity is inside').default(false),
			}),
		)
		.meta(actionFieldRules),
	answer: createdMessage,
	makes: { thing: 'trigger', named: { trigger: '$response.body#/id' } },
	errors: ['world_full'],
	examples: [
		{
			name: 'A pool of lava',
			body: { position: [0, 0, 0], zone: [4, 1, 4], action: 'damage:20', per: 'second' },
		},
		{
			name: 'A swamp',
			body: {
				zone: [10, 2, 10],
				action: 'effect',
				effect: {
					tag: 'mud',
					duration: 0.1,
					stack_policy: 'refresh',
					modifiers: ['move_speed:multiply:0.5'],
				},
			},
		},
		{ name: 'A gate for team 1', body: { action: 'teleport:0,2,30', team: 1 } },
	],
});

const trigger = z.strictObject({
	id: entityId,
	generation,
	position: place,
	zone: halfExtents,
	action: text('In the form of POST /trigger/create', 200),
	kind: z.enum(TRIGGER_ACTIONS),
	amount: z.number().describe('Damage or health (HP)'),
	per: z.enum(TRIGGER_RATES),
	category: z.enum(DAMAGE_CATEGORIES),
	target: vec3('Position it teleports to'),
	effect: effectDocument.nullable().describe('Effect it applies, or null'),
	team: z.int().nullable().describe('Acts only on this team; null: on all'),
	once: z.boolean(),
	spent: z.boolean().describe('true: it has acted and will not act again'),
});

export const listTriggers = route({
	id: 'gameplay.list_triggers',
	tag: 'Gameplay',
	method: 'GET',
	path: '/trigger/list',
	cli: ['trigger', 'list'],
	summary: 'All trigger zones, in id order',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), triggers: z.array(trigger), count: listLength }),
	errors: [],
	examples: [{ name: 'List them', given: [{ path: '/trigger/create', body: { action: 'heal:5' } }] }],
});

export const changeTrigger = route({
	id: 'gameplay.change_trigger',
	tag: 'Gameplay',
	method: 'PATCH',
	path: '/trigger/{id}',
	cli: ['trigger', 'change'],
	summary: 'Changes a trigger zone in place: its size or its action',
	description:
		'Fields that are left out or null keep their values. POST /entities/{id}/components moves it, with transform.',
	effect: 'write',
	params: z.strictObject({ id: entityId.meta(namesThing('trigger')) }),
	body: z
		.strictObject({
			zone: optional(halfExtents),
			action: optional(
				text('As on creation; an effect needs the field effect again', 200).meta({ pattern: TRIGGER_ACTION }),
			),
			per: optional(word(TRIGGER_RATES, 'Unit of N: per tick or per second')),
			category: optional(word(DAMAGE_CATEGORIES, 'Kind of damage')),
			target: optional(vec3('With action "teleport": the destination')),
			effect: optional(effectDocument.describe('With action "effect": the effect')),
			team: optional(teamNumber.describe('Acts only on entities of this team')),
			once: optional(flag('Acts only on the first tick an entity is inside')),
		})
		.meta(actionFieldRules),
	answer: message.extend({ trigger, warnings }),
	errors: ['entity_not_found', 'no_trigger'],
	examples: [
		{
			name: 'A larger one that heals',
			given: [{ path: '/trigger/create', body: {} }],
			path: '/trigger/0',
			body: { zone: [3, 1, 3], action: 'heal:5' },
		},
	],
});

export const deleteTrigger = route({
	id: 'gameplay.delete_trigger',
	tag: 'Gameplay',
	method: 'DELETE',
	path: '/trigger/{id}',
	cli: ['trigger', 'delete'],
	summary: 'Removes a trigger zone with its entity',
	effect: 'write',
	params: z.strictObject({ id: entityId.meta(namesThing('trigger')) }),
	answer: z.strictObject({ ok: z.literal(true), deleted: entityId }),
	errors: ['entity_not_found', 'no_trigger'],
	examples: [{ name: 'Remove it', given: [{ path: '/trigger/create', body: {} }], path: '/trigger/0' }],
});

export const createProjectile = route({
	id: 'gameplay.create_projectile',
	tag: 'Gameplay',
	method: 'POST',
	path: '/projectile/spawn',
	cli: ['projectile', 'spawn'],
	summary: 'Launches a projectile that damages the first living entity with health it hits',
	description:
		'It hits entities at any speed. With `spread` its direction is drawn on its first tick; POST /peek lists the possible directions before.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			from: position.default([0, 0, 0]),
			direction: vec3('Direction of flight, of any length but zero', { unit: 'direction' })
				.refine(hasLength, 'a direction must have a length above 0')
				.meta({ unit: 'direction', ...someLengthSchema })
				.default([1, 0, 0]),
			speed: shotDocument.shape.speed,
			damage: number('Damage', { unit: 'HP', min: 0 }).default(25),
			lifetime: number('Time until it vanishes', { unit: 's', min: 0, max: 1e5 }).default(3),
			radius: shotDocument.shape.radius,
			category: shotDocument.shape.category,
			hits: word(
				PROJECTILE_HITS,
				'others: all but its owner; enemies: other teams only; all: its owner too',
			).default('others'),
			owner: optional(entityId.describe('Id of the entity credited with the damage')),
			team: optional(teamNumber.describe("Team; left out: the owner's")),
			spread: optional(spreadDocument),
			mesh: optional(meshText),
			color: optional(colorText),
		}),
	),
	answer: createdMessage,
	makes: { thing: 'projectile', named: { projectile: '$response.body#/id' } },
	errors: [...entityErrors, 'world_full'],
	examples: [
		{ name: 'An arrow along x', body: { from: [0, 1, 0], direction: [1, 0, 0], speed: 40, damage: 15 } },
		{
			name: 'A shot with spread',
			body: { direction: [1, 0, 0], spread: { cone: 0.1, rays: 7 } },
		},
		{
			name: 'From entity 0 at its enemies',
			given: [{ path: '/spawn', body: { team: 1 } }],
			body: { owner: 0, hits: 'enemies' },
		},
	],
});

const projectile = z.strictObject({
	id: entityId,
	generation,
	position: place,
	...projectileData.omit({ ends_at: true }).shape,
	spread: spreadDocument.nullable().describe('Spread from which its direction will be drawn, or null'),
	ticks_left: ticks.describe('Ticks until it vanishes'),
});

export const listProjectiles = route({
	id: 'gameplay.list_projectiles',
	tag: 'Gameplay',
	method: 'GET',
	path: '/projectile/list',
	cli: ['projectile', 'list'],
	summary: 'All projectiles in flight, in id order',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), projectiles: z.array(projectile), count: listLength }),
	errors: [],
	examples: [{ name: 'List them', given: [{ path: '/projectile/spawn', body: {} }] }],
});

export const deleteProjectile = route({
	id: 'gameplay.delete_projectile',
	tag: 'Gameplay',
	method: 'DELETE',
	path: '/projectile/{id}',
	cli: ['projectile', 'delete'],
	summary: 'Removes a projectile before it hits anything',
	effect: 'write',
	params: z.strictObject({ id: entityId.meta(namesThing('projectile')) }),
	answer: z.strictObject({ ok: z.literal(true), deleted: entityId }),
	errors: ['entity_not_found', 'no_projectile'],
	examples: [{ name: 'Remove it', given: [{ path: '/projectile/spawn', body: {} }], path: '/projectile/0' }],
});

export const BEHAVIORS = ['idle', 'chase', 'patrol', 'flee'] as const;

export const setAi = route({
	id: 'gameplay.set_ai',
	tag: 'Gameplay',
	method: 'POST',
	path: '/ai/set',
	cli: ['ai', 'set'],
	summary: 'Gives an entity a movement goal; entities show it as ai and ai_goal',
	description:
		'An entity without a body gets a Kinematic one. A fighter follows its goal while it has no enemy. POST /entities/{id}/components {"remove":["ai"]} removes it.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...entityReference,
			behavior: word(BEHAVIORS, 'Kind of movement').default('idle'),
			target: optional(entityId.describe('Id of the entity to chase or flee from')),
			speed: number('Walking speed', { unit: 'm/s', min: 0, max: 1000 }).default(3),
			waypoints: z
				.array(vec3('Waypoint'))
				.max(1000)
				.describe('Waypoints of a patrol, walked in a loop')
				.default([]),
			next: z.int().min(0).max(999).describe('Index of the waypoint that a patrol begins at').default(0),
		}),
	),
	answer: message.extend({ ai: z.string().describe('The goal as a text'), warnings }),
	errors: [],
	inside: entityErrors,
	examples: [
		{
			name: 'Walk between two points',
			given: [{ path: '/spawn', body: {} }],
			body: {
				entity_id: 0,
				behavior: 'patrol',
				waypoints: [
					[5, 0, 0],
					[0, 0, 0],
				],
				speed: 2,
			},
		},
		{
			name: 'Chase entity 1',
			given: [
				{ path: '/spawn', body: {} },
				{ path: '/spawn', body: { position: [9, 0, 0] } },
			],
			body: { entity_id: 0, behavior: 'chase', target: 1 },
		},
	],
});

export const setViewFilter = route({
	id: 'gameplay.set_view_filter',
	tag: 'Gameplay',
	method: 'POST',
	path: '/view-filter/set',
	cli: ['view-filter', 'set'],
	summary: 'Makes an entity an observer that sees the entities that pass all its rules, or removes its rules',
	description:
		'Rules: always, same-team, within:R (m), tag:NAME, zone:ID (a trigger zone), not:RULE. From the next tick on, visible_to lists the observers of an entity, and POST /observe?viewer= shows what one sees. Without rules, or with clear, the entity stops being an observer.',
	effect: 'write',
	body: z
		.strictObject(
			nullMeansDefault({
				...entityReference,
				rules: z
					.array(text('Rule', 300).meta({ pattern: VIEW_RULE }))
					.max(100)
					.describe('Rules; all of them must hold')
					.default([]),
				clear: flag('Removes the rules').default(false),
			}),
		)
		.refine(({ rules, clear }) => !clear || rules.length === 0, '"clear" removes all rules')
		.meta({
			not: {
				properties: { clear: { const: true }, rules: { type: 'array', minItems: 1 } },
				required: ['clear', 'rules'],
			},
		})
		.describe('"rules", or "clear"'),
	answer: message.extend({ rules: z.array(z.string()).describe('Current rules'), warnings }),
	errors: ['invalid_view_rule'],
	inside: entityErrors,
	examples: [
		{
			name: 'See near enemies',
			given: [{ path: '/spawn', body: { team: 1 } }],
			body: { entity_id: 0, rules: ['within:20', 'not:same-team'] },
		},
	],
});
