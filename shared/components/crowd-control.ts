/** What an entity is kept from doing, and until when. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
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

export const DISPELS = ['BasicDispel', 'StrongDispel', 'Undispellable'] as const;

const one = z.strictObject({
	kind: z.enum(CC_WORDS),
	/** Tick before which it holds. */
	until: z.int().describe('Tick on which it ends'),
	dispel: z.enum(DISPELS).describe('What it takes to remove it'),
	factor: number('Slow: share of speed that is lost, 0 to 1').optional(),
	target: handle.optional().describe('Taunt: whom it must attack'),
	fade_until: z.int().optional().describe('Invisibility: tick from which it is unseen'),
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
