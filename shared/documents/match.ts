/** The game of a world. Owns: the names of its phases, and the causes of its end. */

import * as z from 'zod';

export const PHASES = ['lobby', 'countdown', 'playing', 'post_match'] as const;
export type Phase = (typeof PHASES)[number];

/** Cause of a match's end. */
export const matchCause = z.strictObject({
	kind: z
		.enum(['score_limit', 'time_limit', 'rule', 'script', 'call'])
		.describe('The limit that was reached, or what ended the match'),
	rule: z
		.string()
		.nullable()
		.describe('Name of the rule; null for other causes and for a rule without a name'),
	text: z.string().nullable().describe('Text that the rule shows at the end, or null'),
});
export type MatchCause = Readonly<z.output<typeof matchCause>>;
