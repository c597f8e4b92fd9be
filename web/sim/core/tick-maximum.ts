/**
 * Maximum work of the coming tick.
 * Owns: the sum of the systems' declarations. If it is below all limits, the tick cannot fail, and no exact copy of the
 * world is needed.
 */

import type { Component } from '../../../shared/contract/component.ts';
import { countPending } from './events.ts';
import type { System } from './system.ts';
import { exceedsLimits, noSpending, type TickSpending } from './tick-budget.ts';
import { count, type World } from './world.ts';

/** Maximum work of a system, or of several systems together. */
export interface TickMaximum extends TickSpending {
	/** Number of applied status effects. */
	effects: number;
	/** Number of conditions that the status effects on one entity evaluate when another is added. */
	looks: number;
}

/** Maximum work of the earlier systems on the same tick. */
export interface MaximumSoFar extends Readonly<TickMaximum> {
	/** Maximum number of events that they send, by kind. */
	readonly events: ReadonlyMap<string, number>;
}

/** Returns true if the systems together can exceed a limit of the tick. `schedule` has them in their order. */
export const canExceed = (world: World, schedule: readonly System[]): boolean =>
	exceedsLimits(maximumOfSystems(world, schedule));

/** Returns the maximum work of the systems together. Calls `visit` with the maximum of each. */
export function maximumOfSystems(
	world: World,
	schedule: readonly System[],
	visit?: (system: System, maximum: Partial<TickMaximum>) => void,
): TickMaximum {
	const events = new Map<string, number>();
	const total = { ...noSpending(), effects: 0, looks: 0, events };
	for (const system of schedule) {
		if (system.maximum === undefined) continue;
		const maximum = system.maximum(world, total);
		visit?.(system, maximum);
		for (const work in maximum) total[work as keyof TickMaximum] += maximum[work as keyof TickMaximum]!;
		if (maximum.sent === undefined || maximum.sent === 0 || system.access.emits === undefined) continue;
		for (const kind of system.access.emits) events.set(kind, (events.get(kind) ?? 0) + maximum.sent);
	}
	return total;
}

/** Returns the maximum number of entities when a system runs. */
export const maxEntities = (world: World, before: MaximumSoFar): number =>
	world.entities.count + before.spawned;

/** Returns the maximum number of entities with a component when a system runs, if only new entities get it. */
export const maxWithComponent = (world: World, component: Component, before: MaximumSoFar): number =>
	count(world, component) + before.spawned;

/** Returns the maximum number of readable events of a kind when a system runs. */
export const maxEvents = (world: World, kind: string, before: MaximumSoFar): number =>
	countPending(world, kind) + (before.events.get(kind) ?? 0);
