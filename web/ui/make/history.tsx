/**
 * The journal of the selected world, newest first. Each entry has a button that forks the world after it.
 * Owns: the rows and their buttons.
 */

import './history.css';
import { senderOf } from '../calls/call-ring.ts';
import { Icon } from '../drawn/icon.tsx';
import { Mark } from '../drawn/marks.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { historyLines } from './history-lines.ts';
import { useHistory } from './use-history.ts';

export function History() {
	const { worlds, calls, entities } = usePanels();
	const { read, earlier } = useHistory(worlds.selected.value);
	if (read === null) return <p class="empty">Loading the journal.</p>;
	if (read.refusal !== null)
		return (
			<p class="empty">
				{read.refusal.sentence} {read.refusal.fix}
			</p>
		);
	const named = new Map(entities.list.value.map(({ id, name }) => [id, name]));
	const lines = historyLines(read.entries, read.world, (id) => named.get(id));
	if (lines.length === 0 && !read.more) return <p class="empty">Nothing has changed {read.world} yet.</p>;
	return (
		<div class="scroll">
			<table class="history-table">
				<colgroup>
					<col class="history-tick" />
					<col class="history-from" />
					<col />
					<col class="history-fork" />
				</colgroup>
				<thead class="only-said">
					<tr>
						<th>Tick</th>
						<th>From</th>
						<th>Call</th>
						<th>Fork</th>
					</tr>
				</thead>
				<tbody>
					{lines.map(({ entry, tick, made, words, at }) => (
						<tr key={entry} title={`Entry ${entry}, ${new Date(at).toLocaleString()}`}>
							<td class="soft">{tick === null ? '' : formatNumber(tick)}</td>
							<td>
								{made !== null && (
									<span class="sender">
										<Mark mark={calls.markOf(made)} />
										<span class="cut">{senderOf(made).name}</span>
									</span>
								)}
							</td>
							<td class={made === null ? 'soft' : 'mono'}>{words}</td>
							<td>
								{tick !== null && (
									<button
										type="button"
										class="button quiet small"
										title={`Fork ${read.world} from its state after this entry, at tick ${formatNumber(tick)}`}
										onClick={() => void worlds.forking.branchAt(read.world, { entry })}
									>
										<Icon name="forks" small />
										Fork here
									</button>
								)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
			{read.more && (
				<button type="button" class="button quiet small" onClick={earlier}>
					Earlier
				</button>
			)}
		</div>
	);
}
