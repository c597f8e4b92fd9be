/**
 * One run of a task: its start, the agent, the check.
 * Owns: the order of these, and the verdict. The same calls give the same verdict on any engine.
 */

import type { CallHandler } from '../../shared/contract/wire.ts';
import type { GroupedTask, TaskClaim, TaskGroup } from '../../shared/suite/task.ts';
import { spelled } from './answer.ts';
import { CallBudget } from './call-budget.ts';
import { RefusedTaskCall, TaskCalls } from './task-calls.ts';

export interface TaskResult {
	readonly id: string;
	readonly group: TaskGroup;
	readonly title: string;
	readonly passed: boolean;
	/** Reason of the failure; null for a task that is passed. */
	readonly failure: string | null;
	readonly calls: number;
	readonly bytes: number;
	readonly answer: unknown;
}

/** Does a task through its door. Resolves with the answer, or undefined if it gives none. */
export type Solver = (task: GroupedTask, door: CallHandler) => Promise<unknown>;

/** A task that has begun. */
export class TaskRun {
	readonly task: GroupedTask;
	readonly door: CallBudget;
	readonly #engine: CallHandler;
	readonly #seed: number;

	private constructor(task: GroupedTask, engine: CallHandler, seed: number) {
		this.task = task;
		this.#engine = engine;
		this.#seed = seed;
		this.door = new CallBudget(task, engine);
	}

	/** Builds the world of a task, in place of the engine's main world and its forks. */
	static async begin(task: GroupedTask, engine: CallHandler, seed: number): Promise<TaskRun> {
		const run = new TaskRun(task, engine, seed);
		await run.#restart();
		return run;
	}

	async #restart(): Promise<TaskCalls> {
		await emptyEngine(this.#engine, this.#seed);
		const worker = new TaskCalls(this.#engine);
		await worker.run({ calls: this.task.start });
		return worker;
	}

	/** Ends the task with the agent's answer. With a fault of the agent it is not passed. */
	async end(answer: unknown, fault: string | null = null): Promise<TaskResult> {
		const { id, group, title } = this.task;
		const { calls, bytes } = this.door;
		const failure = fault ?? (await this.#failure(answer));
		return { id, group, title, passed: failure === null, failure, calls, bytes, answer: answer ?? null };
	}

	async #failure(answer: unknown): Promise<string | null> {
		const { truth, claims = [] } = this.task;
		const worker = new TaskCalls(this.#engine);
		for (const claim of claims) {
			const failed = await claimFailure(worker, claim);
			if (failed !== null) return failed;
		}
		if (truth === undefined) return null;
		if (answer === undefined || answer === null || answer === '') return 'No answer was submitted.';
		const right = await (await this.#restart()).run(truth);
		return spelled(answer) === spelled(right)
			? null
			: `The answer is ${spelled(right)}, not ${spelled(answer)}.`;
	}
}

/** Returns the reason why a claim does not hold, or null. */
async function claimFailure(worker: TaskCalls, claim: TaskClaim): Promise<string | null> {
	const { otherwise, calls = [], holds, field, equals, atMost } = claim;
	try {
		const found = await worker.run({ calls, answer: field === undefined ? undefined : `$${field}` });
		if (field !== undefined && atMost !== undefined && !((found as number) <= atMost))
			return `${otherwise} ${field} is ${spelled(found)}, more than ${atMost}.`;
		const right = spelled(worker.valueOf(equals));
		if (field !== undefined && atMost === undefined && spelled(found) !== right)
			return `${otherwise} ${field} is ${spelled(found)}, not ${right}.`;
		if (holds === undefined) return null;
		const body = { ticks: 0, until: holds, fork: true };
		const probe = await worker.run({ calls: [{ path: '/probe', body, as: 'probe' }], answer: '$probe' });
		return (probe as { stopped: string }).stopped === 'until' ? null : `${otherwise} It must hold: ${holds}`;
	} catch (error) {
		if (!(error instanceof RefusedTaskCall)) throw error;
		return `${otherwise} ${error.message}`;
	}
}

/** Makes the engine's main world a new one of this seed, and deletes forks and snapshots. */
export async function emptyEngine(engine: CallHandler, seed: number): Promise<void> {
	const worker = new TaskCalls(engine);
	const { forks } = (await worker.run({
		calls: [{ method: 'GET', path: '/fork/list?details=false&all=true', as: 'list' }],
		answer: '$list',
	})) as { forks: readonly string[] };
	for (const fork of forks)
		await worker.call({ method: 'DELETE', path: `/fork/${encodeURIComponent(fork)}` });
	await worker.call({ path: '/reset', body: { fresh: true, seed } });
}

/** Runs a task from its start to its verdict. */
export async function runTask(
	task: GroupedTask,
	engine: CallHandler,
	seed: number,
	solve: Solver,
): Promise<TaskResult> {
	const run = await TaskRun.begin(task, engine, seed);
	return run.end(await solve(task, run.door.handle));
}

/** Passes a task as its data says. A refused call ends it without an answer. */
export const reference: Solver = async (task, door) => {
	const { solution, truth } = task;
	const work = solution ?? truth;
	if (work === undefined) throw new Error(`The task ${task.id} has no solution.`);
	try {
		return await new TaskCalls(door).run(work);
	} catch (error) {
		if (error instanceof RefusedTaskCall) return undefined;
		throw error;
	}
};

/** Makes no call and gives no answer. */
export const nothing: Solver = async () => undefined;
