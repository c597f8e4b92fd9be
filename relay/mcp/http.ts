/**
 * Model Context Protocol at /mcp: Streamable HTTP, without stored sessions.
 * Owns: the headers of both eras, answers as JSON or as a stream of events, streams of changes, and the cancellation of
 * requests.
 * Source: modelcontextprotocol.io, Transports of 2025-11-25 and 2026-07-28.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { PANELS } from '../../shared/contract/principal.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { rawRequest } from '../../shared/transport/client.ts';
import { type Connection, readActions } from './connection.ts';
import {
	BAD_PARAMS,
	clientIn,
	type Era,
	errorMessage,
	HEADER_MISMATCH,
	type Id,
	idOf,
	isRecord,
	LEGACY_VERSIONS,
	LISTEN,
	type McpRequest,
	MODERN_VERSIONS,
	messageOf,
	metaOf,
	NO_METHOD,
	NO_REQUEST,
	NO_VERSION,
	NOT_JSON,
	ProtocolError,
	requireModern,
	senderOf,
	TOOLS_CHANGED,
	versionIn,
} from './messages.ts';
import { answerRequest } from './protocol.ts';
import { ToolChanges } from './tool-changes.ts';

const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';
const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = 'text/event-stream';
/** Maximum number of messages in a list. */
const MAX_MESSAGES = 100;
/** Parameter that the header Mcp-Name repeats, by method. */
const NAME_PARAMETERS: Readonly<Record<string, string>> = {
	'tools/call': 'name',
	'prompts/get': 'name',
	'resources/read': 'uri',
};

export interface McpRelay {
	/** Queues a call. Returns a function that cancels it. */
	submit(request: WireRequest, done: (response: WireResponse) => void): () => void;
	readonly changes: ToolChanges;
	/** Writes an answer. */
	send(response: ServerResponse, answer: WireResponse): void;
}

/** Watches the tools of a server. Its reads are marked as those of a panel, so the log of calls omits them. */
export const createToolChanges = (send: (request: WireRequest) => Promise<WireResponse>): ToolChanges =>
	new ToolChanges(() =>
		readActions((call) => {
			const request = rawRequest(call);
			return send({ ...request, headers: { ...request.headers, 'x-agent': PANELS } });
		}),
	);

/** Running requests of clients of the older era, by their session and id. Another request may cancel them. */
const runningRequests = new Map<string, AbortController>();

/** Answers a call to /mcp. `wire`: the call with the headers that the client's calls to the engine get. Never rejects. */
export async function serveMcp(relay: McpRelay, response: ServerResponse, wire: WireRequest): Promise<void> {
	const { headers } = response.req;
	const reply = (status: number, message: object | undefined, extraHeaders: Record<string, string> = {}) =>
		relay.send(response, {
			status,
			headers: message === undefined ? extraHeaders : { ...JSON_TYPE, ...extraHeaders },
			body: new TextEncoder().encode(message === undefined ? '' : JSON.stringify(message)),
		});
	if (wire.method === 'GET' && headers.accept?.includes(STREAM_TYPE) === true)
		return streamChanges(relay, response, reply);
	if (wire.method !== 'POST') {
		const reason = `Send messages of MCP to /mcp with POST. GET is for streams: accept ${STREAM_TYPE}.`;
		return reply(405, errorMessage(null, new ProtocolError(reason, NO_REQUEST)), { allow: 'GET, POST' });
	}
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(wire.body));
	} catch (error) {
		const reason = `The body must be one JSON value: ${(error as Error).message}`;
		return reply(400, errorMessage(null, new ProtocolError(reason, NOT_JSON)));
	}
	const exchange = new Exchange(relay, response, wire);
	if (!Array.isArray(value)) return exchange.replyTo(value, reply);
	// Until 2025-06-18 the protocol had lists of messages.
	if (value.length > MAX_MESSAGES) {
		const reason = `A list has at most ${MAX_MESSAGES} messages.`;
		return reply(400, errorMessage(null, new ProtocolError(reason, NO_REQUEST)));
	}
	const answers = (await Promise.all(value.map((message) => exchange.answer(message, headers)))).filter(
		(answer) => answer !== undefined,
	);
	if (answers.length === 0) return reply(202, undefined);
	return reply(200, answers);
}

