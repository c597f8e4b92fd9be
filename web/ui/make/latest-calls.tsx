/**
 * The pane below the picture: the timeline, the latest calls, or the history of the world. The API view has the whole log.
 * Owns: the choice of a tab, and the number of calls. Never: shows the panels' own refreshes.
 */

import { useState } from 'preact/hooks';
import { CallColumns, ScreenReaderHeads } from '../calls/call-columns.tsx';
import { senderOf } from '../calls/call-ring.ts';
import { CallRow } from '../calls/call-row.tsx';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';

const SHOWN = 12;

const Timeline = later(
	async () => (await import('./timeline/timeline.tsx')).Timeline,
	(words) => <p class="empty">{words}</p>,
);
const History = later(
	async () => (await import('./history.tsx')).History,
	(words) => <p class="empty">{words}</p>,
);

type Tab = 'timeline' | 'calls' | 'history';

const TABS: readonly (readonly [tab: Tab, label: string, says: string])[] = [
	['timeline', 'Timeline', 'The last minutes of this world'],
	['calls', 'Calls', 'The latest calls from all clients'],
	['history', 'History', 'Show the applied calls, and fork from any of them'],
];

export function LatestCalls() {
	const { navigation } = usePanels();
	const [tab, setTab] = useState<Tab>('timeline');
	return (
		<section class="pane latest-calls" aria-label="Timeline and calls">
			<div class="pane-head">
				<div class="chips">
					{TABS.map(([name, label, says]) => (
						<button
							key={name}
							type="button"
							class="chip"
							title={says}
							aria-pressed={tab === name}
							onClick={() => setTab(name)}
						>
							{label}
						</button>
					))}
				</div>
				<span class="grow" />
				<button type="button" class="button quiet small" onClick={() => navigation.go('api')}>
					All calls
				</button>
			</div>
			{tab === 'timeline' ? <Timeline /> : tab === 'history' ? <History /> : <Calls />}
		</section>
	);
}

function Calls() {
	const { calls, services } = usePanels();
	const latest = calls.ring.value.calls
		.filter((call) => senderOf(call).kind !== 'panels')
		.slice(-SHOWN)
		.reverse();
	if (latest.length === 0)
		return (
			<p class="empty">
				No calls yet. Try: <code>curl {services.address}/</code>
			</p>
		);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
		<section class="scroll" aria-label="Calls, newest first" tabIndex={0}>
			<table class="call-table brief">
				<CallColumns />
				<ScreenReaderHeads />
				<tbody>
					{latest.map((call) => (
						<CallRow key={call.number} call={call} mark={calls.markOf(call)} brief />
					))}
				</tbody>
			</table>
		</section>
	);
}
