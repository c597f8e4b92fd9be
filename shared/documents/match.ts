/** The match. Owns: the words for its phases. */

export const PHASES = ['lobby', 'countdown', 'playing', 'post_match'] as const;
export type Phase = (typeof PHASES)[number];
