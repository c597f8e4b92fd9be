/**
 * Tasks of the suite as episodes. Each has its own engine, and the budget and verdict of the suite.
 * Owns: reset, step and state of these episodes. A handle contains all calls of its episode, so that any server of this
 * version can repeat them.
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
import { type TaskState, TaskThread } from '../suite/task-thread.ts';
import type { EngineCalls, Json } from './engine-calls.ts';
import type { Observation } from './episodes.ts';
import { OpenEnvError } from './requests.ts';

/** Maximum number of tasks that are played together. Each has an engine in memory. */
const MAX_TASKS = 16;

const PREFIX = 'orrery1t.';

export const isTaskHandle = (text: string): boolean => text.startsWith(PREFIX);

type HandleCall = TaskHandle['calls'][number];

/** A played attempt at a task. */
export class TaskEpisode {
	readonly identity: Pick<TaskHandle, 'key' | 'episode_id' | 'attempt' | 'task' | 'seed'>;
	/** Session of the caller that started it. */
	readonly session: string | undefined;
	readonly calls: HandleCall[] = [];
	step_count = 0;
	taskState!: TaskState;
	verdict: TaskResult | null = null;
	ended: TaskHandle['ended'] = null;
	/** True if another attempt continues the episode, or it was closed. */
	isGone = false;
	/** Runs the steps in order. */
	readonly queue = new TaskQueue();

	constructor(identity: TaskEpisode['identity'], session: string | undefined) {
		this.identity = identity;
		this.session = session;
	}

	get episode_id(): string {
		return this.identity.episode_id;
	}

	/** Key of its engine in the thread of tasks. */
	get engine(): string {
		return `${this.identity.key}-${this.identity.attempt}`;
	}
}

export class TaskEpisodes {
	readonly #thread = new TaskThread();
	/** Played episodes by their key. */
	readonly #playedEpisodes = new Map<string, TaskEpisode>();

	/** Starts a task. */
	async begin(calls: EngineCalls, request: OpenEnvReset): Promise<TaskEpisode> {
		requireOnlyTask(request);
		const key = randomBytes(6).toString('hex');
		const identity = {
			key,
			episode_id: request.episode_id ?? key,
			attempt: 1,
			task: taskIdOf(request),
			seed: request.seed ?? randomBytes(4).readUInt32LE(),
		};
		return this.#play(calls, identity);
	}

	/** Continues from a handle: repeats its calls, and compares the digest. The previous attempt ends. */
	async continue(calls: EngineCalls, text: string): Promise<TaskEpisode> {
		const { calls: earlierCalls, ended, future_digest, step_count, ...identity } = readTaskHandle(text);
		if (!tasks.some(({ id }) => id === identity.task)) throw unknownTask(identity.task);
		const previous = this.#playedEpisodes.get(identity.key);
		if (previous !== undefined) {
			requirePlayer(calls, previous);
			await this.close(calls, previous);
		}
		const attempt = Math.max(identity.attempt, previous?.identity.attempt ?? 0) + 1;
		const episode = await this.#play(calls, { ...identity, attempt });
		episode.step_count = step_count;
		for (const call of earlierCalls) {
			episode.calls.push(call);
			await this.#awaitThread(this.#thread.call(episode.engine, requestOf(call)));
		}
		episode.taskState = await this.#awaitThread(this.#thread.state(episode.engine));
		if (episode.taskState.future_digest !== future_digest) {
			await this.close(calls, episode);
			throw new OpenEnvError(
				'SESSION_ERROR',
				'The calls of the handle lead to a different world on this server: the digests differ.',
				'Use a server of the same version.',
				409,
			);
		}
		if (ended !== null) await this.#end(episode, ended);
		return episode;
	}

	/** Returns the observation of an episode. `results`: the answers of a step; undefined after a reset. */
	observe(episode: TaskEpisode, results?: readonly Json[]): Observation {
		const { taskState, verdict, ended, identity, step_count } = episode;
		const { tick, state_digest, entity_count, future_digest: _, ...description } = taskState;
		return {
			observation: {
				tick,
				state_digest,
				entity_count,
				task: { id: identity.task, ...description },
				results: results ?? [],
				verdict: verdict && { passed: verdict.passed, failure: verdict.failure, spent: ended!.spent },
			},
			reward: results === undefined ? null : rewardOf(episode),
			done: ended !== null,
			metadata: {
				episode_id: identity.episode_id,
				attempt: identity.attempt,
				step_count,
				seed: identity.seed,
				task: identity.task,
			},
		};
	}

