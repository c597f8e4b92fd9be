/** Reduction of the damage to an entity. Owns: the kinds of damage. */

import { component, scalar } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';

/** Armour reduces physical damage, magic resistance reduces magical damage, and nothing reduces pure damage. */
export const DAMAGE_CATEGORIES = ['physical', 'magical', 'pure'] as const;

export type DamageCategory = (typeof DAMAGE_CATEGORIES)[number];

export const Defense = component({
	name: 'defense',
	title: 'Defense',
	scope: 'state',
	summary:
		'Armour reduces physical damage, magic resistance reduces magical damage; pure damage is never reduced',
	fields: {
		armor: scalar(
			'f32',
			'Armour a: physical damage is multiplied by 1 - f a / (1 + f |a|), with f = 0.06 unless set with /tuning',
		),
		magic_resist: scalar('f32', 'Share of magical damage that is removed, at most 1'),
	},
	spawn: {
		fields: {
			armor: optional(
				number(
					'Armour a: physical damage is multiplied by 1 - f a / (1 + f |a|), with f = 0.06 unless set with /tuning',
					{
						min: -1e6,
						max: 1e6,
					},
				),
			),
			magic_resist: optional(number('Share of magical damage that is removed', { min: -100, max: 1 })),
		},
		row: ({ armor, magic_resist }) =>
			armor == null && magic_resist == null ? null : { armor: armor ?? 0, magic_resist: magic_resist ?? 0 },
		describe: (row) => ({ armor: row?.armor, magic_resist: row?.magic_resist }),
	},
});
