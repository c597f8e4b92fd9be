/**
 * Requests of the engine that only the relay can answer, for example because only the relay has the keys.
 * Owns: the handler of each request, and its answer as bytes. Never: rejects.
 */

import { ApiError } from '../shared/contract/errors.ts';
import {
	type RelayServiceAnswer,
	type RelayServiceCalls,
	type RelayServiceName,
	refusedOf,
} from '../shared/transport/errand.ts';
import type { DataFiles } from './data-files.ts';
import type { Faults } from './faults.ts';
import type { Tasks } from './generate/tasks.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import type { WorldCalls } from './world-calls.ts';
import { drawHandlers } from './worlds/draw-handlers.ts';
import type { LocalWorlds } from './worlds/local-worlds.ts';

/** Handlers of requests, by the name of the request. */
export type RequestHandlers = {
	readonly [E in RelayServiceName]?: (input: RelayServiceCalls[E][0]) => Promise<RelayServiceCalls[E][1]>;
};

export interface EngineRequestsOptions {
	/** Undefined if no caller has to sign in. */
	readonly signIn: SignIn | undefined;
	readonly tasks: Tasks;
	readonly files: DataFiles;
	readonly faults: Faults;
}

export class EngineRequests {
	/** True if writes need a session. */
	readonly gated: boolean;
	/** Name of the server, which a sign-in may contain. It is empty if no caller signs in. */
	readonly server: string;
	#handlers: RequestHandlers;
	readonly #faults: Faults;

	constructor({ signIn, tasks, files, faults }: EngineRequestsOptions) {
		this.gated = signIn !== undefined;
		this.server = signIn?.server ?? '';
		this.#faults = faults;
		this.#handlers = {
			...taskHandlers(tasks),
			files: () => files.list(),
			...(signIn === undefined ? {} : signInHandlers(signIn)),
		};
	}

	/** Adds the handlers of requests about worlds. They are added later, because the worlds need this object. */
	addWorldRequests(worlds: LocalWorlds, main: WorldCalls): void {
		this.#handlers = { ...this.#handlers, ...worldHandlers(worlds), ...drawHandlers(worlds, main) };
	}

	/** Handles a request. Returns its answer as the JSON of a `RelayServiceAnswer`. */
	async run(name: string, input: Uint8Array): Promise<Uint8Array> {
		return Buffer.from(JSON.stringify(await this.#answer(name, input)));
	}

	async #answer(name: string, input: Uint8Array): Promise<RelayServiceAnswer> {
		try {
			const handler = Object.hasOwn(this.#handlers, name)
				? this.#handlers[name as RelayServiceName]
				: undefined;
			if (handler === undefined)
				throw new ApiError('no_relay', `This server does not support the request "${name.slice(0, 50)}".`);
			return { answer: await handler(JSON.parse(Buffer.from(input).toString()) as never) };
		} catch (error) {
			if (error instanceof ApiError) return { refused: refusedOf(error) };
			return {
				refused: refusedOf(new ApiError('internal', `The server failed: ${this.#faults.describe(error)}`)),
			};
		}
	}
}

function taskHandlers(tasks: Tasks): RequestHandlers {
	return {
		generate: (order) => tasks.generate(order),
		task: ({ task_id }) => tasks.task(task_id),
		tasks: () => tasks.tasks(),
		cancel: ({ task_id, agent_id }) => tasks.cancel(task_id, agent_id),
		providers: async () => tasks.providers(),
	};
}

function worldHandlers(worlds: LocalWorlds): RequestHandlers {
	return {
		worlds: async () => ({ worlds: await worlds.list(), limits: worlds.limits }),
		createWorld: (world) => worlds.create(world),
		deleteWorld: async ({ name, agent }) => {
			await worlds.delete(name, agent);
			return { deleted: name };
		},
	};
}

function signInHandlers(signIn: SignIn): RequestHandlers {
	return {
		login: (login) => signIn.login(login),
		session: ({ session_token }) => signIn.session(session_token),
		logout: ({ session_token }) => signIn.logout(session_token),
	};
}
