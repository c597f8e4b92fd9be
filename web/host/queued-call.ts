/**
 * A call that waits in a queue.
 * Owns: its cancellation while it waits, and the limit of an agent's turn while others wait.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Principal, restrictedAgent } from '../../shared/contract/principal.ts';
import type { RunningCall } from '../store/call-list.ts';
import type { Party, Ticket, TurnQueue } from './turn-queue.ts';

/** Returns the party to which a caller belongs in a queue. */
const partyOf = (principal: Principal): Party =>
	principal.unsigned === undefined ? restrictedAgent(principal)?.number : 'anonymous';

/** Runs work of a call when its turn in a queue comes, unless the call is cancelled before. */
export function queueCall<T>(line: TurnQueue, call: RunningCall, work: () => T | Promise<T>): Promise<T> {
	const party = partyOf(call.principal);
	const begin = () => {
		call.waiting = false;
		return party === undefined ? work() : withinTurn(line, party, call, work);
	};
	const queued = (ticket: Ticket) => {
		call.waiting = true;
		call.onCancel = () =>
			ticket.leave(call.refusal ?? new ApiError('cancelled', 'The call was cancelled before it started.'));
	};
	return line.post(begin, queued, party);
}

/** Runs work of a call. If others wait at the end of its turn, the call ends at its next tick or request. */
async function withinTurn<T>(
	line: TurnQueue,
	party: Party,
	call: RunningCall,
	work: () => T | Promise<T>,
): Promise<T> {
	const timer = setInterval(() => {
		if (!line.keepsWaiting(party)) return;
		const message = `The turn of the call ended after ${line.turnMs / 1000} s, because calls of others wait.`;
		const fix =
			'Send the rest in smaller calls: fewer ticks or requests each. Completed ticks of a step are kept.';
		// The code is that of any cancelled call, because a replay of the journal compares codes.
		call.cancel(new ApiError('cancelled', message, { fix }));
	}, line.turnMs);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
