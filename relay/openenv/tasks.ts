/**
 * Tasks of the suite as episodes: each has an engine of its own, and the suite's door and verdict.
 * Owns: reset, step and state of these episodes. A handle has the calls of its episode, which any server of this version can repeat.
 */

import { randomBytes } from 'node:crypto';
import { nearest } from '../../shared/contract/nearest.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import {
	type OpenEnvAction,
	type OpenEnvReset,
	type TaskHandle,
	taskHandle,
} from '../../shared/documents/openenv.ts';
import { tasks } from '../../shared/suite/index.ts';
import { rawRequest } from '../../shared/transport/client.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import type { TaskResult } from '../suite/run-task.ts';
import { type TaskLook, TaskThread } from '../suite/task-thread.ts';
import type { EngineCalls, Json } from './engine-calls.ts';
import type { Observation } from './episodes.ts';
import { OpenEnvError } from './requests.ts';

/** Tasks that are played together; each has an engine in memory. */
const MAX_TASKS = 16;

const FORM = 'orrery1t.';

export const isTaskHandle = (text: string): boolean => text.startsWith(FORM);

type HandleCall = TaskHandle['calls'][number];

/** A played attempt at a task. */
export class TaskEpisode {
	readonly named: Pick<TaskHandle, 'key' | 'episode_id' | 'attempt' | 'task' | 'seed'>;
	/** Session of the caller that began it. */
	readonly session: string | undefined;
	readonly calls: HandleCall[] = [];
	step_count = 0;
	look!: TaskLook;
	verdict: TaskResult | null = null;
	ended: TaskHandle['ended'] = null;
	/** Another attempt continues the episode, or it was closed. */
	isGone = false;
	/** Steps are made in order. */
	readonly turns = new TaskQueue();

	constructor(named: TaskEpisode['named'], session: string | undefined) {
		this.named = named;
		this.session = session;
	}

	get episode_id(): string {
		return this.named.episode_id;
	}

	/** Of its engine. */
	get engine(): string {
		return `${this.named.key}-${this.named.attempt}`;
	}
}

export class TaskEpisodes {
	readonly #thread = new TaskThread();
	/** By key. */
	readonly #played = new Map<string, TaskEpisode>();

	/** Begins a task. */
	async begin(calls: EngineCalls, request: OpenEnvReset): Promise<TaskEpisode> {
		requireNoOther(request);
		const key = randomBytes(6).toString('hex');
		const named = {
			key,
			episode_id: request.episode_id ?? key,
			attempt: 1,
			task: taskIdOf(request),
			seed: request.seed ?? randomBytes(4).readUInt32LE(),
		};
		return this.#play(calls, named);
	}

	/** Continues from a handle: repeats its calls, and compares the digest. The attempt before ends. */
	async continue(calls: EngineCalls, text: string): Promise<TaskEpisode> {
		const { calls: made, ended, future_digest, step_count, ...rest } = readTaskHandle(text);
		if (!tasks.some(({ id }) => id === rest.task)) throw unknownTask(rest.task);
		const before = this.#played.get(rest.key);
		if (before !== undefined) {
			requireOwn(calls, before);
			await this.close(calls, before);
		}
		const attempt = Math.max(rest.attempt, before?.named.attempt ?? 0) + 1;
		const episode = await this.#play(calls, { ...rest, attempt });
		episode.step_count = step_count;
		for (const call of made) {
			episode.calls.push(call);
			await this.#ask(this.#thread.call(episode.engine, requestOf(call)));
		}
		episode.look = await this.#ask(this.#thread.look(episode.engine));
		if (episode.look.future_digest !== future_digest) {
			await this.close(calls, episode);
			throw new OpenEnvError(
				'SESSION_ERROR',
				'The calls of the handle lead to another world here: the digests differ.',
				'Use a server of the same version.',
				409,
			);
		}
		if (ended !== null) await this.#end(episode, ended);
		return episode;
	}

	/** `results`: the answers of a step; undefined after a reset. */
	observe(episode: TaskEpisode, results?: readonly Json[]): Observation {
		const { look, verdict, ended, named, step_count } = episode;
		const { tick, state_digest, entity_count, future_digest: _, ...told } = look;
		return {
			observation: {
				tick,
				state_digest,
				entity_count,
				task: { id: named.task, ...told },
				results: results ?? [],
				verdict: verdict && { passed: verdict.passed, failure: verdict.failure, spent: ended!.spent },
			},
			reward: results === undefined ? null : rewardOf(episode),
			done: ended !== null,
			metadata: {
				episode_id: named.episode_id,
				attempt: named.attempt,
				step_count,
				seed: named.seed,
				task: named.task,
			},
		};
	}

