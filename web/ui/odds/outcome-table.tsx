/**
 * The branches of a tick as a table, the likeliest first, of which only the rows in sight are on the page.
 * Owns: the walk with the keys, and which row is pointed at.
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
	/** Width of the rows' scroll bar (pixels), which the heads leave room for. */
	const [bar, setBar] = useState(0);
	const columns = outcomeColumns(props.foretold);
	const total = rows.length + (peek.exact ? 0 : 1);
	const walk = useRowWalk(total, props.drawn[0] ?? 0);
	return (
		<div ref={walk.table} class="outcomes" style={{ ...columns.widths, '--bar': `${bar}px` }}>
			<Heads columns={columns} scale={scaleEnd(rows)} />
			<RowList
				count={total}
				class="outcome-rows"
				handle={walk.list}
				onScrollBar={setBar}
				empty={null}
				rows={(first, end) => (
					<Rows {...props} columns={columns} walk={walk} first={first} end={end} total={total} />
				)}
			/>
		</div>
	);
}

/** Returns the row that a person points at or is on; it has the focus. `initial`: before there is one. */
function useRowWalk(total: number, initial: number) {
	const { odds } = usePanels();
	const list = useRef<RowListHandle>(null);
	const table = useRef<HTMLDivElement>(null);
	/** The row that gets the focus as soon as it is on the page. */
	const wanted = useRef<number | null>(null);
	const at = Math.min(odds.pointed.value ?? initial, total - 1);
	const go = (index: number) => {
		odds.pointed.value = index;
		list.current?.reveal(index);
		const row = table.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
		if (row) row.focus({ preventScroll: true });
		else wanted.current = index;
	};
	return {
		list,
		table,
		at,
		go,
		/** Takes a row that came onto the page. */
		arrive: (index: number) => (row: HTMLElement | null) => {
			if (row === null || wanted.current !== index) return;
			wanted.current = null;
			row.focus({ preventScroll: true });
		},
		press(event: KeyboardEvent) {
			const to = rowForKey(event.key, at, total, list.current?.page() ?? 1);
			if (to === undefined || !(event.target instanceof HTMLElement) || !event.target.dataset.row) return;
			event.preventDefault();
			go(to);
		},
	};
}

/** The heads above the rows; for readers of the page the rows have their own. */
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
	const most = rows[0]?.branch.p ?? 1;
	const rowAt = (index: number) => {
		const row = rows[index];
		const place = {
			index,
			focus: index === walk.at,
			pointed: index === odds.pointed.value,
			arrive: walk.arrive(index),
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
				more={() => {
					// The row that was pressed goes away.
					walk.go(0);
					odds.next.listMore();
				}}
			/>
		) : (
			<OutcomeRow
				key={index}
				{...place}
				row={row}
				columns={columns.draws}
				factors={columns.factors}
				most={most}
				drawn={drawn.includes(index)}
				sure={drawn.length === 1}
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
