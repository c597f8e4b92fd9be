/**
 * The inside of a pool's worker: an engine that runs tasks about worlds that it has received.
 * Owns: these worlds, and the detection of a task that needs files, which only the engine of the pool has.
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

/** Creates an engine. Returns a function that answers one message after the other, and never rejects. */
export function poolEngine(): (message: ToPoolWorker) => Promise<FromPoolWorker> {
	let hasAskedForFiles = false;
	const refuse = (): never => {
		hasAskedForFiles = true;
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
		hasAskedForFiles = false;
		try {
			const result = await engine.beside((host) => runTask(host, memory, task));
			return hasAskedForFiles ? null : result;
		} catch (error) {
			// The engine of the pool gets the same refusal when it does the work itself.
			if (error instanceof ApiError) return null;
			throw error;
		}
	};
	const answer = async (message: ToPoolWorker): Promise<FromPoolWorker> => {
		const engine = await started;
		await loadWorlds(engine, worlds, message);
		return { id: message.id, result: message.task === undefined ? null : await run(engine, message.task) };
	};
	const queue = new TaskQueue();
	return (message) =>
		queue
			.run(() => answer(message))
			.catch((): FromPoolWorker => ({ id: message.id, result: null, isBroken: true }));
}

async function loadWorlds(
	{ assets, worlds: { main } }: Engine,
	loadedWorlds: Map<number, World>,
	message: ToPoolWorker,
) {
	for (const asset of message.assets ?? []) await assets.restore(asset);
	for (const { version, bytes } of message.worlds)
		loadedWorlds.set(version, loadWorld(bytes, main.world.assets));
	for (const version of message.drop) {
		dispose(loadedWorlds.get(version)!);
		loadedWorlds.delete(version);
	}
}
