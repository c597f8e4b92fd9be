/** What an entity is kept from doing, and until when. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
import { tick } from '../contract/tick.ts';
import { number } from '../contract/values.ts';

export const CC_WORDS = [
	'Stun',
	'Silence',
	'Root',
	'Hex',
	'Disarm',
	'Break',
	'Mute',
	'Sleep',
	'Taunt',
	'Slow',
	'Invisibility',
] as const;

/** What each kind means, for people. */
export const CC_MEANING =
	'Stun: no moving, attacking, casting or use of items. Sleep: the same, until it is hurt. Root: no moving. ' +
	'Silence: no casting. Disarm: no attacking. Hex: no attacking, casting or use of items. Mute: no wearing, taking ' +
	'off, buying or selling of items. Break: no critical blows, and its permanent effects do nothing. Taunt: it must ' +
	'attack somebody, and neither casts nor uses items. Slow: it loses that share of its speed. Invisibility: once ' +
	'faded, enemies neither see nor choose it.';

export const DISPELS = ['BasicDispel', 'StrongDispel', 'Undispellable'] as const;

const one = z.strictObject({
	kind: z.enum(CC_WORDS),
	until: tick('Tick on which it ends'),
	dispel: z.enum(DISPELS).describe('What it takes to remove it'),
	factor: number('Slow: share of speed that is lost', { min: 0, max: 1 }).optional(),
	target: handle.optional().describe('Taunt: whom it must attack'),
	fade_until: tick('Invisibility: tick from which it is unseen').optional(),
});

export type CrowdControlEntry = z.output<typeof one>;

export const CrowdControl = component({
	name: 'crowd_control',
	title: 'CrowdControl',
	scope: 'state',
	summary: 'Stuns, roots, silences and the like in force',
	fields: { entries: json<readonly CrowdControlEntry[]>(z.array(one), [], 'What is in force, oldest first') },
	readout: { schema: z.array(one), from: (row) => row.entries },
});
