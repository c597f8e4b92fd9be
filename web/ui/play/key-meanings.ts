/**
 * Meanings of keys in the played world.
 * Owns: the active context of bindings, and the order of an action's keys.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { RouteAt } from '../../../shared/routes/index.ts';

export type InputList = Answer<RouteAt<'GET', '/input/list'>>;

/** Action by key. */
export type KeyMeanings = ReadonlyMap<string, string>;

/** Returns the active bindings, which are those of the last context. */
export function keyMeanings(input: InputList | null): KeyMeanings {
	const context = input?.contexts.at(-1);
	const inForce = input?.bindings.filter((binding) => binding.context === context) ?? [];
	return new Map(inForce.map(({ key, action }) => [key, action]));
}

/** Returns the keys of an action, those of a keyboard first. */
export function keysOfAction(meanings: KeyMeanings, action: string): readonly string[] {
	const isDevice = (key: string) => Number(/^(Gamepad|Touch)/.test(key));
	return [...meanings]
		.filter(([, means]) => means === action)
		.map(([key]) => key)
		.sort((a, b) => isDevice(a) - isDevice(b));
}