/** Sends changes of the tools to a client of the older era, in a stream that belongs to no request. */
async function streamChanges(
	{ changes }: McpRelay,
	response: ServerResponse,
	reply: SendReply,
): Promise<void> {
	const abort = new AbortController();
	response.on('close', () => abort.abort());
	try {
		await changes.follow(
			abort.signal,
			() => openStream(response),
			() => writeEvent(response, { jsonrpc: '2.0', method: TOOLS_CHANGED }),
		);
		response.end();
	} catch (error) {
		reply(503, errorMessage(null, error));
	}
}

function openStream(response: ServerResponse): void {
	response.writeHead(200, {
		'content-type': STREAM_TYPE,
		'cache-control': 'no-store, no-transform',
		'x-content-type-options': 'nosniff',
		'cross-origin-resource-policy': 'same-origin',
	});
	response.flushHeaders();
}

function writeEvent(response: ServerResponse, message: object): void {
	if (!response.destroyed) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

type SendReply = (status: number, message: object | undefined, more?: Record<string, string>) => void;

/** One HTTP request and its answer. */
class Exchange {
	readonly #relay: McpRelay;
	readonly #response: ServerResponse;
	readonly #wire: WireRequest;
	readonly #clientAbort = new AbortController();

	constructor(relay: McpRelay, response: ServerResponse, wire: WireRequest) {
		this.#relay = relay;
		this.#response = response;
		this.#wire = wire;
		response.on('close', () => this.#clientAbort.abort());
	}

	/** Replies to one message: as JSON, or as a stream if the client asks for progress or changes. */
	async replyTo(value: unknown, reply: SendReply): Promise<void> {
		const { headers } = this.#response.req;
		let request: McpRequest;
		let era: Era;
		try {
			const message = messageOf(value);
			if (message.kind === 'notification') this.#handleNotification(message, headers);
			if (message.kind !== 'request') return reply(202, undefined);
			request = message;
			era = eraOf(request, headers);
		} catch (error) {
			return reply(400, errorMessage(idOf(value), error));
		}
		const sessionHeaders: Record<string, string> =
			request.method === 'initialize' ? { [SESSION_HEADER]: createSessionId(clientIn(request)) } : {};
		const isLong = request.method === LISTEN || metaOf(request).progressToken !== undefined;
		if (!isLong || headers.accept?.includes(STREAM_TYPE) !== true) {
			const answer = await this.#answer(request, era, undefined);
			return reply(statusOf(answer, era), answer, sessionHeaders);
		}
		const response = this.#response;
		const write = (message: object) => writeEvent(response, message);
		openStream(response);
		write(await this.#answer(request, era, (method, params) => write({ jsonrpc: '2.0', method, params })));
		response.end();
	}

	/** Returns the answer to one message of a list; undefined if the message needs none. */
	async answer(value: unknown, headers: IncomingHttpHeaders): Promise<object | undefined> {
		try {
			const message = messageOf(value);
			if (message.kind === 'notification') this.#handleNotification(message, headers);
			if (message.kind !== 'request') return undefined;
			if (eraOf(message, headers) === 'modern')
				throw new ProtocolError('Messages of this version of the protocol are sent one by one.', NO_REQUEST);
			return await this.#answer(message, 'legacy', undefined);
		} catch (error) {
			return errorMessage(idOf(value), error);
		}
	}

	async #answer(request: McpRequest, era: Era, notify: Connection['notify']): Promise<object> {
		const { headers } = this.#response.req;
		const requestAbort = new AbortController();
		const key = runningKey(headers, request.id);
		if (key !== undefined) runningRequests.set(key, requestAbort);
		const client = clientIn(request) ?? clientOfSession(headers[SESSION_HEADER]);
		try {
			return await answerRequest(request, {
				era,
				version: era === 'modern' ? versionIn(request) : headerOf(headers, VERSION_HEADER),
				signal: AbortSignal.any([this.#clientAbort.signal, requestAbort.signal]),
				send: (call, signal) => this.#send(rawRequest(call), senderOf(client), signal),
				notify,
				changes: this.#relay.changes,
			});
		} finally {
			if (key !== undefined) runningRequests.delete(key);
		}
	}

	/** Makes a call with the client's own headers, such as its session. */
	#send(call: WireRequest, sender: string, signal: AbortSignal): Promise<WireResponse> {
		const { 'content-type': _, accept: __, ...clientHeaders } = this.#wire.headers;
		const headers = { ...clientHeaders, 'user-agent': sender, ...call.headers };
		return new Promise((resolve, reject) => {
			const cancelledError = () => new Error('The request was cancelled.');
			if (signal.aborted) return reject(cancelledError());
			const onAbort = () => {
				cancel();
				reject(cancelledError());
			};
			const cancel = this.#relay.submit({ ...call, headers }, (answer) => {
				signal.removeEventListener('abort', onAbort);
				resolve(answer);
			});
			signal.addEventListener('abort', onAbort);
		});
	}

	#handleNotification(
		{ method, params }: { method: string; params: McpRequest['params'] },
		headers: IncomingHttpHeaders,
	): void {
		if (method !== 'notifications/cancelled') return;
		const key = runningKey(headers, params.requestId as Id);
		if (key !== undefined) runningRequests.get(key)?.abort();
	}
}

