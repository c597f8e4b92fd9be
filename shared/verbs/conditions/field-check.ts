/** The condition `field_check`: a number satisfies a comparison for every entity of a group. */

import { Refusal } from '../../contract/errors.ts';
import { operator, SHOWN_SIGNS, SIGNS } from '../../contract/operators.ts';
import { number, text } from '../../contract/values.ts';
import { columnsReadBy } from '../measure-name.ts';
import { checkField } from './check-field.ts';
import { ABOUT_WORLD, groupFilter, joinWords, typeCondition, writeGroup } from './condition.ts';
import { field as fieldKind } from './field.ts';
import { quantifierOr } from './quantifier.ts';

export const fieldCheck = typeCondition({
	name: 'field_check',
	fields: (language) => ({
		quantifier: quantifierOr('all'),
		filter: groupFilter(language),
		field: text(
			'Number of a component, such as health, health.max, health.percent, team, position.x, gold, level, combat.damage',
		).meta({ format: 'field' }),
		op: operator.default('greater'),
		value: number('Value to compare with'),
	}),
	doc: 'While the field satisfies the comparison for any, all or none of the entities that match the filter and have the field; left out: all. `this` is unset',
	about: ABOUT_WORLD,
	blank: {
		words: ['field', 'field-check'],
		form: 'field NAME < VALUE FILTER',
		take: (reader) => {
			if (reader.fields.field === undefined) return reader.set('field', reader.take());
			const op = operator.safeParse(reader.next);
			if (!op.success) return false;
			const sign = reader.take()!;
			const sent = reader.take();
			if (sent === undefined || !Number.isFinite(Number(sent)))
				throw new Refusal(`the number to compare with is missing after ${sign}`);
			reader.set('op', op.data);
			return reader.set('value', Number(sent));
		},
	},
	write: ({ quantifier, filter, field, op, value }, write) => {
		const text = joinWords('field', `${field} ${SIGNS[op]} ${value}`, writeGroup(filter, write));
		return quantifier == null ? text : `(${quantifier} ${text})`;
	},
	say: ({ quantifier, filter, field, op, value }, { number: say, inner }) =>
		`${field} ${SHOWN_SIGNS[op]} ${say(value)} for ${quantifier ?? 'all'} of: ${inner(filter as object)}`,
	claim: ({ quantifier, filter, ...comparison }) => ({
		quantifier: quantifier ?? 'all',
		isGiven: quantifier != null,
		filter: filter as object,
		of: { ...comparison, type: undefined, [fieldKind.key]: fieldKind.name, edge: 'rising' },
	}),
	quantify: (given, quantifier) => ({ ...given, quantifier }),
	check: checkField,
	reads: ({ field }) => ['entities', ...columnsReadBy(field)],
});
