/** The settings of a match, as levels carry them and a world keeps them. */

import * as z from 'zod';
import { flag, integer, number, text } from './values.ts';

export const matchSettings = z
	.strictObject({
		mode: text('Name of the mode').default('deathmatch'),
		score_limit: integer('Score that ends the match', { min: -0x80000000, max: 0x7fffffff }).default(10),
		time_limit: number('Length of the match; 0 or less: none', { unit: 's' }).default(300),
		respawn_delay: number('Time until the dead return', { unit: 's', min: 0 }).default(3),
		auto_start: flag('Begins at once instead of waiting in the lobby').default(true),
	})
	.describe('Match settings');

export type MatchSettings = z.output<typeof matchSettings>;