	/** Makes the calls of an action in order, up to the first refused one. */
	step(calls: EngineCalls, episode: TaskEpisode, action: OpenEnvAction): Promise<Observation> {
		return episode.queue.run(() => this.#step(calls, episode, action));
	}

	async #step(calls: EngineCalls, episode: TaskEpisode, action: OpenEnvAction): Promise<Observation> {
		requirePlayer(calls, episode);
		if (episode.ended !== null)
			throw new OpenEnvError('EXECUTION_ERROR', 'The task has ended.', 'Send a reset.', 409);
		const actionCalls = callsOf(action);
		episode.step_count++;
		const results: Json[] = [];
		let isSpent = false;
		for (const call of actionCalls) {
			const answer = await this.#awaitThread(this.#thread.call(episode.engine, requestOf(call)));
			const result = resultOf(answer);
			results.push(result);
			isSpent = (result.body as Json | null)?.code === 'budget_spent';
			if (!isSpent) episode.calls.push(call);
			if (result.isRefused) break;
		}
		episode.taskState = await this.#awaitThread(this.#thread.state(episode.engine));
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
		await episode.queue.idle();
		requirePlayer(calls, episode);
		const { identity, step_count, calls: pastCalls, ended, taskState } = episode;
		const { tick, state_digest, future_digest } = taskState;
		const handle: TaskHandle = { ...identity, step_count, calls: pastCalls, ended, future_digest };
		return {
			episode_id: identity.episode_id,
			step_count,
			attempt: identity.attempt,
			tick,
			state_digest,
			future_digest,
			done: ended !== null,
			total_reward: rewardOf(episode),
			seed: identity.seed,
			handle: PREFIX + Buffer.from(JSON.stringify(handle)).toString('base64url'),
		};
	}

	/** Ends the episode of a handle, if it is played here. */
	async move(calls: EngineCalls, text: string): Promise<void> {
		const episode = this.#playedEpisodes.get(readTaskHandle(text).key);
		if (episode === undefined) return;
		requirePlayer(calls, episode);
		await this.close(calls, episode);
	}

	/** Ends an attempt. */
	async close(_: EngineCalls, episode: TaskEpisode): Promise<void> {
		const isPlayed = this.#playedEpisodes.get(episode.identity.key) === episode;
		episode.isGone = true;
		if (!isPlayed) return;
		this.#playedEpisodes.delete(episode.identity.key);
		await this.#awaitThread(this.#thread.close(episode.engine));
	}

	/** Ends the thread of the tasks. */
	stop(): void {
		this.#thread.stop();
	}

	async #play(calls: EngineCalls, identity: TaskEpisode['identity']): Promise<TaskEpisode> {
		if (!calls.canPlay)
			throw new OpenEnvError('SESSION_ERROR', 'Tasks need a session that may write.', 'Sign in.', 401);
		const runningEpisodes = [...this.#playedEpisodes.values()].filter(({ ended }) => ended === null);
		if (runningEpisodes.length >= MAX_TASKS)
			throw new OpenEnvError(
				'CAPACITY_REACHED',
				`${MAX_TASKS} tasks are being played, which is the limit of the server.`,
				'End one: send its answer, POST /openenv/close, or close its connection.',
				503,
			);
		const episode = new TaskEpisode(identity, calls.session);
		this.#playedEpisodes.set(identity.key, episode);
		try {
			episode.taskState = await this.#awaitThread(
				this.#thread.start(episode.engine, identity.task, identity.seed),
			);
			return episode;
		} catch (error) {
			this.#playedEpisodes.delete(identity.key);
			throw error;
		}
	}

	async #end(episode: TaskEpisode, ended: NonNullable<TaskHandle['ended']>): Promise<void> {
		episode.verdict = await this.#awaitThread(this.#thread.end(episode.engine, ended.answer));
		episode.ended = ended;
		// The engine is no longer needed.
		this.#playedEpisodes.delete(episode.identity.key);
		await this.#awaitThread(this.#thread.close(episode.engine));
	}

	/** Waits for an answer of the thread. Rejects if the thread has ended, and every task with it. */
	async #awaitThread<T>(answer: Promise<T>): Promise<T> {
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

