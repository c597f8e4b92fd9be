/** A call's place in a queue. Owns: that it can be cancelled while it waits there. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { RunningCall } from './call-list.ts';
import type { TurnQueue } from './turn-queue.ts';

/** Does something for a call when all before it in a queue is done; it is not done for one that is cancelled before. */
export function inLine<T>(line: TurnQueue, call: RunningCall, work: () => T | Promise<T>): Promise<T> {
	const begin = () => {
		call.waiting = false;
		return work();
	};
	return line.post(begin, (ticket) => {
		call.waiting = true;
		call.onCancel = () =>
			ticket.leave(call.refusal ?? new ApiError('cancelled', 'The call was cancelled before it started.'));
	});
}