	/** Makes the calls of an action one by one, up to the first refused one. */
	step(calls: EngineCalls, episode: TaskEpisode, action: OpenEnvAction): Promise<Observation> {
		return episode.turns.run(() => this.#step(calls, episode, action));
	}

	async #step(calls: EngineCalls, episode: TaskEpisode, action: OpenEnvAction): Promise<Observation> {
		requireOwn(calls, episode);
		if (episode.ended !== null)
			throw new OpenEnvError('EXECUTION_ERROR', 'The task has ended.', 'Send a reset.', 409);
		const sent = callsOf(action);
		episode.step_count++;
		const results: Json[] = [];
		let isSpent = false;
		for (const call of sent) {
			const answer = await this.#ask(this.#thread.call(episode.engine, requestOf(call)));
			const result = resultOf(answer);
			results.push(result);
			isSpent = (result.body as Json | null)?.code === 'budget_spent';
			if (!isSpent) episode.calls.push(call);
			if (result.isRefused) break;
		}
		episode.look = await this.#ask(this.#thread.look(episode.engine));
		const hasAnswer = action.answer !== undefined;
		if (isSpent || hasAnswer)
			await this.#end(episode, { answer: hasAnswer ? action.answer : null, spent: isSpent });
		return this.observe(
			episode,
			results.map(({ status, body }) => ({ status, body })),
		);
	}

	/** Returns the state of an episode with a handle, from which a reset continues exactly here. */
	async state(calls: EngineCalls, episode: TaskEpisode): Promise<Json> {
		await episode.turns.idle();
		requireOwn(calls, episode);
		const { named, step_count, calls: made, ended, look } = episode;
		const { tick, state_digest, future_digest } = look;
		const handle: TaskHandle = { ...named, step_count, calls: made, ended, future_digest };
		return {
			episode_id: named.episode_id,
			step_count,
			attempt: named.attempt,
			tick,
			state_digest,
			future_digest,
			done: ended !== null,
			total_reward: rewardOf(episode),
			seed: named.seed,
			handle: FORM + Buffer.from(JSON.stringify(handle)).toString('base64url'),
		};
	}

	/** Ends an episode that a handle names, if it is played here. */
	async move(calls: EngineCalls, text: string): Promise<void> {
		const episode = this.#played.get(readTaskHandle(text).key);
		if (episode === undefined) return;
		requireOwn(calls, episode);
		await this.close(calls, episode);
	}

	/** Ends an attempt. */
	async close(_: EngineCalls, episode: TaskEpisode): Promise<void> {
		const isPlayed = this.#played.get(episode.named.key) === episode;
		episode.isGone = true;
		if (!isPlayed) return;
		this.#played.delete(episode.named.key);
		await this.#ask(this.#thread.close(episode.engine));
	}

	/** Ends the thread of the tasks. */
	stop(): void {
		this.#thread.stop();
	}

	async #play(calls: EngineCalls, named: TaskEpisode['named']): Promise<TaskEpisode> {
		if (!calls.mayPlay)
			throw new OpenEnvError('SESSION_ERROR', 'Tasks need a session that may write.', 'Sign in.', 401);
		const running = [...this.#played.values()].filter(({ ended }) => ended === null);
		if (running.length >= MAX_TASKS)
			throw new OpenEnvError(
				'CAPACITY_REACHED',
				`${MAX_TASKS} tasks are being played, which is the limit of the server.`,
				'End one: send its answer, POST /openenv/close, or close its connection.',
				503,
			);
		const episode = new TaskEpisode(named, calls.session);
		this.#played.set(named.key, episode);
		try {
			episode.look = await this.#ask(this.#thread.begin(episode.engine, named.task, named.seed));
			return episode;
		} catch (error) {
			this.#played.delete(named.key);
			throw error;
		}
	}

	async #end(episode: TaskEpisode, ended: NonNullable<TaskHandle['ended']>): Promise<void> {
		episode.verdict = await this.#ask(this.#thread.end(episode.engine, ended.answer));
		episode.ended = ended;
		// Nothing more is read from its engine.
		this.#played.delete(episode.named.key);
		await this.#ask(this.#thread.close(episode.engine));
	}

	/** Returns an answer of the thread. Every task is lost with it. */
	async #ask<T>(answer: Promise<T>): Promise<T> {
		try {
			return await answer;
		} catch (error) {
			throw new OpenEnvError(
				'SESSION_ERROR',
				`The task was lost: ${(error as Error).message}`,
				'Send a reset, with a handle to continue.',
				409,
			);
		}
	}
}

const rewardOf = ({ verdict }: TaskEpisode): number => (verdict?.passed === true ? 1 : 0);

function requireOwn({ session }: EngineCalls, episode: TaskEpisode): void {
	if (episode.isGone)
		throw new OpenEnvError(
			'SESSION_ERROR',
			`Attempt ${episode.named.attempt} of episode "${episode.episode_id}" has ended.`,
			'Send a reset, with a handle to continue.',
			409,
		);
	if (session === episode.session) return;
	throw new OpenEnvError('SESSION_ERROR', 'Another session plays this episode.', 'Send a reset.', 403);
}

function requireNoOther({ scene, reward, done }: OpenEnvReset): void {
	const [other] = Object.entries({ scene, reward, done }).find(([, value]) => value != null) ?? [];
	if (other === undefined) return;
	const why = `A task has its own world, reward and end, so "${other}" has no meaning.`;
	throw new OpenEnvError('VALIDATION_ERROR', why, `Omit "${other}".`);
}

