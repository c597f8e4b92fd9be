/** Routes of the tag Gameplay about the match: create, start, read and end it. */

import * as z from 'zod';
import { teamNumber } from '../components/team.ts';
import { route } from '../contract/route.ts';
import { entityId, generation, message, nullMeansDefault, optional } from '../contract/values.ts';
import { matchCause, PHASES } from '../documents/match.ts';
import { gameDocument } from '../rules/scenario.ts';
import { worldSummary } from './summary-view.ts';

const tag = 'Gameplay' as const;
const phase = z.enum(PHASES).describe('Phase of the match');
const team = z.int().nullable().describe('Team, or null');
const startedMatch = [{ path: '/game/create', body: { mode: 'deathmatch', score_limit: 5 } }] as const;

const winner = z
	.strictObject({
		team,
		entity: entityId.nullable().describe('Winning entity, or null if a team won'),
		generation: generation.nullable(),
	})
	.nullable()
	.describe('null: none yet, or a draw');

export const getGame = route({
	id: 'match.state',
	tag,
	method: 'GET',
	path: '/game/state',
	cli: ['game', 'state'],
	summary: 'Phase, clock, limits, scores and winner of the match',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		phase,
		mode: z.string().describe('Name of the game mode'),
		elapsed: z.number().describe('Time played (s)'),
		scores: z
			.array(
				z.strictObject({
					entity: entityId,
					generation,
					team,
					score: z.int().describe('Points'),
				}),
			)
			.describe('Highest first'),
		score_limit: z.int().describe('Points of one entity that end the match; 0 or less: none'),
		time_limit: z.number().describe('Longest duration of the match; 0 or less: no limit (s)'),
		respawn_delay: z.number().describe('Time until dead entities respawn (s)'),
		auto_start: z.boolean().describe('true: it started without waiting in the lobby'),
		countdown: z.number().describe('Time between the start and play (s)'),
		countdown_remaining: z.number().describe('Time left of the countdown (s)'),
		started_at: z.int().nullable().describe('First tick of play'),
		ended_at: z.int().nullable().describe('First tick after play'),
		winner,
		winner_team: team.describe('Team of the winner, as in events; null without one'),
		ended_by: matchCause.nullable().describe('Cause of the end of the match; null before it'),
	}),
	errors: [],
	inside: ['no_match'],
	examples: [{ name: 'Read the match', given: startedMatch }],
});

export const getSummary = route({
	id: 'match.summary',
	tag,
	method: 'GET',
	path: '/game/summary',
	cli: ['game', 'summary'],
	summary: 'Teams, roles, dead entities and the latest verdicts of assertions',
	description: 'The score of a team is the sum of the scores of its members, including removed ones.',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		summary: worldSummary,
		assertions: z
			.array(z.strictObject({ name: z.string(), passed: z.boolean(), message: z.string() }))
			.describe('Evaluated assertions, with their latest verdict'),
		entity_count: z.int().describe('Entities in a team'),
	}),
	errors: [],
	examples: [
		{ name: 'Read the summary', given: [{ path: '/spawn', body: { team: 1, role: 'hero', health: 10 } }] },
	],
});

export const createGame = route({
	id: 'match.create',
	tag,
	method: 'POST',
	path: '/game/create',
	cli: ['game', 'create'],
	summary: 'Creates a match and replaces an existing one',
	description:
		'A kill scores 1 for the killer, once, for any victim; POST /tuning can change this. Kills score in every phase. The match ends when an entity reaches the score limit or the time is over; then the leader wins. Dead members of a team, towers included, respawn at its spawn point; minions and entities with a building_type do not.',
	effect: 'write',
	owner: ['settings'],
	body: z.strictObject(nullMeansDefault(gameDocument.shape)),
	answer: message.extend({ phase }),
	errors: [],
	examples: [
		{ name: 'First to five', body: { mode: 'deathmatch', score_limit: 5, time_limit: 120 } },
		{ name: 'Wait in the lobby', body: { auto_start: false, countdown: 3 } },
	],
});

export const startGame = route({
	id: 'match.start',
	tag,
	method: 'POST',
	path: '/game/start',
	cli: ['game', 'start'],
	summary: 'Starts the match that waits in the lobby',
	effect: 'write',
	owner: ['settings'],
	answer: message.extend({ phase }),
	errors: ['no_match', 'match_running'],
	examples: [{ name: 'Start', given: [{ path: '/game/create', body: { auto_start: false } }], body: {} }],
});

export const endGame = route({
	id: 'match.end',
	tag,
	method: 'POST',
	path: '/game/end',
	cli: ['game', 'end'],
	summary: 'Ends the match. The given team or the leader wins',
	effect: 'write',
	owner: ['settings'],
	body: z.strictObject({
		winner_team: optional(teamNumber.describe('Team that wins; left out: the leader')),
	}),
	answer: message.extend({
		winner,
		winner_team: team.describe('Team of the winner, as in events; null without one'),
	}),
	errors: ['no_match', 'match_over'],
	examples: [{ name: 'Team 1 wins', given: startedMatch, body: { winner_team: 1 } }],
});

export const removeGame = route({
	id: 'match.remove',
	tag,
	method: 'DELETE',
	path: '/game/state',
	cli: ['game', 'delete'],
	summary: 'Removes the match with its scores',
	effect: 'write',
	owner: ['settings'],
	answer: message,
	errors: ['no_match'],
	examples: [{ name: 'Remove it', given: startedMatch }],
});
