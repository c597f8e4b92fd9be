/**
 * A typed client, derived from the declarations: `await client.call(spawn, { body: { mesh: 'cube' } })`.
 * Owns: turning a route and its input into a call. The handle decides how the call travels.
 */

import type { ErrorBody, ErrorCode } from '../contract/errors.ts';
import { type Answer, type Body, hasBody, type Route } from '../contract/route.ts';
import {
	type CallHandler,
	type CallSignal,
	EMPTY_BODY,
	type WireRequest,
	type WireResponse,
} from '../contract/wire.ts';
import { checkPaths } from './own-path.ts';
import { withRetries } from './retry-calls.ts';

export interface CallInput<R extends Route> {
	readonly params?: Record<string, string | number>;
	readonly query?: Record<string, string | number | undefined>;
	readonly body?: Body<R>;
	/** World that the call is about. The default is main. */
	readonly world?: string;
}

/** A call without a declaration, such as that of a command line that reads the schema of a running server. */
export interface RawCall {
	readonly method: string;
	readonly path: string;
	/** Query without the `?`. By default the call has no query. */
	readonly query?: string;
	/** A JSON value; undefined for a call without a body. */
	readonly body?: unknown;
	/** Media type of the answer. The default is JSON. */
	readonly accept?: string;
}

/** A refused call, as an error. Its message is the reason and the fix. */
export class CallError extends Error {
	readonly status: number;
	/** Code of the refusal, such as `entity_not_found`. */
	readonly code: ErrorCode;
	/** Instruction for the next call. */
	readonly fix: string;
	/** The whole answer, which may have further fields, such as `failed_at`. */
	readonly body: ErrorBody;

	constructor(status: number, body: ErrorBody) {
		super(`${body.error} ${body.fix}`);
		this.name = 'CallError';
		this.status = status;
		this.code = body.code;
		this.fix = body.fix;
		this.body = body;
	}
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the wire form of a call without a declaration. All wire requests are built here. */
export function rawRequest({
	method,
	path,
	query = '',
	body,
	accept = 'application/json',
}: RawCall): WireRequest {
	const hasValue = body !== undefined;
	return {
		method,
		path,
		query,
		headers: { accept, ...(hasValue ? { 'content-type': 'application/json' } : {}) },
		body: hasValue ? encoder.encode(JSON.stringify(body)) : EMPTY_BODY,
	};
}

/** Returns the wire form of a call. */
export function wireRequest<R extends Route>(
	{ method, path }: Pick<R, 'method' | 'path'>,
	input: CallInput<R> = {},
): WireRequest {
	const body = hasBody(method) ? { body: input.body ?? {} } : {};
	return rawRequest({ method, ...addressOf(path, input), ...body });
}

/** Returns the path and query of a call, with its parameters filled in. */
export function addressOf(
	path: string,
	{ params, query = {}, world }: Pick<CallInput<Route>, 'params' | 'query' | 'world'>,
): { readonly path: string; readonly query: string } {
	const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = params?.[name];
		if (value === undefined) throw new TypeError(`${path} needs the parameter "${name}"`);
		return encodeURIComponent(value);
	});
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
	if (world !== undefined) search.set('world', world);
	return { path: filledPath, query: search.toString() };
}

export interface Client {
	/** Makes a call. Rejects with `CallError` if the answer has `ok: false`, or a status that is not a success. */
	call<R extends Route>(route: R, input?: CallInput<R>): Promise<Answer<R>>;
	/** Makes a call without a declaration, and returns any answer. Rejects when `signal` is aborted before the answer. */
	send(call: RawCall, signal?: CallSignal): Promise<WireResponse>;
}

/** Creates a client. `sender`: headers that name the caller, such as `user-agent` or `x-agent`. */
export function createClient(handle: CallHandler, sender: Readonly<Record<string, string>> = {}): Client {
	const send = (request: WireRequest, signal?: CallSignal) =>
		handle({ ...request, headers: { ...request.headers, ...sender } }, signal);
	return {
		send: (call, signal) => send(rawRequest(call), signal),
		async call(route, input) {
			const response = await send(wireRequest(route, input));
			const answer = JSON.parse(decoder.decode(response.body));
			if (response.status >= 400 || answer.ok === false)
				throw new CallError(response.status, answer as ErrorBody);
			return answer;
		},
	};
}

/**
 * Returns a handle for `createClient` that sends calls over HTTP. `server` is a URL such as http://127.0.0.1:3917.
 * Calls that may change something have an Idempotency-Key, so they are sent again after a lost connection. A path
 * that leads to another server is refused.
 */
export function httpHandle(server: string): CallHandler {
	return checkPaths(withRetries(overHttp(server)));
}

function overHttp(server: string): CallHandler {
	return async (request, signal) => {
		const url = new URL(request.path + (request.query === '' ? '' : `?${request.query}`), server);
		const response = await fetch(url, {
			method: request.method,
			headers: request.headers,
			...(signal instanceof AbortSignal ? { signal } : {}),
			...(request.body.length > 0 ? { body: request.body as Uint8Array<ArrayBuffer> } : {}),
		});
		return {
			status: response.status,
			headers: Object.fromEntries(response.headers),
			body: new Uint8Array(await response.arrayBuffer()),
		};
	};
}
