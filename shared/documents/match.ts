/** The match. Owns: the words for its phases, and what can end it. */

import * as z from 'zod';

export const PHASES = ['lobby', 'countdown', 'playing', 'post_match'] as const;
export type Phase = (typeof PHASES)[number];

/** What ended a match. */
export const matchCause = z.strictObject({
	kind: z
		.enum(['score_limit', 'time_limit', 'rule', 'script', 'call'])
		.describe('A limit of the match, or who ended it'),
	rule: z
		.string()
		.nullable()
		.describe('Name of the rule; null for anything else, and for a rule without one'),
	text: z.string().nullable().describe('The text that the rule shows when it ends the match, or null'),
});
export type MatchCause = Readonly<z.output<typeof matchCause>>;
