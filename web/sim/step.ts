/**
 * One tick of a world.
 * Owns: nothing; it runs the schedule, then ends the tick. A tick happens whole or not at all.
 */

import type { Component } from '../../shared/contract/component.ts';
import {
	type ChanceRun,
	type Choice,
	type Chooser,
	sample,
	startChance,
	type TickWork,
} from './core/chance.ts';
import { forget, goBack, keep } from './core/clone.ts';
import { hasStaleParts, rebuildParts } from './core/derived-parts.ts';
import { isPending, swapEvents } from './core/events.ts';
import { canExceed } from './core/most.ts';
import type { System } from './core/system.ts';
import { Overrun, overrunError } from './core/tick-budget.ts';
import { markChanged } from './core/version.ts';
import { hasAny, type World } from './core/world.ts';
import { schedule } from './schedule.ts';

/** Conditions for a system to run, by sort. */
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
		this.#events = (awaits ?? []).flatMap((one) => ('kind' in one ? [one.kind] : []));
		this.#resources = (awaits ?? []).flatMap((one) => ('kind' in one ? [] : [one.name]));
	}

	areMet(world: World): boolean {
		if (this.#always || hasAny(world, this.#components)) return true;
		if (isPending(world, this.#events)) return true;
		for (const name of this.#resources) if (world.resources.get(name)?.value != null) return true;
		return false;
	}
}

const needsOf = new Map(schedule.map((system) => [system, new Needs(system)]));
/** By place in the schedule. */
const needsInOrder = [...needsOf.values()];

/** Returns the needs of the system at a place: tests put systems of their own there. */
function needsAt(place: number, system: System): Needs {
	const known = needsInOrder[place];
	if (known?.system === system) return known;
	const needs = new Needs(system);
	needsInOrder[place] = needs;
	return needs;
}

/** Called when a tick begins and after each of its systems. */
export interface StepObserver {
	begins(): void;
	/** `index`: position of the system in the schedule. `work`: what the tick has counted so far. */
	ran(index: number, work: TickWork): void;
}

/** True if the coming tick may be refused because it does too much. */
export const mayOverrun = (world: World): boolean => canExceed(world, schedule);

/**
 * Advances a world by one tick of 1/60 s; what chance decided in it, in order. When it throws, the world is as it was
 * before. Throws `too_many_spawned` or `too_many_actions` when the tick is more than one may be.
 */
export function step(world: World, observer?: StepObserver, chooser: Chooser = sample): readonly Choice[] {
	beginTick(world);
	const run = startChance(chooser);
	const before = keep(world, () => mayOverrun(world));
	try {
		observer?.begins();
		for (let i = 0; i < schedule.length; i++) {
			const system = schedule[i]!;
			if (needsAt(i, system).areMet(world)) runNeeded(world, system, run);
			observer?.ran(i, run);
		}
		endTick(world);
	} catch (error) {
		goBack(world, before);
		throw error;
	}
	forget(before);
	return run.choices;
}

/** True if there is anything for a system in a world. */
export const isNeeded = (world: World, system: System): boolean =>
	needsOf.get(system)?.areMet(world) !== false;

/**
 * Runs one system if there is anything for it; only those that declare chance may ask for it. Throws as `step`, and
 * leaves the world half done.
 */
export function runSystem(world: World, system: System, run: ChanceRun): void {
	if (isNeeded(world, system)) runNeeded(world, system, run);
}

function runNeeded(world: World, system: System, run: ChanceRun): void {
	run.mayDraw = system.chance !== undefined;
	world.chance = run;
	try {
		system.run(world);
	} catch (error) {
		throw error instanceof Overrun ? overrunError(error, world.tick) : error;
	} finally {
		world.chance = null;
	}
}

/**
 * Prepares a tick before the first system: derived parts catch up. Throws the refusals of parts; the world stays
 * unchanged.
 */
export function beginTick(world: World): void {
	for (const { part, state } of world.parts.values()) part.requireTick?.(state, world);
	if (!hasStaleParts(world)) return;
	const work = rebuildParts(world);
	while (work.next().done !== true);
}

/** Finishes a tick after the last system: events move on, the tick counts. */
export function endTick(world: World): void {
	swapEvents(world);
	world.tick++;
	markChanged(world);
}
