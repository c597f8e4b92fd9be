/**
 * A system: one step of every tick.
 * Owns: the form of its declaration, which lists its reads, its writes and its use of chance. A recorder in the tests
 * enforces it. Peek uses only the declaration to find dependent draws.
 */

import type { Component } from '../../../shared/contract/component.ts';
import type { EventType } from '../../../shared/contract/event.ts';
import type { VerbAccess } from '../../../shared/verbs/access.ts';
import type { ChanceOutcome, ChanceSource } from './chance.ts';
import type { Resource } from './resource.ts';
import type { MaximumSoFar, TickMaximum } from './tick-maximum.ts';
import type { World } from './world.ts';

export interface System {
	/** The name of its file. */
	readonly name: string;
	/** If present, it runs only while an entity has one of these components. */
	readonly needs?: readonly Component[];
	/** If present, it runs only while an event of one of these kinds is readable, or one of these resources has a value. */
	readonly awaits?: readonly (EventType | Resource)[];
	readonly access: VerbAccess;
	/** Its use of chance. Without it, the system may not draw. A tick branches only in systems with chance. */
	readonly chance?: SystemChance | RuleChance;
	/**
	 * Returns the maximum of its limited work on the coming tick. Without it, the system does no limited work. A test
	 * enforces it.
	 */
	maximum?(world: World, before: MaximumSoFar): Partial<TickMaximum>;
	run(world: World): void;
}

/** Draws of a system that are built into the engine. */
export interface SystemChance {
	readonly source: ChanceSource;
	/** Returns true if it may draw on the coming tick. Without it, it may draw whenever the system runs. */
	mayDraw?(world: World): boolean;
	/** Returns the names that its outcomes change while the system runs. */
	changes(world: World): VerbAccess;
	/** Returns a number that changes whenever the result of `mayDraw` or `changes` may change. */
	version(world: World): number;
	/**
	 * Components and columns that the system reads, but that do not affect its draws: neither their number, nor their
	 * entities, nor their odds.
	 */
	readonly irrelevantNames?: readonly string[];
	/** All draws happen before any change, so that no outcome affects another draw. */
	readonly decidesFirst?: true;
}

/** Draws of rules. Each rule declares its own outcomes. */
export interface RuleChance {
	/** Distinguishes it from `SystemChance`. */
	readonly rules: true;
	/** Starts a run of the system, which `advance` and `draw` continue. */
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
	/** Makes the due draw, and applies its outcome. */
	draw(world: World): void;
	copy(): DrawCourse;
}
