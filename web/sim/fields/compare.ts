/**
 * Comparison of a number of the world with a written number.
 * Owns: the equality of a 32-bit number with its written form.
 */

import type { Operator } from '../../../shared/contract/operators.ts';

/** Returns true if `a op b` is true. `b` is the written number. */
export function isSatisfied(a: number, op: Operator, b: number): boolean {
	const isSame = a === b || (!Number.isInteger(b) && a === Math.fround(b));
	switch (op) {
		case 'greater':
			return a > b && !isSame;
		case 'greater_equal':
			return a > b || isSame;
		case 'less':
			return a < b && !isSame;
		case 'less_equal':
			return a < b || isSame;
		case 'equal':
			return isSame;
		case 'not_equal':
			return !isSame;
	}
}

/** Returns bounds that contain all numbers for which a comparison is true. Returns none for `not_equal`. */
export function boundsOfComparison(
	op: Operator,
	b: number,
): { readonly low: number; readonly high: number }[] {
	const [low, high] = [Math.min(b, Math.fround(b)), Math.max(b, Math.fround(b))];
	switch (op) {
		case 'greater':
		case 'greater_equal':
			return [{ low, high: Number.POSITIVE_INFINITY }];
		case 'less':
		case 'less_equal':
			return [{ low: Number.NEGATIVE_INFINITY, high }];
		case 'equal':
			return [{ low, high }];
		case 'not_equal':
			return [];
	}
}

/** Returns true if a count is within bounds. Without bounds, it must be above zero. */
export function isCountWithin(
	count: number,
	{ min, max }: { readonly min?: number | null | undefined; readonly max?: number | null | undefined },
): boolean {
	if (min == null && max == null) return count > 0;
	return count >= (min ?? 0) && count <= (max ?? Number.POSITIVE_INFINITY);
}
