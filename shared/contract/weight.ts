/** Weights of outcomes. Owns: the form of an exact weight. */

import * as z from 'zod';
import { commonDenominator, MAX_COMMON_BITS, parseFraction } from './fraction.ts';

/** Minimum weight above 0. */
const MIN_WEIGHT = 1e-12;

export const weight = z
	.union([
		z
			.number()
			.min(0)
			.max(1e12)
			.refine((value) => value === 0 || value >= MIN_WEIGHT, 'a weight must be 0 or at least 1e-12')
			.meta({ not: { exclusiveMinimum: 0, exclusiveMaximum: MIN_WEIGHT } }),
		z
			.string()
			.regex(
				/^(\d{1,40}\/0*[1-9]\d{0,38}|\d{1,40}(\.\d{1,40})?)$/,
				'a weight must be a number or a fraction such as "1/4"',
			),
	])
	.describe('Weight relative to the others: a number, or an exact fraction such as "1/4"');

/** JSON Schema of a table in which at least one weight is above 0. */
export const someWeightSchema = {
	contains: {
		properties: {
			weight: {
				anyOf: [
					{ type: 'number', exclusiveMinimum: 0 },
					{ type: 'string', pattern: '^[^/]*[1-9]' },
				],
			},
		},
		required: ['weight'],
	},
};

/** Returns true if at least one weight of a table is above 0. */
export function hasWeight(table: readonly { readonly weight: number | string }[]): boolean {
	return table.some(({ weight }) => (parseFraction(weight)?.num ?? 0n) > 0n);
}

/** Returns true if the weights of a table have a common denominator of at most MAX_COMMON_BITS bits, so that exact odds are fast. */
export function isWeighable(table: readonly { readonly weight: number | string }[]): boolean {
	return commonDenominator(table.flatMap(({ weight }) => parseFraction(weight) ?? [])) !== null;
}

/** Error text for a table that is not weighable. */
export const NOT_WEIGHABLE = `the weights have no common denominator of at most ${MAX_COMMON_BITS} bits; write them as whole numbers, or with one denominator`;
