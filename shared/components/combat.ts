/** How an entity fights. */

import * as z from 'zod';
import { component, json, scalar, words } from '../contract/component.ts';
import { number } from '../contract/values.ts';

export const COMBAT_STYLES = ['melee', 'stationary'] as const;

const TINY = 1e-12;

/** A chance from 0 to 1, exact as written. */
export const chance = z
	.union([
		z
			.number()
			.min(0)
			.max(1)
			.refine((value) => value === 0 || value >= TINY, 'a chance is 0 or at least 1e-12'),
		z
			.string()
			.regex(
				/^(\d{1,40}\/0*[1-9]\d{0,38}|\d{1,3}(\.\d{1,40})?)$/,
				'a chance is a number or a fraction such as "1/4"',
			)
			.refine(isAtMostOne, 'a chance is at most 1'),
	])
	.describe('Chance from 0 to 1: a number, or an exact fraction such as "1/4"');

function isAtMostOne(text: string): boolean {
	const [num = '', den] = text.split('/');
	if (den === undefined) return Number(num) <= 1;
	return /^\d+$/.test(num) && /^\d+$/.test(den) && BigInt(num) <= BigInt(den);
}

export const crit = z.strictObject({
	chance,
	multiplier: number('Damage of a critical blow, times a usual one', { min: 0, max: 1e6 }).default(2),
});

export type Crit = z.output<typeof crit>;

export const Combat = component({
	name: 'combat',
	title: 'AutoCombat',
	scope: 'state',
	summary: 'Fights by itself: picks targets, chases unless stationary, deals damage',
	fields: {
		damage: scalar('f32', 'Damage of a blow', { unit: 'HP', initial: 10 }),
		range: scalar('f32', 'Distance from which it can strike', { unit: 'm', initial: 1.5 }),
		speed: scalar('f32', 'Speed of walking', { unit: 'm/s', initial: 3 }),
		cooldown: scalar('f32', 'Time between blows', { unit: 's', initial: 1 }),
		detect_range: scalar('f32', 'Distance within which it notices enemies', { unit: 'm', initial: 20 }),
		style: words(COMBAT_STYLES, 'melee chases, stationary stays'),
		crit: json<Crit | null>(crit.nullable(), null, 'Critical blows, or null for none'),
	},
});
