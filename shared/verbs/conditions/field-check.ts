/** The condition `field_check`: a number satisfies a comparison for every entity of a group. */

import { operator, SHOWN_SIGNS } from '../../contract/operators.ts';
import { number, text } from '../../contract/values.ts';
import { measureReads } from '../measure-name.ts';
import { VerbTextError } from '../verb-text.ts';
import { checkField } from './check-field.ts';
import { group, NOBODY, typed } from './condition.ts';

export const fieldCheck = typed({
	name: 'field_check',
	fields: (language) => ({
		filter: group(language),
		field: text(
			'Number of a component, such as health, health.max, health.percent, team, position.x, gold, level, combat.damage',
		).meta({ format: 'field' }),
		op: operator.default('greater'),
		value: number('Value to compare with'),
	}),
	doc: 'While the field satisfies the comparison for every entity that matches the filter and has the field. `this` is unset',
	about: NOBODY,
	blank: {
		words: ['field', 'field-check'],
		form: 'field NAME < VALUE FILTER',
		take: (reader) => {
			if (reader.given.field === undefined) return reader.set('field', reader.take());
			const op = operator.safeParse(reader.next);
			if (!op.success) return false;
			const sign = reader.take()!;
			const sent = reader.take();
			if (sent === undefined || !Number.isFinite(Number(sent)))
				throw new VerbTextError(`the number to compare with is missing after ${sign}`);
			reader.set('op', op.data);
			return reader.set('value', Number(sent));
		},
	},
	say: ({ filter, field, op, value }, { number: say, inner }) =>
		`${field} ${SHOWN_SIGNS[op]} ${say(value)} for all of: ${inner(filter as object)}`,
	check: checkField,
	reads: ({ field }) => ['entities', ...measureReads(field)],
});
