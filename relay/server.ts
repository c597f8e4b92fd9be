/**
 * The relay: it serves the page over HTTP on this machine's loopback addresses, and passes other calls to the engine
 * unparsed.
 * Owns: its parts, their start and their end.
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
import { EngineRequests } from './engine-requests.ts';
import { EventStreams, type StreamLimits } from './event-streams.ts';
import { Faults } from './faults.ts';
import { FolderRoom } from './folder-room.ts';
import { providersOf } from './generate/index.ts';
import type { ModelProvider } from './generate/provider.ts';
import { Tasks } from './generate/tasks.ts';
import { HttpCalls, pathOf } from './http-calls.ts';
import { HttpServers } from './http-servers.ts';
import { JournalPort, type JournalPortOptions } from './journal/journal-port.ts';
import { maxConnections } from './open-files.ts';
import { OriginCheck } from './origin-check.ts';
import { Ownership, type TabEvent } from './ownership.ts';
import { PendingCalls, type PendingCallsLimits } from './pending-calls.ts';
import { normalizeTarget } from './request-target.ts';
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
	/** If true, calls over HTTP wait until `releaseCalls` is called. */
	readonly holdsCalls?: boolean;
	/** Secret in the address of the page in the relay's own browser, as `keeper=`; undefined without such a browser. */
	readonly keeperKey?: string;
	readonly onTab?: (event: TabEvent) => void;
	/** Opens the journal, after the port is open. The caller closes it. If this is undefined, the journal is in memory. */
	readonly journal?: () => Promise<JournalPortOptions | undefined>;
	/** Maximum bytes of the files in the data folder, without journals. */
	readonly fileBytes?: number;
	/** Bytes of the data folder that are reserved for the journal. Bytes that it takes beyond them reduce `fileBytes`. */
	readonly journalBytes?: number;
	/** If true, calls that change something need a session. The list of keys is in the data folder. */
	readonly auth?: boolean;
	/** Returns Unix seconds, for sign-in. */
	readonly clock?: () => number;
	/** Maximum models per day from paid providers, for all callers together; undefined for no budget. */
	readonly paidModels?: number | undefined;
	/** If true, any caller may order paid models, without a budget and without sign-in. */
	readonly allowPaid?: boolean;
	/** Providers of generated models. The default is all whose keys are in the environment. */
	readonly providers?: readonly ModelProvider[];
	readonly limits?: Partial<RelayLimits>;
	/** Store of named worlds. The default is the data folder. */
	readonly worlds?: WorldStore;
	readonly worldLimits?: Partial<WorldLimits>;
	/** Returns a directory that also knows the worlds of other servers. `local`: the worlds of this server. */
	readonly directory?: (local: LocalWorlds) => WorldDirectory;
	/** Threads of named worlds. The default is one per core. */
	readonly workers?: EngineWorkers;
	/** Prints a message about threads of named worlds for the operator. */
	readonly say?: (sentence: string) => void;
}

/** Limits of the relay. Times are in milliseconds. */
export interface RelayLimits extends PendingCallsLimits, BodyLimits, UnreadLimits, StreamLimits {
	/** Maximum number of connections. It is lower if the system allows fewer open files. */
	readonly connections: number;
	/** Time in which the head of a request must arrive, from the start of its connection. */
	readonly headWait: number;
	/** Time in which a whole request must arrive. */
	readonly requestWait: number;
	/** Time in which the socket of a page or an engine must send its hello. */
	readonly helloWait: number;
	/** Time in which an owner that lost its sockets may come back. */
	readonly returnWait: number;
	/** Time in which an owner may come back after a start of the relay. */
	readonly restartWait: number;
	/** Time in which the page of an ended engine must release it. After that the page is ended. */
	readonly endWait: number;
	/** Time between pings. */
	readonly pingEvery: number;
	/** Number of unanswered pings after which a tab counts as hung. */
	readonly pingsMissed: number;
	/** Time in which the engine must answer its status. After that the relay reports the call that keeps it busy. */
	readonly statusWait: number;
	/** Time without an answer to a ping after which the engine counts as busy. It is less than `statusWait`. */
	readonly silence: number;
	/** Time in which delivered calls may still be answered when the server ends. */
	readonly finishWait: number;
}

