/**
 * Work of a call in a queue.
 * Owns: the cancellation of a waiting call, and the time limit of an agent's call while others wait.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Principal, restrictedAgent } from '../../shared/contract/principal.ts';
import type { RunningCall } from '../store/call-list.ts';
import type { Party, Ticket, TurnQueue } from './turn-queue.ts';

/** Returns the party to which a caller belongs in a queue. */
const partyOf = (principal: Principal): Party =>
	principal.unsigned === undefined ? restrictedAgent(principal)?.number : 'anonymous';

/** Queues work of a call. If the call is cancelled while it waits, the work does not run. */
export function queueCall<T>(queue: TurnQueue, call: RunningCall, work: () => T | Promise<T>): Promise<T> {
	const party = partyOf(call.principal);
	const begin = () => {
		call.isWaiting = false;
		return party === undefined ? work() : runLimited(queue, party, call, work);
	};
	const onQueued = (ticket: Ticket) => {
		call.isWaiting = true;
		call.onCancel = () =>
			ticket.leave(call.refusal ?? new ApiError('cancelled', 'The call was cancelled before it started.'));
	};
	return queue.post(begin, onQueued, party);
}

/** Runs work of a call. If others wait after the time limit, the call ends at its next tick or request. */
async function runLimited<T>(
	queue: TurnQueue,
	party: Party,
	call: RunningCall,
	work: () => T | Promise<T>,
): Promise<T> {
	const timer = setInterval(() => {
		if (!queue.hasOthersWaiting(party)) return;
		const message = `The turn of the call ended after ${queue.maxTurnMs / 1000} s, because calls of others wait.`;
		const fix =
			'Send the rest in smaller calls: fewer ticks or requests each. Completed ticks of a step are kept.';
		// The code is that of any cancelled call, because a replay of the journal compares codes.
		call.cancel(new ApiError('cancelled', message, { fix }));
	}, queue.maxTurnMs);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
