/** Checks of OpenEnv requests. Owns: the texts of their refusals. */

import type * as z from 'zod';
import { canBeBatched } from '../../shared/contract/route.ts';
import { createRouter } from '../../shared/contract/router.ts';
import { type OpenEnvAction, openEnvAction } from '../../shared/documents/openenv.ts';
import { routes } from '../../shared/routes/index.ts';

/** Refusal of a request. */
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

const findRoute = createRouter(routes);

/** Returns the reason that a request may affect more than the world of its episode; undefined if it cannot. */
function reachError(method: string, path: string): string | undefined {
	const [pathname = '', query = ''] = path.split('?', 2);
	if (new URLSearchParams(query).has('world'))
		return 'an action acts on the world of its episode: omit "world"';
	try {
		const { route } = findRoute(method, pathname);
		const isInside = route.world !== false && route.effect !== 'fork' && canBeBatched(route);
		return isInside ? undefined : `${method} ${pathname} is not a call to the world of an episode`;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Returns a value that matches a schema. `name`: its name in error texts. Throws `VALIDATION_ERROR`. */
export function read<T extends z.ZodType>(shape: T, value: unknown, name: string): z.output<T> {
	const parsed = shape.safeParse(value);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const position = issue!.path.length === 0 ? name : `${name}.${issue!.path.join('.')}`;
	const fields = 'shape' in shape ? ` Fields: ${Object.keys(shape.shape as object).join(', ')}.` : '';
	throw new OpenEnvError(
		'VALIDATION_ERROR',
		`${position}: ${issue!.message.replace(/\.$/, '')}.`,
		`Correct it and send the request again.${fields} GET /openenv/schema describes them.`,
	);
}

/**
 * Returns the action in a body. Throws `VALIDATION_ERROR`, in a fork also if the action may affect more than the world
 * of its episode.
 */
export function readAction(value: unknown, kind: 'fork' | 'task'): OpenEnvAction {
	const action = read(openEnvAction, value, 'action');
	// A task has its own engine, and its budget checks the calls.
	if (kind === 'task') return action;
	for (const { method, path } of action.requests) {
		const refusal = reachError(method, path);
		if (refusal !== undefined)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				`${method} ${path}: ${refusal}`,
				'Send calls to the world of the episode.',
			);
	}
	return action;
}
