/**
 * One call of the log: tick, sender, method, path, world, time and status.
 * Owns: the cells of a call and of its fix. Never: selects the calls that are shown.
 */

import type { CallRecord } from '../../frames/frames.ts';
import { Mark } from '../drawn/marks.tsx';
import { formatMs, formatNumber } from '../numbers.ts';
import { isRefused, senderOf } from './call-ring.ts';
import type { SenderMark } from './calls-state.ts';

const SLOW_MS = 100;
const DOOR_WORDS = {
	process: 'in process',
	page: 'this page',
	worker: 'service worker',
	relay: 'relay',
} as const;

interface CallRowProps {
	readonly call: CallRecord;
	readonly mark: SenderMark;
	/** True in the short list under the picture, which shows the fix in the path's cell. */
	readonly brief?: boolean;
	/** Row number for screen readers, if only part of the list is on the page. */
	readonly number?: number;
}

export function CallRow({ call, mark, brief = false, number }: CallRowProps) {
	const refused = isRefused(call);
	const { name } = senderOf(call);
	const method = call.method === 'GET' ? 'mono soft' : 'mono';
	return (
		<tr class={refused ? 'refused' : undefined} aria-rowindex={number}>
			<td class="tick soft">{formatNumber(call.tick)}</td>
			<td title={`${name}, through: ${DOOR_WORDS[call.door]}${call.sender ? `: ${call.sender}` : ''}`}>
				<span class="sender">
					<Mark mark={mark} />
					<span class="cut">{name}</span>
				</span>
			</td>
			<td class={method}>{call.method}</td>
			<td class="mono path" title={call.path}>
				{call.path}
				{brief && call.fix !== undefined && <span class="bad fix-inline">{call.fix}</span>}
			</td>
			<td class="soft">{call.world}</td>
			<td class={`right${call.ms > SLOW_MS ? ' warn' : ''}`}>{formatMs(call.ms)}</td>
			<td class={`right ${refused ? 'bad' : 'good'}`}>
				{call.status}
				{refused && <span class="only-said"> refused</span>}
			</td>
		</tr>
	);
}

/** The second line of a refused call: what to send instead. */
export function FixRow({ call, number }: { readonly call: CallRecord; readonly number?: number }) {
	return (
		<tr class="fix" aria-rowindex={number}>
			<td class="tick" />
			<td colSpan={6} title={call.fix}>
				{call.fix}
			</td>
		</tr>
	);
}
