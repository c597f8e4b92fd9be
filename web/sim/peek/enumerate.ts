/**
 * Enumerates every branch of the next tick.
 * Owns: the tree of outcomes, which is walked in depth. Branches differ only in systems that declare chance. Rules
 * stop before each draw, so the branches after it share all that came before. Other systems run again from their
 * beginning, with scripted choices.
 */

import {
	type ChanceChoice,
	type ChanceOutcome,
	type ChanceRun,
	type Chooser,
	copyWork,
	rewindChance,
	startChance,
	type TickWork,
} from '../core/chance.ts';
import { clone, dispose } from '../core/clone.ts';
import type { DrawCourse, RuleChance, System } from '../core/system.ts';
import type { World } from '../core/world.ts';
import { schedule } from '../schedule.ts';
import { beginTick, endTick, isNeeded, runPart, runSystem } from '../step.ts';

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

/** True for a source whose draws are walked; others take their first possible outcome, with probability one. */
export type Walks = (rule: number) => boolean;

/** Returns every leaf in the order of the outcomes' indices. The world is untouched, and must stay so until the end. */
export function* enumerate(world: World, walks: Walks = () => true): Generator<DrawnWorld, void> {
	const start = clone(world);
	yield* new Walk(start, walks).leaves(() => {
		beginTick(start);
		return 0;
	});
}

/** Returns the same from the middle of a tick, whose world stays untouched. */
export function* enumerateFrom({ world, work }: Middle, walks: Walks): Generator<DrawnWorld, void> {
	const walk = new Walk(clone(world), walks);
	yield* walk.leaves((run) => {
		rewindChance(run, 0, work);
		return FIRST_DRAW;
	});
}

/** Place in a tick from which several branches continue. */
interface BranchPoint {
	readonly world: World;
	/** Position of the system in the schedule. */
	readonly index: number;
	/** Rules just before the draw; null for a system that runs from its beginning. */
	readonly course: DrawCourse | null;
	/** Scripts that are left, the next one last. Each is a list of outcomes of the next draws. */
	readonly scripts: number[][];
	/** Number of choices before it. */
	readonly choices: number;
	readonly work: TickWork;
}

interface UntakenDraw {
	/** Index of the draw in the system. */
	readonly at: number;
	/** Outcomes that were not taken but could be. */
	readonly others: readonly number[];
}

class Walk {
	readonly #walks: Walks;
	readonly #run: ChanceRun;
	/** Places with branches that are left, the deepest last. */
	readonly #points: BranchPoint[] = [];
	/** World of the branch that is walked. */
	#world: World;
	#script: readonly number[] = [];
	/** Draws since the script began. */
	#draws = 0;
	#untaken: UntakenDraw[] = [];

	constructor(world: World, walks: Walks) {
		this.#world = world;
		this.#walks = walks;
		this.#run = startChance(this.#choose);
	}

	/** `begin` begins the tick and returns the position in the schedule of the first system. */
	*leaves(begin: (run: ChanceRun) => number): Generator<DrawnWorld, void> {
		try {
			this.#runFrom(begin(this.#run));
			yield this.#leaf();
			for (let point = this.#points.at(-1); point !== undefined; point = this.#points.at(-1)) {
				const script = point.scripts.pop();
				if (script === undefined) {
					dispose(point.world);
					this.#points.pop();
					continue;
				}
				this.#resume(point, script);
				yield this.#leaf();
			}
		} finally {
			dispose(this.#world);
			for (const { world } of this.#points) dispose(world);
		}
	}

	/** Follows the script, then takes the first possible outcome and notes the outcomes not taken. */
	readonly #choose: Chooser = (_, { rule }, outcomes) => {
		const at = this.#draws++;
		const scripted = this.#script[at];
		if (scripted !== undefined) return scripted;
		const [first, ...others] = this.#optionsOf(rule, outcomes);
		if (others.length > 0) this.#untaken.push({ at, others });
		return first!;
	};

	/** Returns the outcomes of a draw that are walked, in order. */
	#optionsOf(rule: number, outcomes: readonly ChanceOutcome[]): readonly number[] {
		const able = possible(outcomes);
		return able.length === 1 || this.#walks(rule) ? able : able.slice(0, 1);
	}

	#leaf(): DrawnWorld {
		endTick(this.#world);
		return { world: this.#world, choices: [...this.#run.choices] };
	}

	/** Takes the next branch of a point, up to its leaf. */
	#resume(point: BranchPoint, script: readonly number[]): void {
		const { index, course } = point;
		dispose(this.#world);
		this.#world = clone(point.world);
		rewindChance(this.#run, point.choices, point.work);
		if (course === null) this.#runScript(point, script);
		else this.#runRules(index, course.copy(), script);
		this.#runFrom(index + 1);
	}

	/** Runs a system and those after it. */
	#runFrom(index: number): void {
		for (let i = index; i < schedule.length; i++) {
			const system = schedule[i]!;
			const { chance } = system;
			if (chance === undefined) runSystem(this.#world, system, this.#run);
			else if (!isNeeded(this.#world, system)) continue;
			else if ('rules' in chance) this.#runRules(i, this.#begin(system, chance));
			else this.#runScript(this.#addPoint(i, null, []), []);
		}
	}

	#begin(system: System, chance: RuleChance): DrawCourse {
		return runPart(this.#world, system, this.#run, chance.begin);
	}

	#addPoint(index: number, course: DrawCourse | null, scripts: number[][]): BranchPoint {
		const { choices } = this.#run;
		const world = clone(this.#world);
		const point = { world, index, course, scripts, choices: choices.length, work: copyWork(this.#run) };
		this.#points.push(point);
		return point;
	}

	/** Runs the system of a point from its beginning. Adds the scripts of the outcomes that it does not take. */
	#runScript({ index, scripts, choices: before }: BranchPoint, script: readonly number[]): void {
		this.#follow(script);
		runSystem(this.#world, schedule[index]!, this.#run);
		const made = this.#run.choices.slice(before).map(({ outcome }) => outcome);
		// Later draws are pushed last and taken first, higher outcomes before lower: so leaves come in order.
		for (const { at, others } of this.#untaken)
			for (const other of others.toReversed()) scripts.push([...made.slice(0, at), other]);
	}

	/** Runs the rules to their end. The draw that is due follows the script, if there is one. */
	#runRules(index: number, course: DrawCourse, script?: readonly number[]): void {
		const system = schedule[index]!;
		const draw = (world: World) => course.draw(world);
		if (script !== undefined) {
			this.#follow(script);
			runPart(this.#world, system, this.#run, draw);
		}
		for (;;) {
			const due = runPart(this.#world, system, this.#run, (world) => course.advance(world));
			if (due === null) return;
			const [first, ...others] = this.#optionsOf(due.rule, due.outcomes);
			if (others.length > 0)
				this.#addPoint(
					index,
					course.copy(),
					others.reverse().map((other) => [other]),
				);
			this.#follow([first!]);
			runPart(this.#world, system, this.#run, draw);
		}
	}

	#follow(script: readonly number[]): void {
		this.#script = script;
		this.#draws = 0;
		this.#untaken = [];
	}
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
