/**
 * Comparing a number of the world with one that was written.
 * Owns: the equality of a 32-bit number with its written form.
 */

import type { Operator } from '../../../shared/contract/operators.ts';

export function compare(a: number, op: Operator, b: number): boolean {
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

/** Bounds of the numbers for which a comparison holds, or of more; none if it can hold for any. */
export function comparedBounds(op: Operator, b: number): { readonly low: number; readonly high: number }[] {
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

/** Returns true if a number is within bounds; without any, if it is above zero. */
export function withinBounds(
	many: number,
	{ min, max }: { readonly min?: number | null | undefined; readonly max?: number | null | undefined },
): boolean {
	if (min == null && max == null) return many > 0;
	return many >= (min ?? 0) && many <= (max ?? Number.POSITIVE_INFINITY);
}
