/**
 * HTTP on this machine's own addresses: the page and its files, and every other call passed to the tab unparsed.
 * Owns: the listening sockets, which upgrades are taken, and writing answers.
 * Never: parses a body; starts a browser; knows a route but the three that an engine which hangs cannot answer.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { LINK_PATH, passesOn } from '../shared/contract/link.ts';
import { HEALTH_PATH, STATUS_PATH } from '../shared/contract/relay-paths.ts';
import {
	type CallHandler,
	EMPTY_BODY,
	IDENTITY_HEADER,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../shared/contract/wire.ts';
import { Bodies, type BodyLimits } from './body.ts';
import { DataFiles } from './data-files.ts';
import { endAnswer, endsEngine, requireOperator } from './end-engine.ts';
import { Errands } from './errands.ts';
import { Faults } from './faults.ts';
import { providersOf } from './generate/index.ts';
import type { ModelProvider } from './generate/provider.ts';
import { Tasks } from './generate/tasks.ts';
import { Guard } from './guard.ts';
import { JournalPort, type JournalPortOptions } from './journal/journal-port.ts';
import { refuseConnection, refuseStream } from './malformed.ts';
import { roomForConnections } from './open-files.ts';
import { Ownership, type TabEvent } from './ownership.ts';
import { PendingCalls, type PendingCallsLimits } from './pending-calls.ts';
import { takePath } from './request-target.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { crossSitePage, type PageOptions, type PageSource, pageAnswer } from './static-page.ts';
import { busyAnswer, startingAnswer, stoppingAnswer, unreadableAnswer, vacantAnswer } from './status.ts';
import { TabSocket } from './tab-socket.ts';
import { randomToken, Tokens } from './tokens.ts';
import { Unread, type UnreadLimits } from './unread.ts';

export interface RelayOptions {
	/** 0 takes a free port. */
	readonly port: number;
	/** The data folder. */
	readonly data: string;
	/** Further names that the Host header may carry, without a port. */
	readonly hosts?: readonly string[];
	readonly page: PageSource;
	readonly pageOptions?: PageOptions;
	/** Calls over HTTP wait until `letIn` is called. */
	readonly holds?: boolean;
	/** What the relay's own browser shows in its page's address as `keeper=`; there is none without. */
	readonly keeperKey?: string;
	/** Identity of the world that a relay on this port had when it was killed; empty for none. With a journal nothing was lost with it. */
	readonly worldBefore?: string;
	readonly onTab?: (event: TabEvent) => void;
	/** Opens what the engine writes to, once the port is the relay's own: undefined where nothing can be kept. Who gives it closes it. */
	readonly journal?: () => Promise<JournalPortOptions | undefined>;
	/** Calls that change something take a session: the list of keys is in the data folder. */
	readonly auth?: boolean;
	/** Unix seconds, for sign-in. */
	readonly clock?: () => number;
	/** Who makes models from words; those that the environment has keys for unless given. */
	readonly providers?: readonly ModelProvider[];
	readonly limits?: Partial<RelayLimits>;
}

/** Times in milliseconds. */
export interface RelayLimits extends PendingCallsLimits, BodyLimits, UnreadLimits {
	/** Connections at once; fewer where the system allows fewer files to be open. */
	readonly connections: number;
	/** In which a request's head has to be there, counted from the connection's first moment. */
	readonly headWait: number;
	/** In which a whole request has to be there. */
	readonly requestWait: number;
	/** In which a socket of a page or an engine says hello. */
	readonly helloWait: number;
	readonly returnWait: number;
	/** In which the page of an engine that was ended lets go of it, before it is ended in another way. */
	readonly endWait: number;
	readonly pingEvery: number;
	readonly pingsMissed: number;
	/** In which the engine answers its status before the relay tells what it is at work on. */
	readonly statusWait: number;
	/** Without an answer to a ping, after which it does not give way. Less: the ping goes out with the status. */
	readonly silence: number;
	/** In which calls that the engine has are answered when the server ends. */
	readonly restWait: number;
}

