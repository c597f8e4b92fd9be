/**
 * One branch of a tick: its draws, its probability, exact and rounded, and the state that it leads to.
 * Owns: the cells of a branch, and the row for the outcomes that were not enumerated.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import type { Foretold } from './foretell.ts';
import { FractionMark } from './fraction.tsx';
import { decimal, saidFraction, writtenFraction } from './fraction-words.ts';
import { EXTENDED_LIMIT } from './next-odds.ts';
import { type Factor, type Fraction, labelOf, type OddsDraw, type OddsRow, tallyOf } from './odds.ts';
import { rowText } from './odds-words.ts';

interface RowFocus {
	readonly index: number;
	/** True if Tab moves the focus to this row. */
	readonly focus: boolean;
	/** True if the row is highlighted. */
	readonly pointed: boolean;
	readonly arrive: (row: HTMLElement | null) => void;
	readonly point: () => void;
}

interface OutcomeRowProps extends RowFocus {
	readonly row: OddsRow;
	/** Draws with their own column. If it is empty, all draws share one column. */
	readonly columns: readonly OddsDraw[];
	/** Factors of the product; empty if the product is not shown. */
	readonly factors: readonly Factor[];
	/** Probability of the likeliest branch, whose bar is full. */
	readonly maxProbability: number;
	readonly drawn: boolean;
	/** True if no other row fits the step. */
	readonly isCertain: boolean;
}

const attributes = ({ index, focus, pointed, arrive, point }: RowFocus, drawn: boolean, rest = '') => ({
	'data-row': index,
	ref: arrive,
	class: `outcome${drawn ? ' drawn' : ''}${pointed ? ' pointed' : ''}${rest}`,
	'aria-rowindex': index + 2,
	tabIndex: focus ? 0 : -1,
	onFocus: point,
	onMouseEnter: point,
});

/** A longer bar has its word inside; a shorter one beside it. */
const INSIDE = 0.72;

function Bar({ share, word }: { readonly share: number; readonly word: string | null }) {
	const width = `${Math.min(1, share) * 100}%`;
	return (
		<td class="bar-cell">
			<i style={{ width }} />
			{word !== null && (
				<em class={share > INSIDE ? 'inside' : undefined} style={share > INSIDE ? {} : { left: width }}>
					{word}
				</em>
			)}
		</td>
	);
}

function CheckCell({ drawn }: { readonly drawn: boolean }) {
	return <td class="check">{drawn && <Icon name="check" />}</td>;
}

export function OutcomeRow(props: OutcomeRowProps) {
	const { row, columns, factors, maxProbability, drawn, isCertain } = props;
	const { branch, labels, parts } = row;
	const { probability, p, choices, state_digest } = branch;
	const tally = tallyOf(choices);
	const words = columns.length === 0 ? [tally] : choices.map(({ label }) => label);
	const all = labelOf(choices);
	return (
		<tr {...attributes(props, drawn)} aria-label={rowText(words, probability, drawn, state_digest)}>
			<CheckCell drawn={drawn} />
			{columns.length === 0 ? (
				<td class="label cut" title={all}>
					{tally}
				</td>
			) : (
				columns.map(({ key }) => {
					const label = labels.get(key);
					return label === undefined ? (
						<td key={key} class="faint" title="Not drawn in this outcome">
							–
						</td>
					) : (
						<td key={key} class="label cut" title={label}>
							{label}
						</td>
					);
				})
			)}
			{factors.length > 0 && (
				<td class="product cut">
					{factors
						.map(({ outcomes }, index) => writtenFraction(outcomes[parts[index]!]!.probability))
						.join(' × ')}
				</td>
			)}
			<td class="right">
				<FractionMark value={probability} />
			</td>
			<Bar share={p / maxProbability} word={drawn ? (isCertain ? 'sampled' : 'possibly sampled') : null} />
			<td class="right mono soft decimal">{decimal(p)}</td>
			<td class="leads" title={groupDigest(state_digest)}>
				<Signature digest={state_digest} size={24} />
				<span class="mono soft">{groupDigest(state_digest.slice(0, 8))}…</span>
			</td>
		</tr>
	);
}

interface RestRowProps extends RowFocus {
	readonly foretold: Foretold;
	/** Probability of all branches that are not listed. */
	readonly mass: Fraction;
	readonly maxProbability: number;
	readonly drawn: boolean;
	/** Requests more branches. */
	readonly more: () => void;
}

/** Hatched row of the outcomes that were not enumerated, with a button that lists more. */
export function RestRow(props: RestRowProps) {
	const { foretold, mass, maxProbability, drawn, more } = props;
	const { odds } = usePanels();
	const asking = odds.next.asking.value !== null;
	const isCurrent = odds.next.foretold.value === foretold;
	const share = 1 - foretold.peek.covered;
	return (
		<tr
			{...attributes(props, drawn, ' rest')}
			aria-label={`not listed, mass ${saidFraction(mass)}${drawn ? ', drawn from these' : ''}`}
		>
			<CheckCell drawn={drawn} />
			<td class="rest-words">
				<span class="cut" title={writtenFraction(mass)}>
					not listed, mass {writtenFraction(mass)}
					{drawn && '; sampled from these'}
				</span>
				{isCurrent && foretold.limit < EXTENDED_LIMIT && (
					<button type="button" class="button small" disabled={asking} onClick={more}>
						{asking && <span class="waiting-ring" />}
						{odds.next.slow.value ? 'Listing outcomes' : `List up to ${formatNumber(EXTENDED_LIMIT)}`}
					</button>
				)}
			</td>
			<Bar share={share / maxProbability} word={null} />
			<td class="right mono soft decimal">{decimal(share)}</td>
			<td class="leads faint">not explored</td>
		</tr>
	);
}
