/**
 * The worker thread that runs tasks of the suite for clients of the server: an engine for each, apart from the server's worlds.
 * Owns: the begun tasks, and their verdicts. Requests of one task are done in the order in which they come.
 */

import { parentPort } from 'node:worker_threads';
import type { WireRequest } from '../../shared/contract/wire.ts';
import { tasks } from '../../shared/suite/index.ts';
import { createClient } from '../../shared/transport/client.ts';
import { openEngine, type SuiteEngine } from './engine.ts';
import { taskWith } from './numbers.ts';
import { TaskRun } from './run-task.ts';
import type { FromTaskThread, TaskLook, TaskRequest, ToTaskThread } from './task-thread.ts';

interface RunningTask {
	readonly engine: SuiteEngine;
	readonly run: TaskRun;
}

const begun = new Map<string, Promise<RunningTask>>();

async function begin(id: string, seed: number): Promise<RunningTask> {
	const engine = await openEngine(undefined);
	const task = tasks.find((task) => task.id === id)!;
	return { engine, run: await TaskRun.begin(taskWith(task, seed), engine.handle, seed) };
}

/** Returns the state of a task, read beside its door. */
async function look({ engine, run }: RunningTask): Promise<TaskLook> {
	const client = createClient(engine.handle);
	const read = async (path: string, query = '') =>
		JSON.parse(new TextDecoder().decode((await client.send({ method: 'GET', path, query })).body));
	const { entity_count } = await read('/');
	const { tick, state_digest, future_digest } = await read('/digest', 'future=true');
	const { prompt, budget, moves, group, title } = run.task;
	const used = { calls: run.door.calls, bytes: run.door.bytes };
	return { tick, state_digest, future_digest, entity_count, prompt, budget, moves, group, title, used };
}

async function answer(key: string, request: TaskRequest): Promise<unknown> {
	if (request.do === 'begin') begun.set(key, begin(request.task, request.seed));
	const one = await begun.get(key)!;
	switch (request.do) {
		case 'begin':
		case 'look':
			return look(one);
		case 'call': {
			const { status, headers, body } = await one.run.door.handle(request.request as WireRequest);
			return { status, headers, body };
		}
		case 'end':
			return one.run.end(request.answer);
		case 'close':
			begun.delete(key);
			return one.engine.close();
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
