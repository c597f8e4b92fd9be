/**
 * Actions of a world: moves of its game by name.
 * Owns: the registry. View scope: players choose from it, and no tick reads it.
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type ActionDocument, actionDocument, actionName } from '../../../shared/rules/action.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

type Actions = Readonly<Record<string, ActionDocument>>;

export const ActionRegistry: Resource<Actions> = {
	name: 'actions',
	scope: 'view',
	summary: 'Moves of the game by name, with the calls that each makes',
	schema: z.record(actionName, actionDocument) as unknown as z.ZodType<Actions>,
	entriesOf: (actions = {}) => actions,
	isEmpty: (actions) => Object.keys(actions).length === 0,
	initial: () => undefined,
};

/** Returns all actions, by name. */
export function actionsOf(world: World): ActionDocument[] {
	const actions = resource(world, ActionRegistry) ?? {};
	return Object.keys(actions)
		.sort()
		.map((name) => actions[name]!);
}

export function findAction(world: World, name: string): ActionDocument | undefined {
	const actions = resource(world, ActionRegistry) ?? {};
	return Object.hasOwn(actions, name) ? actions[name] : undefined;
}

/** Returns the action with a name. Throws `unknown_action`. */
export function requireAction(world: World, name: string): ActionDocument {
	const action = findAction(world, name);
	if (action !== undefined) return action;
	const actions = resource(world, ActionRegistry) ?? {};
	throw new ApiError('unknown_action', `There is no action "${name}" in this world.`, {
		fix: suggestion(name, Object.keys(actions)),
	});
}

/** Adds actions. Each replaces an action of the same name. */
export function addActions(world: World, newActions: readonly ActionDocument[]): void {
	const byName = Object.fromEntries(newActions.map((action) => [action.name, action]));
	setResource(world, ActionRegistry, { ...resource(world, ActionRegistry), ...byName });
}

/** Removes all actions. */
export const clearActions = (world: World): void => setResource(world, ActionRegistry, {});
