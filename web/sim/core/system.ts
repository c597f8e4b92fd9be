/**
 * A system: what is done to a world at one place of every tick.
 * Owns: its declaration, one in the file of each. The declaration lists what it reads, changes and leaves to chance.
 * A recorder in the tests enforces that. Peek derives from it alone which draws depend on which.
 */

import type { Component } from '../../../shared/contract/component.ts';
import type { EventType } from '../../../shared/contract/event.ts';
import type { VerbAccess } from '../../../shared/verbs/access.ts';
import type { ChanceOutcome, ChanceSource } from './chance.ts';
import type { Resource } from './resource.ts';
import type { MostSoFar, TickMaximum } from './tick-maximum.ts';
import type { World } from './world.ts';

export interface System {
	/** The name of its file. */
	readonly name: string;
	/** It runs only while some entity has one of these; without it, always. */
	readonly needs?: readonly Component[];
	/** It runs only while an event of one of these kinds can be read, or one of these resources has a value. */
	readonly awaits?: readonly (EventType | Resource)[];
	readonly access: VerbAccess;
	/** Its use of chance; without it, it may not draw. The branches of a tick part only in such systems. */
	readonly chance?: SystemChance | RuleChance;
	/**
	 * Returns the most that it can do on the coming tick of what ticks are limited in; left out if it does none of
	 * that. A test holds every system to it.
	 */
	most?(world: World, before: MostSoFar): Partial<TickMaximum>;
	run(world: World): void;
}

/** Draws of the engine itself in a system. */
export interface SystemChance {
	readonly source: ChanceSource;
	/** Returns true if it may draw on the coming tick; without it, whenever the system runs. */
	asked?(world: World): boolean;
	/** Returns the names that depend on its outcomes while the system is run. */
	changes(world: World): VerbAccess;
	/** Another number whenever `asked` or `changes` may answer otherwise. */
	version(world: World): number;
	/**
	 * Names that the system reads, but that do not affect if, for which entities and by which odds it draws:
	 * components, and columns.
	 */
	readonly aside?: readonly string[];
	/** Nothing is changed before all is decided, so that no outcome meets another draw. */
	readonly first?: true;
}

/** Rules leave to chance what they say themselves, and each stands for itself. */
export interface RuleChance {
	readonly rules: true;
	/** Begins the run of the system, which `advance` and `draw` then do. */
	begin(world: World): DrawCourse;
}

/** A draw that is due. */
export interface DueDraw {
	/** Key of its source. */
	readonly rule: number;
	readonly outcomes: readonly ChanceOutcome[];
}

/** Run of a system that stops before each draw. A copy of it resumes on a copy of the world. */
export interface DrawCourse {
	/** Runs the system up to its next draw. Returns null at its end. */
	advance(world: World): DueDraw | null;
	/** Makes the draw that is due, and what follows from it. */
	draw(world: World): void;
	copy(): DrawCourse;
}
