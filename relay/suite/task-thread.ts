/**
 * Worker thread with tasks of the suite, for the OpenEnv environments of a server.
 * Owns: the thread, which starts with the first task and ends with the server, and the requests that wait for it.
 */

import { Worker } from 'node:worker_threads';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { GroupedTask } from '../../shared/suite/task.ts';
import { IS_CLONE } from '../folders.ts';
import type { TaskResult } from './run-task.ts';

/** Module of the thread. The package has it as a separate entry. */
const PROGRAM = IS_CLONE ? './task.worker.ts' : './task-thread.js';

export type TaskRequest =
	| { readonly action: 'start'; readonly task: string; readonly seed: number }
	| { readonly action: 'state' }
	| { readonly action: 'call'; readonly request: WireRequest }
	| { readonly action: 'end'; readonly answer: unknown }
	| { readonly action: 'close' };

export interface ToTaskThread {
	readonly id: number;
	/** Key of the started task. */
	readonly key: string;
	readonly request: TaskRequest;
}

export type FromTaskThread = { readonly id: number } & (
	| { readonly value: unknown }
	| { readonly error: string }
);

/** State of a task, with the description that its agent gets. */
export interface TaskState extends Pick<GroupedTask, 'group' | 'title' | 'prompt' | 'budget' | 'moves'> {
	readonly tick: number;
	readonly state_digest: string;
	readonly future_digest: string;
	readonly entity_count: number;
	readonly used: { readonly calls: number; readonly bytes: number };
}

interface WaitingRequest {
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: Error) => void;
}

export class TaskThread {
	#worker: Worker | undefined;
	readonly #waitingRequests = new Map<number, WaitingRequest>();
	#lastId = 0;

	/** Starts a task. Its engine runs until `close`. */
	start(key: string, task: string, seed: number): Promise<TaskState> {
		return this.#request(key, { action: 'start', task, seed });
	}

	state(key: string): Promise<TaskState> {
		return this.#request(key, { action: 'state' });
	}

	/** Makes a call within the budget of a task. */
	call(key: string, request: WireRequest): Promise<WireResponse> {
		return this.#request(key, { action: 'call', request });
	}

	/** Ends a task with an answer. Returns the verdict. */
	end(key: string, answer: unknown): Promise<TaskResult> {
		return this.#request(key, { action: 'end', answer });
	}

	/** Ends the engine of a task. */
	close(key: string): Promise<void> {
		return this.#request(key, { action: 'close' });
	}

	/** Ends the thread with all tasks. */
	stop(): void {
		this.#loseWorker(this.#worker, new Error('The server stops.'));
	}

	#request<T>(key: string, request: TaskRequest): Promise<T> {
		this.#worker ??= this.#spawn();
		const id = ++this.#lastId;
		this.#worker.postMessage({ id, key, request } satisfies ToTaskThread);
		return new Promise((resolve, reject) => {
			this.#waitingRequests.set(id, { resolve: resolve as (value: unknown) => void, reject });
		});
	}

	#spawn(): Worker {
		const worker = new Worker(new URL(PROGRAM, import.meta.url), { name: 'tasks' });
		worker.on('message', (reply: FromTaskThread) => {
			const waiting = this.#waitingRequests.get(reply.id);
			this.#waitingRequests.delete(reply.id);
			if ('value' in reply) waiting?.resolve(reply.value);
			else waiting?.reject(new Error('error' in reply ? reply.error : 'The thread gave no answer.'));
		});
		worker.on('error', (error) => this.#loseWorker(worker, error as Error));
		worker.on('exit', () => this.#loseWorker(worker, new Error('The thread of the tasks ended.')));
		// The thread must not keep a stopping server alive.
		worker.unref();
		return worker;
	}

	#loseWorker(worker: Worker | undefined, error: Error): void {
		if (worker === undefined || worker !== this.#worker) return;
		this.#worker = undefined;
		for (const { reject } of this.#waitingRequests.values()) reject(error);
		this.#waitingRequests.clear();
		void worker.terminate();
	}
}
