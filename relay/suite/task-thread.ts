/**
 * Tasks of the suite in a worker thread, for environments that a server offers.
 * Owns: that thread, which starts with the first task and ends with the server, and the requests that wait for it.
 */

import { Worker } from 'node:worker_threads';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { GroupedTask } from '../../shared/suite/task.ts';
import { IS_CLONE } from '../folders.ts';
import type { TaskResult } from './run-task.ts';

/** The module of the thread. In the package it is built as an entry of its own. */
const PROGRAM = IS_CLONE ? './task.worker.ts' : './task-thread.js';

export type TaskRequest =
	| { readonly do: 'begin'; readonly task: string; readonly seed: number }
	| { readonly do: 'look' }
	| { readonly do: 'call'; readonly request: WireRequest }
	| { readonly do: 'end'; readonly answer: unknown }
	| { readonly do: 'close' };

export interface ToTaskThread {
	readonly id: number;
	/** Of the begun task. */
	readonly key: string;
	readonly request: TaskRequest;
}

export type FromTaskThread = { readonly id: number } & (
	| { readonly value: unknown }
	| { readonly error: string }
);

/** State of a task, with what its agent is told. */
export interface TaskLook extends Pick<GroupedTask, 'group' | 'title' | 'prompt' | 'budget' | 'moves'> {
	readonly tick: number;
	readonly state_digest: string;
	readonly future_digest: string;
	readonly entity_count: number;
	readonly used: { readonly calls: number; readonly bytes: number };
}

interface WaitingRequest {
	readonly done: (value: unknown) => void;
	readonly failed: (error: Error) => void;
}

export class TaskThread {
	#worker: Worker | undefined;
	readonly #waitingRequests = new Map<number, WaitingRequest>();
	#lastId = 0;

	/** Begins a task. Its engine is kept until `close`. */
	begin(key: string, task: string, seed: number): Promise<TaskLook> {
		return this.#ask(key, { do: 'begin', task, seed });
	}

	look(key: string): Promise<TaskLook> {
		return this.#ask(key, { do: 'look' });
	}

	/** Makes a call through the door of a task. */
	call(key: string, request: WireRequest): Promise<WireResponse> {
		return this.#ask(key, { do: 'call', request });
	}

	end(key: string, answer: unknown): Promise<TaskResult> {
		return this.#ask(key, { do: 'end', answer });
	}

	close(key: string): Promise<void> {
		return this.#ask(key, { do: 'close' });
	}

	/** Ends the thread with all tasks. */
	stop(): void {
		this.#loseWorker(this.#worker, new Error('The server stops.'));
	}

	#ask<T>(key: string, request: TaskRequest): Promise<T> {
		this.#worker ??= this.#spawn();
		const id = ++this.#lastId;
		this.#worker.postMessage({ id, key, request } satisfies ToTaskThread);
		return new Promise((resolve, failed) => {
			this.#waitingRequests.set(id, { done: resolve as (value: unknown) => void, failed });
		});
	}

	#spawn(): Worker {
		const worker = new Worker(new URL(PROGRAM, import.meta.url), { name: 'tasks' });
		worker.on('message', (reply: FromTaskThread) => {
			const waiting = this.#waitingRequests.get(reply.id);
			this.#waitingRequests.delete(reply.id);
			if ('value' in reply) waiting?.done(reply.value);
			else waiting?.failed(new Error('error' in reply ? reply.error : 'The thread gave no answer.'));
		});
		worker.on('error', (error) => this.#loseWorker(worker, error as Error));
		worker.on('exit', () => this.#loseWorker(worker, new Error('The thread of the tasks ended.')));
		// A server that stops does not wait for it.
		worker.unref();
		return worker;
	}

	#loseWorker(worker: Worker | undefined, error: Error): void {
		if (worker === undefined || worker !== this.#worker) return;
		this.#worker = undefined;
		for (const { failed } of this.#waitingRequests.values()) failed(error);
		this.#waitingRequests.clear();
		void worker.terminate();
	}
}
