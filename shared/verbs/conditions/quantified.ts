/** The condition `quantified`: a condition holds for any, all or none of the entities of a group. */

import { Refusal } from '../../contract/errors.ts';
import {
	ABOUT_WORLD,
	condition,
	groupFilter,
	type InnerCondition,
	type QuantifiedClaim,
	writeGroup,
} from './condition.ts';
import { quantifier } from './quantifier.ts';

export const quantified = condition({
	name: 'quantified',
	fields: (language) => ({
		quantifier,
		filter: groupFilter(language),
		of: language.condition.describe('Condition about an entity that must hold for them'),
	}),
	doc: 'While `of` holds for any, all or none of the entities that match the filter. Entities without the health or field that `of` compares are left out. As a text: all tag:creep & field:position.y<1.5, where tag, team and role are the filter. `this` is unset',
	about: ABOUT_WORLD,
	momentary: 'parts',
	claim: ({ quantifier: quantity, filter, of }) => ({
		quantifier: quantity,
		isGiven: true,
		filter: filter as object,
		of,
	}),
	check: ({ of }, about) => {
		if (!about(of).subject)
			throw new Refusal(
				'it is not about an entity, so a quantifier has no meaning',
				'Send a condition about an entity, such as field, alive or dead, or leave the quantifier out.',
				'of',
			);
	},
	write: ({ quantifier: quantity, filter, of }, write) => {
		const group = writeGroup(filter, write);
		return `(${quantity} ${group === null ? '' : `${group} & `}${write(of)})`;
	},
	say: ({ quantifier: quantity, filter, of }, { inner }) =>
		`${inner(of)} for ${quantity} of: ${inner(filter as object)}`,
	reads: ['entities'],
});

/** Returns the condition of a claim with a quantifier. */
export const quantifiedForm = ({
	quantifier: quantity,
	filter,
	of,
}: Omit<QuantifiedClaim, 'isGiven'>): InnerCondition =>
	({ kind: 'quantified', quantifier: quantity, filter, of }) as InnerCondition;
