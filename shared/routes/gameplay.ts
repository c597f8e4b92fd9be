/** Routes of the tag Gameplay: damage, heal, tags. */

import * as z from 'zod';
import { DAMAGE_CATEGORIES } from '../components/defense.ts';
import { tagList } from '../components/tags.ts';
import { route } from '../contract/route.ts';
import {
	entityId,
	entityReference,
	message,
	nullMeansDefault,
	number,
	optional,
	word,
} from '../contract/values.ts';
import { entityErrors } from './world.ts';

const notLivingErrors = ['no_health', 'entity_dead'] as const;

export const damage = route({
	id: 'gameplay.damage',
	tag: 'Gameplay',
	method: 'POST',
	path: '/entity/damage',
	cli: ['entity', 'damage'],
	summary: 'Queues damage that the next tick applies once',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...entityReference,
			amount: number('Damage', { unit: 'HP', min: 0 }).default(0),
			source: optional(entityId.describe('Id of the entity credited with it')),
			category: word(
				DAMAGE_CATEGORIES,
				'physical: armour reduces it; magical: magic resistance reduces it',
			).default('physical'),
		}),
	),
	answer: message,
	errors: [...entityErrors, ...notLivingErrors],
	examples: [
		{
			name: 'Take 30 HP on the next tick',
			given: [{ path: '/spawn', body: { health: 100 } }],
			body: { entity_id: 0, amount: 30 },
		},
	],
});

export const heal = route({
	id: 'gameplay.heal',
	tag: 'Gameplay',
	method: 'POST',
	path: '/entity/heal',
	cli: ['entity', 'heal'],
	summary: 'Heals an entity immediately, up to its maximum health',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...entityReference,
			amount: number('Health to restore', { unit: 'HP', min: 0 }).default(0),
		}),
	),
	answer: message.extend({ health: z.number().describe('Current health (HP)') }),
	errors: notLivingErrors,
	inside: entityErrors,
	examples: [
		{
			name: 'Give 20 HP',
			given: [{ path: '/spawn', body: { health: 100 } }],
			body: { entity_id: 0, amount: 20 },
		},
	],
});

export const tag = route({
	id: 'gameplay.tag',
	tag: 'Gameplay',
	method: 'POST',
	path: '/tag',
	cli: ['entity', 'tag'],
	summary: 'Adds and removes labels; a label in both lists ends up removed',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({ ...entityReference, add: tagList.default([]), remove: tagList.default([]) }),
	),
	answer: message.extend({ tags: z.array(z.string()).describe('Current labels, sorted') }),
	errors: [],
	inside: entityErrors,
	examples: [
		{
			name: 'Label entity 0',
			given: [{ path: '/spawn', body: {} }],
			body: { entity_id: 0, add: ['boss', 'blue'] },
		},
	],
});
