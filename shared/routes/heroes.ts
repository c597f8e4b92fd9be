/** Routes of the tag Gameplay about heroes and abilities. */

import * as z from 'zod';
import { abilityDocument, abilityList, effectView, SLOTS } from '../components/abilities.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	entityReference,
	existingEntityId,
	listLength,
	message,
	nullMeansDefault,
	number,
	optional,
	vec3,
	withoutReserved,
	word,
} from '../contract/values.ts';
import { heroDocument, heroName as name } from '../documents/hero.ts';
import { entityErrors, warnings } from './world.ts';

const tag = 'Gameplay' as const;
const slot = word(SLOTS, 'Slot');

const heal = { slot: 'Q', name: 'Mend', cooldown: 8, mana_cost: 50, effect: { Heal: { amount: 120 } } };
const defineKnight = [
	{ path: '/hero/define', body: { name: 'Knight', health: 800, abilities: [heal] } },
] as const;
const spawnEntity = { path: '/spawn', body: { health: 100, team: 1 } } as const;

const abilityView = abilityDocument.extend({ slot: z.enum(SLOTS), effect: effectView });
const heroView = heroDocument.extend({
	base_stats: z.record(z.string(), z.number()).describe('Stat -> value'),
	stat_growth: z.record(z.string(), z.number()).describe('Stat -> amount added per level'),
	abilities: z.array(abilityView),
});

export const defineHero = route({
	id: 'heroes.define',
	tag,
	method: 'POST',
	path: '/hero/define',
	cli: ['hero', 'define'],
	summary: 'Defines a hero, or replaces the one of that name',
	description:
		'`base_stats` replace the values of the weapon: attack_damage, move_speed, armor and so on. Selected heroes do not change.',
	effect: 'write',
	body: heroDocument.extend({ name: withoutReserved(name, 'list') }),
	answer: message.extend({
		replaced: z.boolean().describe('true: it replaced an earlier one'),
		warnings,
	}),
	makes: { thing: 'hero', named: { hero: '$request.body#/name' } },
	errors: [],
	examples: [
		{ name: 'A knight who heals', body: { name: 'Knight', health: 800, damage: 60, abilities: [heal] } },
		{
			name: 'A mage with growth',
			body: {
				name: 'Mage',
				base_stats: { attack_damage: 30, armor: 2 },
				stat_growth: { max_health: 40, attack_damage: 3 },
				abilities: [
					{
						slot: 'W',
						name: 'Frost',
						cooldown: 6,
						mana_cost: 80,
						effect: {
							AreaEffect: {
								radius: 5,
								affects: 'enemies',
								effect: { ApplyCc: { cc_type: 'Stun', duration: 2, dispel: 'StrongDispel' } },
							},
						},
					},
				],
			},
		},
	],
});

export const selectHero = route({
	id: 'heroes.select',
	tag,
	method: 'POST',
	path: '/hero/select',
	cli: ['hero', 'select'],
	summary: 'Makes an entity a hero: full health and mana, level 1, its weapon, stats and abilities',
	description:
		'An entity without a body or velocity gets them, so that it can walk. Its team does not change.',
	effect: 'write',
	body: z.strictObject({ ...entityReference, hero_name: name.meta(namesThing('hero')) }),
	answer: message.extend({ warnings }),
	errors: ['entity_dead'],
	inside: ['invalid_body', ...entityErrors, 'unknown_hero'],
	examples: [
		{
			name: 'Become a knight',
			given: [...defineKnight, spawnEntity],
			body: { entity_id: 0, hero_name: 'Knight' },
		},
	],
});

export const listHeroes = route({
	id: 'heroes.list',
	tag,
	method: 'GET',
	path: '/hero/list',
	cli: ['hero', 'list'],
	summary: 'All heroes with their definitions, by name',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), heroes: z.array(heroView), count: listLength }),
	errors: [],
	examples: [{ name: 'List them', given: defineKnight }],
});

const params = z.strictObject({ name: name.meta(namesThing('hero')) });

export const getHero = route({
	id: 'heroes.get',
	tag,
	method: 'GET',
	path: '/hero/{name}',
	cli: ['hero', 'get'],
	summary: 'The definition of a hero',
	effect: 'read',
	params,
	answer: heroView.extend({ ok: z.literal(true) }),
	errors: ['unknown_hero'],
	examples: [{ name: 'Read the knight', given: defineKnight, path: '/hero/Knight' }],
});

export const removeHero = route({
	id: 'heroes.remove',
	tag,
	method: 'DELETE',
	path: '/hero/{name}',
	cli: ['hero', 'delete'],
	summary: 'Removes the definition of a hero; entities that play it do not change',
	effect: 'write',
	params,
	answer: message,
	errors: ['unknown_hero'],
	examples: [{ name: 'Remove the knight', given: defineKnight, path: '/hero/Knight' }],
});

