/** The condition `field_check`. */

import { SIGNS } from '../../../../shared/contract/operators.ts';
import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { shortest } from '../../core/float32.ts';
import { compare } from '../../fields/compare.ts';
import { found, listed, nobody, type Statement } from './condition.ts';
import { measure } from './measure.ts';

export const fieldCheck: Statement<ConditionOf<'field_check'>> = {
	find: ({ filter, field, op, value }, scope) => {
		const number = measure(field);
		const failing: number[] = [];
		let checked = 0;
		let example: number | undefined;
		for (const id of scope.members(filter as object)) {
			const is = number.of(scope.who(id));
			if (is === undefined) continue;
			checked++;
			if (compare(is, op, value)) continue;
			failing.push(id);
			example ??= is;
		}
		const claim = `${field} ${SIGNS[op]} ${value}`;
		if (checked === 0)
			return nobody(`No entity that matches ${writeCondition(filter as object)} has ${field}.`);
		return failing.length === 0
			? found(true, `${claim} holds for all ${checked} checked.`)
			: found(
					false,
					`${claim} fails for ${failing.length} of ${checked}: ${listed(failing)}; E${failing[0]} has ${shown(example!)}.`,
				);
	},
};

/** A number as read-outs show it: 32-bit ones in their shortest form. */
const shown = (number: number): number => (Math.fround(number) === number ? shortest(number) : number);
