/**
 * Limits of one tick, so that no tick takes minutes.
 * Owns: the limits, and counting what a tick has done. A tick that goes over one of them never happens: see step.ts.
 */

import { ApiError, type ErrorCode } from '../../../shared/contract/errors.ts';
import type { World } from './world.ts';

/** Bytes of the data of a signal that count as one more event. */
export const EVENT_BYTES = 128;

/** Work of a tick so far. */
export interface TickSpending {
	spawned: number;
	actions: number;
	searched: number;
	sent: number;
}

export function nothingSpent(): TickSpending {
	return { spawned: 0, actions: 0, searched: 0, sent: 0 };
}

/** Limits of one tick. Only tests set others, to reach them with small worlds. */
export const tickLimits: TickSpending = {
	/** Maximum number of entities that a tick makes. */
	spawned: 20_000,
	/** Maximum number of actions of rules, counted once for each entity of an action, and draws. */
	actions: 250_000,
	/**
	 * Maximum of entities and events that a tick reads, where it reads them for each of many. Rules do so to fire and
	 * to find entities, with each condition. Zones, observers, towers, projectiles and abilities do so to find
	 * entities, and state machines for their transitions.
	 */
	searched: 50_000_000,
	/** Maximum number of events that a tick sends. */
	sent: 500_000,
};

/** Refusal of a tick over a limit. */
const REFUSALS: {
	readonly [K in keyof TickSpending]: readonly [ErrorCode, told: (limit: number) => string];
} = {
	spawned: ['too_many_spawned', (limit) => `spawns more than ${limit} entities`],
	actions: ['too_many_actions', (limit) => `runs more than ${limit} actions and draws`],
	searched: ['too_many_actions', (limit) => `checks more than ${limit} entities and events`],
	sent: ['too_many_actions', (limit) => `sends more than ${limit} events`],
};

/**
 * Thrown in the middle of a tick that went over a limit. It is no ApiError, for a tick continues after those: a
 * system that asks whether something is refused must not take this for an answer.
 */
export class Overrun extends Error {
	readonly code: ErrorCode;
	readonly told: string;

	constructor(code: ErrorCode, text: string) {
		super(`the tick ${text}`);
		this.name = 'Overrun';
		this.code = code;
		this.told = text;
	}
}

/** Returns the refusal of a tick that went over a limit. */
export function overrunError({ code, told }: Overrun, tick: number): ApiError {
	return new ApiError(code, `The tick after tick ${tick} ${told}, which is the limit. The tick was not run.`);
}

/** Returns true if a tick that does this goes over a limit. */
export const isTooMuch = ({ spawned, actions, searched, sent }: Readonly<TickSpending>): boolean =>
	spawned > tickLimits.spawned ||
	actions > tickLimits.actions ||
	searched > tickLimits.searched ||
	sent > tickLimits.sent;

/** Counts what the tick that runs is about to do; between ticks nothing is counted. Throws an Overrun. */
export function spend(world: World, what: keyof TickSpending, amount = 1): void {
	const { chance } = world;
	if (chance === null) return;
	chance.spent[what] += amount;
	if (chance.spent[what] > tickLimits[what]) {
		const [code, told] = REFUSALS[what];
		throw new Overrun(code, told(tickLimits[what]));
	}
}