/** Returns the HTTP status of an answer. In the older era it is always 200, and only the message reports an error. */
function statusOf(answer: object, era: Era): number {
	const { error } = answer as { readonly error?: { readonly code: number } };
	if (error === undefined || era === 'legacy') return 200;
	if (error.code === NO_METHOD) return 404;
	return error.code === NO_VERSION ? 400 : 200;
}

/** Returns the era of a request. Throws a `ProtocolError` if its headers and its body disagree. */
function eraOf(request: McpRequest, headers: IncomingHttpHeaders): Era {
	const version = headerOf(headers, VERSION_HEADER);
	const bodyVersion = versionIn(request);
	if (bodyVersion === undefined) {
		if (version === undefined || LEGACY_VERSIONS.includes(version)) return 'legacy';
		if (!MODERN_VERSIONS.includes(version)) requireModern(version);
		const missing = 'io.modelcontextprotocol/protocolVersion';
		throw new ProtocolError(`Requests of version ${version} need "${missing}" in "_meta".`, BAD_PARAMS, {
			envelope: { missing: [missing] },
		});
	}
	requireModern(bodyVersion);
	requireHeader('MCP-Protocol-Version', version, bodyVersion);
	requireHeader('Mcp-Method', headerOf(headers, 'mcp-method'), request.method);
	const field = NAME_PARAMETERS[request.method];
	const value = field === undefined ? undefined : request.params[field];
	if (typeof value === 'string') requireHeader('Mcp-Name', plainHeader(headerOf(headers, 'mcp-name')), value);
	if (!isRecord(metaOf(request)['io.modelcontextprotocol/clientCapabilities']))
		throw new ProtocolError('"_meta" needs "io.modelcontextprotocol/clientCapabilities", such as {}.');
	return 'modern';
}

function requireHeader(name: string, actual: string | undefined, expected: string): void {
	if (actual === expected) return;
	throw new ProtocolError(
		`The header ${name} ${actual === undefined ? 'is missing' : `is "${actual}"`}, but the body says "${expected}".`,
		HEADER_MISMATCH,
	);
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
	const value = headers[name];
	return (Array.isArray(value) ? value[0] : value)?.trim();
};

/** Returns the text of a header. Texts that a header cannot contain are sent as Base64. */
function plainHeader(value: string | undefined): string | undefined {
	const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
	return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}

/** Returns the id of a new session: a random number and the name of the client. Nothing else is stored for a session. */
const createSessionId = (client = ''): string =>
	`${randomUUID()}.${Buffer.from(client).toString('base64url')}`;

/** Returns the name of the client in the id of a session; undefined for any other text. */
function clientOfSession(session: string | readonly string[] | undefined): string | undefined {
	const [, base64] = /^[\w-]{36}\.([\w-]{1,200})$/.exec(String(session)) ?? [];
	return base64 === undefined
		? undefined
		: Buffer.from(base64, 'base64url')
				.toString('utf8')
				.replace(/[^\x20-\x7e]/g, '?');
}

/** Returns the key of a running request. Without a session it is undefined, because ids alone are not unique. */
const runningKey = (headers: IncomingHttpHeaders, id: Id): string | undefined =>
	headers[SESSION_HEADER] === undefined
		? undefined
		: `${String(headers[SESSION_HEADER])} ${JSON.stringify(id)}`;
