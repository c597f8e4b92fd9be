/** The match went on. */

import { event, someone } from '../contract/event.ts';
import { integer, text } from '../contract/values.ts';

export const MatchPhase = event({
	kind: 'match',
	summary: 'The match entered a phase; the winner stands with post_match',
	fields: {
		phase: text('Phase that it entered'),
		winner_team: integer('Team that won', { max: 255 }).nullable(),
		winner: someone('Who won').nullable(),
	},
});
