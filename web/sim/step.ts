/**
 * One tick of a world.
 * Owns: the order: systems run in the order of the schedule, then the tick ends. A tick that fails changes nothing.
 */

import type { Component } from '../../shared/contract/component.ts';
import {
	type ChanceChoice,
	type ChanceRun,
	type Chooser,
	sample,
	startChance,
	type TickWork,
} from './core/chance.ts';
import { dropSaved, restoreSaved, saveForTick } from './core/clone.ts';
import { hasStaleParts, rebuildParts } from './core/derived-parts.ts';
import { hasPending, swapEvents } from './core/events.ts';
import type { System } from './core/system.ts';
import { Overrun, overrunError } from './core/tick-budget.ts';
import { canExceed } from './core/tick-maximum.ts';
import { markChanged } from './core/version.ts';
import { hasAny, type World } from './core/world.ts';
import { schedule } from './schedule.ts';

/** Components, events and resources that let a system run. */
class Needs {
	readonly system: System;
	readonly #always: boolean;
	readonly #components: readonly Component[];
	readonly #events: readonly string[];
	readonly #resources: readonly string[];

	constructor(system: System) {
		const { needs, awaits } = system;
		this.system = system;
		this.#always = needs === undefined && awaits === undefined;
		this.#components = needs ?? [];
		this.#events = (awaits ?? []).flatMap((item) => ('kind' in item ? [item.kind] : []));
		this.#resources = (awaits ?? []).flatMap((item) => ('kind' in item ? [] : [item.name]));
	}

	areMet(world: World): boolean {
		if (this.#always || hasAny(world, this.#components)) return true;
		if (hasPending(world, this.#events)) return true;
		for (const name of this.#resources) if (world.resources.get(name)?.value != null) return true;
		return false;
	}
}

const needsOf = new Map(schedule.map((system) => [system, new Needs(system)]));
/** Needs by position in the schedule. */
const needsInOrder = [...needsOf.values()];

/** Returns the needs of the system at a position. Computes them again if a test has replaced the system. */
function needsAt(position: number, system: System): Needs {
	const cached = needsInOrder[position];
	if (cached?.system === system) return cached;
	const needs = new Needs(system);
	needsInOrder[position] = needs;
	return needs;
}

/** Called when a tick begins and after each of its systems. */
export interface StepObserver {
	beginTick(): void;
	/** `index`: position of the system in the schedule. `work`: work counted in the tick so far. */
	endSystem(index: number, work: TickWork): void;
}

/** Returns true if the next tick may exceed a limit, and so be refused. */
export const canOverrun = (world: World): boolean => canExceed(world, schedule);

/**
 * Advances a world by one tick of 1/60 s. Returns its random choices, in order. If it throws, the world is unchanged.
 * Throws `too_many_spawned` or `too_many_actions` if the tick exceeds a limit.
 */
export function step(
	world: World,
	observer?: StepObserver,
	chooser: Chooser = sample,
): readonly ChanceChoice[] {
	prepareTick(world);
	const run = startChance(chooser);
	const saved = saveForTick(world, () => canOverrun(world));
	try {
		observer?.beginTick();
		for (let i = 0; i < schedule.length; i++) {
			const system = schedule[i]!;
			if (needsAt(i, system).areMet(world)) runNeeded(world, system, run);
			observer?.endSystem(i, run);
		}
		endTick(world);
	} catch (error) {
		restoreSaved(world, saved);
		throw error;
	}
	dropSaved(saved);
	return run.choices;
}

/** Returns true if a world meets the needs of a system. A system outside the schedule has none. */
export const isNeeded = (world: World, system: System): boolean =>
	needsOf.get(system)?.areMet(world) !== false;

/**
 * Runs one system if its needs are met. Only a system that declares `chance` may draw. Throws like `step`, but then
 * leaves the world partly changed.
 */
export function runSystem(world: World, system: System, run: ChanceRun): void {
	if (isNeeded(world, system)) runNeeded(world, system, run);
}

const runNeeded = (world: World, system: System, run: ChanceRun): void =>
	runWork(world, system, run, system.run);

/** Does a piece of a system's work: all of it, or up to its next draw. Throws like `runSystem`. */
export function runWork<T>(world: World, { chance }: System, run: ChanceRun, work: (world: World) => T): T {
	run.mayDraw = chance !== undefined;
	world.chance = run;
	try {
		return work(world);
	} catch (error) {
		throw error instanceof Overrun ? overrunError(error, world.tick) : error;
	} finally {
		world.chance = null;
	}
}

/**
 * Prepares a tick: rebuilds derived parts that are out of date. Throws if a part refuses the tick; the world is then
 * unchanged.
 */
export function prepareTick(world: World): void {
	for (const { part, state } of world.parts.values()) part.requireTick?.(state, world);
	if (!hasStaleParts(world)) return;
	const work = rebuildParts(world);
	while (work.next().done !== true);
}

/** Ends a tick after the last system: delivers its events to the next tick and increments `tick`. */
export function endTick(world: World): void {
	swapEvents(world);
	world.tick++;
	markChanged(world);
}
