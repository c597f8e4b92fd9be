/** The settings of the match that a level asks for. */

import type * as z from 'zod';
import { type MatchSettings, matchSettings } from '../../../shared/contract/match-settings.ts';
import type { Resource } from '../core/resource.ts';

export const Match: Resource<MatchSettings | null> = {
	name: 'match',
	scope: 'state',
	summary: 'Settings of the match, or null when there is none',
	schema: matchSettings.nullable() as unknown as z.ZodType<MatchSettings | null>,
	initial: () => null,
};