export const RELAY_LIMITS: RelayLimits = {
	calls: 1024,
	reservedCalls: 64,
	bytes: 3 * MAX_DOCUMENT_BYTES,
	bodies: 3 * MAX_DOCUMENT_BYTES,
	reservedBytes: MAX_DOCUMENT_BYTES,
	anonymousRate: 400,
	anonymousRunning: 4,
	anonymousWaiting: 128,
	streams: 64,
	anonymousStreams: 16,
	streamStall: 30_000,
	exemptBytes: 64 * 1024,
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
	finishWait: 3000,
};

/** Milliseconds between two checks for calls, tabs and engines that have waited too long. */
const CHECK_INTERVAL_MS = 250;

/** Maximum bytes of a journal in memory. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

/** Returns a journal in memory, for a world without a folder. */
const memoryJournal = (): JournalPortOptions => ({
	journal: new MemoryJournal(new JournalMemory(MAX_MEMORY_BYTES)),
	id: newIdentity(),
});

const DEFAULT_PAGE = { profile: 'full', seed: undefined } as const;

/** Starts the relay. Rejects with a clear error if the port is in use. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
	const limits = { ...RELAY_LIMITS, ...options.limits };
	const worldLimits = { ...WORLD_LIMITS, ...options.worldLimits };
	const originCheck = new OriginCheck(options.hosts);
	const faults = new Faults(options.data);
	const folder = resolve(options.data);
	const ownToken = randomToken();
	const signIn = options.auth === true ? createSignIn(options, folder, ownToken) : undefined;
	let openJournal: JournalPort | undefined;
	const files = new DataFiles(folder, {
		faults,
		rights: signIn,
		room: new FolderRoom(folder, {
			...(options.fileBytes === undefined ? {} : { maxBytes: options.fileBytes }),
			journalExcess: async () =>
				Math.max(0, ((await openJournal?.bytes()) ?? 0) - (options.journalBytes ?? Number.POSITIVE_INFINITY)),
			owners: signIn && (() => signIn.fileShares()),
		}),
	});
	// An invalid list of keys is reported at the start, not at the first sign-in.
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
	const engineRequests = new EngineRequests({ signIn, tasks, files, faults });
	const servers = new HttpServers({
		...limits,
		connections: Math.min(limits.connections, maxConnections()),
		isSocket: (request) => isSocket(request, options.page, originCheck),
	});
	const port = await servers.listen(options.port);
	let worlds: LocalWorlds;
	try {
		openJournal = await JournalPort.open((await options.journal?.()) ?? memoryJournal(), faults);
		worlds = await LocalWorlds.open({
			limits,
			originCheck,
			files,
			engineRequests,
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
		// If the stored worlds cannot be opened, the port is freed.
		await servers.close();
		throw error;
	}
	const journal = openJournal;
	return new Relay({
		options,
		limits,
		originCheck,
		faults,
		files,
		signIn,
		tasks,
		engineRequests,
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
	readonly engineRequests: EngineRequests;
	readonly servers: HttpServers;
	readonly journal: JournalPort;
	readonly worlds: LocalWorlds;
	readonly port: number;
	/** Session token of the relay itself. */
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
	/** Sends a call to the engine in the name of the relay. */
	readonly call: CallHandler = (request) => this.#call(request);
	readonly #parts: RelayParts;
	readonly #pendingCalls: PendingCalls;
	readonly #streams: EventStreams;
	readonly #ownership: Ownership;
	readonly #router: WorldRouter;
	readonly #tabs: TabSocket;
	readonly #http: HttpCalls;
	readonly #tokens = new Tokens();
	readonly #checkTimer: NodeJS.Timeout;
	#finishing: Promise<void> | undefined;

	constructor(parts: RelayParts) {
		const { options, limits, originCheck, faults, engineRequests, servers, journal, worlds, signIn, port } =
			parts;
		this.#parts = parts;
		this.port = port;
		this.url = `http://127.0.0.1:${port}`;
		this.data = parts.files.folder;
		this.tabWait = limits.tabWait;
		const tokens = this.#tokens;
		const unread = new UnreadAnswers(limits);
		const pendingCalls = new PendingCalls(limits);
		this.#pendingCalls = pendingCalls;
		if (options.holdsCalls === true) pendingCalls.hold();
		const onTab = options.onTab ?? (() => {});
		const ownership = new Ownership({ ...parts, ...limits, tokens, pendingCalls, journal, onTab });
		this.#ownership = ownership;
		worlds.onNames = (names) => ownership.sendNames(names);
		const main = new WorldCalls({ ...limits, pendingCalls, ownership, signIn });
		engineRequests.addWorldRequests(worlds, main);
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
			pageOptions: { ...(options.pageOptions ?? DEFAULT_PAGE), gated: engineRequests.gated },
			keeperKey: options.keeperKey,
			isStopping: () => this.#finishing !== undefined,
		});
		this.#http = http;
		servers.serve(http);
		this.#checkTimer = setInterval(() => {
			pendingCalls.refuseOverdue();
			ownership.checkTabs();
			worlds.checkWorlds();
			unread.closeOverdue();
		}, CHECK_INTERVAL_MS);
	}

	#call(request: WireRequest): Promise<WireResponse> {
		const { engineRequests, ownToken } = this.#parts;
		const headers = engineRequests.gated
			? { ...request.headers, authorization: `Bearer ${ownToken}` }
			: request.headers;
		return new Promise((resolve) => void this.#router.submit({ ...request, headers }, resolve, 'own'));
	}

	/** Sets whether the relay runs an engine of its own, which owns the world when no other tab does. */
	setHasOwnEngine(hasOwnEngine: boolean): void {
		this.#ownership.setHasOwnEngine(hasOwnEngine);
	}

	/** Returns true if a page of the relay's own browser is connected. */
	isKeeperConnected(): boolean {
		return this.#ownership.isKeeperConnected;
	}

	/** Accepts a connection from this process: from the page part or the engine part of the relay's own engine. */
	join(socket: WebSocket): void {
		this.#tabs.join(socket);
	}

	/** Returns a one-time token for the page of the relay's own engine. */
	keeperToken(): string {
		return this.#tokens.issue(true);
	}

	/** Records that the relay's own browser is dead, so that nothing waits for its return. */
	forgetKeeper(): void {
		this.#ownership.forgetKeeper();
	}

	/**
	 * Stores the reason that the relay's own browser dies repeatedly, and the time of its next start (ms since 1970).
	 * Answers contain both until a tab owns the world.
	 */
	setTrouble(why: string, next: number): void {
		this.#ownership.setTrouble(why, next);
	}

	/** Lets the calls over HTTP continue that have waited for the start scene. */
	releaseCalls(): void {
		this.#pendingCalls.release();
	}

	/** Prepares the end: refuses new calls over HTTP. Resolves when earlier calls are answered, or after `finishWait`. */
	finishCalls(): Promise<void> {
		this.#streams.close();
		const { limits, worlds } = this.#parts;
		this.#finishing ??= Promise.all([
			this.#pendingCalls.finishCalls(limits.finishWait),
			worlds.finishCalls(limits.finishWait),
		]).then(() => {});
		return this.#finishing;
	}

	async close(): Promise<void> {
		clearInterval(this.#checkTimer);
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

function createSignIn({ clock, journalBytes }: RelayOptions, folder: string, ownToken: string): SignIn {
	return new SignIn({ folder, ownToken, journalBytes, ...(clock === undefined ? {} : { now: clock }) });
}

/** Returns true if a request asks for a socket of this server. */
function isSocket(request: IncomingMessage, page: PageSource, originCheck: OriginCheck): boolean {
	if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false;
	normalizeTarget(request);
	const path = pathOf(request.url);
	if (path === LINK_PATH || path === OPENENV_SOCKET_PATH) return true;
	return page.sockets?.accepts(request) === true && originCheck.checkSocket(request.headers) === undefined;
}
