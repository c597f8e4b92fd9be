/**
 * The branches of a tick as a table, the likeliest first. Only the visible rows are on the page.
 * Owns: moving through the rows with keys, and the highlighted row.
 */

import { useRef, useState } from 'preact/hooks';
import { rowForKey } from '../controls/row-keys.ts';
import { RowList, type RowListHandle } from '../controls/row-list.tsx';
import { usePanels } from '../state/panels.ts';
import type { Foretold } from './foretell.ts';
import { remainder } from './odds.ts';
import { type OutcomeColumns, outcomeColumns, scaleEnd } from './outcome-columns.ts';
import { OutcomeRow, RestRow } from './outcome-row.tsx';

interface OutcomeTableProps {
	readonly foretold: Foretold;
	/** Rows that were drawn. */
	readonly drawn: readonly number[];
	/** True if the drawn outcome is not in the rows. */
	readonly unlisted: boolean;
}

export function OutcomeTable(props: OutcomeTableProps) {
	const { rows, peek } = props.foretold;
	/** Width of the rows' scroll bar (pixels). The headings leave room for it. */
	const [barWidth, setBarWidth] = useState(0);
	const columns = outcomeColumns(props.foretold);
	const total = rows.length + (peek.exact ? 0 : 1);
	const walk = useRowWalk(total, props.drawn[0] ?? 0);
	return (
		<div ref={walk.table} class="outcomes" style={{ ...columns.widths, '--bar': `${barWidth}px` }}>
			<Heads columns={columns} scale={scaleEnd(rows)} />
			<RowList
				count={total}
				class="outcome-rows"
				handle={walk.list}
				onScrollBar={setBarWidth}
				empty={null}
				rows={(first, end) => (
					<Rows {...props} columns={columns} walk={walk} first={first} end={end} total={total} />
				)}
			/>
		</div>
	);
}

/** Returns the current row (the highlighted one, or else `initial`), and the functions that move to another row. */
function useRowWalk(total: number, initial: number) {
	const { odds } = usePanels();
	const list = useRef<RowListHandle>(null);
	const table = useRef<HTMLDivElement>(null);
	/** Row that gets the focus as soon as it is on the page. */
	const pendingRow = useRef<number | null>(null);
	const currentRow = Math.min(odds.pointed.value ?? initial, total - 1);
	const go = (index: number) => {
		odds.pointed.value = index;
		list.current?.reveal(index);
		const row = table.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
		if (row) row.focus({ preventScroll: true });
		else pendingRow.current = index;
	};
	return {
		list,
		table,
		currentRow,
		go,
		/** Called when a row is drawn: focuses it if it is the pending one. */
		arrive: (index: number) => (row: HTMLElement | null) => {
			if (row === null || pendingRow.current !== index) return;
			pendingRow.current = null;
			row.focus({ preventScroll: true });
		},
		press(event: KeyboardEvent) {
			const to = rowForKey(event.key, currentRow, total, list.current?.page() ?? 1);
			if (to === undefined || !(event.target instanceof HTMLElement) || !event.target.dataset.row) return;
			event.preventDefault();
			go(to);
		},
	};
}

/** Headings above the rows. For screen readers, the table of rows has its own. */
function Heads({ columns: { heads }, scale }: { readonly columns: OutcomeColumns; readonly scale: string }) {
	return (
		<table class="outcome-table heads" aria-hidden="true">
			<thead>
				<tr class="outcome">
					{heads.map((head) => (
						<th key={head.key ?? head.name} class={head.class} title={head.name}>
							{head.class === 'scale' ? (
								<>
									<span>0</span>
									<span>share of 1</span>
									<span>{scale}</span>
								</>
							) : (
								head.class !== 'check' && head.name
							)}
						</th>
					))}
				</tr>
			</thead>
		</table>
	);
}

interface RowsProps extends OutcomeTableProps {
	readonly columns: OutcomeColumns;
	readonly walk: ReturnType<typeof useRowWalk>;
	readonly first: number;
	readonly end: number;
	readonly total: number;
}

/** The rows from `first` up to `end`. */
function Rows({ foretold, drawn, unlisted, columns, walk, first, end, total }: RowsProps) {
	const { odds } = usePanels();
	const { rows, peek } = foretold;
	const maxProbability = rows[0]?.branch.p ?? 1;
	const rowAt = (index: number) => {
		const row = rows[index];
		const focusProps = {
			index,
			focus: index === walk.currentRow,
			pointed: index === odds.pointed.value,
			arrive: walk.arrive(index),
			point: () => {
				odds.pointed.value = index;
			},
		};
		return row === undefined ? (
			<RestRow
				key="rest"
				{...focusProps}
				foretold={foretold}
				mass={remainder(peek.covered_fraction)}
				maxProbability={maxProbability}
				drawn={unlisted}
				more={() => {
					// This row disappears, so the focus moves to the first one.
					walk.go(0);
					odds.next.listMore();
				}}
			/>
		) : (
			<OutcomeRow
				key={index}
				{...focusProps}
				row={row}
				columns={columns.draws}
				factors={columns.factors}
				maxProbability={maxProbability}
				drawn={drawn.includes(index)}
				isCertain={drawn.length === 1}
			/>
		);
	};
	return (
		<table
			class="outcome-table"
			aria-label="Outcomes, the likeliest first"
			aria-rowcount={total + 1}
			onKeyDown={walk.press}
			onMouseLeave={() => {
				odds.pointed.value = null;
			}}
		>
			<thead class="only-said">
				<tr>
					{columns.heads.map((head) => (
						<th key={head.key ?? head.name}>{head.name}</th>
					))}
				</tr>
			</thead>
			<tbody>{Array.from({ length: end - first }, (_, offset) => rowAt(first + offset))}</tbody>
		</table>
	);
}
