/** The settings of the match that a level asks for. */

import type * as z from 'zod';
import { gameDocument } from '../../../shared/routes/scenes.ts';
import type { Resource } from '../core/resource.ts';

export type MatchSettings = z.output<typeof gameDocument>;

export const Match: Resource<MatchSettings | null> = {
	name: 'match',
	scope: 'state',
	summary: 'Settings of the match, or null when there is none',
	schema: gameDocument.nullable() as unknown as z.ZodType<MatchSettings | null>,
	initial: () => null,
};
