/**
 * The latest calls under the picture, or the world's history; the whole log is in the API view.
 * Owns: which of the two, and how many calls are shown. Never: the panels' own refreshes.
 */

import { useState } from 'preact/hooks';
import { CallColumns, SaidHeads } from '../calls/call-columns.tsx';
import { isRefused, senderOf } from '../calls/call-ring.ts';
import { CallRow } from '../calls/call-row.tsx';
import { Icon } from '../drawn/icon.tsx';
import { Lamp } from '../drawn/marks.tsx';
import { count } from '../numbers.ts';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';

const SHOWN = 12;

const History = later(
	async () => (await import('./history.tsx')).History,
	(words) => <p class="empty">{words}</p>,
);

export function LatestCalls() {
	const { calls, navigation, services } = usePanels();
	const [history, setHistory] = useState(false);
	const latest = calls.ring.value.calls
		.filter((call) => senderOf(call).kind !== 'panels')
		.slice(-SHOWN)
		.reverse();
	const refused = latest.filter(isRefused).length;
	return (
		<section class="pane latest-calls" aria-label="Latest calls">
			<div class="pane-head">
				<h2>{history ? 'History' : 'Latest calls'}</h2>
				{!history && <Lamp state="on" />}
				<span class="soft cut">
					{history
						? 'changes of this world, from its journal'
						: `from all clients${refused > 0 ? `, ${count(refused, 'refused', 'refused')}` : ''}`}
				</span>
				<span class="grow" />
				<button
					type="button"
					class="button quiet small"
					aria-pressed={history}
					title="Show the applied calls, and fork from any of them"
					onClick={() => setHistory(!history)}
				>
					<Icon name="history" small />
					History
				</button>
				<button type="button" class="button quiet small" onClick={() => navigation.go('api')}>
					All calls
				</button>
			</div>
			{history ? (
				<History />
			) : latest.length === 0 ? (
				<p class="empty">
					No calls yet. Try: <code>curl {services.address}/</code>
				</p>
			) : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
				<section class="scroll" aria-label="Calls, newest first" tabIndex={0}>
					<table class="call-table brief">
						<CallColumns />
						<SaidHeads />
						<tbody>
							{latest.map((call) => (
								<CallRow key={call.number} call={call} mark={calls.markOf(call)} brief />
							))}
						</tbody>
					</table>
				</section>
			)}
		</section>
	);
}
