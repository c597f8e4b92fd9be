/**
 * An exact fraction in a table.
 * Owns: its drawing. Never: rounds it. A fraction that is too long is cut off, and complete in the tooltip.
 */

import { writtenFraction } from './fraction-words.ts';
import type { Fraction } from './odds.ts';

/** Maximum number of digits of a fraction with a slanted bar. */
const MAX_SHORT = 6;

/** Returns true if a fraction is drawn with a slanted bar. */
export const isShort = ({ num, den }: Fraction): boolean => num.length + den.length <= MAX_SHORT;

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
