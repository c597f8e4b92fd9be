/** Worker thread of the engine's pool in Node. */

import { parentPort } from 'node:worker_threads';
import type { ToPoolWorker } from '../../web/host/pool.ts';
import { poolEngine } from '../../web/host/pool-engine.ts';

const answer = poolEngine();
parentPort!.on('message', async (message: ToPoolWorker) => {
	parentPort!.postMessage(await answer(message));
});
