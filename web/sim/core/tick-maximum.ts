/**
 * The most work that the coming tick can do.
 * Owns: the sum of the systems' declarations. It only decides whether a tick is worth an exact way back.
 */

import type { Component } from '../../../shared/contract/component.ts';
import { countPending } from './events.ts';
import type { System } from './system.ts';
import { isTooMuch, nothingSpent, type TickSpending } from './tick-budget.ts';
import { count, type World } from './world.ts';

/** The most that the systems of a tick can do, up to one of them. */
export interface TickMaximum extends TickSpending {
	/** Status effects put on entities. */
	effects: number;
	/** Looks of the status effects on any one entity when another is added. */
	looks: number;
}

/** The most work of the systems before one on the same tick. */
export interface MostSoFar extends Readonly<TickMaximum> {
	/** Events that they can send, by kind. */
	readonly events: ReadonlyMap<string, number>;
}

/** Returns true if the systems can do more together than a tick may. `schedule`: in their order. */
export const canExceed = (world: World, schedule: readonly System[]): boolean =>
	isTooMuch(mostTogether(world, schedule));

/** Returns the most that the systems can do together. `visit` gets what each can do. */
export function mostTogether(
	world: World,
	schedule: readonly System[],
	visit?: (system: System, most: Partial<TickMaximum>) => void,
): TickMaximum {
	const events = new Map<string, number>();
	const together = { ...nothingSpent(), effects: 0, looks: 0, events };
	for (const system of schedule) {
		if (system.most === undefined) continue;
		const most = system.most(world, together);
		visit?.(system, most);
		for (const what in most) together[what as keyof TickMaximum] += most[what as keyof TickMaximum]!;
		if (most.sent === undefined || most.sent === 0 || system.access.emits === undefined) continue;
		for (const kind of system.access.emits) events.set(kind, (events.get(kind) ?? 0) + most.sent);
	}
	return together;
}

/** Returns the maximum number of entities when a system runs. */
export const mostEntities = (world: World, before: MostSoFar): number =>
	world.entities.count + before.spawned;

/** Returns the maximum number of entities with a component when a system runs, if only new entities get it. */
export const mostWith = (world: World, component: Component, before: MostSoFar): number =>
	count(world, component) + before.spawned;

/** Events of a kind that can be readable when a system runs. */
export const mostEvents = (world: World, kind: string, before: MostSoFar): number =>
	countPending(world, kind) + (before.events.get(kind) ?? 0);
