/** Active crowd control on an entity: the actions that it cannot do for some time. */

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

/** Effect of each kind, as text for people. */
export const CC_MEANING =
	'Stun: no moving, attacking, casting or use of items. Sleep: the same, until it is hurt. Root: no moving. ' +
	'Silence: no casting. Disarm: no attacking. Hex: no attacking, casting or use of items. Mute: no equipping, ' +
	'unequipping, buying or selling of items. Break: no critical hits, and permanent effects are suspended. Taunt: it must ' +
	'attack the given entity, and cannot cast or use items. Slow: it loses the given share of its speed. Invisibility: after ' +
	'the fade time, enemies cannot see or target it.';

export const DISPELS = ['BasicDispel', 'StrongDispel', 'Undispellable'] as const;

const entry = z.strictObject({
	kind: z.enum(CC_WORDS),
	until: tick('Tick on which it ends'),
	dispel: z.enum(DISPELS).describe('Kind of dispel that removes it'),
	factor: number('Slow: share of speed that is lost', { min: 0, max: 1 }).optional(),
	target: handle.optional().describe('Taunt: entity that it must attack'),
	fade_until: tick('Invisibility: first tick it is invisible').optional(),
});

export type CrowdControlEntry = z.output<typeof entry>;

export const CrowdControl = component({
	name: 'crowd_control',
	title: 'CrowdControl',
	scope: 'state',
	summary: 'Active crowd control: stuns, roots, silences and so on',
	fields: { entries: json<readonly CrowdControlEntry[]>(z.array(entry), [], 'Active entries, oldest first') },
	readout: { schema: z.array(entry), from: (row) => row.entries },
});
