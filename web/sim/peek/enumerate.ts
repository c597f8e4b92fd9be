/**
 * Enumerates every branch of the next tick.
 * Owns: the tree of outcomes, which is walked depth-first. Branches differ only in systems that declare chance. Rules
 * stop before each draw, so the branches after it share all earlier work. Other systems run again from their
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
import { endTick, isNeeded, prepareTick, runSystem, runWork } from '../step.ts';

/** One branch of the tick. Its world is valid until the next branch is requested. */
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

/** Returns true for a source whose draws are walked. Others take their first possible outcome, with probability one. */
export type WalkFilter = (rule: number) => boolean;

/** Yields every branch in the order of the outcomes' indices. The world is not changed, and must not change until the end. */
export function* enumerate(world: World, isWalked: WalkFilter = () => true): Generator<DrawnWorld, void> {
	const start = clone(world);
	yield* new Walk(start, isWalked).branches(() => {
		prepareTick(start);
		return 0;
	});
}

/** Yields the branches from the middle of a tick on. The world of `MidTick` is not changed. */
export function* enumerateFrom({ world, work }: MidTick, isWalked: WalkFilter): Generator<DrawnWorld, void> {
	const walk = new Walk(clone(world), isWalked);
	yield* walk.branches((run) => {
		rewindChance(run, 0, work);
		return FIRST_DRAW;
	});
}

/** Point in a tick from which several branches continue. */
interface BranchPoint {
	readonly world: World;
	/** Position of the system in the schedule. */
	readonly index: number;
	/** Rules just before the draw; null for a system that runs from its beginning. */
	readonly course: DrawCourse | null;
	/** Remaining scripts, the next one last. Each is a list of outcomes of the next draws. */
	readonly scripts: number[][];
	/** Number of choices before it. */
	readonly choiceCount: number;
	readonly work: TickWork;
}

interface UntakenDraw {
	/** Index of the draw in the system. */
	readonly drawIndex: number;
	/** Possible outcomes that were not taken. */
	readonly others: readonly number[];
}

/** Depth-first walk through the branches of one tick. */
class Walk {
	readonly #isWalked: WalkFilter;
	readonly #run: ChanceRun;
	/** Points with remaining branches, the deepest last. */
	readonly #points: BranchPoint[] = [];
	/** World of the branch that is walked. */
	#world: World;
	#script: readonly number[] = [];
	/** Draws since the script began. */
	#draws = 0;
	#untaken: UntakenDraw[] = [];

	constructor(world: World, isWalked: WalkFilter) {
		this.#world = world;
		this.#isWalked = isWalked;
		this.#run = startChance(this.#choose);
	}

	/** Yields every branch. `begin` begins the tick, and returns the position of the first system to run. */
	*branches(begin: (run: ChanceRun) => number): Generator<DrawnWorld, void> {
		try {
			this.#runFrom(begin(this.#run));
			yield this.#endBranch();
			for (let point = this.#points.at(-1); point !== undefined; point = this.#points.at(-1)) {
				const script = point.scripts.pop();
				if (script === undefined) {
					dispose(point.world);
					this.#points.pop();
					continue;
				}
				this.#resume(point, script);
				yield this.#endBranch();
			}
		} finally {
			dispose(this.#world);
			for (const { world } of this.#points) dispose(world);
		}
	}

	/** Follows the script, then takes the first possible outcome and records the other outcomes. */
	readonly #choose: Chooser = (_, { rule }, outcomes) => {
		const drawIndex = this.#draws++;
		const scripted = this.#script[drawIndex];
		if (scripted !== undefined) return scripted;
		const [first, ...others] = this.#optionsOf(rule, outcomes);
		if (others.length > 0) this.#untaken.push({ drawIndex, others });
		return first!;
	};

	/** Returns the outcomes of a draw that are walked, in order. */
	#optionsOf(rule: number, outcomes: readonly ChanceOutcome[]): readonly number[] {
		const outcomeIndices = possibleOutcomes(outcomes);
		return outcomeIndices.length === 1 || this.#isWalked(rule) ? outcomeIndices : outcomeIndices.slice(0, 1);
	}

	#endBranch(): DrawnWorld {
		endTick(this.#world);
		return { world: this.#world, choices: [...this.#run.choices] };
	}

	/** Runs the next branch of a point, up to the last system. */
	#resume(point: BranchPoint, script: readonly number[]): void {
		const { index, course } = point;
		dispose(this.#world);
		this.#world = clone(point.world);
		rewindChance(this.#run, point.choiceCount, point.work);
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
			else if ('rules' in chance) this.#runRules(i, this.#beginRules(system, chance));
			else this.#runScript(this.#addPoint(i, null, []), []);
		}
	}

	#beginRules(system: System, chance: RuleChance): DrawCourse {
		return runWork(this.#world, system, this.#run, chance.begin);
	}

	#addPoint(index: number, course: DrawCourse | null, scripts: number[][]): BranchPoint {
		const { choices } = this.#run;
		const world = clone(this.#world);
		const point = { world, index, course, scripts, choiceCount: choices.length, work: copyWork(this.#run) };
		this.#points.push(point);
		return point;
	}

	/** Runs the system of a point from its beginning. Adds the scripts of the outcomes that it does not take. */
	#runScript({ index, scripts, choiceCount }: BranchPoint, script: readonly number[]): void {
		this.#follow(script);
		runSystem(this.#world, schedule[index]!, this.#run);
		const outcomes = this.#run.choices.slice(choiceCount).map(({ outcome }) => outcome);
		// The last script is taken first. So later draws are pushed last, and lower outcomes too: branches come in order.
		for (const { drawIndex, others } of this.#untaken)
			for (const other of others.toReversed()) scripts.push([...outcomes.slice(0, drawIndex), other]);
	}

	/** Runs the rules to their end. The pending draw follows the script, if given. */
	#runRules(index: number, course: DrawCourse, script?: readonly number[]): void {
		const system = schedule[index]!;
		const draw = (world: World) => course.draw(world);
		if (script !== undefined) {
			this.#follow(script);
			runWork(this.#world, system, this.#run, draw);
		}
		for (;;) {
			const pendingDraw = runWork(this.#world, system, this.#run, (world) => course.advance(world));
			if (pendingDraw === null) return;
			const [first, ...others] = this.#optionsOf(pendingDraw.rule, pendingDraw.outcomes);
			if (others.length > 0)
				this.#addPoint(
					index,
					course.copy(),
					others.reverse().map((other) => [other]),
				);
			this.#follow([first!]);
			runWork(this.#world, system, this.#run, draw);
		}
	}

	#follow(script: readonly number[]): void {
		this.#script = script;
		this.#draws = 0;
		this.#untaken = [];
	}
}

/** Indices of the possible outcomes of each list. A list never changes. */
const possibleByList = new WeakMap<readonly ChanceOutcome[], readonly number[]>();

function possibleOutcomes(outcomes: readonly ChanceOutcome[]): readonly number[] {
	let indices = possibleByList.get(outcomes);
	if (indices === undefined) {
		indices = outcomes.flatMap(({ weight }, i) => (weight.num > 0n ? [i] : []));
		possibleByList.set(outcomes, indices);
	}
	return indices;
}
