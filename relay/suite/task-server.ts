/**
 * HTTP server for an agent: it answers with the world of the current task, and has the prompt at /suite/task.
 * Owns: the three paths below /suite. Every other call passes through the budget of the task.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { type CallHandler, MAX_DOCUMENT_BYTES, type WireResponse } from '../../shared/contract/wire.ts';
import type { GroupedTask } from '../../shared/suite/task.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { sendAnswer } from '../http-answer.ts';
import { OriginCheck } from '../origin-check.ts';
import { type TaskResult, TaskRun } from './run-task.ts';

interface Settings {
	readonly tasks: readonly GroupedTask[];
	readonly engine: CallHandler;
	readonly seed: number;
	/** 0 takes a free port. */
	readonly port: number;
	/** Called after each task. `position`: counts from 1. */
	readonly onResult: (result: TaskResult, position: number) => void;
}

/** Serves tasks in order. */
export class TaskServer {
	readonly url: string;
	/** Resolves when the last task has ended and its verdict was sent. */
	readonly done: Promise<readonly TaskResult[]>;
	readonly results: TaskResult[] = [];
	readonly #settings: Settings;
	readonly #server;
	readonly #originCheck = new OriginCheck();
	#run: TaskRun;
	#finish: (results: readonly TaskResult[]) => void = () => {};
	/** Answers calls in order, so that a submission ends a task after all earlier calls. */
	readonly #queue = new TaskQueue();

	private constructor(settings: Settings, run: TaskRun, server: ReturnType<typeof createServer>) {
		this.#settings = settings;
		this.#run = run;
		this.#server = server;
		this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		this.done = new Promise((resolve) => {
			this.#finish = resolve;
		});
		server.on('request', (request, response) => void this.#handle(request, response));
	}

	/** Starts the first task and listens. Rejects if the port is in use. */
	static async start(settings: Settings): Promise<TaskServer> {
		const { tasks, engine, seed, port } = settings;
		const run = await TaskRun.start(tasks[0]!, engine, seed);
		const server = createServer();
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, '127.0.0.1', resolve);
		});
		return new TaskServer(settings, run, server);
	}

	get #isOver(): boolean {
		return this.results.length === this.#settings.tasks.length;
	}

	/** Ends the current task, and starts the next one. Returns the result. */
	async end(answer: unknown, fault: string | null = null): Promise<TaskResult> {
		const { tasks, engine, seed, onResult } = this.#settings;
		const result = await this.#run.end(answer, fault);
		this.results.push(result);
		onResult(result, this.results.length);
		const nextTask = tasks[this.results.length];
		if (nextTask !== undefined) this.#run = await TaskRun.start(nextTask, engine, seed);
		return result;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		try {
			const originError = this.#originCheck.checkCall(request.headers);
			const body = originError === undefined ? await bodyOf(request) : new Uint8Array(0);
			if (originError !== undefined) return void sendAnswer(response, errorResponse(originError));
			const answer = await this.#queue.run(() => this.#answer(request, body));
			if (this.#isOver) response.once('close', () => this.#finish(this.results));
			sendAnswer(response, answer);
		} catch (error) {
			const apiError = error instanceof ApiError ? error : new ApiError('internal', String(error));
			sendAnswer(response, errorResponse(apiError));
		}
	}

	async #answer(
		{ method = 'GET', url = '/', headers }: IncomingMessage,
		body: Uint8Array,
	): Promise<WireResponse> {
		const [path = '/', query = ''] = url.split('?', 2);
		const isOver = this.#isOver;
		if (path === '/suite/task') return jsonAnswer(isOver ? this.#summary() : this.#currentTask());
		if (path === '/suite/results') return jsonAnswer({ ok: true, results: this.results });
		if (path === '/suite/answer' && method === 'POST') {
			if (isOver) throw new ApiError('not_allowed', 'All tasks have ended.', { fix: 'GET /suite/results.' });
			const result = await this.end(answerOf(body));
			return jsonAnswer({ ok: true, result, next: this.#settings.tasks[this.results.length]?.id ?? null });
		}
		if (path.startsWith('/suite'))
			throw new ApiError('no_such_route', `There is no ${method} ${path}.`, {
				fix: 'Use GET /suite/task, POST /suite/answer or GET /suite/results.',
			});
		if (isOver) throw new ApiError('not_allowed', 'All tasks have ended.', { fix: 'GET /suite/results.' });
		const textHeaders = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
		const request = { method, path, query, headers: Object.fromEntries(textHeaders), body };
		return this.#run.budget.handle(request);
	}

	#currentTask(): object {
		const { tasks } = this.#settings;
		const { task, budget: spent } = this.#run;
		const { id, group, title, prompt, budget, moves } = task;
		const used = { calls: spent.calls, bytes: spent.bytes };
		const at = this.results.length + 1;
		return {
			ok: true,
			done: false,
			task: { id, group, title, prompt, budget, moves, used, at, of: tasks.length },
		};
	}

	#summary(): object {
		const passed = this.results.filter((result) => result.passed).length;
		return { ok: true, done: true, passed, of: this.results.length };
	}
}

function jsonAnswer(value: object): WireResponse {
	const body = new TextEncoder().encode(JSON.stringify(value));
	return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** Returns the answer in a body `{"answer": ...}`; undefined for `{}`. Throws `bad_json` or `invalid_body`. */
function answerOf(body: Uint8Array): unknown {
	const fix = 'Send {"answer": VALUE}, or {} if the task asks for no answer.';
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(body));
	} catch {
		throw new ApiError('bad_json', 'The body is not JSON.', { fix });
	}
	const otherKeys =
		typeof value === 'object' && value !== null
			? Object.keys(value).filter((key) => key !== 'answer')
			: ['?'];
	if (otherKeys.length > 0 || Array.isArray(value))
		throw new ApiError('invalid_body', 'The body is not an object with the one field "answer".', { fix });
	return (value as { answer?: unknown }).answer;
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request) {
		size += (chunk as Buffer).length;
		if (size > MAX_DOCUMENT_BYTES) throw new ApiError('too_large', 'The body is too large.');
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks);
}