export const RELAY_LIMITS: RelayLimits = {
	calls: 1024,
	bytes: 2 * MAX_DOCUMENT_BYTES,
	bodies: 2 * MAX_DOCUMENT_BYTES,
	smallBody: 64 * 1024,
	bodyStall: 15_000,
	unread: 4 * MAX_DOCUMENT_BYTES,
	readWait: 5000,
	connections: 4096,
	headWait: 10_000,
	requestWait: 300_000,
	helloWait: 5000,
	tabWait: 15_000,
	answerWait: 300_000,
	returnWait: 10_000,
	endWait: 3000,
	pingEvery: 2000,
	pingsMissed: 15,
	statusWait: 1900,
	silence: 1800,
	restWait: 3000,
};

export interface Relay {
	readonly port: number;
	/** Such as `http://127.0.0.1:3917`. */
	readonly url: string;
	/** The data folder, absolute. */
	readonly data: string;
	/** Asks the engine as any caller would. */
	readonly call: CallHandler;
	/** Milliseconds that a call waits for a tab. */
	readonly tabWait: number;
	/** Says whether a browser of the relay's own holds the world when nobody else does. */
	keep(keeps: boolean): void;
	/** Whether the relay's own browser has a page that is connected. */
	keeperHere(): boolean;
	/** Takes a connection of this process: of the page or the engine of the relay's own. */
	join(socket: WebSocket): void;
	/** A one-time token for the page of the relay's own engine. */
	keeperToken(): string;
	/** The relay's own browser is known to have died, and why: do not wait for it to come back. */
	forgetKeeper(why: string): void;
	/** The relay's own browser dies again and again: why, and when it is started again (ms since 1970). It is told until a tab holds the world. */
	setTrouble(why: string, next: number): void;
	/** The world is as it is to begin: calls over HTTP that have waited for that go on. */
	letIn(): void;
	/** Before the end: takes no more calls over HTTP, and resolves when those that came before are answered, or a little later. */
	rest(): Promise<void>;
	close(): Promise<void>;
}

/** Milliseconds between looks at what has waited too long. */
const SWEEP = 250;

