/**
 * Engines and worlds for tests, in this process, and short ways to talk to them.
 * Owns: turning `call('POST', '/step', { ticks: 3 })` into a wire request and its answer back into JSON.
 */

import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { createEngine, type Engine, type EngineSettings } from '../../web/host/engine.ts';
import type { World } from '../../web/sim/core/world.ts';
import { createWorld } from '../../web/sim/create-world.ts';
import { loadParts } from '../../web/sim/parts.ts';

export type Json = Record<string, unknown>;

export interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** The answer's JSON; an empty object when the answer has no body. */
	readonly body: Json;
}

export type Call = (
	method: string,
	path: string,
	body?: unknown,
	headers?: Record<string, string>,
) => Promise<Reply>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A wire request. `path` may have a query; a body that is given, and any POST, goes as JSON unless headers say otherwise. */
export function requestOf(
	method: string,
	path: string,
	body?: unknown,
	headers?: Record<string, string>,
): WireRequest {
	const [bare = '/', query = ''] = path.split('?', 2);
	const sends = method === 'POST' || body !== undefined;
	const bytes = body instanceof Uint8Array ? body : encoder.encode(JSON.stringify(body ?? {}));
	return {
		method,
		path: bare,
		query,
		headers: headers ?? (sends ? { 'content-type': 'application/json' } : {}),
		body: sends ? bytes : new Uint8Array(0),
	};
}

/** The JSON of an answer; an empty object when it has no body. */
export function jsonOf(response: WireResponse): Json {
	return response.body.length === 0 ? {} : (JSON.parse(decoder.decode(response.body)) as Json);
}

/** Calls over any handle, with bodies and answers as JSON values. */
export function caller(handle: (request: WireRequest) => Promise<WireResponse>): Call {
	return async (method, path, body, headers) => {
		const response = await handle(requestOf(method, path, body, headers));
		return { status: response.status, headers: response.headers, body: jsonOf(response) };
	};
}

export interface TestEngine {
	readonly engine: Engine;
	readonly call: Call;
	/** The call, which must succeed; its JSON. */
	must(method: string, path: string, body?: unknown): Promise<Json>;
}

/** A fresh engine that treats any fault of its own as a failure of the test. */
export async function startEngine(settings: EngineSettings = {}): Promise<TestEngine> {
	const engine = await createEngine({
		report: (message, error) => {
			throw new Error(message, { cause: error });
		},
		...settings,
	});
	const call = caller(engine.handle);
	return {
		engine,
		call,
		async must(method, path, body) {
			const reply = await call(method, path, body);
			if (reply.status >= 400 || reply.body.ok === false)
				throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
			return reply.body;
		},
	};
}

/** A fresh world without an engine around it. */
export async function freshWorld(seed = 0): Promise<World> {
	await loadParts();
	return createWorld({ seed });
}

/** An answer without what it says of memory: that is of an engine and not of its worlds. */
export function apartFromMemory(answer: unknown): unknown {
	return JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
		name === 'memory' || name === 'bytes' ? undefined : value,
	);
}
