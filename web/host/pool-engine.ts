/**
 * The inside of a pool's worker: an engine that runs tasks about the worlds that it was sent.
 * Owns: those worlds, and noticing a task that asks for files, which only the engine of the pool has.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import type { PoolTask } from '../api/context.ts';
import { type PoolMemory, runTask } from '../api/pool-tasks.ts';
import { dispose } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { FileError, type Files } from '../store/files.ts';
import { createEngine, type Engine } from './engine.ts';
import type { FromPoolWorker, ToPoolWorker } from './pool.ts';

/** Returns a function that answers one message after the other. It never rejects. */
export function poolEngine(): (message: ToPoolWorker) => Promise<FromPoolWorker> {
	let isAsked = false;
	const refuse = (): never => {
		isAsked = true;
		throw new FileError('failed', 'A worker has no files.');
	};
	const files: Files = {
		storage: 'a worker',
		list: async () => refuse(),
		read: async () => refuse(),
		write: async () => refuse(),
	};
	const worlds = new Map<number, World>();
	const memory: PoolMemory = { worlds, share: null };
	const started = createEngine({ files, readPublic: async () => refuse(), report: () => {} });
	const run = async (engine: Engine, task: PoolTask): Promise<unknown> => {
		isAsked = false;
		try {
			const result = await engine.beside((host) => runTask(host, memory, task));
			return isAsked ? null : result;
		} catch (error) {
			// The engine of the pool gets the same refusal when it does the work itself.
			if (error instanceof ApiError) return null;
			throw error;
		}
	};
	const answer = async (message: ToPoolWorker): Promise<FromPoolWorker> => {
		const engine = await started;
		await load(engine, worlds, message);
		return { id: message.id, result: message.task === undefined ? null : await run(engine, message.task) };
	};
	const turns = new TaskQueue();
	return (message) =>
		turns
			.run(() => answer(message))
			.catch((): FromPoolWorker => ({ id: message.id, result: null, isBroken: true }));
}

async function load({ assets, worlds: { main } }: Engine, has: Map<number, World>, message: ToPoolWorker) {
	for (const asset of message.assets ?? []) await assets.restore(asset);
	for (const { version, bytes } of message.worlds) has.set(version, loadWorld(bytes, main.world.assets));
	for (const version of message.drop) {
		dispose(has.get(version)!);
		has.delete(version);
	}
}
