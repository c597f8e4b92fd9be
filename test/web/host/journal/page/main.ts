/** Hands what a test asks of a journal to the Worker that has it open. Owns: those Workers. */

import type { WorkerReply, WorkerRequest } from './journal.worker.ts';

const workers = new Map<number, Worker>();

function ask(owner: number, asked: WorkerRequest): Promise<WorkerReply> {
	let worker = workers.get(owner);
	if (worker === undefined) {
		worker = new Worker(new URL('./journal.worker.ts', import.meta.url), { type: 'module' });
		workers.set(owner, worker);
	}
	const { port1, port2 } = new MessageChannel();
	const answered = new Promise<WorkerReply>((resolve) => {
		port1.onmessage = ({ data }: MessageEvent<WorkerReply>) => resolve(data);
	});
	worker.postMessage(asked, [port2]);
	return answered;
}

declare global {
	interface Window {
		journals: {
			ask: typeof ask;
			/** Ends an owner in the middle of whatever it does. */
			kill(owner: number): void;
		};
	}
}

window.journals = { ask, kill: (owner) => workers.get(owner)?.terminate() };
