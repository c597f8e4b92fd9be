/**
 * Limits of one tick, so that no tick takes minutes.
 * Owns: the limits, and the count of a tick's work. A tick that exceeds a limit is undone: see step.ts.
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

export function noSpending(): TickSpending {
	return { spawned: 0, actions: 0, searched: 0, sent: 0 };
}

/** Limits of one tick. Only tests change them, to reach them with small worlds. */
export const tickLimits: TickSpending = {
	/** Maximum number of entities that a tick spawns. */
	spawned: 20_000,
	/** Maximum number of actions of rules and of draws. An action counts once for each of its entities. */
	actions: 250_000,
	/**
	 * Maximum number of entities and events that searches of a tick visit. Rules search to fire and to find targets, with
	 * each condition. Zones, observers, towers, projectiles, abilities and state machines search too.
	 */
	searched: 50_000_000,
	/** Maximum number of events that a tick sends. */
	sent: 500_000,
};

/** Error code and text for each limit. */
const REFUSALS: {
	readonly [K in keyof TickSpending]: readonly [ErrorCode, reasonText: (limit: number) => string];
} = {
	spawned: ['too_many_spawned', (limit) => `spawns more than ${limit} entities`],
	actions: ['too_many_actions', (limit) => `runs more than ${limit} actions and draws`],
	searched: ['too_many_actions', (limit) => `checks more than ${limit} entities and events`],
	sent: ['too_many_actions', (limit) => `sends more than ${limit} events`],
};

/**
 * Thrown in the middle of a tick that exceeds a limit. It is not an ApiError, because systems catch those and continue
 * the tick.
 */
export class Overrun extends Error {
	readonly code: ErrorCode;
	readonly reason: string;

	constructor(code: ErrorCode, reason: string) {
		super(`the tick ${reason}`);
		this.name = 'Overrun';
		this.code = code;
		this.reason = reason;
	}
}

/** Returns the refusal of a tick that exceeded a limit. */
export function overrunError({ code, reason }: Overrun, tick: number): ApiError {
	return new ApiError(
		code,
		`The tick after tick ${tick} ${reason}, which is the limit. The tick was not run.`,
	);
}

/** Returns true if this work exceeds a limit. */
export const exceedsLimits = ({ spawned, actions, searched, sent }: Readonly<TickSpending>): boolean =>
	spawned > tickLimits.spawned ||
	actions > tickLimits.actions ||
	searched > tickLimits.searched ||
	sent > tickLimits.sent;

/** Counts work of the running tick before it is done. Throws an Overrun above the limit. Between ticks, it does nothing. */
export function spend(world: World, kind: keyof TickSpending, amount = 1): void {
	const { chance } = world;
	if (chance === null) return;
	chance.spent[kind] += amount;
	if (chance.spent[kind] > tickLimits[kind]) {
		const [code, reasonText] = REFUSALS[kind];
		throw new Overrun(code, reasonText(tickLimits[kind]));
	}
}
