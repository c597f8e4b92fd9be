/** An area that acts on the entities inside it. */

import * as z from 'zod';
import { component, scalar, vector3, words, yesNo } from '../contract/component.ts';
import { vec3 } from '../contract/values.ts';
import { DAMAGE_CATEGORIES } from './defense.ts';

export const TRIGGER_ACTIONS = ['damage', 'heal', 'teleport', 'effect'] as const;
export const TRIGGER_RATES = ['tick', 'second'] as const;
/** Pattern of the action of a zone in the schema. Parsing accepts more texts. */
export const TRIGGER_ACTION = (() => {
	const amount = String.raw`(?:1000000000|\d{1,9}(?:\.\d+)?)`;
	const coordinate = String.raw`-?(?:1000000|\d{1,6}(?:\.\d+)?)`;
	return `^(?:(?:damage|heal):${amount}|teleport(?::${coordinate},${coordinate},${coordinate})?|effect)$`;
})();
/** Team number of a zone that acts on all teams. */
export const ANY_TEAM = -1;

const formatDecimal = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value));

export const TriggerZone = component({
	name: 'trigger_zone',
	title: 'TriggerZone',
	scope: 'state',
	summary:
		'A box that damages, heals, teleports or applies an effect to entities whose origin is strictly inside it',
	fields: {
		half: vector3('Half extents of the box', 'm', [1, 1, 1]),
		action: words(TRIGGER_ACTIONS, 'Kind of action'),
		amount: scalar('f32', 'Damage dealt or health restored', { unit: 'HP', initial: 10 }),
		per: words(TRIGGER_RATES, 'Unit of the amount: per tick or per second'),
		category: words(DAMAGE_CATEGORIES, 'Kind of damage'),
		destination: vector3('Position it teleports to', 'm'),
		team: scalar('i32', 'Acts only on entities of this team; -1: on all', { initial: ANY_TEAM }),
		once: yesNo('1: it acts on the first tick on which an entity is inside, and never again'),
		spent: yesNo('1: it has acted and will not act again'),
	},
	readout: {
		schema: z.string(),
		from: ({ action, amount, destination }) => {
			if (action === 'teleport') return `Teleport { target: [${destination.map(formatDecimal).join(', ')}] }`;
			if (action === 'effect') return 'Effect';
			return `${action === 'damage' ? 'Damage' : 'Heal'} { amount: ${formatDecimal(amount)} }`;
		},
		second: {
			key: 'trigger',
			schema: z.strictObject({
				half: vec3('Half extents of the box'),
				action: z.enum(TRIGGER_ACTIONS),
				amount: z.number().describe('Damage dealt or health restored (HP)'),
				per: z.enum(TRIGGER_RATES),
				category: z.enum(DAMAGE_CATEGORIES),
				destination: vec3('Position it teleports to'),
				team: z.int().nullable().describe('Acts only on this team; null: on all'),
				once: z.boolean(),
				spent: z.boolean(),
			}),
			from: (row) => ({
				...row,
				team: row.team === ANY_TEAM ? null : row.team,
				once: row.once !== 0,
				spent: row.spent !== 0,
			}),
		},
	},
});
