/**
 * The live log of calls from every transport, newest first. Only the visible rows are on the page.
 * Owns: the chips of its filter, and its lines. It stands still while it is paused or scrolled away from its top.
 */

import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { CallRecord } from '../../frames/frames.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { RowList, type RowListHandle } from '../controls/row-list.tsx';
import { SearchField } from '../controls/search-field.tsx';
import { Icon } from '../drawn/icon.tsx';
import { Lamp } from '../drawn/marks.tsx';
import { count, formatMs, formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { CALL_HEADS, CallColumns, ScreenReaderHeads } from './call-columns.tsx';
import { type CallFilter, filterCalls, medianMs } from './call-ring.ts';
import { CallRow, FixRow } from './call-row.tsx';

type LogLine = { readonly call: CallRecord; readonly fix: boolean };

/** Returns a line for each call. A refused call gets a second line, with its fix. */
function linesOf(calls: readonly CallRecord[]): readonly LogLine[] {
	const lines: LogLine[] = [];
	for (const call of calls) {
		lines.push({ call, fix: false });
		if (call.fix !== undefined && call.fix !== '') lines.push({ call, fix: true });
	}
	return lines;
}

export function CallLog() {
	const { calls } = usePanels();
	/** Width of the rows' scroll bar (pixels). The headings leave room for it. */
	const [barWidth, setBarWidth] = useState(0);
	const list = useRef<RowListHandle>(null);
	return (
		<section class="pane call-log" aria-label="Calls">
			<LogHead toTop={() => list.current?.toTop()} />
			<LogFilter />
			<table class="call-table heads" aria-hidden="true" style={{ width: `calc(100% - ${barWidth}px)` }}>
				<CallColumns />
				<thead>
					<tr>
						{CALL_HEADS.map((head) => (
							<th key={head} class={head === 'ms' || head === 'Status' ? 'right' : undefined}>
								{head}
							</th>
						))}
					</tr>
				</thead>
			</table>
			<LogRows list={list} onScrollBar={setBarWidth} />
			<p class="only-said" aria-live="polite">
				{calls.summary.value}
			</p>
		</section>
	);
}

/** State of the log, and the button that pauses it. */
function LogHead({ toTop }: { readonly toTop: () => void }) {
	const { calls } = usePanels();
	const shown = calls.shown.value;
	const waiting = calls.waiting.value;
	const isLive = waiting === null;
	const median = medianMs(shown);
	const newest = calls.ring.value.calls.at(-1)?.number ?? 0;
	const toggle = isLive ? 'Pause the log' : 'Resume the log';
	return (
		<div class="pane-head">
			<h2>Calls</h2>
			<Lamp key={newest} state={isLive ? 'on' : 'hollow'} live={isLive} />
			<span class="soft cut">
				{isLive
					? `live, ${count(shown.length, 'call')}${median === null ? '' : `, half under ${formatMs(median)} ms`}`
					: waiting === 0
						? 'paused'
						: `${formatNumber(waiting)} new, paused`}
			</span>
			<span class="grow" />
			<IconButton
				icon={isLive ? 'pause' : 'play'}
				pressed={!isLive}
				name={toggle}
				title={`${toggle} (P)`}
				onClick={() => {
					calls.toggleHold();
					toTop();
				}}
			/>
		</div>
	);
}

function LogFilter() {
	const { calls } = usePanels();
	const filter = calls.filter.value;
	const refusedCount = filterCalls(calls.ring.value.calls, { ...filter, refusedOnly: true }).length;
	const set = (change: Partial<CallFilter>) => {
		calls.filter.value = { ...filter, ...change };
	};
	return (
		<div class="log-filter">
			<SearchField
				of="calls"
				placeholder="Path, sender or status"
				value={filter.text}
				change={(text) => set({ text })}
			/>
			{(['everyone', 'you', 'agents'] as const).map((from) => (
				<button
					key={from}
					type="button"
					class="chip"
					aria-pressed={filter.from === from}
					onClick={() => set({ from })}
				>
					{from === 'everyone' ? 'Everyone' : from}
				</button>
			))}
			<button
				type="button"
				class="chip"
				aria-pressed={filter.panels}
				title="Also show the calls that the panels make to refresh themselves"
				onClick={() => set({ panels: !filter.panels })}
			>
				panels
			</button>
			<button
				type="button"
				class="chip bad"
				aria-pressed={filter.refusedOnly}
				onClick={() => set({ refusedOnly: !filter.refusedOnly })}
			>
				<Icon name="warn" small />
				{formatNumber(refusedCount)} refused
			</button>
		</div>
	);
}

interface LogRowsProps {
	readonly list: RefObject<RowListHandle | null>;
	readonly onScrollBar: (width: number) => void;
}

function LogRows({ list, onScrollBar }: LogRowsProps) {
	const { calls, services } = usePanels();
	const shown = calls.shown.value;
	const lines = useMemo(() => linesOf(shown), [shown]);
	const hasCalls = calls.ring.value.calls.length > 0;
	return (
		<RowList
			count={lines.length}
			class="log-rows"
			onScrollBar={onScrollBar}
			handle={list}
			onTop={(atTop) => {
				// New calls must not move the rows of a person who reads further down.
				if (!atTop) calls.hold();
			}}
			empty={
				<p class="empty">
					{hasCalls ? (
						'No call matches. Clear the search.'
					) : (
						<>
							No calls yet. Try: <code>curl {services.address}/</code>
						</>
					)}
				</p>
			}
			rows={(first, end) => (
				<table class="call-table" aria-label="Calls, newest first" aria-rowcount={lines.length + 1}>
					<CallColumns />
					<ScreenReaderHeads />
					<tbody>
						{lines.slice(first, end).map(({ call, fix }, offset) => {
							const number = first + offset + 2;
							return fix ? (
								<FixRow key={`${call.number} fix`} call={call} number={number} />
							) : (
								<CallRow key={call.number} call={call} mark={calls.markOf(call)} number={number} />
							);
						})}
					</tbody>
				</table>
			)}
		/>
	);
}
