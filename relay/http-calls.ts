/**
 * Calls over HTTP, on their way to the world that they name.
 * Owns: early refusals, and the page.
 * Never: parses a body. For messages of MCP, relay/mcp does that.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { isStream, isWaiting, resumeRequest, withoutWait } from '../shared/contract/event-stream.ts';
import { MCP_PATH, OPENENV_PATH, OPENENV_SOCKET_PATH } from '../shared/contract/relay-paths.ts';
import { EMPTY_BODY, RIGHTS_HEADER, type WireRequest, type WireResponse } from '../shared/contract/wire.ts';
import { isPassedHeader, LINK_PATH } from '../shared/transport/link.ts';
import type { TabSocket } from './admit-tab.ts';
import type { Bodies } from './body.ts';
import { type CallerKey, callerOf } from './caller.ts';
import type { EventStreams } from './event-streams.ts';
import type { Faults } from './faults.ts';
import { refuse, sendAnswer } from './http-answer.ts';
import type { HttpHandlers } from './http-servers.ts';
import { refuseConnection, refuseStream } from './malformed-request.ts';
import type { ToolChanges } from './mcp/tool-changes.ts';
import type { OpenEnvSockets } from './openenv/sockets.ts';
import type { OriginCheck } from './origin-check.ts';
import { normalizeTarget } from './request-target.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { crossSitePage, type PageOptions, type PageSource, pageAnswer } from './static-page.ts';
import { stoppingAnswer } from './status.ts';
import type { Tokens } from './tokens.ts';
import type { UnreadAnswers } from './unread-answers.ts';
import type { WorldCalls } from './world-calls.ts';
import type { WorldRouter } from './worlds/world-router.ts';

export interface HttpCallsOptions {
	readonly originCheck: OriginCheck;
	readonly tokens: Tokens;
	readonly faults: Faults;
	readonly bodies: Bodies;
	readonly unread: UnreadAnswers;
	/** Passes calls to main, the world that the page shows. */
	readonly main: WorldCalls;
	/** Passes each call to the world that it names. */
	readonly router: WorldRouter;
	readonly streams: EventStreams;
	readonly tabs: TabSocket;
	/** Undefined if no caller has to sign in. */
	readonly signIn: SignIn | undefined;
	readonly page: PageSource;
	readonly pageOptions: PageOptions;
	/** Secret in the address of the page in the relay's own browser, as `keeper=`. */
	readonly keeperKey: string | undefined;
	/** Returns true once the relay takes no more calls. */
	readonly isStopping: () => boolean;
}

export class HttpCalls implements HttpHandlers {
	readonly #options: HttpCallsOptions;
	#openEnvSockets: Promise<OpenEnvSockets> | undefined;
	#toolChanges: ToolChanges | undefined;
	/** Last answer of each connection. */
	readonly #answers = new WeakMap<Duplex, ServerResponse>();

	constructor(options: HttpCallsOptions) {
		this.#options = options;
	}

	/** Handles the calls of one connection in order. Each call waits until the previous answer has been read. */
	handleRequest(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
		normalizeTarget(request);
		const previous = this.#answers.get(request.socket);
		this.#answers.set(request.socket, response);
		if (previous === undefined || previous.closed) this.#handle(request, response, expectsContinue);
		else previous.once('close', () => this.#handle(request, response, expectsContinue));
	}

	handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
		const { tabs, page } = this.#options;
		const path = pathOf(request.url);
		if (path === LINK_PATH) tabs.upgrade(request, stream, head);
		else if (path === OPENENV_SOCKET_PATH) void this.#acceptOpenEnvSocket(request, stream, head);
		else page.sockets?.upgrade(request, stream, head);
	}

	handleBroken(error: Error, stream: Duplex): void {
		const answer = this.#answers.get(stream);
		refuseConnection(error, stream, answer?.headersSent === true && !answer.writableFinished);
	}