function taskIdOf({ task, split, index }: OpenEnvReset): string {
	if (task != null) {
		if (split != null || index != null)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				'The reset names a task twice.',
				'Send "task", or "split" and "index".',
			);
		if (tasks.some(({ id }) => id === task)) return task;
		throw unknownTask(task);
	}
	if (split == null || index == null)
		throw new OpenEnvError(
			'VALIDATION_ERROR',
			'"split" and "index" name a task together.',
			'Send both, or "task".',
		);
	return taskAt(split, index).id;
}

function unknownTask(task: string): OpenEnvError {
	const near = nearest(
		task,
		tasks.map(({ id }) => id),
	);
	const hint = near === undefined ? 'POST /openenv/orrery/tasks lists them.' : `Did you mean "${near}"?`;
	return new OpenEnvError('VALIDATION_ERROR', `There is no task "${task}".`, hint);
}

const SPLITS = [...new Set(tasks.map(({ group }) => group))];

/** Returns the tasks of a group. Throws `VALIDATION_ERROR` if there is no such group. */
function tasksOf(split: unknown) {
	const own = tasks.filter(({ group }) => group === split);
	if (own.length > 0) return own;
	throw new OpenEnvError(
		'VALIDATION_ERROR',
		`There is no split ${JSON.stringify(split)}.`,
		`Send "split" as one of: ${SPLITS.join(', ')}.`,
	);
}

function taskAt(split: unknown, index: unknown) {
	const own = tasksOf(split);
	const task = own[Number.isInteger(index) ? (index as number) : -1];
	if (task !== undefined) return task;
	const why = `There is no task ${String(index)} in "${String(split)}".`;
	throw new OpenEnvError('VALIDATION_ERROR', why, `Send an index from 0 to ${own.length - 1}.`, 400);
}

/** Name of the one environment whose tasks are listed. */
const ENVIRONMENT = 'orrery';

/** Calls of the optional API of the standard that lists tasks. Returns undefined for others. */
export function taskListing(call: string, body: Json): object | undefined {
	if (call === 'GET /list_environments') return [ENVIRONMENT];
	const [, name, word] =
		/^(?:GET|POST) \/([^/]+)\/(splits|tasks|num_tasks|task|task_range)$/.exec(call) ?? [];
	if (name?.toLowerCase() !== ENVIRONMENT) return undefined;
	if (word === 'splits') return SPLITS.map((split) => ({ name: split, type: 'test' }));
	const { split, index, start, stop } = body;
	const own = tasksOf(split).map(({ id, group, title, budget, moves }, at) => ({
		id,
		index: at,
		split: group,
		title,
		budget,
		moves,
	}));
	if (word === 'num_tasks') return { num_tasks: own.length };
	if (word === 'task') return { task: own.find(({ id }) => id === taskAt(split, index).id) };
	const range = own.slice(Number(start ?? 0), Number(stop ?? own.length));
	return word === 'tasks' ? { tasks: own, env_name: ENVIRONMENT } : { tasks: range };
}

/** Returns the calls of an action. Throws `VALIDATION_ERROR`. */
function callsOf({ name, parameters = {}, requests, inputs = [], ticks = 0 }: OpenEnvAction): HandleCall[] {
	for (const { as } of requests)
		if (as !== undefined)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				'"as" names answers for later calls, and calls of a task are made one by one.',
				'Omit "as". The answers are in "results".',
			);
	const move: HandleCall[] =
		name === undefined
			? []
			: [{ method: 'POST', path: `/action/${encodeURIComponent(name)}`, body: { parameters } }];
	const step: HandleCall[] =
		ticks === 0 && inputs.length === 0
			? []
			: [{ method: 'POST', path: '/step', body: { ticks, ...(inputs.length === 0 ? {} : { inputs }) } }];
	return [...move, ...requests, ...step];
}

function requestOf({ method, path, body }: HandleCall): WireRequest {
	const [bare = '/', query = ''] = path.split('?', 2);
	const sent = method === 'POST' || method === 'PATCH' ? { body: body ?? {} } : {};
	return rawRequest({ method, path: bare, query, ...sent });
}

function resultOf({ status, body: bytes }: WireResponse): {
	readonly status: number;
	readonly body: unknown;
	readonly isRefused: boolean;
} {
	const text = new TextDecoder().decode(bytes);
	let body: unknown = text;
	try {
		body = JSON.parse(text);
	} catch {
		// A text stays one.
	}
	return { status, body, isRefused: status >= 400 || (body as Json | null)?.ok === false };
}

function readTaskHandle(text: string): TaskHandle {
	try {
		return taskHandle.parse(JSON.parse(Buffer.from(text.slice(FORM.length), 'base64url').toString()));
	} catch {
		throw new OpenEnvError(
			'VALIDATION_ERROR',
			'The text is not a handle of a task.',
			'Send `handle` of a state unchanged.',
		);
	}
}
