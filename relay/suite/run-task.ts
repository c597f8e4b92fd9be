/**
 * One run of a task: its start, the work of the agent, and the check.
 * Owns: the verdict. The same calls give the same verdict on any engine.
 */

import type { CallHandler } from '../../shared/contract/wire.ts';
import type { GroupedTask, TaskClaim, TaskGroup } from '../../shared/suite/task.ts';
import { canonicalText } from './answer.ts';
import { CallBudget } from './call-budget.ts';
import { RefusedTaskCall, TaskCalls } from './task-calls.ts';

export interface TaskResult {
	readonly id: string;
	readonly group: TaskGroup;
	readonly title: string;
	readonly passed: boolean;
	/** Reason of the failure; null for a passed task. */
	readonly failure: string | null;
	/** Number of calls that the agent made, and their bytes. */
	readonly calls: number;
	readonly bytes: number;
	readonly answer: unknown;
}

/** Solves a task with calls within its budget. Resolves to the answer, or to undefined without one. */
export type Solver = (task: GroupedTask, handle: CallHandler) => Promise<unknown>;

/** A task that has started. */
export class TaskRun {
	readonly task: GroupedTask;
	/** Checks and passes on the calls of the agent. */
	readonly budget: CallBudget;
	readonly #engine: CallHandler;
	readonly #seed: number;

	private constructor(task: GroupedTask, engine: CallHandler, seed: number) {
		this.task = task;
		this.#engine = engine;
		this.#seed = seed;
		this.budget = new CallBudget(task, engine);
	}

	/** Starts a task: builds its world in place of the engine's main world and forks. */
	static async start(task: GroupedTask, engine: CallHandler, seed: number): Promise<TaskRun> {
		const run = new TaskRun(task, engine, seed);
		await run.#restart();
		return run;
	}

	async #restart(): Promise<TaskCalls> {
		await emptyEngine(this.#engine, this.#seed);
		const taskCalls = new TaskCalls(this.#engine);
		await taskCalls.run({ calls: this.task.start });
		return taskCalls;
	}

	/** Ends the task with the agent's answer, and returns the verdict. With a `fault` of the agent, the task is failed. */
	async end(answer: unknown, fault: string | null = null): Promise<TaskResult> {
		const { id, group, title } = this.task;
		const { calls, bytes } = this.budget;
		const failure = fault ?? (await this.#failure(answer));
		return { id, group, title, passed: failure === null, failure, calls, bytes, answer: answer ?? null };
	}

	async #failure(answer: unknown): Promise<string | null> {
		const { truth, claims = [] } = this.task;
		const taskCalls = new TaskCalls(this.#engine);
		for (const claim of claims) {
			const failure = await claimFailure(taskCalls, claim);
			if (failure !== null) return failure;
		}
		if (truth === undefined) return null;
		if (answer === undefined || answer === null || answer === '') return 'No answer was submitted.';
		const expected = await (await this.#restart()).run(truth);
		return canonicalText(answer) === canonicalText(expected)
			? null
			: `The answer is ${canonicalText(expected)}, not ${canonicalText(answer)}.`;
	}
}

/** Returns the reason that a claim about the world is false, or null. */
async function claimFailure(taskCalls: TaskCalls, claim: TaskClaim): Promise<string | null> {
	const { otherwise, calls = [], holds, field, equals, atMost } = claim;
	try {
		const value = await taskCalls.run({ calls, answer: field === undefined ? undefined : `$${field}` });
		if (field !== undefined && atMost !== undefined && !((value as number) <= atMost))
			return `${otherwise} ${field} is ${canonicalText(value)}, more than ${atMost}.`;
		const expected = canonicalText(taskCalls.valueOf(equals));
		if (field !== undefined && atMost === undefined && canonicalText(value) !== expected)
			return `${otherwise} ${field} is ${canonicalText(value)}, not ${expected}.`;
		if (holds === undefined) return null;
		const body = { ticks: 0, until: holds, fork: true };
		const probe = await taskCalls.run({ calls: [{ path: '/probe', body, as: 'probe' }], answer: '$probe' });
		return (probe as { stopped: string }).stopped === 'until' ? null : `${otherwise} It must hold: ${holds}`;
	} catch (error) {
		if (!(error instanceof RefusedTaskCall)) throw error;
		return `${otherwise} ${error.message}`;
	}
}

/** Replaces the engine's main world with an empty one of this seed, and deletes forks and snapshots. */
export async function emptyEngine(engine: CallHandler, seed: number): Promise<void> {
	const taskCalls = new TaskCalls(engine);
	const { forks } = (await taskCalls.run({
		calls: [{ method: 'GET', path: '/fork/list?details=false&all=true', as: 'list' }],
		answer: '$list',
	})) as { forks: readonly string[] };
	for (const fork of forks)
		await taskCalls.call({ method: 'DELETE', path: `/fork/${encodeURIComponent(fork)}` });
	await taskCalls.call({ path: '/reset', body: { fresh: true, seed } });
}

/** Runs a task from its start to its verdict. */
export async function runTask(
	task: GroupedTask,
	engine: CallHandler,
	seed: number,
	solve: Solver,
): Promise<TaskResult> {
	const run = await TaskRun.start(task, engine, seed);
	return run.end(await solve(task, run.budget.handle));
}

/** Solver that makes the calls of the task's own solution. A refused call ends it without an answer. */
export const referenceSolver: Solver = async (task, handle) => {
	const { solution, truth } = task;
	const work = solution ?? truth;
	if (work === undefined) throw new Error(`The task ${task.id} has no solution.`);
	try {
		return await new TaskCalls(handle).run(work);
	} catch (error) {
		if (error instanceof RefusedTaskCall) return undefined;
		throw error;
	}
};

/** Solver that makes no call and gives no answer. */
export const emptySolver: Solver = async () => undefined;
