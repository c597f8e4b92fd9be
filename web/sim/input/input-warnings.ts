/** Warnings about inputs and bindings that do something else than they seem to. */

import { nearest } from '../../../shared/contract/nearest.ts';
import { PLAYER_ACTIONS, type QueuedInput } from '../../../shared/documents/input.ts';

const isOwn = (action: string): boolean => Object.hasOwn(PLAYER_ACTIONS, action);

/** That an action is nearly one that the engine carries out; a game may have any others of its own. */
export function bindingWarnings(action: string): string[] {
	const near = isOwn(action) ? undefined : nearest(action, Object.keys(PLAYER_ACTIONS));
	return near === undefined
		? []
		: [`the engine has no action "${action}", so only rules can react to it; did you mean "${near}"?`];
}

/** That an action of the engine moves nothing, since no entity is played. */
export function unplayedWarnings({ action, entity }: Pick<QueuedInput, 'action' | 'entity'>): string[] {
	return entity !== null || !isOwn(action)
		? []
		: [`no entity has the component player, so "${action}" does nothing; spawn one with "player": true`];
}
