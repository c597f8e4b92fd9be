/**
 * Episodes of OpenEnv. Each is a fork, played through the routes.
 * Owns: reset, step, state and checkpoints. An attempt ends when another one continues its episode.
 * Never: resets an episode that it cannot find. An episode ends with its fork.
 */

import { randomBytes } from 'node:crypto';
import {
	type EpisodeHandle,
	type EpisodeSettings,
	type OpenEnvAction,
	type OpenEnvCheckpoint,
	type OpenEnvReset,
	openEnvCheckpoint,
} from '../../shared/documents/openenv.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { exportAssets, missingAssets } from './carried-assets.ts';
import { digestsOf, type EngineCalls, type Json, refusalOf } from './engine-calls.ts';
import { checkpointFork, handleText, partsOf, playedFork, readHandle } from './handle.ts';
import { OpenEnvError, read } from './requests.ts';

/** Maximum number of checkpoints. Beyond it the oldest is dropped. */
const MAX_CHECKPOINTS = 256;

/** A played attempt. */
export interface Episode extends Omit<EpisodeHandle, 'future_digest'> {
	readonly fork: string;
	/** True if the scenario declares an environment. */
	hasEnvironment: boolean;
	/** Sum whose change is the reward. */
	value: number;
	done: boolean;
	step_count: number;
	total_reward: number;
}

/** Answer of reset and step in the form of the standard. */
export interface Observation {
	readonly observation: Json;
	readonly reward: number | null;
	readonly done: boolean;
	readonly metadata: Json;
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Answer of GET /environment: the environment that a scenario declares, and its numbers. */
interface EnvironmentAnswer {
	readonly environment: {
		readonly frame_skip: number;
		readonly observation: readonly { readonly name: string }[];
		readonly actions: readonly {
			readonly name: string;
			readonly inputs?: Json[];
			readonly requests?: Json[];
		}[];
		readonly start?: Json[];
	};
	readonly state: {
		readonly observation: readonly (readonly number[])[];
		readonly potential: readonly number[];
		readonly bonus: readonly number[];
		readonly terminated: boolean;
		readonly truncated: boolean;
	};
}

export class Episodes {
	/** Checkpoints in the order in which they were taken. */
	readonly #checkpoints = new Set<string>();
	/** Deletion of the attempts of an earlier server. It runs once. */
	#cleanup: Promise<void> | undefined;
	/** Creates attempts in order. */
	readonly #attemptQueue = new TaskQueue();

