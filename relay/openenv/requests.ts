/** Requests of OpenEnv, checked. Owns: the sentences of their refusals. */

import type * as z from 'zod';
import { mayBeBatched } from '../../shared/contract/route.ts';
import { createRouter } from '../../shared/contract/router.ts';
import { type OpenEnvAction, openEnvAction } from '../../shared/documents/openenv.ts';
import { routes } from '../../shared/routes/index.ts';

/** A request that the server does not run. */
export class OpenEnvError extends Error {
	/** HTTP status. */
	readonly status: number;
	/** Code of the standard, or of the engine's refusal. */
	readonly code: string;
	readonly fix: string;

	constructor(code: string, message: string, fix: string, status = 422) {
		super(message);
		this.code = code;
		this.fix = fix;
		this.status = status;
	}
}

const find = createRouter(routes);

/** Returns the reason why a request may reach beyond the world of its episode; undefined if it cannot. */
function reach(method: string, path: string): string | undefined {
	const [bare = '', query = ''] = path.split('?', 2);
	if (new URLSearchParams(query).has('world'))
		return 'an action acts on the world of its episode: omit "world"';
	try {
		const { route } = find(method, bare);
		const isInside = route.world !== false && route.effect !== 'fork' && mayBeBatched(route);
		return isInside ? undefined : `${method} ${bare} is not a call to the world of an episode`;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Reads a value by a shape. Throws `VALIDATION_ERROR`. */
export function read<T extends z.ZodType>(shape: T, value: unknown, what: string): z.output<T> {
	const parsed = shape.safeParse(value);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const at = issue!.path.length === 0 ? what : `${what}.${issue!.path.join('.')}`;
	const fields = 'shape' in shape ? ` Fields: ${Object.keys(shape.shape as object).join(', ')}.` : '';
	throw new OpenEnvError(
		'VALIDATION_ERROR',
		`${at}: ${issue!.message.replace(/\.$/, '')}.`,
		`Correct it and send the request again.${fields} GET /openenv/schema describes them.`,
	);
}

/** Reads an action. Throws `VALIDATION_ERROR`, in a fork also for one that reaches beyond the world of its episode. */
export function readAction(value: unknown, of: 'fork' | 'task'): OpenEnvAction {
	const action = read(openEnvAction, value, 'action');
	// A task has an engine of its own, and a door that checks its calls.
	if (of === 'task') return action;
	for (const { method, path } of action.requests) {
		const refusal = reach(method, path);
		if (refusal !== undefined)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				`${method} ${path}: ${refusal}`,
				'Send calls to the world of the episode.',
			);
	}
	return action;
}
