/** Quantifiers: the share of a group for which a condition must be true. Owns: their words. */

import { optional, word } from '../../contract/values.ts';

export const QUANTIFIERS = ['any', 'all', 'none'] as const;

export type Quantifier = (typeof QUANTIFIERS)[number];

const DOC = 'any: at least one of the entities meets it; all: every one; none: not one';

export const quantifier = word(QUANTIFIERS, DOC);

/** Returns the schema of an optional quantifier with a default. */
export const quantifierOr = (defaultQuantifier: Quantifier) =>
	optional(word(QUANTIFIERS, `${DOC}. Left out: ${defaultQuantifier}`));

/** Words for a group whose size is unknown. */
const UNCOUNTED = { any: 'any entity', all: 'all entities', none: 'no entity' } as const;

/** Returns words such as `any of 14 entities with tag creep`, or without a number `any entity with tag creep`. */
export function sayQuantity(quantity: Quantifier, group: string, number?: number): string {
	if (number === undefined) return `${UNCOUNTED[quantity]}${group}`;
	if (number === 1 && quantity !== 'none') return `the only entity${group}`;
	const entities = `${number} ${number === 1 ? 'entity' : 'entities'}${group}`;
	return quantity === 'all' ? `all ${entities}` : `${quantity} of ${entities}`;
}

/** Returns the words of `sayQuantity` for the beginning of a sentence. */
export const sayCapitalizedQuantity = (quantity: Quantifier, group: string, number?: number): string => {
	const words = sayQuantity(quantity, group, number);
	return words.charAt(0).toUpperCase() + words.slice(1);
};
