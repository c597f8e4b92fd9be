/** The condition `field`: a number of an entity satisfies a comparison. */

import { Refusal } from '../../contract/errors.ts';
import { COMPARISON, equalsHint, operator, SHOWN_SIGNS, SIGNS } from '../../contract/operators.ts';
import { number, text, word } from '../../contract/values.ts';
import { columnsReadBy } from '../measure-name.ts';
import { readNumber } from '../verb-text.ts';
import { checkField } from './check-field.ts';
import { ABOUT_SUBJECT, condition } from './condition.ts';

const EDGES = ['rising', 'level'] as const;

export const field = condition({
	name: 'field',
	fields: () => ({
		field: text('Number of a component, such as health.current, health.percent or velocity.linear.y').meta({
			format: 'field',
		}),
		op: operator.default('greater'),
		value: number('Value to compare with'),
		edge: word(
			EDGES,
			'rising: once each time it begins to hold; level: on every tick on which it holds',
		).default('rising'),
	}),
	doc: 'When a number of an entity satisfies the comparison. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	momentary: ({ edge }) => edge === 'level',
	colon: {
		form: 'field:NAME<VALUE level',
		read: (value) => (value === undefined ? null : readField(value)),
	},
	write: ({ field: name, op, value, edge }) =>
		`field:${name}${SIGNS[op]}${value}${edge === 'level' ? ' level' : ''}`,
	say: ({ field: name, op, value }, { number: say }) => `${name} ${SHOWN_SIGNS[op]} ${say(value)}`,
	check: checkField,
	reads: ({ field: name }) => columnsReadBy(name),
});

function readField(value: string): object {
	const [, name, op, given, edge] = COMPARISON.exec(value) ?? [];
	if (name === undefined)
		throw new Refusal(
			`"field:${value}" is not understood; write it as field:health.current<50${equalsHint(value)}`,
		);
	return {
		field: name,
		op,
		value: readNumber(given, 'the value of a field'),
		...(edge === undefined ? {} : { edge }),
	};
}