/** Starts the relay. Rejects with a plain sentence when the port is taken. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
	const limits = { ...RELAY_LIMITS, ...options.limits };
	const connections = Math.min(limits.connections, roomForConnections());
	const guard = new Guard(options.hosts);
	const tokens = new Tokens();
	const faults = new Faults(options.data);
	const files = new DataFiles(options.data, { faults });
	const pendingCalls = new PendingCalls(limits);
	if (options.holds === true) pendingCalls.hold();
	const ownToken = randomToken();
	const signIn =
		options.auth === true
			? new SignIn({
					folder: files.folder,
					ownToken,
					...(options.clock === undefined ? {} : { now: options.clock }),
				})
			: undefined;
	// What is wrong is told of now, and not when the first agent comes.
	await signIn?.check();
	const tasks = new Tasks({ files, providers: options.providers ?? providersOf(process.env), faults });
	const errands = new Errands({ signIn, tasks, faults });
	const bodies = new Bodies(limits);
	const unread = new Unread(limits);
	/** The answer last begun on each connection. */
	const answers = new WeakMap<Duplex, ServerResponse>();
	const { page } = options;
	const pageOptions = { ...(options.pageOptions ?? USUAL_PAGE), gated: errands.gated };

	let rested: Promise<void> | undefined;
	const servers: Server[] = [];
	/** What came before everything is there; undefined from then on. */
	let early: (() => void)[] | undefined = [];
	const first = newServer();
	const port = await listen(first, options.port, '127.0.0.1');
	const second = newServer();
	if (await listensOnSix(second, port)) servers.push(second);
	const journal = await opened();
	const ownership = new Ownership({
		tokens,
		pendingCalls,
		files,
		errands,
		journal: journal === undefined ? undefined : new JournalPort(journal, faults),
		worldBefore: journal === undefined ? (options.worldBefore ?? '') : '',
		onTab: options.onTab ?? (() => {}),
		...limits,
	});
	const tabs = new TabSocket({ guard, ownership, helloWait: limits.helloWait });
	const waiting = early;
	early = undefined;
	for (const go of waiting) go();
	const sweeper = setInterval(() => {
		pendingCalls.sweep();
		ownership.sweep();
		unread.sweep();
	}, SWEEP);

	return {
		port,
		url: `http://127.0.0.1:${port}`,
		data: files.folder,
		tabWait: limits.tabWait,
		call: (request) => {
			const headers = {
				...request.headers,
				...(errands.gated ? { authorization: `Bearer ${ownToken}` } : {}),
			};
			return new Promise((resolve) => void pendingCalls.submit({ ...request, headers }, resolve, true));
		},
		keep: (keeps) => ownership.keep(keeps),
		keeperHere: () => ownership.keeperHere,
		join: (socket) => tabs.join(socket),
		keeperToken: () => tokens.issue(true),
		forgetKeeper: (why) => ownership.forgetKeeper(why),
		setTrouble: (why, next) => ownership.setTrouble(why, next),
		letIn: () => pendingCalls.release(),
		rest() {
			rested ??= pendingCalls.rest(limits.restWait);
			return rested;
		},
		async close() {
			clearInterval(sweeper);
			pendingCalls.close();
			ownership.close();
			tabs.close();
			await tasks.close();
			await Promise.all(servers.map(closeServer));
		},
	};

	/** The port is let go of when there is something wrong with what is kept. */
	async function opened(): Promise<JournalPortOptions | undefined> {
		try {
			return await options.journal?.();
		} catch (error) {
			await Promise.all(servers.map(closeServer));
			throw error;
		}
	}

	/** Does something at once, or as soon as everything is there. */
	function whenThere(work: () => void): void {
		if (early === undefined) work();
		else early.push(work);
	}

	function newServer(): Server {
		const server = createServer({
			noDelay: true,
			keepAliveTimeout: 65_000,
			headersTimeout: limits.headWait,
			requestTimeout: limits.requestWait,
			connectionsCheckingInterval: Math.min(1000, limits.headWait / 4),
			// The guard refuses those without one, and says so.
			requireHostHeader: false,
			// Any other upgrade, to HTTP/2 for one, is only offered: the call behind it is answered in HTTP/1.1.
			shouldUpgradeCallback: isSocket,
		});
		server.maxConnections = connections;
		server.on('request', (request, response) => whenThere(() => take(request, response, false)));
		server.on('checkContinue', (request, response) => whenThere(() => take(request, response, true)));
		// A caller that expects anything else than to be told to go on is answered as if it did not.
		server.on('checkExpectation', (request, response) => whenThere(() => take(request, response, false)));
		server.on('connect', (_, stream) => refuseStream(stream, notAProxy()));
		server.on('clientError', (error, stream) => {
			const answer = answers.get(stream);
			refuseConnection(error, stream, answer?.headersSent === true && !answer.writableFinished);
		});
		server.on('upgrade', (request, stream, head) => {
			takePath(request);
			whenThere(() => {
				if (pathOf(request.url) === LINK_PATH) tabs.upgrade(request, stream, head);
				else page.sockets?.upgrade(request, stream, head);
			});
		});
		return server;
	}

	/** Whether a call asks for a socket that is given out here. Foreign pages are refused those of the page as any call of theirs. */
	function isSocket(request: IncomingMessage): boolean {
		if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false;
		takePath(request);
		if (pathOf(request.url) === LINK_PATH) return true;
		return page.sockets?.takes(request) === true && guard.socket(request.headers) === undefined;
	}

	async function listen(server: Server, wanted: number, host: string): Promise<number> {
		await listening(server, wanted, host);
		servers.push(server);
		return (server.address() as AddressInfo).port;
	}

	/** Calls of one connection are taken up one after the other: the next when the answer before it has been read. */
	function take(request: IncomingMessage, response: ServerResponse, waits: boolean): void {
		takePath(request);
		const before = answers.get(request.socket);
		answers.set(request.socket, response);
		if (before === undefined || before.closed) answer(request, response, waits);
		else before.once('close', () => answer(request, response, waits));
	}

	/** `waits`: the caller sends its body only when told to go on. */
	function answer(request: IncomingMessage, response: ServerResponse, waits: boolean): void {
		if (response.destroyed) return;
		const url = request.url ?? '/';
		const at = url.indexOf('?');
		const path = at < 0 ? url : url.slice(0, at);
		const { method, headers } = request;
		const reads = method === 'GET' || method === 'HEAD';
		if (reads && path === '/' && headers.accept?.includes('text/html') === true)
			return void givePage(request, response, url);
		const error =
			guard.call(headers) ?? doubledHost(request) ?? (url.startsWith('/') ? undefined : notAPath(url));
		if (error !== undefined) {
			refuse(request, response, error);
			return;
		}
		if (page.serve(request, response, path)) return;
		const wire = {
			method: method ?? 'GET',
			path,
			query: at < 0 ? '' : url.slice(at + 1),
			headers: passedOn(request),
		};
		const length = headers['content-length'];
		if (length === undefined && headers['transfer-encoding'] === undefined) {
			forward(response, { ...wire, body: EMPTY_BODY });
			return;
		}
		const tooLong = bodies.lengthError(headers);
		if (tooLong !== undefined) {
			refuse(request, response, tooLong);
			return;
		}
		if (waits) response.writeContinue();
		bodies.read(
			request,
			(body) => forward(response, { ...wire, body }),
			(refused) => refuse(request, response, refused),
		);
	}

	function forward(response: ServerResponse, request: WireRequest): void {
		if (rested !== undefined) return void give(response, named(stoppingAnswer()));
		if (endsEngine(request) && ownership.world !== '') return void end(response, request);
		const { unreadable } = ownership;
		if (unreadable !== undefined) return void give(response, unreadableAnswer(unreadable));
		let answered = false;
		// The status is answered at once, whatever the engine is working on.
		const asksStatus = request.method === 'GET' && STATUS_PATHS.has(request.path);
		if (asksStatus && ownership.world !== '' && isBusy())
			return void give(response, named(busyAnswer(pendingCalls.oldest(), ownership)));
		if (asksStatus) ownership.ask();
		let late: NodeJS.Timeout | undefined;
		const id = pendingCalls.submit(request, (answer) => {
			answered = true;
			clearTimeout(late);
			unread.add(response, answer.body.length);
			give(response, named(answer));
		});
		if (asksStatus && !answered)
			late = setTimeout(() => {
				const { reading, startingSince = pendingCalls.heldSince } = ownership;
				// An engine that answers others meanwhile comes to this one too.
				if (startingSince === undefined && ownership.silence !== undefined && !isBusy()) {
					ownership.ask();
					late?.refresh();
					return;
				}
				const vacant = ownership.world === '' && ownership.movingSince === undefined;
				const answer =
					startingSince !== undefined
						? startingAnswer(startingSince, reading)
						: vacant
							? vacantAnswer(ownership)
							: busyAnswer(pendingCalls.oldest(id), ownership);
				answered = true;
				pendingCalls.cancel(id);
				give(response, named(answer));
			}, limits.statusWait);
		if (!answered) {
			response.on('close', () => {
				clearTimeout(late);
				if (!answered) pendingCalls.cancel(id);
			});
		}
	}

	/** Ends the engine for a caller who may. */
	async function end(response: ServerResponse, request: WireRequest): Promise<void> {
		try {
			if (signIn !== undefined) await requireOperator(signIn, request);
			give(response, named(await endAnswer(request, ownership.world, () => ownership.endEngine())));
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			give(response, named(errorResponse(error)));
		}
	}

	/** Whether the engine is known to be at work on something without giving way. */
	function isBusy(): boolean {
		if (ownership.movingSince !== undefined) return true;
		const oldest = pendingCalls.oldest();
		return oldest !== undefined && oldest.ms > limits.silence && (ownership.silence ?? 0) > limits.silence;
	}

	/** Whose world an answer is about, where the engine has not said so itself. */
	function named(answer: WireResponse): WireResponse {
		const { identity } = ownership;
		if (identity === '' || answer.headers[IDENTITY_HEADER] !== undefined) return answer;
		return { ...answer, headers: { ...answer.headers, [IDENTITY_HEADER]: identity } };
	}

	function isKeeper(url: string): boolean {
		const shown = new URLSearchParams(url.split('?')[1]).get('keeper');
		return options.keeperKey !== undefined && shown === options.keeperKey;
	}

	async function givePage(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
		const { error, foreign } = guard.page(request.headers);
		if (error !== undefined) return refuse(request, response, error);
		try {
			await ownership.given();
			give(
				response,
				foreign ? crossSitePage() : await pageAnswer(page, url, tokens.issue(isKeeper(url)), pageOptions),
			);
		} catch (error) {
			give(
				response,
				errorResponse(new ApiError('internal', `The page could not be built: ${faults.told(error)}`)),
			);
		}
	}
}
/** Paths that are answered immediately, with 503 and the reason if no engine answers. */
const STATUS_PATHS: ReadonlySet<string> = new Set([STATUS_PATH, HEALTH_PATH]);

