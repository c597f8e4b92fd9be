/**
 * Passes each call to the world that it names.
 * Owns: reading the name from the query. A named world gets the call without its own name.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError, unknownWorld } from '../../shared/contract/errors.ts';
import { acceptsWorld } from '../../shared/contract/route.ts';
import type { CallSignal, WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { CallerKey } from '../caller.ts';
import type { Faults } from '../faults.ts';
import type { AnswerReceiver } from '../pending-calls.ts';
import type { WorldCalls } from '../world-calls.ts';
import type { Sender, WorldDirectory } from './world-directory.ts';

/** A call to a named world. */
interface NamedCall {
	readonly name: string;
	/** The call without the name of the world. */
	readonly request: WireRequest;
}

/** Returns the call to a named world; undefined for a call to main or one of its forks. */
export function namedCall(request: WireRequest, names: ReadonlySet<string>): NamedCall | undefined {
	const { query } = request;
	if (names.size === 0 || !query.includes('world=')) return undefined;
	// The engine of main handles calls that take no world.
	if (!acceptsWorld(request)) return undefined;
	const pairs = query.split('&');
	const index = pairs.findIndex(isWorld);
	const [name = '', fork, ...extraParts] = worldIn(pairs[index] ?? '').split('/');
	// The engine of main reports the error of any other query.
	if (!names.has(name) || extraParts.length > 0 || pairs.findLastIndex(isWorld) !== index) return undefined;
	const forkPair = fork === undefined ? [] : [`world=${encodeURIComponent(fork)}`];
	return { name, request: { ...request, query: pairs.toSpliced(index, 1, ...forkPair).join('&') } };
}

const isWorld = (pair: string): boolean => pair.startsWith('world=');

/** Returns the decoded value of a `world=` pair; empty if it cannot be decoded. */
function worldIn(pair: string): string {
	const value = pair.slice('world='.length);
	try {
		return decodeURIComponent(value.replaceAll('+', ' '));
	} catch {
		return '';
	}
}

export interface WorldRouterOptions {
	readonly main: WorldCalls;
	readonly directory: WorldDirectory;
	readonly faults: Faults;
}

export class WorldRouter {
	readonly #options: WorldRouterOptions;

	constructor(options: WorldRouterOptions) {
		this.#options = options;
	}

	/**
	 * Passes a call to its world. Calls `done` once with the answer. Returns a function that cancels the call. A cancelled
	 * call may get no answer.
	 */
	submit(request: WireRequest, done: AnswerReceiver, caller: CallerKey): () => void {
		const { main, directory } = this.#options;
		const call = namedCall(request, directory.names);
		if (call === undefined) return main.submit(request, done, caller);
		const abort = new AbortController();
		void this.#call(call, { caller, signal: abort.signal }).then((answer) => {
			if (!abort.signal.aborted) done(answer);
		});
		return () => abort.abort();
	}

	/** Answers a call of a stream that waits for events. */
	listen(request: WireRequest, signal?: CallSignal): Promise<WireResponse> {
		const { main, directory } = this.#options;
		const named = namedCall(request, directory.names);
		if (named === undefined) return main.listen(request, signal);
		return this.#call(named, { caller: 'own', listens: true, ...(signal === undefined ? {} : { signal }) });
	}

	async #call({ name, request }: NamedCall, sender: Sender): Promise<WireResponse> {
		try {
			const world = await this.#options.directory.find(name);
			return world === undefined ? errorResponse(unknownWorld(name)) : await world.call(request, sender);
		} catch (error) {
			if (error instanceof ApiError) return errorResponse(error);
			return errorResponse(new ApiError('internal', this.#options.faults.describe(error)));
		}
	}
}
