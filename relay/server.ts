/**
 * The relay: HTTP on this machine's own addresses, the page and its files, and every other call passed to the tab unparsed.
 * Owns: its parts, and how they begin and end together.
 * Never: parses a body; starts a browser.
 */

import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import type { WebSocket } from 'ws';
import { OPENENV_SOCKET_PATH } from '../shared/contract/relay-paths.ts';
import {
	type CallHandler,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../shared/contract/wire.ts';
import { newIdentity } from '../shared/transport/identity.ts';
import { LINK_PATH } from '../shared/transport/link.ts';
import { JournalMemory, MemoryJournal } from '../shared/transport/memory-journal.ts';
import { TabSocket } from './admit-tab.ts';
import { Bodies, type BodyLimits } from './body.ts';
import { DataFiles } from './data-files.ts';
import { ErrandRunner } from './errands.ts';
import { EventStreams, type StreamLimits } from './event-streams.ts';
import { Faults } from './faults.ts';
import { FolderRoom } from './folder-room.ts';
import { providersOf } from './generate/index.ts';
import type { ModelProvider } from './generate/provider.ts';
import { Tasks } from './generate/tasks.ts';
import { HttpCalls, pathOf } from './http-calls.ts';
import { HttpServers } from './http-servers.ts';
import { JournalPort, type JournalPortOptions } from './journal/journal-port.ts';
import { roomForConnections } from './open-files.ts';
import { OriginCheck } from './origin-check.ts';
import { Ownership, type TabEvent } from './ownership.ts';
import { PendingCalls, type PendingCallsLimits } from './pending-calls.ts';
import { takePath } from './request-target.ts';
import { SignIn } from './sign-in/sign-in.ts';
import type { PageOptions, PageSource } from './static-page.ts';
import { EngineWorkers } from './thread/engine-workers.ts';
import { randomToken, Tokens } from './tokens.ts';
import { UnreadAnswers, type UnreadLimits } from './unread-answers.ts';
import { WorldCalls } from './world-calls.ts';
import { FolderStore } from './worlds/folder-store.ts';
import { LocalWorlds, WORLD_LIMITS, type WorldLimits } from './worlds/local-worlds.ts';
import type { WorldDirectory, WorldStore } from './worlds/world-directory.ts';
import { WorldRouter } from './worlds/world-router.ts';

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
	/** Key of the relay's own browser, in its page's address as `keeper=`; undefined without such a browser. */
	readonly keeperKey?: string;
	readonly onTab?: (event: TabEvent) => void;
	/** Opens what the engine writes to, once the port is the relay's own. The caller closes it. Undefined: it is in memory. */
	readonly journal?: () => Promise<JournalPortOptions | undefined>;
	/** Bytes that all files of the data folder may have, beside its journals. */
	readonly fileBytes?: number;
	/** Bytes of the data folder that are set aside for the journal. What it takes beyond that, the files lack. */
	readonly journalBytes?: number;
	/** Calls that change something take a session: the list of keys is in the data folder. */
	readonly auth?: boolean;
	/** Unix seconds, for sign-in. */
	readonly clock?: () => number;
	/** Models a day from providers that cost money, for all callers together; undefined for no budget. */
	readonly paidModels?: number | undefined;
	/** Without such a budget and without sign-in, any caller may order them. */
	readonly allowPaid?: boolean;
	/** Providers of models from words; those that the environment has keys for unless given. */
	readonly providers?: readonly ModelProvider[];
	readonly limits?: Partial<RelayLimits>;
	/** Stores named worlds; the data folder unless given. */
	readonly worlds?: WorldStore;
	readonly worldLimits?: Partial<WorldLimits>;
	/** Finds who answers for each world, if other servers have some of them. `local`: those of this server. */
	readonly directory?: (local: LocalWorlds) => WorldDirectory;
	/** Threads of named worlds; one for each core unless given. */
	readonly workers?: EngineWorkers;
	/** Reports to the operator what happens to threads of named worlds. */
	readonly say?: (sentence: string) => void;
}

/** Times in milliseconds. */
export interface RelayLimits extends PendingCallsLimits, BodyLimits, UnreadLimits, StreamLimits {
	/** Connections at once; fewer where the system allows fewer files to be open. */
	readonly connections: number;
	/** In which a request's head has to be there, counted from the connection's first moment. */
	readonly headWait: number;
	/** In which a whole request has to be there. */
	readonly requestWait: number;
	/** In which a socket of a page or an engine says hello. */
	readonly helloWait: number;
	/** In which an owner that lost its sockets may come back. */
	readonly returnWait: number;
	/** The same after a start of the relay. */
	readonly restartWait: number;
	/** In which the page of an engine that was ended releases it, before it is ended in another way. */
	readonly endWait: number;
	readonly pingEvery: number;
	readonly pingsMissed: number;
	/** In which the engine answers its status before the relay tells what it is at work on. */
	readonly statusWait: number;
	/** Without an answer to a ping, after which it does not yield. Less: the ping goes out with the status. */
	readonly silence: number;
	/** In which calls that the engine has are answered when the server ends. */
	readonly restWait: number;
}

