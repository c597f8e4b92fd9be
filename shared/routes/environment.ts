/** Routes of the tag Gameplay about the environment for learning agents. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { entityId, message } from '../contract/values.ts';
import { environmentDocument, environmentState } from '../rules/environment.ts';

const tag = 'Gameplay' as const;

const duel = {
	name: 'Duel',
	agents: [{ name: 'hero', entity: 'tag:hero' }],
	observation: [
		{ name: 'health', field: 'health.current', low: 0, high: 100 },
		{ name: 'enemies', count: 'team:2+alive', low: 0, high: 10 },
	],
	actions: [{ name: 'wait' }, { name: 'right', inputs: [{ action: 'move_right', ticks: 6 }] }],
	reward: [{ count: 'team:2+alive', weight: -1 }],
	terminated: 'none team:2+alive',
};

const given = [
	{ path: '/spawn', body: { tags: ['hero'], health: 100, team: 1, player: true, position: [0, 0, 0] } },
	{ path: '/spawn', body: { health: 50, team: 2, position: [3, 0, 0] } },
] as const;

export const getEnvironment = route({
	id: 'environment.get',
	tag,
	method: 'GET',
	path: '/environment',
	cli: ['environment', 'get'],
	summary: 'Environment of the game for learning agents, and its present numbers',
	description:
		'A scenario declares it in its section `environment`. POST /fork/step with `environment` steps many episodes and returns these numbers for each.',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		environment: environmentDocument,
		agents: z
			.array(
				z.strictObject({
					name: z.string(),
					entity_id: entityId.nullable().describe('Entity of the agent; null: none matches'),
				}),
			)
			.describe('Agents, in order'),
		state: environmentState,
	}),
	errors: ['no_environment', 'too_many_actions'],
	examples: [{ name: 'Read it', given: [...given, { path: '/environment', body: duel }] }],
});

export const setEnvironment = route({
	id: 'environment.set',
	tag,
	method: 'POST',
	path: '/environment',
	cli: ['environment', 'set'],
	summary: 'Declares the environment of the game and replaces an earlier one',
	effect: 'view',
	owner: ['settings'],
	body: environmentDocument,
	answer: message,
	errors: ['invalid_assertion'],
	examples: [{ name: 'A duel', given, body: duel }],
});
