/** Routes of the tag Status effects: apply, list, cleanse, remove. */

import * as z from 'zod';
import { effectDocument } from '../components/effects.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	entityReference,
	existingEntityId,
	flag,
	integer,
	listLength,
	message,
	nullMeansDefault,
	optional,
	text,
	word,
} from '../contract/values.ts';
import { entityErrors, warnings } from './world.ts';

const tag = 'Status effects' as const;
const spawnEntity = { path: '/spawn', body: { health: 100, team: 1 } } as const;
const burningEntity = [
	spawnEntity,
	{ path: '/effect/apply', body: { entity_id: 0, tag: 'burn', duration: 3, tick_effect: 'dps:10' } },
] as const;

export const applyEffect = route({
	id: 'effects.apply',
	tag,
	method: 'POST',
	path: '/effect/apply',
	cli: ['effect', 'apply'],
	summary: 'Applies a status effect to an entity for a time',
	description:
		'Modifiers change the stats of the entity, and all that depends on them, immediately. The stats are attack_damage, attack_range, attack_speed, move_speed, max_health, health_regen, max_mana, mana_regen, armor, magic_resist, crit_chance, crit_multiplier and damage_taken. A stat is (last set, else base) + sum of adds, times every multiply. Other names are shown but have no effect.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...entityReference,
			...effectDocument.shape,
			source: optional(entityId.describe('Id of the entity credited with it')),
		}),
	),
	answer: message.extend({
		effect_id: integer('Id of the effect, unique within its entity'),
		warnings,
	}),
	makes: {
		thing: 'effect',
		named: { effect: '$response.body#/effect_id', entity: '$request.body#/entity_id' },
	},
	errors: ['stack_full'],
	inside: entityErrors,
	examples: [
		{
			name: 'Slow and burn',
			given: [spawnEntity],
			body: {
				entity_id: 0,
				tag: 'tar',
				duration: 4,
				modifiers: ['move_speed:multiply:0.5', 'armor:add:-3'],
				tick_effect: 'dps:10',
			},
		},
		{
			name: 'Poison that stacks',
			given: [spawnEntity],
			body: { entity_id: 0, tag: 'poison', stack_policy: 'stack:3', tick_effect: 'dps:2' },
		},
	],
});

export const listEffects = route({
	id: 'effects.list',
	tag,
	method: 'GET',
	path: '/effect/list/{id}',
	cli: ['effect', 'list'],
	summary: 'Status effects and crowd control on an entity, oldest first',
	effect: 'read',
	params: z.strictObject({ id: existingEntityId }),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		effects: z.array(
			z.strictObject({
				id: z.int().describe('Id of the effect, unique within its entity'),
				tag: z.string(),
				remaining: z.number().nullable().describe('Time left; null: no limit (s)'),
				duration: z.number().nullable().describe('Duration; null: no limit (s)'),
				modifiers: z.array(z.string()).describe('Changes of stats, each written stat:op:value'),
				tick_effect: z.string().nullable(),
				source: entityId.nullable(),
				stack_policy: z.string(),
			}),
		),
		count: listLength,
		crowd_control: z
			.array(
				z.strictObject({
					kind: z.string(),
					remaining: z.number().describe('Time left (s)'),
					dispel: z.string(),
				}),
			)
			.describe('Active entries, oldest first'),
	}),
	errors: [],
	inside: ['entity_not_found'],
	examples: [{ name: 'List the effects', given: burningEntity, path: '/effect/list/0' }],
});

export const cleanse = route({
	id: 'effects.cleanse',
	tag,
	method: 'POST',
	path: '/effect/cleanse',
	cli: ['effect', 'cleanse'],
	summary: 'Removes the effects whose tag contains a text; left out: all effects',
	description:
		'With `dispel` crowd control is removed as well: BasicDispel removes the basic kind, StrongDispel the basic and the strong kind.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...entityReference,
			filter: text('Text that the tag contains, case-sensitive; empty: every effect', 100).default(''),
			all: optional(flag('All effects; the filter is ignored')),
			dispel: optional(word(['BasicDispel', 'StrongDispel'], 'Crowd control to remove as well')),
		}),
	),
	answer: message.extend({
		removed: z.int().describe('Effects and crowd control removed'),
		tags: z.array(z.string()).describe('Tags of the removed effects'),
	}),
	errors: [],
	inside: entityErrors,
	examples: [{ name: 'Put the fire out', given: burningEntity, body: { entity_id: 0, filter: 'burn' } }],
});

export const removeEffect = route({
	id: 'effects.remove',
	tag,
	method: 'DELETE',
	path: '/effect/{id}/{effect_id}',
	cli: ['effect', 'remove'],
	summary: 'Removes one effect from an entity',
	effect: 'write',
	params: z.strictObject({
		id: existingEntityId,
		effect_id: integer('Id of the effect').meta(namesThing('effect')),
	}),
	answer: message,
	errors: ['entity_not_found', 'unknown_effect'],
	examples: [{ name: 'Remove effect 1', given: burningEntity, path: '/effect/0/1' }],
});
