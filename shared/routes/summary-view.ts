/** Numbers of a world in the match summary and in snapshots. */

import * as z from 'zod';

export const worldSummary = z
	.strictObject({
		teams: z
			.array(
				z.strictObject({
					team: z.int().describe('Team number'),
					entity_count: z.int().describe('Members, including dead ones'),
					heroes_alive: z.int().describe('Heroes that are not dead'),
					towers_alive: z.int().describe('Towers that are not dead'),
					score: z.int().describe('Sum of the scores of its members, including removed ones'),
				}),
			)
			.describe('Teams with members or scores, ascending'),
		entity_counts_by_role: z
			.record(z.string(), z.int().describe('Number of entities with the role'))
			.describe('Role -> number of entities with it'),
		game_phase: z.string().describe('Phase of the match, or none'),
		match_time: z.number().describe('Time played (s)'),
		total_dead: z.int().describe('Number of dead entities'),
	})
	.describe('The world in numbers');
