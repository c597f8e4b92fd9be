/**
 * One call of the log: when, from whom, what, where, how long, and how it ended.
 * Owns: the cells of a call and of its fix. Never: decides which calls are shown.
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
	/** In the few lines under the picture: the fix is in the path's cell. */
	readonly brief?: boolean;
	/** Row number for screen readers, of a list that is not whole on the page. */
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