const USUAL_PAGE = { profile: 'full', seed: undefined } as const;

/** Of two Host headers nobody knows which one a proxy before this server looked at. */
function doubledHost({ headersDistinct }: IncomingMessage): ApiError | undefined {
	if ((headersDistinct.host?.length ?? 0) < 2) return undefined;
	return new ApiError('bad_http', 'The request has more than one Host header.');
}

function notAPath(url: string): ApiError {
	return new ApiError('no_such_route', `"${url.slice(0, 100)}" is not a path.`, {
		fix: 'Send a path that begins with "/".',
	});
}

function notAProxy(): ApiError {
	return new ApiError('method_not_allowed', 'This server is not a proxy and does not support CONNECT.', {
		fix: 'Send the call itself: GET, POST or DELETE.',
	});
}

/**
 * Bytes of a refused body that are still taken in and dropped, and for how many milliseconds: many callers read nothing
 * until they have sent all, and cutting them off would make a broken connection of a plain refusal.
 */
const LEFTOVER_BYTES = 2 * MAX_DOCUMENT_BYTES;
const LEFTOVER_TIME = 10_000;

/** Answers a refusal and ends the connection if there is a body still on its way. */
function refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
	const answer = errorResponse(error);
	const hasBody =
		!request.complete &&
		(request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined);
	if (!hasBody) {
		give(response, answer);
		return;
	}
	const { socket } = request;
	// Sent whole but not ended: at the end Node cuts the connection, and a caller that still sends would lose the answer.
	const end = give(response, { ...answer, headers: { ...answer.headers, connection: 'close' } }, false);
	const stop = setTimeout(() => socket.destroy(), LEFTOVER_TIME);
	socket.once('close', () => clearTimeout(stop));
	let left = LEFTOVER_BYTES;
	request.on('data', (chunk: Buffer) => {
		left -= chunk.length;
		// Beyond that only a caller that reads while it sends gets to see why it comes to a halt.
		if (left < 0) request.pause();
	});
	request.on('end', end);
}

