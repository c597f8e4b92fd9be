/** Worker threads for the engine's pool. Owns: their start, and their number. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PoolPort, PoolSettings } from '../../web/host/pool.ts';
import type { RemoteWorkers } from '../cluster/remote-workers.ts';
import { IS_CLONE } from '../folders.ts';

/** Module of a thread. The package has it as a separate entry. */
const PROGRAM = IS_CLONE ? './pool.worker.ts' : './pool-thread.js';

/** Starts a thread that does not keep the process alive. */
export function startPoolWorker(): Worker {
	const worker = new Worker(new URL(PROGRAM, import.meta.url));
	worker.unref();
	return worker;
}

function openPort(): PoolPort {
	const worker = startPoolWorker();
	return {
		send: (message, transferred) => worker.postMessage(message, transferred),
		listen(onAnswer, onLost) {
			worker.on('message', onAnswer);
			worker.on('error', onLost);
			worker.on('exit', onLost);
		},
		end: () => void worker.terminate(),
	};
}

/**
 * Returns a pool with one thread per core, less the core of the engine's thread. `cluster`: addresses of NATS, if the
 * pool may also use workers of other servers.
 */
export function poolThreads(cluster?: string): PoolSettings {
	const size = availableParallelism() - 1;
	if (cluster === undefined) return { size, open: openPort };
	let remoteWorkers: RemoteWorkers | undefined;
	void import('../cluster/remote-workers.ts').then(async ({ connectWorkers }) => {
		remoteWorkers = await connectWorkers(cluster);
	});
	let localCount = 0;
	return {
		get size() {
			return size + (remoteWorkers?.size ?? 0);
		},
		open() {
			if (localCount >= size && remoteWorkers !== undefined) return remoteWorkers.open();
			localCount++;
			const port = openPort();
			let isOver = false;
			const countEnd = (): void => {
				if (!isOver) localCount--;
				isOver = true;
			};
			return {
				...port,
				listen: (onAnswer, onLost) =>
					port.listen(onAnswer, () => {
						countEnd();
						onLost();
					}),
				end() {
					countEnd();
					port.end();
				},
			};
		},
	};
}