export const useAbility = route({
	id: 'abilities.use',
	tag,
	method: 'POST',
	path: '/ability/use',
	cli: ['ability', 'use'],
	summary: 'Casts an ability on the next tick, or reports why it cannot be cast',
	description:
		'Without an aim, Damage, Heal, ApplyEffect, ApplyCc and SpeedBoost affect the caster, areas are centred on it, and shots and dashes go forwards: -z, rotated with it. `target`: they affect and go to that entity. `point`: areas are there, and shots and dashes go there. If the target no longer exists on that tick, nothing is paid and the event CastFailedEvent reports target_gone.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...entityReference,
			slot: slot.default('Q'),
			target: optional(entityId.describe('Id of the entity to aim at')),
			point: optional(vec3('Position to aim at')),
		}),
	),
	answer: message.extend({ ready_at: z.int().describe('First tick on which it can be cast again') }),
	errors: ['no_ability', 'on_cooldown', 'no_mana', 'entity_dead', 'silenced', 'bad_aim'],
	inside: entityErrors,
	examples: [
		{
			name: 'Cast Q',
			given: [
				...defineKnight,
				spawnEntity,
				{ path: '/hero/select', body: { entity_id: 0, hero_name: 'Knight' } },
			],
			body: { entity_id: 0, slot: 'Q' },
		},
	],
});

export const listAbilities = route({
	id: 'abilities.list',
	tag,
	method: 'GET',
	path: '/ability/list/{id}',
	cli: ['ability', 'list'],
	summary: 'Abilities, mana, gold and level of an entity',
	effect: 'read',
	params: z.strictObject({ id: existingEntityId }),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		abilities: z
			.array(
				z.strictObject({
					slot: z.enum(SLOTS),
					name: z.string(),
					cooldown: z.number().describe('Time between casts (s)'),
					cooldown_remaining: z.number().describe('Time until it can be cast (s)'),
					mana_cost: z.number().describe('Mana that a cast costs'),
					ready: z.boolean().describe('true: POST /ability/use would accept it now'),
					ready_at: z.int().describe('First tick on which it can be cast'),
					effect: effectView,
				}),
			)
			.describe('In the order they were given'),
		mana: z
			.strictObject({
				current: z.number().describe('Current mana'),
				max: z.number().describe('Maximum mana'),
				regen: z.number().describe('Mana regenerated per second (1/s)'),
			})
			.nullable(),
		gold: z.int().nullable().describe('Current gold; null: it cannot have gold'),
		level: z
			.strictObject({
				level: z.int().describe('Level, from 1'),
				xp: z.int().describe('Experience gained on this level (XP)'),
				xp_to_next: z.int().describe('Experience needed for the whole level (XP)'),
			})
			.nullable(),
		hero: z.string().nullable().describe('Name of the hero it plays'),
	}),
	errors: [],
	inside: ['entity_not_found'],
	examples: [{ name: 'List its abilities', given: [spawnEntity], path: '/ability/list/0' }],
});

const entityWithAbility = [
	spawnEntity,
	{ path: '/ability/set', body: { entity_id: 0, abilities: [heal] } },
] as const;

export const setAbilities = route({
	id: 'abilities.set',
	tag,
	method: 'POST',
	path: '/ability/set',
	cli: ['ability', 'set'],
	summary: 'Gives an entity abilities that are ready immediately; other slots do not change',
	description: 'An entity without mana casts at no cost; add it with `mana`.',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		abilities: abilityList.min(1),
		mana: optional(number('Mana, current and maximum', { min: 0 })),
		mana_regen: optional(number('Mana regenerated per second; default 5', { unit: '1/s', min: 0 })),
	}),
	answer: message.extend({ slots: z.array(z.enum(SLOTS)).describe('Slots with an ability') }),
	errors: entityErrors,
	examples: [
		{ name: 'Learn to heal', given: [spawnEntity], body: { entity_id: 0, abilities: [heal], mana: 200 } },
	],
});

export const removeAbility = route({
	id: 'abilities.remove',
	tag,
	method: 'POST',
	path: '/ability/remove',
	cli: ['ability', 'remove'],
	summary: 'Removes one ability from an entity, or all',
	effect: 'write',
	body: z.strictObject({ ...entityReference, slot: optional(slot.describe('Slot; left out: all')) }),
	answer: message.extend({ removed: z.int().describe('Number of removed abilities') }),
	errors: [...entityErrors, 'no_ability'],
	examples: [{ name: 'Forget Q', given: entityWithAbility, body: { entity_id: 0, slot: 'Q' } }],
});
