/** Handlers of the tag Gameplay that are about actions. */

import { ApiError } from '../../shared/contract/errors.ts';
import { shapeError } from '../../shared/contract/explain-issue.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import { canBeBatched } from '../../shared/contract/route.ts';
import { createRouter } from '../../shared/contract/router.ts';
import * as routes from '../../shared/routes/actions.ts';
import { step } from '../../shared/routes/simulation.ts';
import { type ActionDocument, parametersSchema } from '../../shared/rules/action.ts';
import { actionsOf, requireAction } from '../sim/actions/actions.ts';
import { filterOf } from '../sim/assertions/condition.ts';
import { isAlive } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';
import { matchState } from '../sim/match/match.ts';
import { ConditionLook } from '../sim/rules/conditions/evaluate-condition.ts';
import type { Host } from './context.ts';
import { handler } from './handler.ts';
import { type KnownAnswer, referredNames } from './references.ts';
import { runWhole } from './run-requests.ts';

/** Maximum number of ids that a refusal of an entity lists. */
const MAX_LISTED = 10;

/** Checks the values of an action's parameters, and returns them by name. Throws `invalid_body` and `entity_not_found`. */
function valuesOf(world: World, action: ActionDocument, given: object): Map<string, KnownAnswer> {
	const schema = parametersSchema(action);
	const parsed = schema.safeParse(given);
	if (!parsed.success) {
		const { message, fix, path } = shapeError('invalid_body', schema, parsed.error, given, 'parameters');
		throw new ApiError('invalid_body', message, {
			fix,
			path: path === undefined ? 'parameters' : `parameters.${path}`,
		});
	}
	const values = new Map<string, KnownAnswer>();
	for (const [name, { type, filter }] of Object.entries(action.parameters)) {
		const value = parsed.data[name] ?? null;
		if (type === 'entity' && value !== null) requireMember(world, name, value as number, filter ?? 'any');
		values.set(name, { value });
	}
	return values;
}

/** Throws `entity_not_found` unless the entity exists and passes the filter. */
function requireMember(world: World, name: string, id: number, filter: string): void {
	const members = new ConditionLook(world).members(filterOf(filter));
	if (isAlive(world, id) && members.includes(id)) return;
	const listed = members.slice(0, MAX_LISTED).join(', ');
	const moreText = members.length > MAX_LISTED ? `, and ${members.length - MAX_LISTED} more` : '';
	throw new ApiError('entity_not_found', `${name}: entity ${id} is not one of those that match ${filter}.`, {
		fix: members.length === 0 ? 'No entity matches at present.' : `Send one of ${listed}${moreText}.`,
		path: `parameters.${name}`,
	});
}

/** Throws `code` for a request of an action that can never succeed: it has no route, or refers to an unknown name. */
export function requireUsable(
	host: Host,
	actions: readonly ActionDocument[],
	code: 'invalid_scenario' | 'invalid_level',
): void {
	if (actions.length === 0) return;
	const find = createRouter(host.routes);
	for (const [actionIndex, { parameters, requests }] of actions.entries()) {
		const knownNames = new Set(Object.keys(parameters));
		for (const [requestIndex, { method, path, body, as }] of requests.entries()) {
			const position = `actions[${actionIndex}].requests[${requestIndex}]`;
			const refuse = (reason: string, fix?: string) =>
				new ApiError(code, `${position}: ${reason}`, {
					path: position,
					...(fix === undefined ? {} : { fix }),
				});
			const unknownName = referredNames(path, body).find((name) => !knownNames.has(name));
			if (unknownName !== undefined)
				throw refuse(
					`"$${unknownName}" is neither a parameter nor the answer of an earlier request.`,
					`Declare the parameter "${unknownName}", or write "$$${unknownName}" for plain text.`,
				);
			if (as != null) knownNames.add(as);
			let route: Host['routes'][number];
			try {
				({ route } = find(method, pathAndQuery(path).path));
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				throw refuse(error.message, error.fix);
			}
			if (!canBeBatched(route))
				throw refuse(`${route.method} ${route.path} cannot be part of an action.`, 'Use another call.');
		}
	}
}

export const handlers = [
	handler(routes.listActions, ({ world }) => {
		const actions = actionsOf(world);
		return { actions, count: actions.length };
	}),

	handler(routes.runAction, ({ host, entry, world }, { params, body }) => {
		const action = requireAction(world, params.name);
		if (matchState(world)?.phase === 'post_match')
			throw new ApiError('match_over', `The match is over, so the move "${action.name}" is refused.`);
		const values = valuesOf(world, action, body.parameters);
		const { requests, ticks } = action;
		const stepRequests = ticks === 0 ? [] : [{ path: step.path, body: { ticks } }];
		const list = { requests: [...requests, ...stepRequests], kind: 'action', values } as const;
		return runWhole(host, entry.id, list, { action: action.name });
	}),
];
