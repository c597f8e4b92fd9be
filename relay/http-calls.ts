/**
 * The way of a call over HTTP to the engine.
 * Owns: what is refused before, the page, status calls that a busy engine cannot answer, and ending an engine that hangs.
 * Never: parses a body, which relay/mcp does for its messages; knows a route but the three that an engine which hangs cannot answer.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import {
	EVENT_STREAM_PATH,
	isStream,
	listens,
	resumed,
	withoutWait,
} from '../shared/contract/event-stream.ts';
import {
	HEALTH_PATH,
	MCP_PATH,
	OPENENV_PATH,
	OPENENV_SOCKET_PATH,
	STATUS_PATH,
} from '../shared/contract/relay-paths.ts';
import {
	EMPTY_BODY,
	IDENTITY_HEADER,
	RIGHTS_HEADER,
	type WireRequest,
	type WireResponse,
} from '../shared/contract/wire.ts';
import { LINK_PATH, passesOn } from '../shared/transport/link.ts';
import type { Bodies } from './body.ts';
import { type Caller, callerOf } from './caller.ts';
import { endAnswer, endsEngine, requireOperator } from './end-engine.ts';
import type { EventStreams } from './event-streams.ts';
import type { Faults } from './faults.ts';
import type { Guard } from './guard.ts';
import { give, refuse } from './http-answer.ts';
import type { HttpHandlers } from './http-servers.ts';
import { refuseConnection, refuseStream } from './malformed.ts';
import type { OpenEnvSockets } from './openenv/sockets.ts';
import type { Ownership } from './ownership.ts';
import type { PendingCalls } from './pending-calls.ts';
import { takePath } from './request-target.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { crossSitePage, type PageOptions, type PageSource, pageAnswer } from './static-page.ts';
import { busyAnswer, startingAnswer, stoppingAnswer, unreadableAnswer, vacantAnswer } from './status.ts';
import type { TabSocket } from './tab-socket.ts';
import type { Tokens } from './tokens.ts';
import type { Unread } from './unread.ts';

export interface HttpCallsOptions {
	readonly guard: Guard;
	readonly tokens: Tokens;
	readonly faults: Faults;
	readonly bodies: Bodies;
	readonly unread: Unread;
	readonly pendingCalls: PendingCalls;
	readonly streams: EventStreams;
	readonly ownership: Ownership;
	readonly tabs: TabSocket;
	/** Undefined if no caller has to sign in. */
	readonly signIn: SignIn | undefined;
	readonly page: PageSource;
	readonly pageOptions: PageOptions;
	/** Secret in the address of the page in the relay's own browser, as `keeper=`. */
	readonly keeperKey: string | undefined;
	/** Milliseconds in which the engine answers its status before the relay reports what it is at work on. */
	readonly statusWait: number;
	/** Milliseconds without an answer to a ping, after which the engine does not give way. */
	readonly silence: number;
	/** True once the relay takes no more calls. */
	readonly isStopping: () => boolean;
}

/** Paths that are answered immediately, with 503 and the reason if no engine answers. */
const STATUS_PATHS: ReadonlySet<string> = new Set([STATUS_PATH, HEALTH_PATH]);

export class HttpCalls implements HttpHandlers {
	readonly #options: HttpCallsOptions;
	#openEnvLoaded: Promise<OpenEnvSockets> | undefined;
	/** The answer last begun on each connection. */
	readonly #answers = new WeakMap<Duplex, ServerResponse>();

	constructor(options: HttpCallsOptions) {
		this.#options = options;
	}

	/** Calls of one connection are taken up one after the other: the next when the answer before it has been read. */
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

	/** `waits`: the caller sends its body only when told to go on. */
	#take(request: IncomingMessage, response: ServerResponse, waits: boolean): void {
		if (response.destroyed) return;
		const { guard, page, signIn } = this.#options;
		const url = request.url ?? '/';
		const path = pathOf(url);
		const { method = 'GET', headers } = request;
		const isRead = method === 'GET' || method === 'HEAD';
		if (isRead && path === '/' && headers.accept?.includes('text/html') === true) {
			void this.#givePage(request, response, url);
			return;
		}
		const error =
			guard.call(headers) ?? doubledHost(request) ?? (url.startsWith('/') ? undefined : notAPath(url));
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
		caller: Caller,
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