function requirePlayer({ session }: EngineCalls, episode: TaskEpisode): void {
	if (episode.isGone)
		throw new OpenEnvError(
			'SESSION_ERROR',
			`Attempt ${episode.identity.attempt} of episode "${episode.episode_id}" has ended.`,
			'Send a reset, with a handle to continue.',
			409,
		);
	if (session === episode.session) return;
	throw new OpenEnvError('SESSION_ERROR', 'Another session plays this episode.', 'Send a reset.', 403);
}

function requireOnlyTask({ scene, reward, done }: OpenEnvReset): void {
	const [field] = Object.entries({ scene, reward, done }).find(([, value]) => value != null) ?? [];
	if (field === undefined) return;
	const problem = `A task has its own world, reward and end, so "${field}" has no meaning.`;
	throw new OpenEnvError('VALIDATION_ERROR', problem, `Omit "${field}".`);
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
	const suggestedName = nearest(
		task,
		tasks.map(({ id }) => id),
	);
	const hint =
		suggestedName === undefined
			? 'POST /openenv/orrery/tasks lists them.'
			: `Did you mean "${suggestedName}"?`;
	return new OpenEnvError('VALIDATION_ERROR', `There is no task "${task}".`, hint);
}

const SPLITS = [...new Set(tasks.map(({ group }) => group))];

/** Returns the tasks of a group. Throws `VALIDATION_ERROR` if there is no such group. */
function tasksOf(split: unknown) {
	const groupTasks = tasks.filter(({ group }) => group === split);
	if (groupTasks.length > 0) return groupTasks;
	throw new OpenEnvError(
		'VALIDATION_ERROR',
		`There is no split ${JSON.stringify(split)}.`,
		`Send "split" as one of: ${SPLITS.join(', ')}.`,
	);
}

function taskAt(split: unknown, index: unknown) {
	const groupTasks = tasksOf(split);
	const task = groupTasks[Number.isInteger(index) ? (index as number) : -1];
	if (task !== undefined) return task;
	const problem = `There is no task ${String(index)} in "${String(split)}".`;
	throw new OpenEnvError(
		'VALIDATION_ERROR',
		problem,
		`Send an index from 0 to ${groupTasks.length - 1}.`,
		400,
	);
}

/** Name of the only environment that lists tasks. */
const ENVIRONMENT = 'orrery';

/** Answers calls of the standard's optional API that lists tasks. Returns undefined for other calls. */
export function taskListing(call: string, body: Json): object | undefined {
	if (call === 'GET /list_environments') return [ENVIRONMENT];
	const [, name, word] =
		/^(?:GET|POST) \/([^/]+)\/(splits|tasks|num_tasks|task|task_range)$/.exec(call) ?? [];
	if (name?.toLowerCase() !== ENVIRONMENT) return undefined;
	if (word === 'splits') return SPLITS.map((split) => ({ name: split, type: 'test' }));
	const { split, index, start, stop } = body;
	const taskRows = tasksOf(split).map(({ id, group, title, budget, moves }, position) => ({
		id,
		index: position,
		split: group,
		title,
		budget,
		moves,
	}));
	if (word === 'num_tasks') return { num_tasks: taskRows.length };
	if (word === 'task') return { task: taskRows.find(({ id }) => id === taskAt(split, index).id) };
	const range = taskRows.slice(Number(start ?? 0), Number(stop ?? taskRows.length));
	return word === 'tasks' ? { tasks: taskRows, env_name: ENVIRONMENT } : { tasks: range };
}

/** Returns the calls of an action. Throws `VALIDATION_ERROR`. */
function callsOf({ name, parameters = {}, requests, inputs = [], ticks = 0 }: OpenEnvAction): HandleCall[] {
	for (const { as } of requests)
		if (as !== undefined)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				'"as" names answers for later calls of a list, but the calls of a task are made one by one.',
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
	const [pathname = '/', query = ''] = path.split('?', 2);
	const content = method === 'POST' || method === 'PATCH' ? { body: body ?? {} } : {};
	return rawRequest({ method, path: pathname, query, ...content });
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
		// An answer that is not JSON stays a text.
	}
	return { status, body, isRefused: status >= 400 || (body as Json | null)?.ok === false };
}

function readTaskHandle(text: string): TaskHandle {
	try {
		return taskHandle.parse(JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString()));
	} catch {
		throw new OpenEnvError(
			'VALIDATION_ERROR',
			'The text is not a handle of a task.',
			'Send `handle` of a state unchanged.',
		);
	}
}
