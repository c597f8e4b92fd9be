/** Warnings about inputs and bindings that do not do what they seem to. */

import { nearest } from '../../../shared/contract/nearest.ts';
import { PLAYER_ACTIONS, type QueuedInput } from '../../../shared/documents/input.ts';

const isEngineAction = (action: string): boolean => Object.hasOwn(PLAYER_ACTIONS, action);

/** Returns a warning if the name of an action is nearly that of an engine action. A game may have any other actions. */
export function bindingWarnings(action: string): string[] {
	const similar = isEngineAction(action) ? undefined : nearest(action, Object.keys(PLAYER_ACTIONS));
	return similar === undefined
		? []
		: [`the engine has no action "${action}", so only rules can react to it; did you mean "${similar}"?`];
}

/** Returns a warning if an action of the engine moves nothing, because no entity is played. */
export function unplayedWarnings({ action, entity }: Pick<QueuedInput, 'action' | 'entity'>): string[] {
	return entity !== null || !isEngineAction(action)
		? []
		: [`no entity has the component player, so "${action}" does nothing; spawn one with "player": true`];
}
