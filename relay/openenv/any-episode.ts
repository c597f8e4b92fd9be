/**
 * Episodes of both kinds: a fork of a world, or a task of the suite.
 * Owns: the choice of the kind for each request.
 */

import { openEnvCheckpoint, openEnvReset } from '../../shared/documents/openenv.ts';
import type { EngineCalls, Json } from './engine-calls.ts';
import { type Episode, Episodes, type Observation } from './episodes.ts';
import { OpenEnvError, read, readAction } from './requests.ts';
import { isTaskHandle, TaskEpisode, TaskEpisodes } from './tasks.ts';

export type AnyEpisode = Episode | TaskEpisode;

/** All episodes of a server. */
export class AllEpisodes {
	readonly #episodes = new Episodes();
	readonly #tasks = new TaskEpisodes();

	/** Starts an episode, or continues one from a handle or checkpoint. */
	async reset(calls: EngineCalls, body: unknown): Promise<{ episode: AnyEpisode; observation: Observation }> {
		const request = read(openEnvReset, body ?? {}, 'reset');
		const { handle, checkpoint, scene, task, split, index } = request;
		const isTask = [task, split, index].some((field) => field != null);
		const startFields = [handle, checkpoint, scene, isTask ? 'task' : null].filter((field) => field != null);
		if (startFields.length > 1)
			throw new OpenEnvError(
				'VALIDATION_ERROR',
				'A reset has more than one start.',
				'Send one of handle, checkpoint, scene and task.',
			);
		const resumedHandle =
			checkpoint == null ? handle : read(openEnvCheckpoint, checkpoint, 'checkpoint').handle;
		if (!isTask && !isTaskHandle(resumedHandle ?? '')) return this.#episodes.reset(calls, request);
		const episode = isTask
			? await this.#tasks.begin(calls, request)
			: await this.#tasks.continue(calls, resumedHandle!);
		return { episode, observation: this.#tasks.observe(episode) };
	}

	/** Performs one action and its ticks. */
	async step(calls: EngineCalls, episode: AnyEpisode, body: unknown): Promise<Observation> {
		if (episode instanceof TaskEpisode) return this.#tasks.step(calls, episode, readAction(body, 'task'));
		const action = readAction(body, 'fork');
		if (action.answer === undefined) return this.#episodes.step(calls, episode, action);
		throw new OpenEnvError(
			'VALIDATION_ERROR',
			'Only a task takes an answer, and this episode is not a task.',
			'Omit "answer", or reset with "task".',
		);
	}

	async state(calls: EngineCalls, episode: AnyEpisode): Promise<Json> {
		return episode instanceof TaskEpisode
			? this.#tasks.state(calls, episode)
			: this.#episodes.state(calls, episode);
	}

	/** Returns a checkpoint as a document for another server. With `move` the episode ends here. */
	async export(calls: EngineCalls, text: string, move: boolean): Promise<object> {
		if (!isTaskHandle(text)) return this.#episodes.export(calls, text, move);
		if (move) await this.#tasks.move(calls, text);
		return { format: 'orrery-openenv-checkpoint', handle: text, scenario: {}, assets: [] };
	}

	/** Ends an attempt. Its checkpoints stay. */
	async close(calls: EngineCalls, episode: AnyEpisode): Promise<void> {
		return episode instanceof TaskEpisode
			? this.#tasks.close(calls, episode)
			: this.#episodes.close(calls, episode);
	}

	/** Ends the tasks when the server stops. */
	stop(): void {
		this.#tasks.stop();
	}
}
