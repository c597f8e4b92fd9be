/**
 * The service worker: calls from this origin's pages go straight to the engine in its tab, and page and guide are kept.
 * Owns: which requests those are, and a port to the engine for as long as the browser lets this worker live.
 * Never: keeps state that matters, parses a body, or answers when in doubt: then the network (the relay) does.
 */

import paths from 'virtual:api-paths';
import { engineLost } from '../shared/contract/error-response.ts';
import { isStream, resumeRequest, streamResponse } from '../shared/contract/event-stream.ts';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import { type CallHandler, MAX_DOCUMENT_BYTES, type WireResponse } from '../shared/contract/wire.ts';
import { portHandle } from '../shared/transport/call-port.ts';
import { PORT_VERSION, type PortReply, type PortRequest } from '../shared/transport/port-request.ts';
import { guideAnswer, isOfGuide, isOfPage, keepOffline, pageAnswer } from './offline.ts';
import type { ClientList, FetchEventLike, WorkerScope } from './scope.ts';

const scope = self as unknown as WorkerScope;
/** True if the page asked for it. A page that a relay serves comes only from the relay. */
const keepsPage = new URL(scope.location.href).searchParams.has('offline');
const matchPath = pathMatcher(paths);

/** Path of the folder that this script and the page are in; it ends with a slash. */
const folder = new URL('.', scope.location.href).pathname;

/** Path of a call below the page's folder; undefined for an address outside it. */
const pathBelow = ({ pathname }: URL): string | undefined =>
	pathname.startsWith(folder) ? pathname.slice(folder.length - 1) : undefined;

/** Returns true if a request is a call to the engine, by its method and path alone. */
function isCall(method: string, path: string): boolean {
	return matchPath(path)?.byMethod.has(method) === true;
}

/** Time that pages may take to report whether they own the engine. Milliseconds. */
const REPLY_WAIT = 1500;

let callHandler: Promise<CallHandler | undefined> | undefined;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('message', (event) => {
	const message = (event.data as { orrery?: unknown } | null)?.orrery;
	if (message === 'port-changed') callHandler = undefined;
	// If this fails, the next page asks again.
	if (message === 'keep-guide') event.waitUntil(keepOffline(scope, 'guide').catch(() => {}));
	if (message === 'keep-page') event.waitUntil(keepOffline(scope, 'page').catch(() => {}));
});
scope.addEventListener('fetch', (event) => {
	const url = new URL(event.request.url);
	if (url.origin !== scope.location.origin) return;
	if (event.request.method === 'GET' && isOfGuide(scope, url)) {
		event.respondWith(guideAnswer(scope, event.request));
		return;
	}
	const path = pathBelow(url);
	const wantsPage = event.request.headers.get('accept')?.includes('text/html') === true;
	if (path === undefined || !isCall(event.request.method, path) || (path === '/' && wantsPage)) {
		if (keepsPage && event.request.method === 'GET' && isOfPage(scope, url))
			event.respondWith(pageAnswer(scope, event.request));
		return;
	}
	event.respondWith(answerCall(event, path, url.search.slice(1)));
});

async function answerCall(event: FetchEventLike, path: string, query: string): Promise<Response> {
	const { request } = event;
	const port = await enginePort();
	if (port === undefined) return fetch(request);
	const body =
		request.method === 'GET' || request.method === 'HEAD' ? new Uint8Array(0) : await bytesOf(request);
	if (body === undefined) return fetch(request);
	const headers: Record<string, string> = {};
	for (const [name, value] of request.headers) headers[name] = value;
	// The caller is a page; browsers keep its own user agent out of a worker's view of the headers.
	headers['user-agent'] ??= scope.navigator.userAgent;
	const call = resumeRequest({ method: request.method, path, query, headers, body });
	const response = await port(call, request.signal);
	if (isStream(response)) return streamResponse(call, response, portAgain, request.signal);
	return asResponse(response);
}

/** Sends a call to the current engine, which may have replaced an earlier one. */
const portAgain: CallHandler = async (request, signal) =>
	(await enginePort())?.(request, signal) ?? engineLost(request);

/** Returns the body; undefined if it is over the limit, which the relay refuses. Reads a copy, so that the request can still be sent on. */
async function bytesOf(request: Request): Promise<Uint8Array | undefined> {
	const body = new Uint8Array(await request.clone().arrayBuffer());
	return body.length > MAX_DOCUMENT_BYTES ? undefined : body;
}

function asResponse({ status, headers, body }: WireResponse): Response {
	const empty = status === 204 || status === 304;
	return new Response(empty ? null : (body as Uint8Array<ArrayBuffer>), {
		status,
		headers: { 'cache-control': 'no-store', ...headers },
	});
}

/** Returns the port to the engine; undefined if no page has an engine. The port is kept until it closes. */
function enginePort(): Promise<CallHandler | undefined> {
	if (callHandler !== undefined) return callHandler;
	const pendingPort: Promise<CallHandler | undefined> = askPages().then((reply) => {
		const forget = (): void => {
			if (callHandler === pendingPort) callHandler = undefined;
		};
		if (reply !== undefined) return portHandle(reply.port, forget, endOf(reply.life));
		forget();
		return undefined;
	});
	callHandler = pendingPort;
	return pendingPort;
}

/** Resolves when an engine's page has released the lock that it holds while its engine runs. */
function endOf(life: string): Promise<void> {
	return scope.navigator.locks.request(life, { mode: 'shared' }, () => {});
}

type EnginePort = PortReply & { readonly orrery: 'port' };

async function askPages(): Promise<EnginePort | undefined> {
	const pages: ClientList = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
	const enginePorts = pages.map(
		(page) =>
			new Promise<EnginePort>((resolve, reject) => {
				const { port1, port2 } = new MessageChannel();
				const timeout = setTimeout(() => reject(new Error('no reply')), REPLY_WAIT);
				port1.onmessage = (event: MessageEvent<PortReply>) => {
					clearTimeout(timeout);
					port1.close();
					if (event.data.orrery === 'port') resolve(event.data);
					else reject(new Error(event.data.orrery));
				};
				const portRequest: PortRequest = { orrery: 'port-wanted', version: PORT_VERSION };
				page.postMessage(portRequest, [port2]);
			}),
	);
	try {
		return await Promise.any(enginePorts);
	} catch {
		// No page, or none that holds the engine: the network answers, and it says why if it cannot.
		return undefined;
	}
}
