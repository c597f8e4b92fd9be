/** What an entity turns away of the damage it is dealt. Owns: the kinds of damage. */

import { component, scalar } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

/** Armour weakens physical, magic resistance weakens magical, nothing weakens pure. */
export const DAMAGE_CATEGORIES = ['physical', 'magical', 'pure'] as const;

export type DamageCategory = (typeof DAMAGE_CATEGORIES)[number];

export const Defense = component({
	name: 'defense',
	title: 'Defense',
	scope: 'state',
	summary: 'Armour against physical damage, resistance against magical damage; pure damage is never reduced',
	fields: {
		armor: scalar('f32', 'Physical damage is multiplied by 1 - f a / (1 + f |a|), f 0.06 unless tuned'),
		magic_resist: scalar('f32', 'Share of magical damage that is turned away, at most 1'),
	},
	spawn: {
		fields: {
			armor: optional(
				number('Armour: physical damage is multiplied by 1 - f a / (1 + f |a|), f 0.06 unless tuned', {
					min: -1e6,
					max: 1e6,
				}),
			),
			magic_resist: optional(number('Share of magical damage that is turned away', { min: -100, max: 1 })),
		},
		row: ({ armor, magic_resist }) =>
			armor == null && magic_resist == null ? null : { armor: armor ?? 0, magic_resist: magic_resist ?? 0 },
		describe: (row) => ({ armor: row?.armor, magic_resist: row?.magic_resist }),
	},
});
