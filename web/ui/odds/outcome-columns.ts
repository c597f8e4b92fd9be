/**
 * Columns of the table of outcomes.
 * Owns: their choice and their widths.
 */

import type { Foretold } from './foretell.ts';
import { isShort } from './fraction.tsx';
import { decimal, writtenFraction } from './fraction-words.ts';
import { allDraws, type OddsRow } from './odds.ts';
import { sourceName } from './rule-line.ts';

export interface ColumnHead {
	readonly name: string;
	/** Key if several have the same name. */
	readonly key?: string;
	readonly class?: string;
}

/** Maximum number of draws that get a column each. */
const MAX_COLUMNS = 3;

/** Returns the label of a full bar: the probability of the likeliest branch. */
export function scaleEnd([likeliest]: readonly OddsRow[]): string {
	if (likeliest === undefined) return '1';
	const { probability, p } = likeliest.branch;
	return isShort(probability) ? writtenFraction(probability) : decimal(p);
}

export type OutcomeColumns = ReturnType<typeof outcomeColumns>;

/** Returns the columns for a prediction. */
export function outcomeColumns({ rows, peek, rules }: Foretold) {
	const allDrawn = allDraws(peek.distribution);
	/** Draws with a column each. */
	const draws = allDrawn.length <= MAX_COLUMNS ? allDrawn : [];
	const hasProducts =
		peek.factors.length > 1 &&
		peek.factors.length <= MAX_COLUMNS &&
		rows.every(({ parts }) => !parts.includes(-1));
	const heads: readonly ColumnHead[] = [
		{ name: 'Drawn', class: 'check' },
		...(draws.length > 0
			? draws.map(({ key, rule }) => ({ key, name: sourceName(rule, rules), class: 'cut' }))
			: [{ name: 'Draws' }]),
		...(hasProducts ? [{ name: 'Product', class: 'product' }] : []),
		{ name: 'Exact', class: 'right' },
		{ name: 'Share of 1', class: 'scale' },
		{ name: 'Decimal', class: 'right decimal' },
		{ name: 'Leads to', class: 'leads' },
	];
	const isExactShort = rows.every(({ branch }) => isShort(branch.probability));
	const widths = {
		'--draws': draws.map(() => 'minmax(48px, 1.3fr)').join(' ') || 'minmax(96px, 3fr)',
		...(hasProducts ? { '--product': `${peek.factors.length * 44}px` } : {}),
		'--exact': isExactShort ? '48px' : '96px',
	};
	return { draws, factors: hasProducts ? peek.factors : [], heads, widths };
}
