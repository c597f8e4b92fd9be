/**
 * The way of a call over HTTP to the world that it names.
 * Owns: early refusals, and the page.
 * Never: parses a body, which relay/mcp does for its messages.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { isStream, resumed, waitsForChange, withoutWait } from '../shared/contract/event-stream.ts';
import { MCP_PATH, OPENENV_PATH, OPENENV_SOCKET_PATH } from '../shared/contract/relay-paths.ts';
import { EMPTY_BODY, RIGHTS_HEADER, type WireRequest, type WireResponse } from '../shared/contract/wire.ts';
import { LINK_PATH, passesOn } from '../shared/transport/link.ts';
import type { TabSocket } from './admit-tab.ts';
import type { Bodies } from './body.ts';
import { type CallerKey, callerOf } from './caller.ts';
import type { EventStreams } from './event-streams.ts';
import type { Faults } from './faults.ts';
import { give, refuse } from './http-answer.ts';
import type { HttpHandlers } from './http-servers.ts';
import { refuseConnection, refuseStream } from './malformed-request.ts';
import type { ToolChanges } from './mcp/tool-changes.ts';
import type { OpenEnvSockets } from './openenv/sockets.ts';
import type { OriginCheck } from './origin-check.ts';
import { takePath } from './request-target.ts';
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
	/** Calls of main, the world that the page shows. */
	readonly main: WorldCalls;
	/** Calls of all worlds. */
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
	#openEnvLoaded: Promise<OpenEnvSockets> | undefined;
	#toolChanges: ToolChanges | undefined;
	/** The answer last begun on each connection. */
	readonly #answers = new WeakMap<Duplex, ServerResponse>();

	constructor(options: HttpCallsOptions) {
		this.#options = options;
	}

	/** Calls of one connection are taken up in order: the next when the answer before it has been read. */
	request(request: IncomingMessage, response: ServerResponse, waits: boolean): void {
		takePath(request);
		const before = this.#answers.get(request.socket);
		this.#answers.set(request.socket, response);
		if (before === undefined || before.closed) this.#take(request, response, waits);
		else before.once('close', () => this.#take(request, response, waits));
	}

	upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
		const { tabs, page } = this.#options;
		const path = pathOf(request.url);
		if (path === LINK_PATH) tabs.upgrade(request, stream, head);
		else if (path === OPENENV_SOCKET_PATH) void this.#openEnvSocket(request, stream, head);
		else page.sockets?.upgrade(request, stream, head);
	}

	broken(error: Error, stream: Duplex): void {
		const answer = this.#answers.get(stream);
		refuseConnection(error, stream, answer?.headersSent === true && !answer.writableFinished);
	}

	/** `waits`: the caller sends its body only when told to continue. */
	#take(request: IncomingMessage, response: ServerResponse, waits: boolean): void {
		if (response.destroyed) return;
		const { originCheck, page, signIn } = this.#options;
		const url = request.url ?? '/';
		const path = pathOf(url);
		const { method = 'GET', headers } = request;
		const isRead = method === 'GET' || method === 'HEAD';
		if (isRead && path === '/' && headers.accept?.includes('text/html') === true) {
			void this.#givePage(request, response, url);
			return;
		}
		const error =
			originCheck.checkCall(headers) ??
			doubledHost(request) ??
			(url.startsWith('/') ? undefined : notAPath(url));
		if (error !== undefined) {
			refuse(request, response, error);
			return;
		}
		if (page.serve(request, response, path)) return;
		if (signIn === undefined) this.#read(request, response, 'admin', waits);
		else
			void Promise.all([callerOf(signIn, path, headers), signIn.agents.version()]).then(
				([caller, rights]) => {
					if (!response.destroyed) this.#read(request, response, caller, waits, { [RIGHTS_HEADER]: rights });
				},
			);
	}

	/** Takes the body of a call, and passes it on. `more`: headers of the relay. */
	#read(
		request: IncomingMessage,
		response: ServerResponse,
		caller: CallerKey,
		waits: boolean,
		more: Readonly<Record<string, string>> = {},
	): void {
		const { bodies } = this.#options;
		const { method = 'GET', url = '/', headers } = request;
		const path = pathOf(url);
		const passed = { ...passedOn(request), ...more };
		const wire = { method, path, query: url.slice(path.length + 1), headers: passed };
		if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
			const lastId = headers['last-event-id'];
			const call = { ...wire, body: EMPTY_BODY };
			this.#forward(response, typeof lastId === 'string' ? resumed(call, lastId) : call, caller);
			return;
		}
		const tooLong = bodies.lengthError(headers, caller);
		if (tooLong !== undefined) {
			refuse(request, response, tooLong);
			return;
		}
		if (waits) response.writeContinue();
		bodies.read(
			request,
			caller,
			(body) => this.#forward(response, { ...wire, body }, caller),
			(refused) => refuse(request, response, refused),
		);
	}

	#forward(response: ServerResponse, request: WireRequest, caller: CallerKey): void {
		const { main, isStopping } = this.#options;
		if (isStopping()) this.#give(response, stoppingAnswer());
		else if (request.path === MCP_PATH && main.unreadable === undefined)
			void this.#serveMcp(response, request, caller);
		else if (isOpenEnv(request.path)) void this.#openEnv(response, request, caller);
		else this.#submit(response, request, caller);
	}

	/** Answers a message of MCP, whose calls go the way of any other. Few clients speak it, so it is loaded for the first that does. */
	async #serveMcp(response: ServerResponse, request: WireRequest, caller: CallerKey): Promise<void> {
		const { router, unread } = this.#options;
		const { serveMcp, toolChanges } = await import('./mcp/http.ts');
		this.#toolChanges ??= toolChanges(this.#sendAs('own'));
		await serveMcp(
			{
				changes: this.#toolChanges,
				submit: (call, done) => router.submit(call, done, caller),
				give: (to, answer) => {
					unread.add(to, answer.body.length);
					this.#give(to, answer);
				},
			},
			response,
			request,
		);
	}

	#submit(response: ServerResponse, request: WireRequest, caller: CallerKey): void {
		const { main, router, streams, unread } = this.#options;
		let answered = false;
		const take = (answer: WireResponse): void => {
			answered = true;
			if (isStream(answer) && request.method === 'GET') {
				streams.start(response, request, main.named(answer), caller);
				return;
			}
			unread.add(response, answer.body.length, caller);
			this.#give(response, answer);
		};
		// Callers without a session have few places at the engine: none of them is held by waiting.
		const call = caller === 'anonymous' && waitsForChange(request) ? withoutWait(request) : request;
		const cancel = router.submit(call, take, caller);
		if (answered) return;
		response.on('close', () => {
			if (!answered) cancel();
		});
	}

	/** Few callers speak OpenEnv, so it is loaded for the first that does. */
	#loadOpenEnv(): Promise<OpenEnvSockets> {
		this.#openEnvLoaded ??= import('./openenv/sockets.ts').then(({ OpenEnvSockets }) => new OpenEnvSockets());
		return this.#openEnvLoaded;
	}

	#sendAs(caller: CallerKey): (request: WireRequest) => Promise<WireResponse> {
		const { router, signIn } = this.#options;
		return async (request) => {
			const headers: Record<string, string> = { ...request.headers };
			if (signIn !== undefined) headers[RIGHTS_HEADER] = await signIn.agents.version();
			const call = { ...request, headers };
			return new Promise((resolve) => void router.submit(call, resolve, caller));
		};
	}

	async #openEnv(response: ServerResponse, request: WireRequest, caller: CallerKey): Promise<void> {
		const answer = await this.#loadOpenEnv().then(
			({ openEnv }) => openEnv.answer(request, this.#sendAs(caller), caller),
			(error: unknown) => errorResponse(new ApiError('internal', this.#options.faults.describe(error))),
		);
		this.#options.unread.add(response, answer.body.length, caller);
		this.#give(response, answer);
	}

	/** Takes a socket of OpenEnv: of a program, or of the page of this server. */
	async #openEnvSocket(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
		const { originCheck, signIn, isStopping } = this.#options;
		const error = originCheck.checkCall(request.headers);
		if (error !== undefined || isStopping()) {
			refuseStream(stream, error ?? new ApiError('no_engine', 'The server stops.'));
			return;
		}
		const caller =
			signIn === undefined ? 'admin' : await callerOf(signIn, OPENENV_SOCKET_PATH, request.headers);
		const sockets = await this.#loadOpenEnv();
		sockets.upgrade(request, stream, head, passedOn(request), this.#sendAs(caller), caller);
	}

	/** Closes the sockets of OpenEnv and the streams of MCP. */
	async close(): Promise<void> {
		this.#toolChanges?.close();
		(await this.#openEnvLoaded)?.close();
	}

	/** Gives an answer that names its world, also if the engine has not. */
	#give(response: ServerResponse, answer: WireResponse): void {
		give(response, this.#options.main.named(answer));
	}

	async #givePage(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
		const { originCheck, page, pageOptions, tokens, faults, keeperKey } = this.#options;
		const { error, foreign } = originCheck.checkPage(request.headers);
		if (error !== undefined) {
			refuse(request, response, error);
			return;
		}
		const givenKey = new URLSearchParams(url.split('?')[1]).get('keeper');
		const isKeeper = keeperKey !== undefined && givenKey === keeperKey;
		try {
			give(
				response,
				foreign ? crossSitePage() : await pageAnswer(page, url, tokens.issue(isKeeper), pageOptions),
			);
		} catch (error) {
			const why = `The page could not be built: ${faults.describe(error)}`;
			give(response, errorResponse(new ApiError('internal', why)));
		}
	}
}

/** Two Host headers are refused: a proxy before this server may have checked either. */
function doubledHost({ headersDistinct }: IncomingMessage): ApiError | undefined {
	if ((headersDistinct.host?.length ?? 0) < 2) return undefined;
	return new ApiError('bad_http', 'The request has more than one Host header.');
}

const isOpenEnv = (path: string): boolean => path === OPENENV_PATH || path.startsWith(`${OPENENV_PATH}/`);

function notAPath(url: string): ApiError {
	return new ApiError('no_such_route', `"${url.slice(0, 100)}" is not a path.`, {
		fix: 'Send a path that begins with "/".',
	});
}

function passedOn(request: IncomingMessage): Record<string, string> {
	const passed: Record<string, string> = {};
	const { headers } = request;
	for (const name in headers) {
		if (!passesOn(name)) continue;
		const value = headers[name];
		if (value !== undefined) passed[name] = typeof value === 'string' ? value : value.join(', ');
	}
	return passed;
}

/** Returns the path of a request's target. */
export function pathOf(url: string | undefined): string {
	return (url ?? '/').split('?', 1)[0]!;
}
