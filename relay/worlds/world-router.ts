/**
 * The way of a call to the world that it names.
 * Owns: reading the name from the query. A named world gets the call without its own name.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError, unknownWorld } from '../../shared/contract/errors.ts';
import { takesWorld } from '../../shared/contract/route.ts';
import type { CallSignal, WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { CallerKey } from '../caller.ts';
import type { Faults } from '../faults.ts';
import type { AnswerTaker } from '../pending-calls.ts';
import type { WorldCalls } from '../world-calls.ts';
import type { Sender, WorldDirectory } from './world-directory.ts';

/** A call to a named world, as the world gets it. */
interface NamedCall {
	readonly name: string;
	readonly request: WireRequest;
}

/** Returns the call to a named world; undefined for a call to main or one of its forks. */
export function namedCall(request: WireRequest, names: ReadonlySet<string>): NamedCall | undefined {
	const { query } = request;
	if (names.size === 0 || !query.includes('world=')) return undefined;
	// Main's engine knows which names its forks have.
	if (!takesWorld(request)) return undefined;
	const pairs = query.split('&');
	const at = pairs.findIndex(isWorld);
	const [name = '', fork, ...more] = worldIn(pairs[at] ?? '').split('/');
	// Main's engine reports what is wrong with any other query.
	if (!names.has(name) || more.length > 0 || pairs.findLastIndex(isWorld) !== at) return undefined;
	const rest = fork === undefined ? [] : [`world=${encodeURIComponent(fork)}`];
	return { name, request: { ...request, query: pairs.toSpliced(at, 1, ...rest).join('&') } };
}

const isWorld = (pair: string): boolean => pair.startsWith('world=');

function worldIn(pair: string): string {
	const sent = pair.slice('world='.length);
	try {
		return decodeURIComponent(sent.replaceAll('+', ' '));
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

	/** Puts a call in line at its world; `done` is called once, with the answer. Returns how to cancel the call, after which `done` may not be called. */
	submit(request: WireRequest, done: AnswerTaker, caller: CallerKey): () => void {
		const { main, directory } = this.#options;
		const named = namedCall(request, directory.names);
		if (named === undefined) return main.submit(request, done, caller);
		const abort = new AbortController();
		void this.#call(named, { caller, signal: abort.signal }).then((answer) => {
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
