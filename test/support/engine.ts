/**
 * The client of the tests, and engines and worlds in this process.
 * Owns: converting `call('POST', '/step', { ticks: 3 })` to a wire request and its answer to JSON, and shortcuts for common
 * calls.
 */

import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { loadParts } from '../../web/sim/parts.ts';

export type Json = Record<string, unknown>;

export interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** JSON of the answer; an empty object if it has no body. */
	// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
	readonly body: any;
}

export type Call = (
	method: string,
	path: string,
	body?: unknown,
	headers?: Record<string, string>,
) => Promise<Reply>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Returns a wire request. `path` may include a query. A body, and any POST, is sent as JSON, unless `headers` are given.
 */
export function requestOf(
	method: string,
	path: string,
	body?: unknown,
	headers?: Record<string, string>,
): WireRequest {
	const [plainPath = '/', query = ''] = path.split('?', 2);
	const hasBody = method === 'POST' || body !== undefined;
	const bytes = body instanceof Uint8Array ? body : encoder.encode(JSON.stringify(body ?? {}));
	return {
		method,
		path: plainPath,
		query,
		headers: headers ?? (hasBody ? { 'content-type': 'application/json' } : {}),
		body: hasBody ? bytes : new Uint8Array(0),
	};
}

/** Returns the JSON of an answer; an empty object if it has no body. */
export function jsonOf(response: WireResponse): Json {
	return response.body.length === 0 ? {} : (JSON.parse(decoder.decode(response.body)) as Json);
}

/** Returns a function that makes calls over a handle, with JSON values as bodies and answers. */
export function caller(handle: (request: WireRequest) => Promise<WireResponse>): Call {
	return async (method, path, body, headers) => {
		const response = await handle(requestOf(method, path, body, headers));
		return { status: response.status, headers: response.headers, body: jsonOf(response) };
	};
}

type Body = Reply['body'];

/** Returns a client for a handle. Except for `must`, its methods return the body of the answer even if the call was refused. */
export function clientOf(handle: (request: WireRequest) => Promise<WireResponse>) {
	const call = caller(handle);
	const bodyOf = async (method: string, path: string, content?: unknown): Promise<Body> =>
		(await call(method, path, content)).body;
	const post = (path: string, content: unknown = {}): Promise<Body> => bodyOf('POST', path, content);
	const get = (path: string): Promise<Body> => bodyOf('GET', path);
	/** Makes a call that must succeed. Returns its JSON. */
	const must = async (method: string, path: string, content?: unknown): Promise<Json> => {
		const reply = await call(method, path, content);
		if (reply.status >= 400 || reply.body.ok === false)
			throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
		return reply.body;
	};
	const entity = (id: number): Promise<Body> => get(`/entities/${id}`);
	const step = (ticks = 1): Promise<Body> => post('/step', { ticks });
	const gold = async (id: number): Promise<number> => (await entity(id)).gold;
	return {
		call,
		must,
		post,
		get,
		remove: (path: string): Promise<Body> => bodyOf('DELETE', path),
		/** Spawns a document. Returns its id. */
		spawn: async (document: object = {}): Promise<number> =>
			(await must('POST', '/spawn', document)).id as number,
		/** Makes a rule. Returns its id. */
		rule: async (document: object): Promise<number> =>
			(await must('POST', '/rule/create', document)).rule_id as number,
		step,
		/** Sends fatal damage, which is taken on the next tick. */
		kill: (id: number, source?: number) => post('/entity/damage', { entity_id: id, amount: 1e6, source }),
		change: (id: number, components: object) => post(`/entities/${id}/components`, components),
		entity,
		health: async (id: number): Promise<number> => (await entity(id)).health[0],
		gold,
		/** Steps `ticks` ticks. Returns the gold of an entity after each. */
		ledger: async (id: number, ticks: number): Promise<number[]> => {
			const amounts: number[] = [];
			for (let i = 0; i < ticks; i++) {
				await step();
				amounts.push(await gold(id));
			}
			return amounts;
		},
		/** Returns the current position of an entity. */
		position: async (id: number): Promise<number[]> => (await entity(id)).local_transform.position,
		/** Returns the currently readable events. */
		events: async (): Promise<Body[]> => (await get('/events')).events,
		digest: async (world = 'main'): Promise<string> => (await get(`/digest?world=${world}`)).state_digest,
		/** Steps `ticks` ticks. Returns the digest after each. */
		future: async (ticks: number, world = 'main'): Promise<string[]> => {
			const digests: string[] = [];
			for (let i = 0; i < ticks; i++)
				digests.push((await post(`/step?world=${world}`, { ticks: 1 })).state_digest);
			return digests;
		},
	};
}

export type TestClient = ReturnType<typeof clientOf>;

/** Returns an engine of this process and its client. */
export function testEngine(engine: Engine) {
	return {
		engine,
		...clientOf(engine.handle),
		/** Returns the exact bytes of a world as base64. */
		bytes: (world = 'main') => Buffer.from(encodeWorld(engine.worlds.find(world)!.world)).toString('base64'),
	};
}

export type TestEngine = ReturnType<typeof testEngine>;

/**
 * Heavy mode for suites of random histories: every N-th tick is re-run on a fork, and on a saved and loaded world.
 * ORRERY_VERIFY sets N.
 */
export const HEAVY = { verify: Number(process.env.ORRERY_VERIFY ?? 20) };

/** Returns a new engine whose internal faults fail the test. */
export async function startEngine(settings: EngineSettings = {}): Promise<TestEngine> {
	const engine = await createEngine({
		report: (message, error) => {
			throw new Error(message, { cause: error });
		},
		...settings,
	});
	return testEngine(engine);
}

/** Returns a new world without an engine. */
export async function freshWorld(seed = 0): Promise<World> {
	await loadParts();
	return createWorld({ seed });
}

/** Returns an answer without its fields about memory, which differ between engines with the same world. */
export function withoutMemory(answer: unknown): unknown {
	return JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
		name === 'memory' || name === 'bytes' ? undefined : value,
	);
}
