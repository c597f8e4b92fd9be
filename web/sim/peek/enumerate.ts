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

/** One branch of the tick. The world is the reader's until the next branch is asked for. */
export interface DrawnWorld {
	readonly world: World;
	readonly choices: readonly ChanceChoice[];
}

/** Position in the schedule of the first system that can draw. */
export const FIRST_DRAW = schedule.findIndex(({ chance }) => chance !== undefined);

/** A world in the middle of a tick: just before the first system that can draw. */
export interface Middle {
	readonly world: World;
	/** Work that the tick has done so far. */
	readonly work: TickWork;
}

/** True for a site that is walked; others take their first possible outcome, with probability one. */
export type Walks = (site: ChanceSite) => boolean;

/** Returns every leaf in the order of the outcomes' indices. The world is untouched, and must stay so until the end. */
export function* enumerate(world: World, walks: Walks = () => true): Generator<DrawnWorld, void> {
	const start = clone(world);
	try {
		beginTick(start);
		yield* walkFrom(start, 0, startChance(follow([], walks).chooser), walks);
	} finally {
		dispose(start);
	}
}

/** Returns the same from the middle of a tick, whose world stays untouched. */
export function* enumerateFrom({ world, work }: Middle, walks: Walks): Generator<DrawnWorld, void> {
	const start = clone(world);
	const run = { ...startChance(follow([], walks).chooser), ...workOf(work) };
	try {
		yield* walkFrom(start, FIRST_DRAW, run, walks);
	} finally {
		dispose(start);
	}
}

/** Runs system `index` and those after it. Changes `world`. */
function* walkFrom(world: World, index: number, run: ChanceRun, walks: Walks): Generator<DrawnWorld, void> {
	for (let i = index; i < schedule.length; i++) {
		const system = schedule[i]!;
		if (!isNeeded(world, system)) continue;
		if (system.chance !== undefined) return yield* walkSystem(world, i, run, walks);
		runSystem(world, system, run);
	}
	endTick(world);
	yield { world, choices: run.choices };
}

/** Runs one system once for each of its scripts, and each time all that follows. */
function* walkSystem(
	before: World,
	index: number,
	run: ChanceRun,
	walks: Walks,
): Generator<DrawnWorld, void> {
	const scripts: number[][] = [[]];
	for (let script = scripts.pop(); script !== undefined; script = scripts.pop()) {
		const world = clone(before);
		try {
			const { chooser, untaken } = follow(script, walks);
			const ownRun: ChanceRun = {
				chooser,
				choices: [...run.choices],
				draws: new Map(run.draws),
				mayDraw: true,
				...workOf(run),
			};
			runSystem(world, schedule[index]!, ownRun);
			const choices = ownRun.choices.slice(run.choices.length);
			// Later draws are pushed last and taken first, higher outcomes before lower: so leaves come in order.
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

interface UntakenDraw {
	/** Index of the draw in the system. */
	readonly at: number;
	/** Outcomes that were not taken but could be. */
	readonly others: number[];
}

/** Returns a chooser that follows a script, then takes the first possible outcome and notes the outcomes not taken. */
function follow(script: readonly number[], walks: Walks): { chooser: Chooser; untaken: UntakenDraw[] } {
	const untaken: UntakenDraw[] = [];
	let at = 0;
	const chooser: Chooser = (_, site, outcomes) => {
		const draw = at++;
		const scripted = script[draw];
		if (scripted !== undefined) return scripted;
		const able = possible(outcomes);
		if (able.length > 1 && walks(site)) untaken.push({ at: draw, others: able.slice(1) });
		return able[0]!;
	};
	return { chooser, untaken };
}

/** By list of outcomes, which never changes. */
const possibleOf = new WeakMap<readonly ChanceOutcome[], readonly number[]>();

function possible(outcomes: readonly ChanceOutcome[]): readonly number[] {
	let able = possibleOf.get(outcomes);
	if (able === undefined) {
		able = outcomes.flatMap(({ weight }, i) => (weight.num > 0n ? [i] : []));
		possibleOf.set(outcomes, able);
	}
	return able;
}