	/** Handles one call. `expectsContinue`: the caller sends its body only after "100 Continue". */
	#handle(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
		if (response.destroyed) return;
		const { originCheck, page, signIn } = this.#options;
		const url = request.url ?? '/';
		const path = pathOf(url);
		const { method = 'GET', headers } = request;
		const isRead = method === 'GET' || method === 'HEAD';
		if (isRead && path === '/' && headers.accept?.includes('text/html') === true) {
			void this.#sendPage(request, response, url);
			return;
		}
		const error =
			originCheck.checkCall(headers) ??
			duplicateHostError(request) ??
			(url.startsWith('/') ? undefined : notAPathError(url));
		if (error !== undefined) {
			refuse(request, response, error);
			return;
		}
		if (page.serve(request, response, path)) return;
		if (signIn === undefined) this.#read(request, response, 'admin', expectsContinue);
		else
			void Promise.all([callerOf(signIn, path, headers), signIn.agents.version()]).then(
				([caller, rights]) => {
					if (!response.destroyed)
						this.#read(request, response, caller, expectsContinue, { [RIGHTS_HEADER]: rights });
				},
			);
	}

	/** Reads the body of a call, and forwards the call. `relayHeaders`: headers that the relay adds. */
	#read(
		request: IncomingMessage,
		response: ServerResponse,
		caller: CallerKey,
		expectsContinue: boolean,
		relayHeaders: Readonly<Record<string, string>> = {},
	): void {
		const { bodies } = this.#options;
		const { method = 'GET', url = '/', headers } = request;
		const path = pathOf(url);
		const engineHeaders = { ...engineHeadersOf(request), ...relayHeaders };
		const wire = { method, path, query: url.slice(path.length + 1), headers: engineHeaders };
		if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
			const lastId = headers['last-event-id'];
			const call = { ...wire, body: EMPTY_BODY };
			this.#forward(response, typeof lastId === 'string' ? resumeRequest(call, lastId) : call, caller);
			return;
		}
		const lengthError = bodies.lengthError(headers, caller);
		if (lengthError !== undefined) {
			refuse(request, response, lengthError);
			return;
		}
		if (expectsContinue) response.writeContinue();
		bodies.read(
			request,
			caller,
			(body) => this.#forward(response, { ...wire, body }, caller),
			(error) => refuse(request, response, error),
		);
	}

	#forward(response: ServerResponse, request: WireRequest, caller: CallerKey): void {
		const { main, isStopping } = this.#options;
		if (isStopping()) this.#send(response, stoppingAnswer());
		else if (request.path === MCP_PATH && main.unreadable === undefined)
			void this.#serveMcp(response, request, caller);
		else if (isOpenEnv(request.path)) void this.#answerOpenEnv(response, request, caller);
		else this.#submit(response, request, caller);
	}

	/** Answers a message of MCP. Its calls pass through the router too. The code is loaded for the first such message. */
	async #serveMcp(response: ServerResponse, request: WireRequest, caller: CallerKey): Promise<void> {
		const { router, unread } = this.#options;
		const { serveMcp, createToolChanges } = await import('./mcp/http.ts');
		this.#toolChanges ??= createToolChanges(this.#sendAs('own'));
		await serveMcp(
			{
				changes: this.#toolChanges,
				submit: (call, done) => router.submit(call, done, caller),
				send: (target, answer) => {
					unread.add(target, answer.body.length);
					this.#send(target, answer);
				},
			},
			response,
			request,
		);
	}

	#submit(response: ServerResponse, request: WireRequest, caller: CallerKey): void {
		const { main, router, streams, unread } = this.#options;
		let isAnswered = false;
		const receive = (answer: WireResponse): void => {
			isAnswered = true;
			if (isStream(answer) && request.method === 'GET') {
				streams.start(response, request, main.named(answer), caller);
				return;
			}
			unread.add(response, answer.body.length, caller);
			this.#send(response, answer);
		};
		// The engine runs few calls of callers without a session together, so these calls may not wait there for events.
		const call = caller === 'anonymous' && isWaiting(request) ? withoutWait(request) : request;
		const cancel = router.submit(call, receive, caller);
		if (isAnswered) return;
		response.on('close', () => {
			if (!isAnswered) cancel();
		});
	}

	/** Loads OpenEnv for its first call. Few callers use it. */
	#loadOpenEnv(): Promise<OpenEnvSockets> {
		this.#openEnvSockets ??= import('./openenv/sockets.ts').then(
			({ OpenEnvSockets }) => new OpenEnvSockets(),
		);
		return this.#openEnvSockets;
	}

	/** Returns a function that sends calls of a kind of caller through the router. */
	#sendAs(caller: CallerKey): (request: WireRequest) => Promise<WireResponse> {
		const { router, signIn } = this.#options;
		return async (request) => {
			const headers: Record<string, string> = { ...request.headers };
			if (signIn !== undefined) headers[RIGHTS_HEADER] = await signIn.agents.version();
			const call = { ...request, headers };
			return new Promise((resolve) => void router.submit(call, resolve, caller));
		};
	}

	async #answerOpenEnv(response: ServerResponse, request: WireRequest, caller: CallerKey): Promise<void> {
		const answer = await this.#loadOpenEnv().then(
			({ openEnv }) => openEnv.answer(request, this.#sendAs(caller), caller),
			(error: unknown) => errorResponse(new ApiError('internal', this.#options.faults.describe(error))),
		);
		this.#options.unread.add(response, answer.body.length, caller);
		this.#send(response, answer);
	}

	/** Accepts a socket of OpenEnv from a program, or from a page of this server. */
	async #acceptOpenEnvSocket(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
		const { originCheck, signIn, isStopping } = this.#options;
		const error = originCheck.checkCall(request.headers);
		if (error !== undefined || isStopping()) {
			refuseStream(stream, error ?? new ApiError('no_engine', 'The server stops.'));
			return;
		}
		const caller =
			signIn === undefined ? 'admin' : await callerOf(signIn, OPENENV_SOCKET_PATH, request.headers);
		const sockets = await this.#loadOpenEnv();
		sockets.upgrade(request, stream, head, engineHeadersOf(request), this.#sendAs(caller), caller);
	}

	/** Closes the sockets of OpenEnv and the streams of MCP. */
	async close(): Promise<void> {
		this.#toolChanges?.close();
		(await this.#openEnvSockets)?.close();
	}

	/** Sends an answer. Adds the name of the world if the engine has not. */
	#send(response: ServerResponse, answer: WireResponse): void {
		sendAnswer(response, this.#options.main.named(answer));
	}

	async #sendPage(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
		const { originCheck, page, pageOptions, tokens, faults, keeperKey } = this.#options;
		const { error, foreign } = originCheck.checkPage(request.headers);
		if (error !== undefined) {
			refuse(request, response, error);
			return;
		}
		const requestKey = new URLSearchParams(url.split('?')[1]).get('keeper');
		const isKeeper = keeperKey !== undefined && requestKey === keeperKey;
		try {
			sendAnswer(
				response,
				foreign ? crossSitePage() : await pageAnswer(page, url, tokens.issue(isKeeper), pageOptions),
			);
		} catch (error) {
			const why = `The page could not be built: ${faults.describe(error)}`;
			sendAnswer(response, errorResponse(new ApiError('internal', why)));
		}
	}
}

/** Returns an error for a request with two Host headers. A proxy in front of this server may have checked either. */
function duplicateHostError({ headersDistinct }: IncomingMessage): ApiError | undefined {
	if ((headersDistinct.host?.length ?? 0) < 2) return undefined;
	return new ApiError('bad_http', 'The request has more than one Host header.');
}

const isOpenEnv = (path: string): boolean => path === OPENENV_PATH || path.startsWith(`${OPENENV_PATH}/`);

function notAPathError(url: string): ApiError {
	return new ApiError('no_such_route', `"${url.slice(0, 100)}" is not a path.`, {
		fix: 'Send a path that begins with "/".',
	});
}

/** Returns the headers of a request that the relay passes to the engine. */
function engineHeadersOf(request: IncomingMessage): Record<string, string> {
	const engineHeaders: Record<string, string> = {};
	const { headers } = request;
	for (const name in headers) {
		if (!isPassedHeader(name)) continue;
		const value = headers[name];
		if (value !== undefined) engineHeaders[name] = typeof value === 'string' ? value : value.join(', ');
	}
	return engineHeaders;
}

/** Returns the path of a request's target. */
export function pathOf(url: string | undefined): string {
	return (url ?? '/').split('?', 1)[0]!;
}
