/**
 * Service worker: passes calls from pages of this origin directly to the engine in its tab, and stores the page and the
 * guide.
 * Owns: the choice of these requests, and a port to the engine while the browser runs this worker.
 * Never: stores state of a world; parses a body; answers any other request. The network (the relay) answers those.
 */

import paths from 'virtual:api-paths';
import { engineLost } from '../shared/contract/error-response.ts';
import { isStream, resumeRequest, streamResponse } from '../shared/contract/event-stream.ts';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import { type CallHandler, MAX_DOCUMENT_BYTES, type WireResponse } from '../shared/contract/wire.ts';
import { portHandle } from '../shared/transport/call-port.ts';
import { PORT_VERSION, type PortReply, type PortRequest } from '../shared/transport/port-request.ts';
import { answerGuide, answerPage, isGuideAddress, isPageAddress, keepOffline } from './offline.ts';
import type { ClientList, FetchEventLike, WorkerScope } from './scope.ts';

const scope = self as unknown as WorkerScope;
/** True if the page requested to be stored. A page of a relay comes only from the relay. */
const isPageStored = new URL(scope.location.href).searchParams.has('offline');
const matchPath = pathMatcher(paths);

/** Path of the folder with this script and the page. It ends with a slash. */
const folder = new URL('.', scope.location.href).pathname;

/** Returns the path of a call below the page's folder; undefined for an address outside it. */
const pathBelow = ({ pathname }: URL): string | undefined =>
	pathname.startsWith(folder) ? pathname.slice(folder.length - 1) : undefined;

/** Returns true if a request is a call to the engine, by its method and path alone. */
function isCall(method: string, path: string): boolean {
	return matchPath(path)?.byMethod.has(method) === true;
}

/** Maximum time in which a page must reply if it has the engine (ms). */
const MAX_REPLY_MS = 1500;

let callHandler: Promise<CallHandler | undefined> | undefined;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('message', (event) => {
	const message = (event.data as { orrery?: unknown } | null)?.orrery;
	if (message === 'port-changed') callHandler = undefined;
	// If this fails, the next page sends the message again.
	if (message === 'keep-guide') event.waitUntil(keepOffline(scope, 'guide').catch(() => {}));
	if (message === 'keep-page') event.waitUntil(keepOffline(scope, 'page').catch(() => {}));
});
scope.addEventListener('fetch', (event) => {
	const url = new URL(event.request.url);
	if (url.origin !== scope.location.origin) return;
	if (event.request.method === 'GET' && isGuideAddress(scope, url)) {
		event.respondWith(answerGuide(scope, event.request));
		return;
	}
	const path = pathBelow(url);
	const requestsPage = event.request.headers.get('accept')?.includes('text/html') === true;
	if (path === undefined || !isCall(event.request.method, path) || (path === '/' && requestsPage)) {
		if (isPageStored && event.request.method === 'GET' && isPageAddress(scope, url))
			event.respondWith(answerPage(scope, event.request));
		return;
	}
	event.respondWith(answerCall(event, path, url.search.slice(1)));
});

async function answerCall(event: FetchEventLike, path: string, query: string): Promise<Response> {
	const { request } = event;
	const port = await enginePort();
	if (port === undefined) return fetch(request);
	const body =
		request.method === 'GET' || request.method === 'HEAD' ? new Uint8Array(0) : await readBody(request);
	if (body === undefined) return fetch(request);
	const headers: Record<string, string> = {};
	for (const [name, value] of request.headers) headers[name] = value;
	// The caller is a page. Browsers do not show its user agent to a worker.
	headers['user-agent'] ??= scope.navigator.userAgent;
	const call = resumeRequest({ method: request.method, path, query, headers, body });
	const response = await port(call, request.signal);
	if (isStream(response)) return streamResponse(call, response, currentPort, request.signal);
	return toResponse(response);
}

/** Sends a call to the current engine, which may have replaced an earlier one. */
const currentPort: CallHandler = async (request, signal) =>
	(await enginePort())?.(request, signal) ?? engineLost(request);

/** Returns the body; undefined if it exceeds the limit: the relay refuses it. Reads a copy, so that the request can still be sent. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
	const body = new Uint8Array(await request.clone().arrayBuffer());
	return body.length > MAX_DOCUMENT_BYTES ? undefined : body;
}

function toResponse({ status, headers, body }: WireResponse): Response {
	const isEmpty = status === 204 || status === 304;
	return new Response(isEmpty ? null : (body as Uint8Array<ArrayBuffer>), {
		status,
		headers: { 'cache-control': 'no-store', ...headers },
	});
}

/** Returns the port to the engine; undefined if no page has an engine. The port is kept until it closes. */
function enginePort(): Promise<CallHandler | undefined> {
	if (callHandler !== undefined) return callHandler;
	const pendingPort: Promise<CallHandler | undefined> = requestPort().then((reply) => {
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

/** Resolves when the page of an engine has released its lock, because the engine has ended. */
function endOf(life: string): Promise<void> {
	return scope.navigator.locks.request(life, { mode: 'shared' }, () => {});
}

type EnginePort = PortReply & { readonly orrery: 'port' };

async function requestPort(): Promise<EnginePort | undefined> {
	const pages: ClientList = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
	const enginePorts = pages.map(
		(page) =>
			new Promise<EnginePort>((resolve, reject) => {
				const { port1, port2 } = new MessageChannel();
				const timeout = setTimeout(() => reject(new Error('no reply')), MAX_REPLY_MS);
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
		// No page has an engine. The network answers, and reports the reason if it cannot.
		return undefined;
	}
}
