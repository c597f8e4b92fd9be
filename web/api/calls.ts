/** Handlers of the routes that list and cancel calls. */

import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/calls.ts';
import { handler } from './handler.ts';

export const handlers = [
	handler(routes.listCalls, ({ host }) => {
		const now = host.now();
		const calls = host.calls
			.all()
			.filter((call) => call !== host.running)
			.map(({ number, method, path, world, principal, isWaiting, arrivalTime, ticks, requests }) => ({
				id: number,
				method,
				path,
				world,
				sender: principal.name,
				state: isWaiting ? ('waiting' as const) : ('running' as const),
				age_ms: now - arrivalTime,
				ticks,
				requests,
			}));
		return { calls, count: calls.length };
	}),

	handler(routes.cancelCall, ({ host }, { params: { id } }) => {
		if (id < 1 || id > host.calls.last || id === host.running.number)
			throw new ApiError('no_such_call', `Call ${id} does not exist, or is this call itself.`);
		const call = host.calls.find(id);
		call?.cancel();
		return { id, cancelled: call !== undefined };
	}),
];
