/** Worker threads for the engine's pool. Owns: starting one, and how many the machine has room for. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PoolPort, PoolSettings } from '../../web/host/pool.ts';
import type { RemoteWorkers } from '../cluster/remote-workers.ts';
import { IS_CLONE } from '../folders.ts';

/** The module of a thread. In the package it is built as an entry of its own. */
const PROGRAM = IS_CLONE ? './pool.worker.ts' : './pool-thread.js';

/** Starts a thread, which keeps no process alive. */
export function startPoolWorker(): Worker {
	const worker = new Worker(new URL(PROGRAM, import.meta.url));
	worker.unref();
	return worker;
}

function open(): PoolPort {
	const worker = startPoolWorker();
	return {
		send: (message, moved) => worker.postMessage(message, moved),
		listen(take, lost) {
			worker.on('message', take);
			worker.on('error', lost);
			worker.on('exit', lost);
		},
		end: () => void worker.terminate(),
	};
}

/**
 * As many as there are cores, beside the thread of the engine; none if there is one core. `cluster`: addresses of NATS, if other servers
 * lend workers, too.
 */
export function poolThreads(cluster?: string): PoolSettings {
	const size = availableParallelism() - 1;
	if (cluster === undefined) return { size, open };
	let remote: RemoteWorkers | undefined;
	void import('../cluster/remote-workers.ts').then(async ({ connectWorkers }) => {
		remote = await connectWorkers(cluster);
	});
	let local = 0;
	return {
		get size() {
			return size + (remote?.size ?? 0);
		},
		open() {
			if (local >= size && remote !== undefined) return remote.open();
			local++;
			const port = open();
			let isOver = false;
			const leave = (): void => {
				if (!isOver) local--;
				isOver = true;
			};
			return {
				...port,
				listen: (take, lost) =>
					port.listen(take, () => {
						leave();
						lost();
					}),
				end() {
					leave();
					port.end();
				},
			};
		},
	};
}
