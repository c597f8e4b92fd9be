/**
 * The address at which an agent does tasks: the world of the current task, with the prompt at /suite/task.
 * Owns: the three paths below /suite. Every other call goes through the door of the task.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { type CallHandler, MAX_DOCUMENT_BYTES, type WireResponse } from '../../shared/contract/wire.ts';
import type { GroupedTask } from '../../shared/suite/task.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { give } from '../http-answer.ts';
import { OriginCheck } from '../origin-check.ts';
import { type TaskResult, TaskRun } from './run-task.ts';

interface Settings {
	readonly tasks: readonly GroupedTask[];
	readonly engine: CallHandler;
	readonly seed: number;
	/** 0: the system chooses. */
	readonly port: number;
	/** Called after each task. */
	readonly ended: (result: TaskResult, at: number) => void;
}

/** Serves tasks one after another. */
export class TaskServer {
	readonly url: string;
	/** Resolves when the last task has ended, and its verdict is delivered. */
	readonly done: Promise<readonly TaskResult[]>;
	readonly results: TaskResult[] = [];
	readonly #settings: Settings;
	readonly #server;
	readonly #originCheck = new OriginCheck();
	#run: TaskRun;
	#finish: (results: readonly TaskResult[]) => void = () => {};
	/** Calls are answered one after another: an answer of the agent ends a task after all earlier calls. */
	readonly #turns = new TaskQueue();

	private constructor(settings: Settings, run: TaskRun, server: ReturnType<typeof createServer>) {
		this.#settings = settings;
		this.#run = run;
		this.#server = server;
		this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		this.done = new Promise((resolve) => {
			this.#finish = resolve;
		});
		server.on('request', (request, response) => void this.#take(request, response));
	}

	/** Begins the first task and listens. Rejects if the port is in use. */
	static async start(settings: Settings): Promise<TaskServer> {
		const { tasks, engine, seed, port } = settings;
		const run = await TaskRun.begin(tasks[0]!, engine, seed);
		const server = createServer();
		await new Promise<void>((done, failed) => {
			server.once('error', failed);
			server.listen(port, '127.0.0.1', done);
		});
		return new TaskServer(settings, run, server);
	}

	get #isOver(): boolean {
		return this.results.length === this.#settings.tasks.length;
	}

	/** Ends the current task, and begins the next one. */
	async end(answer: unknown, fault: string | null = null): Promise<TaskResult> {
		const { tasks, engine, seed, ended } = this.#settings;
		const result = await this.#run.end(answer, fault);
		this.results.push(result);
		ended(result, this.results.length);
		const next = tasks[this.results.length];
		if (next !== undefined) this.#run = await TaskRun.begin(next, engine, seed);
		return result;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((done) => this.#server.close(done));
	}

	async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		try {
			const refused = this.#originCheck.checkCall(request.headers);
			const body = refused === undefined ? await bodyOf(request) : new Uint8Array(0);
			if (refused !== undefined) return void give(response, errorResponse(refused));
			const whole = await this.#turns.run(() => this.#answer(request, body));
			if (this.#isOver) response.once('close', () => this.#finish(this.results));
			give(response, whole);
		} catch (error) {
			const apiError = error instanceof ApiError ? error : new ApiError('internal', String(error));
			give(response, errorResponse(apiError));
		}
	}

	async #answer(
		{ method = 'GET', url = '/', headers }: IncomingMessage,
		body: Uint8Array,
	): Promise<WireResponse> {
		const [path = '/', query = ''] = url.split('?', 2);
		const over = this.#isOver;
		if (path === '/suite/task') return json(over ? this.#end() : this.#current());
		if (path === '/suite/results') return json({ ok: true, results: this.results });
		if (path === '/suite/answer' && method === 'POST') {
			if (over) throw new ApiError('not_allowed', 'All tasks have ended.', { fix: 'GET /suite/results.' });
			const result = await this.end(answerOf(body));
			return json({ ok: true, result, next: this.#settings.tasks[this.results.length]?.id ?? null });
		}
		if (path.startsWith('/suite'))
			throw new ApiError('no_such_route', `There is no ${method} ${path}.`, {
				fix: 'Use GET /suite/task, POST /suite/answer or GET /suite/results.',
			});
		if (over) throw new ApiError('not_allowed', 'All tasks have ended.', { fix: 'GET /suite/results.' });
		const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
		return this.#run.door.handle({ method, path, query, headers: Object.fromEntries(plain), body });
	}

	#current(): object {
		const { tasks } = this.#settings;
		const { task, door } = this.#run;
		const { id, group, title, prompt, budget, moves } = task;
		const used = { calls: door.calls, bytes: door.bytes };
		const at = this.results.length + 1;
		return {
			ok: true,
			done: false,
			task: { id, group, title, prompt, budget, moves, used, at, of: tasks.length },
		};
	}

	#end(): object {
		const passed = this.results.filter((result) => result.passed).length;
		return { ok: true, done: true, passed, of: this.results.length };
	}
}

function json(value: object): WireResponse {
	const body = new TextEncoder().encode(JSON.stringify(value));
	return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** Returns the answer in a body `{"answer": ...}`; undefined if the task asks for none. */
function answerOf(body: Uint8Array): unknown {
	const fix = 'Send {"answer": VALUE}, or {} if the task asks for no answer.';
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(body));
	} catch {
		throw new ApiError('bad_json', 'The body is not JSON.', { fix });
	}
	const other =
		typeof value === 'object' && value !== null
			? Object.keys(value).filter((key) => key !== 'answer')
			: ['?'];
	if (other.length > 0 || Array.isArray(value))
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
