/**
 * Work of the relay for the engine: it alone holds keys.
 * Owns: the receiver of each errand, and its answer as bytes. Never: rejects.
 */

import { ApiError } from '../shared/contract/errors.ts';
import {
	type Errands as All,
	type Errand,
	type ErrandAnswer,
	refusedOf,
} from '../shared/transport/errand.ts';
import type { DataFiles } from './data-files.ts';
import type { Faults } from './faults.ts';
import type { Tasks } from './generate/tasks.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import type { WorldCalls } from './world-calls.ts';
import { drawRuns } from './worlds/draw-runs.ts';
import type { LocalWorlds } from './worlds/local-worlds.ts';

export type Runs = { readonly [E in Errand]?: (sent: All[E][0]) => Promise<All[E][1]> };

export interface ErrandsOptions {
	/** Undefined if no caller has to sign in. */
	readonly signIn: SignIn | undefined;
	readonly tasks: Tasks;
	readonly files: DataFiles;
	readonly faults: Faults;
}

export class ErrandRunner {
	/** True if writes take a session. */
	readonly gated: boolean;
	/** Name that a sign-in may cover; empty if no caller signs in. */
	readonly server: string;
	#runs: Runs;
	readonly #faults: Faults;

	constructor({ signIn, tasks, files, faults }: ErrandsOptions) {
		this.gated = signIn !== undefined;
		this.server = signIn?.server ?? '';
		this.#faults = faults;
		this.#runs = {
			...taskRuns(tasks),
			files: () => files.list(),
			...(signIn === undefined ? {} : signInRuns(signIn)),
		};
	}

	/** Takes in the worlds, which need errands themselves. */
	serve(worlds: LocalWorlds, main: WorldCalls): void {
		this.#runs = { ...this.#runs, ...worldRuns(worlds), ...drawRuns(worlds, main) };
	}

	/** Runs an errand. Returns its answer as the JSON of an `ErrandAnswer`. */
	async run(errand: string, bytes: Uint8Array): Promise<Uint8Array> {
		return Buffer.from(JSON.stringify(await this.#answer(errand, bytes)));
	}

	async #answer(errand: string, bytes: Uint8Array): Promise<ErrandAnswer> {
		try {
			const run = Object.hasOwn(this.#runs, errand) ? this.#runs[errand as Errand] : undefined;
			if (run === undefined)
				throw new ApiError('no_relay', `This server does not support the request "${errand.slice(0, 50)}".`);
			return { answer: await run(JSON.parse(Buffer.from(bytes).toString()) as never) };
		} catch (error) {
			if (error instanceof ApiError) return { refused: refusedOf(error) };
			return {
				refused: refusedOf(new ApiError('internal', `The server failed: ${this.#faults.describe(error)}`)),
			};
		}
	}
}

function taskRuns(tasks: Tasks): Runs {
	return {
		generate: (sent) => tasks.generate(sent),
		task: ({ task_id }) => tasks.task(task_id),
		tasks: () => tasks.tasks(),
		cancel: ({ task_id, agent_id }) => tasks.cancel(task_id, agent_id),
		providers: async () => tasks.providers(),
	};
}

function worldRuns(worlds: LocalWorlds): Runs {
	return {
		worlds: async () => ({ worlds: await worlds.list(), limits: worlds.limits }),
		createWorld: (sent) => worlds.create(sent),
		deleteWorld: async ({ name, agent }) => {
			await worlds.delete(name, agent);
			return { deleted: name };
		},
	};
}

function signInRuns(signIn: SignIn): Runs {
	return {
		login: (sent) => signIn.login(sent),
		session: ({ session_token }) => signIn.session(session_token),
		logout: ({ session_token }) => signIn.logout(session_token),
	};
}
