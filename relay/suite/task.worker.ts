/**
 * Worker thread that runs tasks of the suite for clients of the server. Each task has its own engine, separate from the
 * server's worlds.
 * Owns: the started tasks, and their verdicts. Requests of one task run in order.
 */

import { parentPort } from 'node:worker_threads';
import type { WireRequest } from '../../shared/contract/wire.ts';
import { tasks } from '../../shared/suite/index.ts';
import { createClient } from '../../shared/transport/client.ts';
import { openEngine, type SuiteEngine } from './engine.ts';
import { taskWith } from './numbers.ts';
import { TaskRun } from './run-task.ts';
import type { FromTaskThread, TaskRequest, TaskState, ToTaskThread } from './task-thread.ts';

interface RunningTask {
	readonly engine: SuiteEngine;
	readonly run: TaskRun;
}

const runningTasks = new Map<string, Promise<RunningTask>>();

async function start(id: string, seed: number): Promise<RunningTask> {
	const engine = await openEngine(undefined);
	const task = tasks.find((task) => task.id === id)!;
	return { engine, run: await TaskRun.start(taskWith(task, seed), engine.handle, seed) };
}

/** Reads the state of a task. Its reads do not count for the budget. */
async function readState({ engine, run }: RunningTask): Promise<TaskState> {
	const client = createClient(engine.handle);
	const read = async (path: string, query = '') =>
		JSON.parse(new TextDecoder().decode((await client.send({ method: 'GET', path, query })).body));
	const { entity_count } = await read('/');
	const { tick, state_digest, future_digest } = await read('/digest', 'future=true');
	const { prompt, budget, moves, group, title } = run.task;
	const used = { calls: run.budget.calls, bytes: run.budget.bytes };
	return { tick, state_digest, future_digest, entity_count, prompt, budget, moves, group, title, used };
}

async function answer(key: string, request: TaskRequest): Promise<unknown> {
	if (request.action === 'start') runningTasks.set(key, start(request.task, request.seed));
	const task = await runningTasks.get(key)!;
	switch (request.action) {
		case 'start':
		case 'state':
			return readState(task);
		case 'call': {
			const { status, headers, body } = await task.run.budget.handle(request.request as WireRequest);
			return { status, headers, body };
		}
		case 'end':
			return task.run.end(request.answer);
		case 'close':
			runningTasks.delete(key);
			return task.engine.close();
	}
}

parentPort!.on('message', async ({ id, key, request }: ToTaskThread) => {
	let reply: FromTaskThread;
	try {
		reply = { id, value: await answer(key, request) };
	} catch (error) {
		reply = { id, error: String(error) };
	}
	parentPort!.postMessage(reply);
});
