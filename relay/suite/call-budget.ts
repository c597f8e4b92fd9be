/**
 * Checks the calls of an agent to the world of its task.
 * Owns: the counts of calls and bytes, and the refusal of calls that the task does not allow.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { pathMatcher } from '../../shared/contract/path-matcher.ts';
import type { CallHandler, WireRequest } from '../../shared/contract/wire.ts';
import { routes } from '../../shared/routes/index.ts';
import type { GroupedTask } from '../../shared/suite/task.ts';

const matchRoute = pathMatcher(routes);

/** Effects of routes that change a world. On main, a task with `moves` allows only its moves of them. */
const CHANGING_EFFECTS: readonly string[] = ['write', 'step', 'replace'];

export class CallBudget {
	calls = 0;
	bytes = 0;
	readonly #task: GroupedTask;
	readonly #handle: CallHandler;

	constructor(task: GroupedTask, handle: CallHandler) {
		this.#task = task;
		this.#handle = handle;
	}

	/** Passes a call on. Counts the call, and the bytes of its path, query, body and answer. */
	readonly handle: CallHandler = async (request, signal) => {
		const error = this.#spentError() ?? this.#refusal(request);
		if (error !== undefined) return errorResponse(error);
		this.calls++;
		const answer = await this.#handle(request, signal);
		this.bytes += request.path.length + request.query.length + request.body.length + answer.body.length;
		return answer;
	};

	#spentError(): ApiError | undefined {
		const { calls, bytes } = this.#task.budget;
		if (this.calls < calls && this.bytes < bytes) return undefined;
		const limit = this.calls >= calls ? `${calls} calls` : `${bytes} bytes`;
		return new ApiError('budget_spent', `The budget of this task is spent: ${limit}.`, {
			fix: 'End the task: submit the answer, or finish without one.',
		});
	}

	#refusal({ method, path, query, body }: WireRequest): ApiError | undefined {
		const route = matchRoute(path)?.byMethod.get(method);
		// The engine itself refuses unknown routes.
		if (route === undefined) return undefined;
		if (route.id === 'simulation.play')
			return new ApiError('not_allowed', 'The world of a task cannot play in real time.', {
				fix: 'Use POST /step.',
			});
		const { moves } = this.#task;
		if (moves === undefined) return undefined;
		if (route.runs !== undefined && namesWorld(body))
			return new ApiError('not_allowed', 'In this task, a call in a list may not name its world.', {
				fix: 'Send the whole list to one fork, with ?world= of the call itself.',
			});
		if (!CHANGING_EFFECTS.includes(route.effect)) return undefined;
		const worlds = new URLSearchParams(query).getAll('world');
		const isOnFork = route.path.startsWith('/fork/') || (worlds.length > 0 && !worlds.includes('main'));
		if (isOnFork && route.id !== 'forks.promote') return undefined;
		if (moves.some((move) => move === `${method} ${route.path}` || move === `${method} ${path}`))
			return undefined;
		return new ApiError('not_allowed', `${method} ${path} may not change main in this task.`, {
			fix: `Use one of ${moves.join(', ')} on main. Reads, and calls on forks, are free.`,
		});
	}
}

/** Returns true if a call in a list names a world. A list for a fork could change main that way. */
function namesWorld(body: Uint8Array): boolean {
	let text: string;
	try {
		text = JSON.stringify(JSON.parse(new TextDecoder().decode(body)));
	} catch {
		// The engine refuses a body that is not JSON.
		return false;
	}
	const decodedText = text.replace(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code));
	return /\?[^"]*world/i.test(decodedText);
}
