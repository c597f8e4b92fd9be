/**
 * Web Workers for the engine's pool. Each runs the program of the engine's Worker.
 * Owns: their start and their number.
 */

import type { FromPoolWorker, PoolPort, PoolSettings } from './pool.ts';

/** Name of a Worker of the pool. The program reads it. */
export const POOL_WORKER = 'pool';

function openWorker(): PoolPort {
	const worker = new Worker(self.location.href, { type: 'module', name: POOL_WORKER });
	return {
		send: (message, transfer) => worker.postMessage(message, transfer),
		listen(onAnswer, onEnd) {
			worker.onmessage = ({ data }: MessageEvent<FromPoolWorker>) => onAnswer(data);
			worker.onerror = onEnd;
		},
		end: () => worker.terminate(),
	};
}

/** Returns the settings of a pool with one Worker per core, except the core of the engine. */
export function poolWorkers(): PoolSettings {
	return { size: navigator.hardwareConcurrency - 1, open: openWorker };
}
