/**
 * Actions of rules as data: what is done.
 * Owns: their vocabulary in typed form. The short texts (`heal this 10`) are turned into this.
 */

import * as z from 'zod';
import { SLOTS } from '../components/abilities.ts';
import { DAMAGE_CATEGORIES } from '../components/defense.ts';
import { effectDocument } from '../components/effects.ts';
import { integer, number, optional, position, text, toldApart, vec3, word } from '../contract/values.ts';
import { colorText, spawnFields, tagList, teamNumber } from './spawn.ts';
import { targetDocument } from './target.ts';

const target = targetDocument;
const I32 = { min: -0x80000000, max: 0x7fffffff };
const itemId = integer('Item: its id in the registry');
const field = text('Number of a component, such as health.current');
const count = integer('How many', { min: 1, max: 1_000_000 }).default(1);
const by = optional(word(['this', 'source'], 'Who is credited; left out: nobody'));
const shown = {
	text: text('What to show', 500),
	x: number('From the left edge, 0 to 1').default(0.5),
	y: number('From the top edge, 0 to 1').default(0.1),
	size: number('Height of the letters', { unit: 'pixels', min: 1, max: 500 }).default(20),
	color: text('Colour').default('white'),
};

export const actionDocument = toldApart(
	'action',
	z
		.discriminatedUnion('action', [
			z
				.strictObject({
					action: z.literal('spawn'),
					...spawnFields,
					template: optional(text('Template whose fields the ones beside it go over', 100)),
					at: optional(target.describe('One at each of these entities; the position counts from there')),
					speed: optional(number('The same as combat_speed', { unit: 'm/s', min: 0, max: 1000 })),
					waypoints: optional(
						z.array(vec3('Waypoint')).max(1000).describe('The same as ai_patrol, but not for fighters'),
					),
					count: optional(integer('How many, 1 m apart along z', { min: 1, max: 1000 })),
				})
				.describe('Lets entities appear. It needs mesh or template, and position or at'),
			z.strictObject({
				action: z.literal('damage'),
				target,
				amount: number('Damage', { unit: 'HP', min: 0 }),
				category: optional(word(DAMAGE_CATEGORIES, 'What resists it; left out: physical')),
				by,
			}),
			z.strictObject({ action: z.literal('heal'), target, amount: number('Health', { unit: 'HP', min: 0 }) }),
			z.strictObject({ action: z.literal('score'), target, points: integer('Points', I32) }),
			z.strictObject({ action: z.literal('despawn'), target }),
			z.strictObject({ action: z.literal('teleport'), target, position }),
			z.strictObject({ action: z.literal('color'), target, color: colorText }),
			z.strictObject({ action: z.literal('set_color'), target, color: colorText }),
			z.strictObject({ action: z.literal('text'), ...shown }),
			z.strictObject({ action: z.literal('show_text'), ...shown }),
			z.strictObject({ action: z.literal('endgame'), winner_team: teamNumber }),
			z
				.strictObject({ action: z.literal('set_field'), target, field, value: number('Its value then') })
				.describe('Sets a number. Health above 0 lets the dead live again'),
			z
				.strictObject({ action: z.literal('add_field'), target, field, value: number('What is added to it') })
				.describe('Adds to a number. Health above 0 lets the dead live again'),
			z.strictObject({
				action: z.literal('apply_effect'),
				target,
				...effectDocument.shape,
				tag: text('Name of the effect', 100).min(1),
				by,
			}),
			z.strictObject({
				action: z.literal('cleanse'),
				target,
				filter: text('Text that the tag of an effect contains; empty: every effect', 100).default(''),
				dispel: optional(word(['BasicDispel', 'StrongDispel'], 'Crowd control to take off as well')),
			}),
			z.strictObject({ action: z.literal('give_item'), target, item_id: itemId, count }),
			z
				.strictObject({ action: z.literal('take_item'), target, item_id: itemId, count })
				.describe('Takes items away, all of them or none'),
			z
				.strictObject({
					action: z.literal('equip'),
					target,
					slot: text('Slot; any name is one', 80).min(1).default('weapon'),
					item_id: itemId,
				})
				.describe('Lets the target wear what it carries'),
			z
				.strictObject({ action: z.literal('buy'), target, item_id: itemId })
				.describe('Lets the target buy one item, as POST /shop/buy does'),
			z
				.strictObject({
					action: z.literal('cast'),
					target,
					slot: word(SLOTS, 'Slot of the ability'),
					at: optional(target.describe('Whom it is aimed at: the first of these')),
					point: optional(vec3('Place it is aimed at')),
				})
				.describe('Lets the target cast an ability on this tick, as POST /ability/use does'),
			z
				.strictObject({
					action: z.literal('tag'),
					target,
					add: tagList.default([]),
					remove: tagList.default([]),
				})
				.describe('Adds labels, then takes labels away'),
			z.strictObject({
				action: z.literal('emit'),
				name: text('Name of the signal', 100).min(1),
				data: z.unknown().default(null).describe('Any JSON value that belongs to it'),
				about: optional(target.describe('Whom it is about: one signal for each of these')),
			}),
		])
		.describe('What is done')
		.meta({ id: 'Action' }),
);

export type Action = z.output<typeof actionDocument>;
