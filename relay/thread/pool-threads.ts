/** Worker threads for the engine's pool. Owns: starting one, and how many the machine has room for. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PoolPort, PoolSettings } from '../../web/host/pool.ts';
import { IS_CLONE } from '../folders.ts';

/** The module of a thread. In the package it is built as an entry of its own. */
const PROGRAM = IS_CLONE ? './pool.worker.ts' : './pool-thread.js';

function open(): PoolPort {
	const worker = new Worker(new URL(PROGRAM, import.meta.url));
	// A pool keeps no process alive.
	worker.unref();
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

/** As many as there are cores, beside the thread of the engine; none if there is one core. */
export function poolThreads(): PoolSettings {
	return { size: availableParallelism() - 1, open };
}
