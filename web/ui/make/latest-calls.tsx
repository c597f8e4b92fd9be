/**
 * The latest calls under the picture; the whole log is in the API view.
 * Owns: how many are shown. Never: the panels' own refreshes.
 */

import { CallColumns, SaidHeads } from '../calls/call-columns.tsx';
import { isRefused, senderOf } from '../calls/call-ring.ts';
import { CallRow } from '../calls/call-row.tsx';
import { Lamp } from '../drawn/marks.tsx';
import { count } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';

const SHOWN = 12;

export function LatestCalls() {
	const { calls, navigation, services } = usePanels();
	const latest = calls.ring.value.calls
		.filter((call) => senderOf(call).kind !== 'panels')
		.slice(-SHOWN)
		.reverse();
	const refused = latest.filter(isRefused).length;
	return (
		<section class="pane latest-calls" aria-label="Latest calls">
			<div class="pane-head">
				<h2>Latest calls</h2>
				<Lamp state="on" />
				<span class="soft">from every door{refused > 0 && `, ${count(refused, 'refused', 'refused')}`}</span>
				<span class="grow" />
				<button type="button" class="button quiet small" onClick={() => navigation.go('api')}>
					All calls
				</button>
			</div>
			{latest.length === 0 ? (
				<p class="empty">
					No calls yet. Try: <code>curl {services.address}/</code>
				</p>
			) : (
				<div class="scroll">
					<table class="call-table brief">
						<CallColumns />
						<SaidHeads />
						<tbody>
							{latest.map((call) => (
								<CallRow key={call.number} call={call} mark={calls.markOf(call)} brief />
							))}
						</tbody>
					</table>
				</div>
			)}
		</section>
	);
}