/** Writes an answer, and ends it unless told to leave that to the function that it returns. */
function give(response: ServerResponse, answer: WireResponse, ends = true): () => void {
	const end = () => void response.end();
	if (response.destroyed || response.headersSent) return end;
	const { body } = answer;
	const headers: Record<string, string | number> = { ...answer.headers };
	// What a GET would have sent is not known where only the head was asked for.
	if (response.req.method !== 'HEAD' || body.length > 0) headers['content-length'] = body.length;
	headers['x-content-type-options'] = 'nosniff';
	headers['cross-origin-resource-policy'] = 'same-origin';
	headers['cache-control'] ??= 'no-store';
	try {
		response.writeHead(answer.status, headers);
	} catch (thrown) {
		const error = new ApiError(
			'internal',
			`The server could not send the engine's answer: ${messageOf(thrown)}`,
		);
		const other = errorResponse(error);
		response.writeHead(other.status, other.headers);
		response.end(other.body);
		return end;
	}
	const content = body.length === 0 ? undefined : Buffer.from(body.buffer, body.byteOffset, body.length);
	if (ends) response.end(content);
	else if (content !== undefined) response.write(content);
	return end;
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

function pathOf(url: string | undefined): string {
	return (url ?? '/').split('?', 1)[0]!;
}

function listening(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const failed = (error: NodeJS.ErrnoException): void => {
			if (error.code === 'EADDRINUSE') {
				reject(
					new Error(
						`Port ${port} is in use by another program, perhaps another Orrery. Stop it, or choose a free port with --port N.`,
					),
				);
			} else if (error.code === 'EACCES') {
				reject(new Error(`This user may not open port ${port}. Choose one above 1023 with --port N.`));
			} else reject(error);
		};
		server.once('error', failed);
		server.listen(port, host, () => {
			server.off('error', failed);
			resolve();
		});
	});
}

/** Also answers on ::1, where the machine has it: some programs try that first for "localhost". */
async function listensOnSix(server: Server, port: number): Promise<boolean> {
	try {
		await listening(server, port, '::1');
		return true;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'EINVAL') return false;
		throw error;
	}
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
