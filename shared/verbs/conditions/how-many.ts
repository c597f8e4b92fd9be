/** A lower and an upper bound of a number. Owns: the text forms of the bounds. */

import { Refusal } from '../../contract/errors.ts';
import { integer, optional } from '../../contract/values.ts';

export const bounds = {
	min: optional(integer('Smallest number, inclusive')),
	max: optional(integer('Largest number, inclusive')),
};

export interface CountBounds {
	readonly min?: number | null | undefined;
	readonly max?: number | null | undefined;
}

/** Throws a Refusal for a minimum above the maximum. */
export function checkBounds({ min, max }: CountBounds): void {
	if (min != null && max != null && min > max)
		throw new Refusal(
			`min must be at most max, got ${min} and ${max}`,
			'Send a larger "max" or a smaller "min".',
			'max',
		);
}

/** Returns the bounds in words, such as `at least 1`; `unbounded` without bounds. */
export function sayBounds({ min, max }: CountBounds, unbounded = 'any number'): string {
	if (min == null) return max == null ? unbounded : `at most ${max}`;
	return max == null ? `at least ${min}` : `${min} to ${max}`;
}

/** Reads the comparison `>=2`, `<=2` or `==2` after a name. Returns null for another text, and no bounds without a text. */
export function readBounds(sent: string | undefined): CountBounds | null {
	if (sent === undefined) return {};
	const [, op, digits] = /^(>=|<=|==)(\d+)$/.exec(sent) ?? [];
	if (op === undefined) return null;
	const number = Number(digits);
	return { ...(op === '<=' ? {} : { min: number }), ...(op === '>=' ? {} : { max: number }) };
}

/** Returns the short text of two bounds after a name. */
export function writeBounds({ min, max }: CountBounds): string {
	if (min != null && min === max) return `==${min}`;
	return `${min == null ? '' : `>=${min}`}${max == null ? '' : `<=${max}`}`;
}
