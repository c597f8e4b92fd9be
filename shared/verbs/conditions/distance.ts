/** The condition `distance`: the distance of an entity from another satisfies a comparison. */

import { operator, SHOWN_SIGNS, SIGNS } from '../../contract/operators.ts';
import { entityId, number, optional } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { ABOUT_SUBJECT, condition } from './condition.ts';

export const distance = condition({
	name: 'distance',
	fields: () => ({
		from: entityId.describe('Entity from which the distance is measured'),
		to: optional(entityId.describe('Entity to which the distance is measured; left out: every other entity')),
		op: operator.default('less'),
		value: number('Distance', { unit: 'm', min: 0 }),
	}),
	doc: 'Holds for entities whose distance from the entity `from` satisfies the comparison. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	colon: {
		form: 'distance:ID<METRES',
		read: (value = '') => {
			const [, from, to, op, metres] = /^(\d+)(?::(\d+))?\s*(>=|<=|==|!=|>|<)\s*(\S+)$/.exec(value) ?? [];
			if (from === undefined) return null;
			return {
				from: Number(from),
				...(to === undefined ? {} : { to: Number(to) }),
				op,
				value: readNumber(metres, 'the distance'),
			};
		},
	},
	write: ({ from, to, op, value }) => `distance:${from}${to == null ? '' : `:${to}`}${SIGNS[op]}${value}`,
	say: ({ from, to, op, value }, { number: say }) =>
		`distance ${to == null ? '' : `of entity ${to} `}from entity ${from} ${SHOWN_SIGNS[op]} ${say(value)} m`,
	reads: ['local_transform', 'global_transform', 'parent'],
});
