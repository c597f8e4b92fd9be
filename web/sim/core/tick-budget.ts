/**
 * What one tick may do at most, so that no tick takes minutes.
 * Owns: the limits, and counting what a tick has done. A tick that goes over one of them never happens: see step.ts.
 */

import { ApiError, type ErrorCode } from '../../../shared/contract/errors.ts';
import type { World } from './world.ts';

/** Most entities that one tick makes. */
export const MAX_SPAWNED = 20_000;
/** Most actions that the rules of one tick do, each entity that one is done to counted. */
export const MAX_ACTIONS = 250_000;
/**
 * Most entities and events that the rules of one tick look at: whether they fire for them, and whom their actions are about.
 * One that is looked at with several conditions counts as many times.
 */
export const MAX_SEARCHED = 50_000_000;

/** What a tick has done so far. */
export interface Spent {
	spawned: number;
	actions: number;
	searched: number;
}

export function nothingSpent(): Spent {
	return { spawned: 0, actions: 0, searched: 0 };
}

const LIMITS: { readonly [K in keyof Spent]: readonly [most: number, code: ErrorCode, told: string] } = {
	spawned: [MAX_SPAWNED, 'too_many_spawned', `makes more than ${MAX_SPAWNED} entities`],
	actions: [MAX_ACTIONS, 'too_many_actions', `does more than ${MAX_ACTIONS} actions`],
	searched: [
		MAX_SEARCHED,
		'too_many_actions',
		`looks at more than ${MAX_SEARCHED} entities and events for its rules`,
	],
};

/**
 * Thrown in the middle of a tick that went over a limit. It is no ApiError, for a tick goes on after those: a system that asks
 * whether something is refused must not take this for an answer.
 */
export class Overrun extends Error {
	readonly code: ErrorCode;
	readonly told: string;

	constructor(code: ErrorCode, told: string) {
		super(`the tick ${told}`);
		this.name = 'Overrun';
		this.code = code;
		this.told = told;
	}
}

/** The refusal of a tick that went over a limit. */
export function overrunError({ code, told }: Overrun, tick: number): ApiError {
	return new ApiError(code, `The tick after tick ${tick} ${told}, which is the most. It did not happen.`);
}

/** Counts what the tick that runs is about to do; between ticks nothing is counted. Throws an Overrun. */
export function spend(world: World, what: keyof Spent, amount = 1): void {
	const { chance } = world;
	if (chance === null) return;
	chance.spent[what] += amount;
	const [most, code, told] = LIMITS[what];
	if (chance.spent[what] > most) throw new Overrun(code, told);
}
