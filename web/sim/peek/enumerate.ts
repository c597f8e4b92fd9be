/**
 * Enumerates every branch of the next tick.
 * Owns: the tree of outcomes. Branches differ only in systems that declare chance. Each branch continues from a clone
 * taken just before such a system, which runs again with scripted choices.
 */

import {
	type ChanceChoice,
	type ChanceOutcome,
	type ChanceRun,
	type ChanceSite,
	type Chooser,
	startChance,
	type TickWork,
	workOf,
} from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { World } from '../core/world.ts';
import { schedule } from '../schedule.ts';
import { beginTick, endTick, isNeeded, runSystem } from '../step.ts';

/** One branch of the tick. The world is valid until the next branch is requested. */
export interface DrawnWorld {
	readonly world: World;
	readonly choices: readonly ChanceChoice[];
}

/** Position in the schedule of the first system that can draw. */
export const FIRST_DRAW = schedule.findIndex(({ chance }) => chance !== undefined);

/** A world in the middle of a tick, just before the first system that can draw. */
export interface MidTick {
	readonly world: World;
	/** Work that the tick has done so far. */
	readonly work: TickWork;
}

/** Returns true for a site whose outcomes are enumerated. Other sites take their first possible outcome. */
export type BranchFilter = (site: ChanceSite) => boolean;

/** Yields every branch in the order of the outcomes' indexes. It works on copies; the world must not change before the end. */
export function* enumerate(world: World, walks: BranchFilter = () => true): Generator<DrawnWorld, void> {
	const start = clone(world);
	try {
		beginTick(start);
		yield* walkFrom(start, 0, startChance(scriptedChooser([], walks).chooser), walks);
	} finally {
		dispose(start);
	}
}

/** Yields every branch from the middle of a tick. It works on a copy. */
export function* enumerateFrom({ world, work }: MidTick, walks: BranchFilter): Generator<DrawnWorld, void> {
	const start = clone(world);
	const run = { ...startChance(scriptedChooser([], walks).chooser), ...workOf(work) };
	try {
		yield* walkFrom(start, FIRST_DRAW, run, walks);
	} finally {
		dispose(start);
	}
}

/** Runs the systems from `index` on, and yields the branches. Changes `world`. */
function* walkFrom(
	world: World,
	index: number,
	run: ChanceRun,
	walks: BranchFilter,
): Generator<DrawnWorld, void> {
	for (let i = index; i < schedule.length; i++) {
		const system = schedule[i]!;
		if (!isNeeded(world, system)) continue;
		if (system.chance !== undefined) return yield* walkSystem(world, i, run, walks);
		runSystem(world, system, run);
	}
	endTick(world);
	yield { world, choices: run.choices };
}

/** Runs one system once for each script of outcomes, and each time the systems after it. */
function* walkSystem(
	before: World,
	index: number,
	run: ChanceRun,
	walks: BranchFilter,
): Generator<DrawnWorld, void> {
	const scripts: number[][] = [[]];
	for (let script = scripts.pop(); script !== undefined; script = scripts.pop()) {
		const world = clone(before);
		try {
			const { chooser, untaken } = scriptedChooser(script, walks);
			const ownRun: ChanceRun = {
				chooser,
				choices: [...run.choices],
				draws: new Map(run.draws),
				mayDraw: true,
				...workOf(run),
			};
			runSystem(world, schedule[index]!, ownRun);
			const choices = ownRun.choices.slice(run.choices.length);
			// The order of these pushes makes the branches come out in the order of their outcomes.
			for (const { at, others } of untaken) {
				const taken = choices.slice(0, at).map(({ outcome }) => outcome);
				for (const other of others.reverse()) scripts.push([...taken, other]);
			}
			yield* walkFrom(world, index + 1, ownRun, walks);
		} finally {
			dispose(world);
		}
	}
}

interface OpenDraw {
	/** Index of the draw in the system. */
	readonly at: number;
	/** Other possible outcomes. */
	readonly others: number[];
}

/** Returns a chooser that follows a script of outcomes, then takes the first possible ones and records the others. */
function scriptedChooser(
	script: readonly number[],
	walks: BranchFilter,
): { chooser: Chooser; untaken: OpenDraw[] } {
	const untaken: OpenDraw[] = [];
	let at = 0;
	const chooser: Chooser = (_, site, outcomes) => {
		const draw = at++;
		const scripted = script[draw];
		if (scripted !== undefined) return scripted;
		const able = possibleOutcomes(outcomes);
		if (able.length > 1 && walks(site)) untaken.push({ at: draw, others: able.slice(1) });
		return able[0]!;
	};
	return { chooser, untaken };
}

/** Possible outcomes by list of outcomes. Lists never change. */
const possibleByOutcomes = new WeakMap<readonly ChanceOutcome[], readonly number[]>();

function possibleOutcomes(outcomes: readonly ChanceOutcome[]): readonly number[] {
	let able = possibleByOutcomes.get(outcomes);
	if (able === undefined) {
		able = outcomes.flatMap(({ weight }, i) => (weight.num > 0n ? [i] : []));
		possibleByOutcomes.set(outcomes, able);
	}
	return able;
}