export const RELAY_LIMITS: RelayLimits = {
	calls: 1024,
	keptCalls: 64,
	bytes: 3 * MAX_DOCUMENT_BYTES,
	bodies: 3 * MAX_DOCUMENT_BYTES,
	reservedBytes: MAX_DOCUMENT_BYTES,
	anonymousRate: 400,
	anonymousRunning: 4,
	anonymousWaiting: 128,
	streams: 64,
	anonymousStreams: 16,
	streamStall: 30_000,
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
	restartWait: 1500,
	endWait: 3000,
	pingEvery: 2000,
	pingsMissed: 15,
	statusWait: 1900,
	silence: 1800,
	restWait: 3000,
};

/** Milliseconds between looks at what has waited too long. */
const SWEEP = 250;

/** Maximum number of bytes of a journal in memory. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** Returns a journal for a world without a folder. */
const inMemory = (): JournalPortOptions => ({
	journal: new MemoryJournal(new JournalMemory(MAX_MEMORY_BYTES)),
	id: newIdentity(),
});

const DEFAULT_PAGE = { profile: 'full', seed: undefined } as const;

/** Starts the relay. Rejects with a plain sentence when the port is taken. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
	const limits = { ...RELAY_LIMITS, ...options.limits };
	const worldLimits = { ...WORLD_LIMITS, ...options.worldLimits };
	const originCheck = new OriginCheck(options.hosts);
	const faults = new Faults(options.data);
	const folder = resolve(options.data);
	const ownToken = randomToken();
	const signIn = options.auth === true ? signInOf(options, folder, ownToken) : undefined;
	let opened: JournalPort | undefined;
	const files = new DataFiles(folder, {
		faults,
		rights: signIn,
		room: new FolderRoom(folder, {
			...(options.fileBytes === undefined ? {} : { most: options.fileBytes }),
			journalExcess: async () =>
				Math.max(0, ((await opened?.bytes()) ?? 0) - (options.journalBytes ?? Number.POSITIVE_INFINITY)),
			owners: signIn && (() => signIn.fileShares()),
		}),
	});
	// What is wrong is reported now, and not when the first agent comes.
	await signIn?.check();
	const tasks = new Tasks({
		files,
		providers: options.providers ?? providersOf(process.env),
		paid: {
			perDay: options.paidModels,
			allowed: options.allowPaid === true && signIn === undefined,
			gated: signIn !== undefined,
		},
		faults,
	});
	const errands = new ErrandRunner({ signIn, tasks, files, faults });
	const servers = new HttpServers({
		...limits,
		connections: Math.min(limits.connections, roomForConnections()),
		isSocket: (request) => isSocket(request, options.page, originCheck),
	});
	const port = await servers.listen(options.port);
	let worlds: LocalWorlds;
	try {
		opened = await JournalPort.open((await options.journal?.()) ?? inMemory(), faults);
		worlds = await LocalWorlds.open({
			limits,
			originCheck,
			files,
			errands,
			faults,
			signIn,
			workers: options.workers ?? new EngineWorkers(),
			memoryBytes: worldLimits.worldBytes,
			stateEvery: options.worlds?.stateEvery,
			verify: options.pageOptions?.verify,
			say: options.say ?? (() => {}),
			store: options.worlds ?? new FolderStore(folder),
			worldLimits,
		});
	} catch (error) {
		// The port is free again when there is something wrong with what is kept.
		await servers.close();
		throw error;
	}
	const journal = opened;
	return new Relay({
		options,
		limits,
		originCheck,
		faults,
		files,
		signIn,
		tasks,
		errands,
		servers,
		journal,
		worlds,
		port,
		ownToken,
	});
}

interface RelayParts {
	readonly options: RelayOptions;
	readonly limits: RelayLimits;
	readonly originCheck: OriginCheck;
	readonly faults: Faults;
	readonly files: DataFiles;
	readonly signIn: SignIn | undefined;
	readonly tasks: Tasks;
	readonly errands: ErrandRunner;
	readonly servers: HttpServers;
	readonly journal: JournalPort;
	readonly worlds: LocalWorlds;
	readonly port: number;
	/** The session of the relay itself. */
	readonly ownToken: string;
}

export class Relay {
	readonly port: number;
	/** Such as `http://127.0.0.1:3917`. */
	readonly url: string;
	/** The data folder, absolute. */
	readonly data: string;
	/** Milliseconds that a call waits for a tab. */
	readonly tabWait: number;
	/** Sends a call to the engine, as any caller does. */
	readonly call: CallHandler = (request) => this.#call(request);
	readonly #parts: RelayParts;
	readonly #pendingCalls: PendingCalls;
	readonly #streams: EventStreams;
	readonly #ownership: Ownership;
	readonly #router: WorldRouter;
	readonly #tabs: TabSocket;
	readonly #http: HttpCalls;
	readonly #tokens = new Tokens();
	readonly #sweeper: NodeJS.Timeout;
	#rested: Promise<void> | undefined;