	#forward(response: ServerResponse, request: WireRequest, caller: Caller): void {
		const { ownership, pendingCalls, isStopping } = this.#options;
		const isStatus = request.method === 'GET' && STATUS_PATHS.has(request.path);
		if (isStopping()) this.#give(response, stoppingAnswer());
		else if (request.path === MCP_PATH && ownership.unreadable === undefined)
			void this.#serveMcp(response, request, caller);
		else if (isOpenEnv(request.path)) void this.#openEnv(response, request, caller);
		else if (endsEngine(request) && ownership.world !== '') void this.#end(response, request);
		else if (ownership.unreadable !== undefined) give(response, unreadableAnswer(ownership.unreadable));
		// The status is answered without waiting, whatever the engine works on.
		else if (isStatus && ownership.world !== '' && this.#isBusy())
			this.#give(response, busyAnswer(pendingCalls.oldest(), ownership));
		else this.#submit(response, request, caller, isStatus);
	}

	/** Answers a message of MCP, whose calls go the way of any other. Few clients speak it, so it is loaded for the first that does. */
	async #serveMcp(response: ServerResponse, request: WireRequest, caller: Caller): Promise<void> {
		const { pendingCalls, unread } = this.#options;
		const { serveMcp } = await import('./mcp/http.ts');
		await serveMcp(
			{
				submit: (call, done) => pendingCalls.submit(call, done, caller),
				cancel: (id) => pendingCalls.cancel(id),
				give: (to, answer) => {
					unread.add(to, answer.body.length);
					this.#give(to, answer);
				},
			},
			response,
			request,
		);
	}

	#submit(response: ServerResponse, request: WireRequest, caller: Caller, isStatus: boolean): void {
		const { ownership, pendingCalls, streams, unread } = this.#options;
		let answered = false;
		let late: NodeJS.Timeout | undefined;
		if (isStatus) ownership.ask();
		const take = (answer: WireResponse): void => {
			answered = true;
			clearTimeout(late);
			if (isStream(answer) && request.method === 'GET') {
				streams.start(response, request, this.#named(answer), caller);
				return;
			}
			unread.add(response, answer.body.length, caller);
			this.#give(response, answer);
		};
		// Callers without a session have few places at the engine: none of them is held by waiting.
		const isListening = request.path !== EVENT_STREAM_PATH && listens(request);
		const isAnonymous = caller === 'anonymous';
		const call = isListening && isAnonymous ? withoutWait(request) : request;
		const id = pendingCalls.submit(call, take, caller, isListening && !isAnonymous);
		if (answered) return;
		if (isStatus)
			late = this.#whenLate(id, (answer) => {
				answered = true;
				this.#give(response, answer);
			});
		response.on('close', () => {
			clearTimeout(late);
			if (!answered) pendingCalls.cancel(id);
		});
	}

	/** Reports why the engine has not answered its status in time. */
	#whenLate(id: number, report: (answer: WireResponse) => void): NodeJS.Timeout {
		const { ownership, pendingCalls, statusWait } = this.#options;
		const late = setTimeout(() => {
			const { reading, startingSince = pendingCalls.heldSince } = ownership;
			// An engine that answers others meanwhile comes to this one too.
			if (startingSince === undefined && ownership.silence !== undefined && !this.#isBusy()) {
				ownership.ask();
				late.refresh();
				return;
			}
			const isVacant = ownership.world === '' && ownership.movingSince === undefined;
			const vacant = isVacant ? vacantAnswer(ownership) : busyAnswer(pendingCalls.oldest(id), ownership);
			const answer = startingSince === undefined ? vacant : startingAnswer(startingSince, reading);
			pendingCalls.cancel(id);
			report(answer);
		}, statusWait);
		return late;
	}

	/** Few callers speak OpenEnv, so it is loaded for the first that does. */
	#loadOpenEnv(): Promise<OpenEnvSockets> {
		this.#openEnvLoaded ??= import('./openenv/sockets.ts').then(({ OpenEnvSockets }) => new OpenEnvSockets());
		return this.#openEnvLoaded;
	}

	#sendAs(caller: Caller): (request: WireRequest) => Promise<WireResponse> {
		const { pendingCalls, signIn } = this.#options;
		return async (request) => {
			const headers: Record<string, string> = { ...request.headers };
			if (signIn !== undefined) headers[RIGHTS_HEADER] = await signIn.agents.version();
			const call = { ...request, headers };
			return new Promise((resolve) => void pendingCalls.submit(call, resolve, caller));
		};
	}

	async #openEnv(response: ServerResponse, request: WireRequest, caller: Caller): Promise<void> {
		const answer = await this.#loadOpenEnv().then(
			({ openEnv }) => openEnv.answer(request, this.#sendAs(caller)),
			(error: unknown) => errorResponse(new ApiError('internal', this.#options.faults.told(error))),
		);
		this.#options.unread.add(response, answer.body.length, caller);
		this.#give(response, answer);
	}

	/** Takes a socket of OpenEnv: of a program, or of the page of this server. */
	async #openEnvSocket(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
		const { guard, signIn, isStopping } = this.#options;
		const error = guard.call(request.headers);
		if (error !== undefined || isStopping()) {
			refuseStream(stream, error ?? new ApiError('no_engine', 'The server stops.'));
			return;
		}
		const caller =
			signIn === undefined ? 'admin' : await callerOf(signIn, OPENENV_SOCKET_PATH, request.headers);
		const sockets = await this.#loadOpenEnv();
		sockets.upgrade(request, stream, head, passedOn(request), this.#sendAs(caller));
	}

	/** Closes the sockets of OpenEnv. */
	async close(): Promise<void> {
		(await this.#openEnvLoaded)?.close();
	}

	/** Ends the engine for a caller who may. */
	async #end(response: ServerResponse, request: WireRequest): Promise<void> {
		const { signIn, ownership } = this.#options;
		try {
			if (signIn !== undefined) await requireOperator(signIn, request);
			this.#give(response, await endAnswer(request, ownership.world, () => ownership.endEngine()));
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			this.#give(response, errorResponse(error));
		}
	}

	/** True while the engine computes without answering pings. */
	#isBusy(): boolean {
		const { ownership, pendingCalls, silence } = this.#options;
		if (ownership.movingSince !== undefined) return true;
		const oldest = pendingCalls.oldest();
		return oldest !== undefined && oldest.ms > silence && (ownership.silence ?? 0) > silence;
	}

	/** Gives an answer that names its world, also if the engine has not. */
	#give(response: ServerResponse, answer: WireResponse): void {
		give(response, this.#named(answer));
	}

	#named(answer: WireResponse): WireResponse {
		const { identity } = this.#options.ownership;
		const isNamed = identity === '' || answer.headers[IDENTITY_HEADER] !== undefined;
		const headers = isNamed ? answer.headers : { ...answer.headers, [IDENTITY_HEADER]: identity };
		return { ...answer, headers };
	}

	async #givePage(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
		const { guard, page, pageOptions, tokens, faults, keeperKey } = this.#options;
		const { error, foreign } = guard.page(request.headers);
		if (error !== undefined) {
			refuse(request, response, error);
			return;
		}
		const shown = new URLSearchParams(url.split('?')[1]).get('keeper');
		const isKeeper = keeperKey !== undefined && shown === keeperKey;
		try {
			give(
				response,
				foreign ? crossSitePage() : await pageAnswer(page, url, tokens.issue(isKeeper), pageOptions),
			);
		} catch (error) {
			const why = `The page could not be built: ${faults.told(error)}`;
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

/** The path of a request's target. */
export function pathOf(url: string | undefined): string {
	return (url ?? '/').split('?', 1)[0]!;
}
