/**
 * The most work that the coming tick can do.
 * Owns: how the declarations of the systems add up. It only decides whether a tick is worth an exact way back.
 */

import type { Component } from '../../../shared/contract/component.ts';
import { countPending } from './events.ts';
import type { System } from './system.ts';
import { isTooMuch, nothingSpent, type Spent } from './tick-budget.ts';
import { count, type World } from './world.ts';

/** The most that the systems of a tick can do, up to one of them. */
export interface Most extends Spent {
	/** Status effects put on entities. */
	effects: number;
	/** What the status effects on any one entity count for when another is added. */
	looks: number;
}

/** What the systems before one can do on the same tick. */
export interface Before extends Readonly<Most> {
	/** Events that they can send, by kind. */
	readonly events: ReadonlyMap<string, number>;
}

/** Returns true if the systems can do more together than a tick may. `schedule`: in their order. */
export function canExceed(world: World, schedule: readonly System[]): boolean {
	let exceeds = false;
	eachMost(world, schedule, (_, __, together) => {
		exceeds = isTooMuch(together);
		return !exceeds;
	});
	return exceeds;
}

/**
 * Visits the systems that declare what they can do, with that and with what they can do together up to and with it, as long
 * as `visit` returns true.
 */
export function eachMost(
	world: World,
	schedule: readonly System[],
	visit: (system: System, most: Partial<Most>, together: Most) => boolean,
): void {
	const events = new Map<string, number>();
	const together = { ...nothingSpent(), effects: 0, looks: 0, events };
	for (const system of schedule) {
		if (system.most === undefined) continue;
		const most = system.most(world, together);
		const { spawned = 0, actions = 0, searched = 0, sent = 0, effects = 0, looks = 0 } = most;
		together.spawned += spawned;
		together.actions += actions;
		together.searched += searched;
		together.sent += sent;
		together.effects += effects;
		together.looks += looks;
		if (!visit(system, most, together)) return;
		if (sent === 0) continue;
		for (const kind of system.access.emits ?? []) events.set(kind, (events.get(kind) ?? 0) + sent);
	}
}

/** Entities there can be when a system runs. */
export const mostEntities = (world: World, before: Before): number => world.entities.count + before.spawned;

/** Entities that can have a component when a system runs, if it is given only to new entities. */
export const mostWith = (world: World, component: Component, before: Before): number =>
	count(world, component) + before.spawned;

/** Events of a kind that can be readable when a system runs. */
export const mostEvents = (world: World, kind: string, before: Before): number =>
	countPending(world, kind) + (before.events.get(kind) ?? 0);