	constructor(parts: RelayParts) {
		const { options, limits, originCheck, faults, errands, servers, journal, worlds, signIn, port } = parts;
		this.#parts = parts;
		this.port = port;
		this.url = `http://127.0.0.1:${port}`;
		this.data = parts.files.folder;
		this.tabWait = limits.tabWait;
		const tokens = this.#tokens;
		const unread = new UnreadAnswers(limits);
		const pendingCalls = new PendingCalls(limits);
		this.#pendingCalls = pendingCalls;
		if (options.holds === true) pendingCalls.hold();
		const onTab = options.onTab ?? (() => {});
		const ownership = new Ownership({ ...parts, ...limits, tokens, pendingCalls, journal, onTab });
		this.#ownership = ownership;
		worlds.onNames = (names) => ownership.sendNames(names);
		const main = new WorldCalls({ ...limits, pendingCalls, ownership, signIn });
		errands.serve(worlds, main);
		const router = new WorldRouter({ main, directory: options.directory?.(worlds) ?? worlds, faults });
		this.#router = router;
		const streams = new EventStreams(limits, (call, signal) => router.listen(call, signal));
		this.#streams = streams;
		this.#tabs = new TabSocket({ originCheck, ownership, helloWait: limits.helloWait });
		const http = new HttpCalls({
			originCheck,
			tokens,
			faults,
			bodies: new Bodies(limits),
			unread,
			main,
			router,
			streams,
			tabs: this.#tabs,
			signIn,
			page: options.page,
			pageOptions: { ...(options.pageOptions ?? DEFAULT_PAGE), gated: errands.gated },
			keeperKey: options.keeperKey,
			isStopping: () => this.#rested !== undefined,
		});
		this.#http = http;
		servers.serve(http);
		this.#sweeper = setInterval(() => {
			pendingCalls.sweep();
			ownership.sweep();
			worlds.sweep();
			unread.sweep();
		}, SWEEP);
	}

	#call(request: WireRequest): Promise<WireResponse> {
		const { errands, ownToken } = this.#parts;
		const headers = errands.gated
			? { ...request.headers, authorization: `Bearer ${ownToken}` }
			: request.headers;
		return new Promise((resolve) => void this.#router.submit({ ...request, headers }, resolve, 'own'));
	}

	/** Says whether a browser of the relay's own holds the world when no other tab does. */
	keep(keeps: boolean): void {
		this.#ownership.keep(keeps);
	}

	/** Returns true if a page of the relay's own browser is connected. */
	keeperHere(): boolean {
		return this.#ownership.keeperHere;
	}

	/** Takes a connection of this process: of the page or the engine of the relay's own. */
	join(socket: WebSocket): void {
		this.#tabs.join(socket);
	}

	/** Returns a one-time token for the page of the relay's own engine. */
	keeperToken(): string {
		return this.#tokens.issue(true);
	}

	/** The relay's own browser is known to have died: its return is not waited for. */
	forgetKeeper(): void {
		this.#ownership.forgetKeeper();
	}

	/** The relay's own browser dies again and again: why, and when it is started again (ms since 1970). It is reported until a tab holds the world. */
	setTrouble(why: string, next: number): void {
		this.#ownership.setTrouble(why, next);
	}

	/** The world is as it is to begin: calls over HTTP that have waited for that continue. */
	letIn(): void {
		this.#pendingCalls.release();
	}

	/** Before the end: takes no more calls over HTTP, and resolves when those that came before are answered, or a little later. */
	rest(): Promise<void> {
		this.#streams.close();
		const { limits, worlds } = this.#parts;
		this.#rested ??= Promise.all([
			this.#pendingCalls.rest(limits.restWait),
			worlds.rest(limits.restWait),
		]).then(() => {});
		return this.#rested;
	}

	async close(): Promise<void> {
		clearInterval(this.#sweeper);
		this.#streams.close();
		await this.#parts.worlds.close();
		this.#pendingCalls.close();
		this.#ownership.close();
		this.#tabs.close();
		await this.#http.close();
		await this.#parts.tasks.close();
		await this.#parts.servers.close();
		await this.#parts.signIn?.close();
	}
}

function signInOf({ clock, journalBytes }: RelayOptions, folder: string, ownToken: string): SignIn {
	return new SignIn({ folder, ownToken, journalBytes, ...(clock === undefined ? {} : { now: clock }) });
}

/** Returns true if a call asks for a socket of this server. Foreign pages are refused, as for any call. */
function isSocket(request: IncomingMessage, page: PageSource, originCheck: OriginCheck): boolean {
	if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false;
	takePath(request);
	const path = pathOf(request.url);
	if (path === LINK_PATH || path === OPENENV_SOCKET_PATH) return true;
	return page.sockets?.takes(request) === true && originCheck.checkSocket(request.headers) === undefined;
}
