/** Web Workers for the engine's pool: each runs the program of the engine's own Worker. Owns: starting one, and their number. */

import type { FromPoolWorker, PoolPort, PoolSettings } from './pool.ts';

/** Name by which the program knows that it is in the pool. */
export const POOL_WORKER = 'pool';

function open(): PoolPort {
	const worker = new Worker(self.location.href, { type: 'module', name: POOL_WORKER });
	return {
		send: (message, moved) => worker.postMessage(message, moved),
		listen(take, lost) {
			worker.onmessage = ({ data }: MessageEvent<FromPoolWorker>) => take(data);
			worker.onerror = lost;
		},
		end: () => worker.terminate(),
	};
}

/** As many as there are cores, beside the engine's own; none if there is one core. */
export function poolWorkers(): PoolSettings {
	return { size: navigator.hardwareConcurrency - 1, open };
}