	/** Begins an episode, or continues one from a handle or checkpoint. */
	async reset(
		calls: EngineCalls,
		request: OpenEnvReset,
	): Promise<{ episode: Episode; observation: Observation }> {
		this.#cleanup ??= this.#endOldAttempts(calls).catch((error: unknown) => {
			this.#cleanup = undefined;
			throw error;
		});
		await this.#cleanup;
		const episode =
			request.handle != null
				? await this.#continue(calls, readHandle(request.handle))
				: request.checkpoint != null
					? await this.#import(calls, request.checkpoint)
					: await this.#begin(calls, request);
		const observation = await this.#observe(calls, episode, null);
		return { episode, observation };
	}

	/** Performs one action and its ticks. A refused action changes nothing. */
	async step(calls: EngineCalls, episode: Episode, action: OpenEnvAction): Promise<Observation> {
		if (episode.done) throw new OpenEnvError('EXECUTION_ERROR', 'The episode is done.', 'Send a reset.', 409);
		const previousValue = episode.value;
		await this.#act(calls, episode, action);
		episode.step_count++;
		const observation = await this.#observe(calls, episode, previousValue);
		episode.total_reward += observation.reward ?? 0;
		return observation;
	}

	/** Returns the state of an episode with a handle, from which a reset continues exactly here. */
	async state(calls: EngineCalls, episode: Episode): Promise<Json> {
		const { fork, value: _, hasEnvironment: __, ...rest } = episode;
		const { tick, state_digest, future_digest } = await digestsOf(calls, fork);
		const handle: EpisodeHandle = { ...rest, future_digest };
		const checkpoint = checkpointFork(handle);
		if (!this.#checkpoints.has(checkpoint)) {
			await calls.requireSuccess('POST', '/fork', { fork_id: checkpoint, from: fork });
			await this.#addCheckpoint(calls, checkpoint);
		}
		const { episode_id, step_count, attempt, done, total_reward, seed } = rest;
		const text = handleText(handle);
		return {
			episode_id,
			step_count,
			attempt,
			tick,
			state_digest,
			future_digest,
			done,
			total_reward,
			seed,
			handle: text,
		};
	}

	/** Returns a checkpoint as a document for another server. With `move` the episode ends here. */
	async export(calls: EngineCalls, text: string, move: boolean): Promise<OpenEnvCheckpoint> {
		const handle = readHandle(text);
		const fork = checkpointFork(handle);
		await this.#requireSame(calls, fork, handle);
		const scenario = await calls.requireSuccess('GET', `/scenario?world=${fork}`);
		const assets = await exportAssets(calls);
		if (move) await this.#delete(calls, await this.#forksOf(calls, handle.key));
		return { format: 'orrery-openenv-checkpoint', handle: text, scenario, assets };
	}

	/** Ends an attempt. Its checkpoints stay. */
	async close(calls: EngineCalls, { fork }: Episode): Promise<void> {
		await calls.request('DELETE', `/fork/${fork}`);
	}

	async #begin(calls: EngineCalls, request: OpenEnvReset): Promise<Episode> {
		const { scene, world, ticks, observe, reward, done } = request;
		const seed = request.seed ?? randomBytes(4).readUInt32LE();
		const identity = { key: randomHex(6), attempt: 1, nonce: randomHex(4) };
		const fork = playedFork(identity);
		const settings: EpisodeSettings = { ticks, observe, reward, done };
		const episode: Episode = {
			...identity,
			fork,
			episode_id: request.episode_id ?? identity.key,
			step_count: 0,
			total_reward: 0,
			done: false,
			seed,
			settings,
			hasEnvironment: true,
			value: 0,
		};
		await calls.requireSuccess('POST', '/fork', { fork_id: fork, from: world, seed });
		return this.#prepare(calls, episode, async () => {
			if (scene != null) await calls.requireSuccess('POST', `/scene/open?world=${fork}`, { name: scene });
			const start = (await this.#readEnvironment(calls, episode))?.environment.start ?? [];
			if (start.length > 0)
				await calls.requireSuccess('POST', `/batch?world=${fork}`, { requests: start, atomic: true });
		});
	}

	/** Continues from a checkpoint of this server. */
	async #continue(calls: EngineCalls, handle: EpisodeHandle): Promise<Episode> {
		const from = checkpointFork(handle);
		await this.#requireSame(calls, from, handle);
		return this.#createAttempt(calls, handle, from, async () => {});
	}

	/** Continues from the document of a checkpoint. */
	async #import(calls: EngineCalls, document: unknown): Promise<Episode> {
		const { handle: text, scenario, assets } = read(openEnvCheckpoint, document, 'checkpoint');
		const handle = readHandle(text);
		return this.#createAttempt(calls, handle, 'main', async (fork) => {
			for (const data of await missingAssets(calls, assets))
				await calls.requireSuccess('POST', '/asset/upload', { data });
			await calls.requireSuccess('POST', `/scenario?world=${fork}`, scenario);
			await this.#requireSame(calls, fork, handle);
		});
	}

	/** Creates the next attempt of an episode, then ends the earlier ones. */
	#createAttempt(
		calls: EngineCalls,
		handle: EpisodeHandle,
		from: string,
		prepare: (fork: string) => Promise<void>,
	): Promise<Episode> {
		const { future_digest: _, ...rest } = handle;
		// The queue prevents two attempts that are created together from both being played.
		return this.#attemptQueue.run(async () => {
			const forks = await this.#forksOf(calls, handle.key);
			const attempt = Math.max(handle.attempt, ...forks.map((fork) => partsOf(fork)!.attempt)) + 1;
			const identity = { ...rest, attempt, nonce: randomHex(4) };
			const episode: Episode = {
				...identity,
				fork: playedFork(identity),
				hasEnvironment: true,
				value: 0,
			};
			await calls.requireSuccess('POST', '/fork', { fork_id: episode.fork, from });
			await this.#prepare(calls, episode, () => prepare(episode.fork));
			await this.#delete(
				calls,
				forks.filter((fork) => partsOf(fork)!.step === undefined),
			);
			return episode;
		});
	}

	/** Runs `prepare` for an episode. If it fails, the fork of the episode is deleted. */
	async #prepare(calls: EngineCalls, episode: Episode, prepare: () => Promise<void>): Promise<Episode> {
		try {
			await prepare();
			return episode;
		} catch (error) {
			await this.close(calls, episode);
			throw error;
		}
	}

	async #act(calls: EngineCalls, episode: Episode, action: OpenEnvAction): Promise<void> {
		const { fork, settings } = episode;
		const actionCalls =
			action.name === undefined ? undefined : await this.#callsOfAction(calls, episode, action);
		const requests = [...(actionCalls?.requests ?? []), ...action.requests];
		const inputs = [...(actionCalls?.inputs ?? []), ...(action.inputs ?? [])];
		const ticks = action.ticks ?? actionCalls?.ticks ?? settings.ticks;
		if (ticks > 0 || inputs.length > 0)
			requests.push({ path: '/step', body: { ticks, ...(inputs.length === 0 ? {} : { inputs }) } });
		if (requests.length === 0) return;
		await this.#callWorld(calls, episode, 'POST', `/batch?world=${fork}`, { requests, atomic: true });
	}

	/**
	 * Returns the calls and ticks of a named action. Without `parameters`, an action of the environment has priority: its
	 * calls are returned. Otherwise this runs the scenario's action of this name. If the action advances time, returns 0
	 * ticks. Otherwise returns no ticks, so that those of a step follow.
	 */
	async #callsOfAction(
		calls: EngineCalls,
		episode: Episode,
		{ name, parameters, requests, inputs = [] }: OpenEnvAction,
	): Promise<{ readonly requests?: Json[]; readonly inputs?: Json[]; readonly ticks?: number }> {
		const answer = await this.#readEnvironment(calls, episode);
		const environmentAction = answer?.environment.actions.find((action) => action.name === name);
		if (environmentAction !== undefined && parameters === undefined)
			return { ...environmentAction, ticks: answer!.environment.frame_skip };
		if (requests.length > 0 || inputs.length > 0)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				`The action "${name}" of the scenario makes its own calls.`,
				'Send "requests" and "inputs" as another step.',
			);
		const { tick } = await digestsOf(calls, episode.fork);
		const path = `/action/${encodeURIComponent(name!)}?world=${episode.fork}`;
		const result = await this.#callWorld(calls, episode, 'POST', path, { parameters: parameters ?? {} });
		return result.tick === tick ? {} : { ticks: 0 };
	}

	/** Returns the observation. `previousValue`: value before the step, null after a reset. */
	async #observe(calls: EngineCalls, episode: Episode, previousValue: number | null): Promise<Observation> {
		const { fork, settings, attempt, step_count, episode_id, seed } = episode;
		const { filter, fields, limit } = settings.observe;
		const worldAnswer = await this.#callWorld(calls, episode, 'POST', `/observe?world=${fork}`, {
			filter,
			fields,
			limit,
		});
		const { tick, state_digest, entity_count, columns, rows, left_out } = worldAnswer;
		const answer = await this.#readEnvironment(calls, episode);
		const [numbers] = answer?.state.observation ?? [];
		const values = numbers && {
			values: Object.fromEntries(answer!.environment.observation.map(({ name }, i) => [name, numbers[i]])),
		};
		const { state } = answer ?? {};
		episode.value =
			settings.reward == null
				? (state?.potential[0] ?? 0)
				: sumOf(
						await this.#callWorld(calls, episode, 'POST', `/observe?world=${fork}`, rewardRequest(settings)),
					);
		const hasReward = settings.reward != null || state !== undefined;
		const bonus = settings.reward == null ? (state?.bonus[0] ?? 0) : 0;
		const reward = previousValue === null || !hasReward ? null : episode.value - previousValue + bonus;
		episode.done ||=
			settings.done == null
				? state?.terminated === true || state?.truncated === true
				: await this.#isTrue(calls, episode, settings.done);
		return {
			observation: { tick, state_digest, entity_count, columns, rows, left_out, ...values },
			reward,
			done: episode.done,
			metadata: { episode_id, attempt, step_count, seed, world: fork },
		};
	}

	/** Returns true if a condition is true in the world of an episode. */
	async #isTrue(calls: EngineCalls, episode: Episode, condition: string): Promise<boolean> {
		const probe = { until: condition, fork: true, ticks: 0 };
		const result = await this.#callWorld(calls, episode, 'POST', `/probe?world=${episode.fork}`, probe);
		return result.stopped === 'until';
	}

	/** Returns the environment that the scenario of an episode declares; undefined if it declares none. */
	async #readEnvironment(calls: EngineCalls, episode: Episode): Promise<EnvironmentAnswer | undefined> {
		if (!episode.hasEnvironment) return undefined;
		const { status, body } = await calls.request('GET', `/environment?world=${episode.fork}`);
		episode.hasEnvironment = status === 200 && body.ok === true;
		return episode.hasEnvironment ? (body as unknown as EnvironmentAnswer) : undefined;
	}

	/** Makes a call to the world of an episode. Rejects if it is refused, or if the episode has ended. */
	async #callWorld(
		calls: EngineCalls,
		episode: Episode,
		method: string,
		path: string,
		body?: Json,
	): Promise<Json> {
		const answer = await calls.request(method, path, body);
		if (answer.body.code === 'unknown_world') throw endedError(episode);
		if (answer.status >= 400 || answer.body.ok === false) throw refusalOf(answer.body);
		return answer.body;
	}

	/** Rejects if a fork is not exactly the world of a handle. */
	async #requireSame(calls: EngineCalls, fork: string, { future_digest }: EpisodeHandle): Promise<void> {
		const { status, body } = await calls.request('GET', `/digest?world=${fork}&future=true`);
		if (body.code === 'unknown_world')
			throw new OpenEnvError(
				'SESSION_ERROR',
				'This server does not have the checkpoint of the handle: it was moved, or dropped as one of the oldest.',
				'Reset with a newer handle or with an exported checkpoint.',
				404,
			);
		if (status >= 400) throw refusalOf(body);
		if (body.future_digest === future_digest) return;
		throw new OpenEnvError(
			'SESSION_ERROR',
			'The world of the checkpoint is not the one that the handle names: their digests differ.',
			'Export the checkpoint again, and use a server of the same version.',
			409,
		);
	}

	async #addCheckpoint(calls: EngineCalls, checkpoint: string): Promise<void> {
		this.#checkpoints.add(checkpoint);
		const [oldest] = this.#checkpoints;
		if (this.#checkpoints.size > MAX_CHECKPOINTS) await this.#delete(calls, [oldest!]);
	}

	async #delete(calls: EngineCalls, forks: readonly string[]): Promise<void> {
		for (const fork of forks) {
			this.#checkpoints.delete(fork);
			await calls.request('DELETE', `/fork/${fork}`);
		}
	}

	async #forksOf(calls: EngineCalls, key: string): Promise<string[]> {
		return (await allForks(calls)).filter((fork) => partsOf(fork)?.key === key);
	}

	/** Ends the attempts of an earlier server, whose players are gone, and finds its checkpoints. */
	async #endOldAttempts(calls: EngineCalls): Promise<void> {
		const ownForks = (await allForks(calls)).filter((fork) => partsOf(fork) !== undefined);
		for (const fork of ownForks) if (partsOf(fork)!.step !== undefined) this.#checkpoints.add(fork);
		await this.#delete(
			calls,
			ownForks.filter((fork) => partsOf(fork)!.step === undefined),
		);
	}
}

const allForks = async (calls: EngineCalls): Promise<string[]> =>
	(await calls.requireSuccess('GET', '/fork/list?details=false&all=true')).forks as string[];

function endedError({ attempt, episode_id }: Episode): OpenEnvError {
	return new OpenEnvError(
		'SESSION_ERROR',
		`Attempt ${attempt} of episode "${episode_id}" has ended: a reset continued the episode, or its world was moved or deleted.`,
		'Send a reset, with a handle or checkpoint to continue.',
		409,
	);
}

const rewardRequest = ({ reward }: EpisodeSettings): Json => ({
	filter: reward!.filter,
	fields: [reward!.field],
});

const sumOf = ({ rows }: Json): number =>
	(rows as (readonly unknown[])[]).reduce(
		(sum, [, value]) => sum + (typeof value === 'number' ? value : 0),
		0,
	);
