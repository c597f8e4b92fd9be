/**
 * The branches of a tick as a table, the likeliest first, of which only the rows in sight are on the page.
 * Owns: its columns, the walk with the keys, and which row is pointed at.
 */

import { useRef, useState } from 'preact/hooks';
import { RowList, type RowListHandle } from '../controls/row-list.tsx';
import { usePanels } from '../state/panels.ts';
import { isShort } from './fraction.tsx';
import { decimal, writtenFraction } from './fraction-words.ts';
import { drawsMet, type OddsRow, remainder } from './odds.ts';
import type { Foretold } from './odds-state.ts';
import { OutcomeRow, RestRow } from './outcome-row.tsx';
import { sourceName } from './rule-words.ts';

interface OutcomeTableProps {
	readonly foretold: Foretold;
	/** Rows that were drawn. */
	readonly drawn: readonly number[];
	/** True if the drawn outcome is not in the rows. */
	readonly unlisted: boolean;
}

interface Head {
	readonly name: string;
	/** Key if several have the same name. */
	readonly key?: string;
	readonly class?: string;
}

/** Most draws that get a column each. */
const MAX_COLUMNS = 3;

/** Returns the value of a full bar: the probability of the likeliest branch. */
function scaleEnd([likeliest]: readonly OddsRow[]): string {
	if (likeliest === undefined) return '1';
	const { probability, p } = likeliest.branch;
	return isShort(probability) ? writtenFraction(probability) : decimal(p);
}

export function OutcomeTable({ foretold, drawn, unlisted }: OutcomeTableProps) {
	const { odds } = usePanels();
	const { rows, peek, rules } = foretold;
	const list = useRef<RowListHandle>(null);
	const table = useRef<HTMLDivElement>(null);
	/** The row that gets the focus as soon as it is on the page. */
	const wanted = useRef<number | null>(null);
	/** Width of the rows' scroll bar (pixels), which the heads leave room for. */
	const [bar, setBar] = useState(0);
	const draws = drawsMet(peek.distribution);
	const columns = draws.length <= MAX_COLUMNS ? draws : [];
	const products =
		peek.factors.length > 1 &&
		peek.factors.length <= MAX_COLUMNS &&
		rows.every(({ parts }) => !parts.includes(-1));
	const most = rows[0]?.branch.p ?? 1;
	const total = rows.length + (peek.exact ? 0 : 1);
	const at = Math.min(odds.pointed.value ?? drawn[0] ?? 0, total - 1);

	const go = (index: number) => {
		odds.pointed.value = index;
		list.current?.reveal(index);
		const row = table.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
		if (row) row.focus({ preventScroll: true });
		else wanted.current = index;
	};
	const walk = (event: KeyboardEvent) => {
		const page = list.current?.page() ?? 1;
		const to = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			PageDown: at + page,
			PageUp: at - page,
			Home: 0,
			End: total - 1,
		}[event.key];
		if (to === undefined || !(event.target instanceof HTMLElement) || !event.target.dataset.row) return;
		event.preventDefault();
		go(Math.max(0, Math.min(total - 1, to)));
	};
	const more = () => {
		// The row that was pressed goes away.
		go(0);
		odds.listMore();
	};
	const arrive = (index: number) => (row: HTMLElement | null) => {
		if (row === null || wanted.current !== index) return;
		wanted.current = null;
		row.focus({ preventScroll: true });
	};

	const heads: readonly Head[] = [
		{ name: 'Drawn', class: 'check' },
		...(columns.length > 0
			? columns.map(({ key, rule }) => ({ key, name: sourceName(rule, rules), class: 'cut' }))
			: [{ name: 'Draws' }]),
		...(products ? [{ name: 'Product', class: 'product' }] : []),
		{ name: 'Exact', class: 'right' },
		{ name: 'Share of 1', class: 'scale' },
		{ name: 'Decimal', class: 'right decimal' },
		{ name: 'Leads to', class: 'leads' },
	];
	const short = rows.every(({ branch }) => isShort(branch.probability));
	const widths = {
		'--draws': columns.map(() => 'minmax(48px, 1.3fr)').join(' ') || 'minmax(96px, 3fr)',
		...(products ? { '--product': `${peek.factors.length * 44}px` } : {}),
		'--exact': short ? '48px' : '96px',
		'--bar': `${bar}px`,
	};
	return (
		<div ref={table} class="outcomes" style={widths}>
			<table class="outcome-table heads" aria-hidden="true">
				<thead>
					<tr class="outcome">
						{heads.map((head) => (
							<th key={head.key ?? head.name} class={head.class} title={head.name}>
								{head.class === 'scale' ? (
									<>
										<span>0</span>
										<span>share of 1</span>
										<span>{scaleEnd(rows)}</span>
									</>
								) : (
									head.class !== 'check' && head.name
								)}
							</th>
						))}
					</tr>
				</thead>
			</table>
			<RowList
				count={total}
				class="outcome-rows"
				handle={list}
				onScrollBar={setBar}
				empty={null}
				rows={(first, end) => (
					<table
						class="outcome-table"
						aria-label="Outcomes, the likeliest first"
						aria-rowcount={total + 1}
						onKeyDown={walk}
						onMouseLeave={() => {
							odds.pointed.value = null;
						}}
					>
						<thead class="only-said">
							<tr>
								{heads.map((head) => (
									<th key={head.key ?? head.name}>{head.name}</th>
								))}
							</tr>
						</thead>
						<tbody>
							{Array.from({ length: end - first }, (_, offset) => {
								const index = first + offset;
								const row = rows[index];
								const place = {
									index,
									focus: index === at,
									pointed: index === odds.pointed.value,
									arrive: arrive(index),
									point: () => {
										odds.pointed.value = index;
									},
								};
								return row === undefined ? (
									<RestRow
										key="rest"
										{...place}
										foretold={foretold}
										mass={remainder(peek.covered_fraction)}
										most={most}
										drawn={unlisted}
										more={more}
									/>
								) : (
									<OutcomeRow
										key={index}
										{...place}
										row={row}
										columns={columns}
										factors={products ? peek.factors : []}
										most={most}
										drawn={drawn.includes(index)}
										sure={drawn.length === 1}
									/>
								);
							})}
						</tbody>
					</table>
				)}
			/>
		</div>
	);
}
