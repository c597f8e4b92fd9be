/**
 * Limits of one tick, so that no tick takes minutes.
 * Owns: the limits, and counting what a tick has done. A tick that goes over one of them never happens: see step.ts.
 */

import { ApiError, type ErrorCode } from '../../../shared/contract/errors.ts';
import type { World } from './world.ts';

/** Most entities that one tick makes. */
export const MAX_SPAWNED = 20_000;
/** Most actions that the rules of one tick do, each entity that one is done to counted, with the draws that it makes. */
export const MAX_ACTIONS = 250_000;
/**
 * Most entities and events that one tick looks at where it does so for each of many: rules, to see whether they fire
 * and which entities their actions are about, with each of their conditions; zones, observers, towers, projectiles
 * and abilities, to see which entities they reach; and the transitions of state machines.
 */
export const MAX_SEARCHED = 50_000_000;
/** Most events that one tick sends; what a signal carries counts as one more for each `EVENT_BYTES`. */
export const MAX_SENT = 500_000;
export const EVENT_BYTES = 128;

/** Work of a tick so far. */
export interface Spent {
	spawned: number;
	actions: number;
	searched: number;
	sent: number;
}

export function nothingSpent(): Spent {
	return { spawned: 0, actions: 0, searched: 0, sent: 0 };
}

interface Limit {
	readonly most: number;
	readonly code: ErrorCode;
	readonly told: string;
}

const LIMITS: { readonly [K in keyof Spent]: Limit } = {
	spawned: { most: MAX_SPAWNED, code: 'too_many_spawned', told: `spawns more than ${MAX_SPAWNED} entities` },
	actions: {
		most: MAX_ACTIONS,
		code: 'too_many_actions',
		told: `runs more than ${MAX_ACTIONS} actions and draws`,
	},
	searched: {
		most: MAX_SEARCHED,
		code: 'too_many_actions',
		told: `checks more than ${MAX_SEARCHED} entities and events`,
	},
	sent: { most: MAX_SENT, code: 'too_many_actions', told: `sends more than ${MAX_SENT} events` },
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
	return new ApiError(code, `The tick after tick ${tick} ${told}, which is the limit. The tick was not run.`);
}

/** True if a tick that does this goes over a limit. */
export const isTooMuch = ({ spawned, actions, searched, sent }: Readonly<Spent>): boolean =>
	spawned > MAX_SPAWNED || actions > MAX_ACTIONS || searched > MAX_SEARCHED || sent > MAX_SENT;

/** Counts what the tick that runs is about to do; between ticks nothing is counted. Throws an Overrun. */
export function spend(world: World, what: keyof Spent, amount = 1): void {
	const { chance } = world;
	if (chance === null) return;
	const { most, code, told } = LIMITS[what];
	chance.spent[what] += amount;
	if (chance.spent[what] > most) throw new Overrun(code, told);
}
