/**
 * An exact fraction as it is set in a table.
 * Owns: its drawing. Never: rounds it; what is too long for its place is cut, and whole in the tooltip.
 */

import { writtenFraction } from './fraction-words.ts';
import type { Fraction } from './odds.ts';

/** Digits up to which it is drawn with a slanted bar. */
const SHORT = 6;

export const isShort = ({ num, den }: Fraction): boolean => num.length + den.length <= SHORT;

export function FractionMark({ value }: { readonly value: Fraction }) {
	const { num, den } = value;
	if (den === '1') return <span class="fraction">{num}</span>;
	if (!isShort(value)) {
		const written = writtenFraction(value);
		return (
			<span class="fraction long cut" title={written}>
				{written}
			</span>
		);
	}
	return (
		<span class="fraction">
			<sup>{num}</sup>⁄<sub>{den}</sub>
		</span>
	);
}
