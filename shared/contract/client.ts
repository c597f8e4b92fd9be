/**
 * A typed client, read off the declarations: `await client.call(spawn, { body: { mesh: 'cube' } })`.
 * Owns: turning a route and its input into a call. How the call travels is up to the handle it is given.
 */

import type { Failure } from './errors.ts';
import type { Answer, Body, Route } from './route.ts';
import { type CallHandler, EMPTY_BODY, type WireRequest } from './wire.ts';

export interface CallInput<R extends Route> {
	readonly params?: Record<string, string | number>;
	readonly query?: Record<string, string | number | undefined>;
	readonly body?: Body<R>;
	/** Which world the call is about; main when left out. */
	readonly world?: string;
}

/** A refused call, as an error. */
export class Refused extends Error {
	readonly status: number;
	readonly failure: Failure;

	constructor(status: number, failure: Failure) {
		super(`${failure.error} ${failure.fix}`);
		this.name = 'Refused';
		this.status = status;
		this.failure = failure;
	}
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The wire form of a call. */
export function wireRequest<R extends Route>(route: R, input: CallInput<R> = {}): WireRequest {
	const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = input.params?.[name];
		if (value === undefined) throw new TypeError(`${route.path} needs the parameter "${name}"`);
		return encodeURIComponent(value);
	});
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(input.query ?? {}))
		if (value !== undefined) query.set(name, String(value));
	if (input.world !== undefined) query.set('world', input.world);
	const posts = route.method === 'POST';
	return {
		method: route.method,
		path,
		query: query.toString(),
		headers: { accept: 'application/json', ...(posts ? { 'content-type': 'application/json' } : {}) },
		body: posts ? encoder.encode(JSON.stringify(input.body ?? {})) : EMPTY_BODY,
	};
}

export interface Client {
	/** Makes a call. Rejects with `Refused` when the answer says `ok: false` or its status is not a success. */
	call<R extends Route>(route: R, input?: CallInput<R>): Promise<Answer<R>>;
}

export function createClient(handle: CallHandler): Client {
	return {
		async call(route, input) {
			const response = await handle(wireRequest(route, input));
			const answer = JSON.parse(decoder.decode(response.body));
			if (response.status >= 400 || answer.ok === false)
				throw new Refused(response.status, answer as Failure);
			return answer;
		},
	};
}

/** A handle that goes over HTTP, for use with `createClient`. `server` such as http://127.0.0.1:3917. */
export function httpHandle(server: string): CallHandler {
	return async (request) => {
		const url = new URL(request.path + (request.query === '' ? '' : `?${request.query}`), server);
		const response = await fetch(url, {
			method: request.method,
			headers: request.headers,
			...(request.body.length > 0 ? { body: request.body as Uint8Array<ArrayBuffer> } : {}),
		});
		return {
			status: response.status,
			headers: Object.fromEntries(response.headers),
			body: new Uint8Array(await response.arrayBuffer()),
		};
	};
}
