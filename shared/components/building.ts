/** Kind and lane of a building. */

import * as z from 'zod';
import { component, json, words } from '../contract/component.ts';
import { optional, word } from '../contract/values.ts';

export const BUILDING_TYPES = [
	'tier1_tower',
	'tier2_tower',
	'tier3_tower',
	'tier4_tower',
	'melee_barracks',
	'ranged_barracks',
	'ancient',
	'fountain',
	'effigy',
	'outpost',
] as const;

export const LANES = ['top', 'mid', 'bot'] as const;

export const Building = component({
	name: 'building',
	title: 'Building',
	scope: 'state',
	summary: 'Kind of building, and its lane',
	fields: {
		building_type: words(BUILDING_TYPES, 'Kind of building'),
		lane: json<(typeof LANES)[number] | null>(z.enum(LANES).nullable(), null, 'Lane, or null'),
	},
	spawn: {
		fields: {
			building_type: optional(
				word(BUILDING_TYPES, 'Kind of building; gives it health and, for towers, a weapon'),
			),
			lane: optional(word(LANES, 'Lane of a building')),
		},
		row: ({ building_type, lane }, warnings) => {
			if (building_type != null) return { building_type, lane: lane ?? null };
			if (lane != null) warnings.push('lane has no effect without building_type');
			return null;
		},
		describe: (row) => ({ building_type: row?.building_type, lane: row?.lane ?? undefined }),
	},
});
