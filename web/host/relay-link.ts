/**
 * The engine's end of the socket to the relay: calls come in, answers and file operations go out.
 * Owns: the socket, reconnecting after a hiccup, and that no call is ever applied twice because the socket was lost.
 * Never: parses a body; touches the DOM (it runs in the engine's Worker, and in Node for tests).
 */

import { type Desk, type Errand, type Errands, type Told, toldOf } from '../../shared/contract/errand.ts';
import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { joinedBytes, lengthOf } from '../../shared/contract/joined-bytes.ts';
import { type JournalPlace, NOWHERE } from '../../shared/contract/journal.ts';
import {
	CLOSE_BROKEN,
	CLOSE_REFUSED,
	CLOSE_REPLACED,
	decodeFrames,
	encodeFrames,
	encodeMessages,
	type HelloMode,
	type LastWorld,
	LINK_VERSION,
	type LinkFrame,
} from '../../shared/contract/link.ts';
import {
	CALL_HEADER,
	type CallHandler,
	ENDS_HEADER,
	KEY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import { FileError, type Files } from './files.ts';
import type { GivenWorlds } from './give-worlds.ts';
import { encodeSaved } from './saved-bytes.ts';

/** `lost` is for good after another tab took over, and otherwise a relay that has not answered for a while. */
export type RelayState = 'connecting' | 'ready' | 'lost';

export interface RelayLinkOptions {
	/** The relay's socket, such as `ws://127.0.0.1:3917/link`. */
	readonly url: string;
	/** The one-time token of the page that the relay served. */
	readonly token: string;
	readonly handle: CallHandler;
	readonly onState: (state: RelayState) => void;
	/** `new` unless given: `rejoin` with a world that the relay may know, `take` to have the worlds handed over. */
	readonly mode?: HelloMode;
	/** Identity of the world that is held here; empty while there is none. */
	readonly world: () => string;
	/** Which journal the world is written down in; empty, or not given, for none. Null while that is still to come. */
	readonly journal?: () => string | null;
	/** How many entries there, with those that are on their way, say what the world is. */
	readonly entries?: () => number;
	/** How far that journal is known to have come with them: where it ends for the relay, after so many entries, if it is known there, and else at the last. */
	readonly place?: (entries: number) => JournalPlace;
	/** Called at every welcome, with the journal that the relay has for the engine; empty for none. */
	readonly onWelcome?: (journal: string) => void;
	/** Called at every welcome with whether writes take a session. */
	readonly onGated?: (gated: boolean) => void;
	/** Called with the last world's end, at every welcome. */
	readonly onLastWorld?: (last: LastWorld | null) => void;
	/** Puts the worlds on offer, when their turn comes. A tab without it hands nothing over. */
	readonly give?: () => Promise<GivenWorlds>;
	/** Takes in the worlds that were handed over, under this identity, and answers their digests. */
	readonly take?: (bytes: Uint8Array, world: string) => Promise<string>;
	/** How many bytes of the worlds have come, and 0 when they wait for a call that is being worked on. */
	readonly onArriving?: (bytes: number) => void;
	/** Nothing is handed over to this tab, and why. The link has ended. */
	readonly onOff?: (why: string) => void;
	/** The engine is another tab's now, with the worlds as they were here. The link has ended. */
	readonly onReplaced?: () => void;
	/** The relay has all worlds, after `leave`. */
	readonly onKept?: () => void;
	/** Opens a socket; a plain `WebSocket` unless given. */
	readonly open?: (url: string) => LinkSocket;
	/** Asks for another token once the relay no longer knows this tab (it was restarted). Reads that of `page` unless given. */
	readonly freshToken?: () => Promise<string>;
	/** Address of the tab's page, by which the relay knows its own browser; `/` unless given. */
	readonly page?: string;
	/** Milliseconds until an operation on a file is given up while there is no relay. 10 000 unless given. */
	readonly fileTimeout?: number;
}

export interface RelayLink {
	/** The relay's data folder. */
	readonly files: Files;
	/** What the relay does for the engine. */
	readonly desk: Desk;
	/** The way to the journal that the relay keeps. */
	readonly line: JournalLine;
	/** Says that the world is here and answers from now on. Where the relay has a journal, no call comes before that. */
	holds(): void;
	/** Says how far the engine is with reading the journal. */
	reading(next: number, end: number): void;
	/** Says that the engine cannot go on with what the journal says. */
	unreadable(why: string): void;
	/** The page is about to go: the relay is to have the worlds. It says when they are this tab's again. */
	leave(): void;
	/** Ends the socket for good. Waiting file operations are rejected. */
	close(): void;
}

/** Frames about the journal, there and back. */
export interface JournalLine {
	/** Sends a frame, unless there is no relay at present. */
	send(frame: LinkFrame): void;
	/** Who is told of what comes back. There is one. */
	listen(end: JournalEnd): void;
}

export interface JournalEnd {
	answered(frame: LinkFrame & { readonly kind: 'journaled' }): void;
	/** The relay is there, and may not have had what was sent: all of it goes out again. */
	welcomed(): void;
	/** The relay has not been there for a while, or will not be any more. */
	lost(why: string): void;
}

/** As much of a WebSocket as the link needs; the browser's and the `ws` library's both have it. */
export interface LinkSocket {
	binaryType: string;
	readonly readyState: number;
	onopen: ((event: never) => void) | null;
	onclose: ((event: { readonly code: number }) => void) | null;
	onerror: ((event: never) => void) | null;
	onmessage: ((event: { readonly data: unknown }) => void) | null;
	send(data: Uint8Array<ArrayBuffer>): void;
	close(code?: number, reason?: string): void;
}

const FIRST_WAIT = 100;
const LONGEST_WAIT = 1000;
/** The relay pings every two seconds; a socket that brings nothing for this long is dead. Milliseconds. */
const SILENCE = 15_000;
/** Without a relay for this long the state is `lost`, though the link goes on trying. Milliseconds. */
const LOST_AFTER = 5000;
const OPEN = 1;
/** Bytes of the worlds in one frame, and how many such frames may be on their way. */
const PART_BYTES = 1024 * 1024;
const PARTS_ON_THE_WAY = 4;
/** Milliseconds between looks at the socket. */
const LOOK = 500;

/** Worlds that are being handed over from here. */
interface Giving {
	off: boolean;
	/** The other tab may go on with them. */
	released: boolean;
	given: GivenWorlds | undefined;
	parts: Iterator<{ readonly last: boolean; readonly bytes: Uint8Array }> | undefined;
}

/**
 * The calls of one session with the relay. Ids mean something only within it.
 * An answer is kept until the relay says it has it: a call that comes again is answered from here, not applied again.
 */
interface Session {
	readonly running: Map<number, Caller>;
	readonly answered: Map<number, WireResponse>;
}

interface Caller {
	/** Aborted when it has gone away. */
	readonly gone: AbortController;
	/** It has a key, with which it asks again when it has lost the relay. */
	readonly returns: boolean;
}

interface FileOperation {
	readonly frame: LinkFrame;
	readonly resolve: (bytes: Uint8Array) => void;
	readonly reject: (error: FileError) => void;
	/** When it is given up if there is no relay then: milliseconds on this machine's steady clock. */
	deadline: number;
}

/** Connects the engine to the relay and keeps it connected. Never throws; what happens is reported through `onState`. */
export function linkRelay(options: RelayLinkOptions): RelayLink {
	const open = options.open ?? ((url: string) => new WebSocket(url) as LinkSocket);
	const freshToken =
		options.freshToken ??
		(() => tokenFromPage(new URL(options.page ?? '/', options.url.replace(/^ws/, 'http'))));
	const fileTimeout = options.fileTimeout ?? 10_000;

	let socket: LinkSocket | undefined;
	let welcomed = false;
	let closed = false;
	let state: RelayState | undefined;
	let token = options.token;
	let mode: HelloMode = options.mode ?? 'new';
	let wait = FIRST_WAIT;
	let retry: ReturnType<typeof setTimeout> | undefined;
	let lastHeard = 0;
	let downSince = performance.now();
	let storage = "the relay's data folder";
	/** Which relay it is, and how many entries its journal had when it said so. */
	let relay = '';
	let entriesThere = 0;
	let session: Session = { running: new Map(), answered: new Map() };

	let outbox: LinkFrame[] = [];
	let flushing = false;
	const turn = new MessageChannel();
	turn.port1.onmessage = () => {
		flushing = false;
		flush();
	};

	const operations = new Map<number, FileOperation>();
	/** Errands that are under way. */
	const asked = new Map<number, { readonly tell: (bytes: Uint8Array) => void; readonly fail: () => void }>();
	let nextOperation = 0;
	let journalEnd: JournalEnd | undefined;

	let giving: Giving | undefined;
	/** What is done when the last running call is answered. */
	let turnOver: (() => void) | undefined;
	let arrived: Uint8Array[] = [];
	let lastLook = performance.now();
	const watch = setInterval(lookAround, LOOK);
	connect();

	return {
		files: {
			get storage() {
				return storage;
			},
			read: (path) => operate({ kind: 'read', id: nextId(), path }),
			write: async (path, bytes) => {
				await operate({ kind: 'write', id: nextId(), path, bytes });
			},
		},
		desk: { ask },
		line: {
			send(frame) {
				if (welcomed) post(frame);
			},
			listen(end) {
				journalEnd = end;
			},
		},
		holds,
		reading: (next, end) => say({ kind: 'reading', next, end }),
		unreadable: (why) => say({ kind: 'unreadable', why }),
		leave: () => say({ kind: 'leaving' }),
		close: () => end('The link to the relay was closed.'),
	};

	function connect(): void {
		retry = undefined;
		tell(performance.now() - downSince > LOST_AFTER ? 'lost' : 'connecting');
		const mine = open(options.url);
		mine.binaryType = 'arraybuffer';
		socket = mine;
		lastHeard = performance.now();
		mine.onopen = () =>
			mine.send(
				encodeFrames([{ kind: 'hello', version: LINK_VERSION, token, mode, world: options.world() }]),
			);
		mine.onmessage = (event) => {
			if (mine === socket) onMessage(mine, event.data);
		};
		// A failed socket also closes, and `onclose` deals with both.
		mine.onerror = () => {};
		mine.onclose = (event) => {
			if (mine === socket) dropped(event.code);
		};
	}

	function onMessage(from: LinkSocket, data: unknown): void {
		lastHeard = performance.now();
		if (!(data instanceof ArrayBuffer)) {
			from.close(CLOSE_BROKEN, 'text');
			return;
		}
		let frames: LinkFrame[];
		try {
			frames = decodeFrames(new Uint8Array(data));
		} catch {
			from.close(CLOSE_BROKEN, 'frames');
			return;
		}
		for (const frame of frames) take(frame);
	}

	function take(frame: LinkFrame): void {
		switch (frame.kind) {
			case 'welcome':
				options.onGated?.(frame.gated);
				relay = frame.relay;
				entriesThere = frame.entries;
				welcome(frame.resume, frame.resumed, frame.storage);
				options.onLastWorld?.(frame.last);
				options.onWelcome?.(frame.journal);
				return;
			case 'yield':
				void give();
				return;
			case 'more':
				sendPart();
				return;
			case 'have':
				compare(frame.digests);
				return;
			case 'part':
				void arrive(frame.last, frame.world, frame.bytes);
				return;
			case 'kept':
				options.onKept?.();
				return;
			case 'off':
				callOff(frame.why);
				return;
			case 'request':
				call(frame.id, frame.ends, frame.request);
				return;
			case 'cancel':
				session.running.get(frame.id)?.gone.abort();
				return;
			case 'received':
				for (const id of frame.ids) session.answered.delete(id);
				return;
			case 'file': {
				const operation = operations.get(frame.id);
				operations.delete(frame.id);
				if (frame.outcome === 'done') operation?.resolve(frame.bytes);
				else operation?.reject(new FileError(frame.outcome, new TextDecoder().decode(frame.bytes)));
				return;
			}
			case 'told':
				asked.get(frame.id)?.tell(frame.bytes);
				asked.delete(frame.id);
				return;
			case 'journaled':
				journalEnd?.answered(frame);
				return;
			case 'ping':
				post({ kind: 'pong' });
				return;
			case 'replaced':
				replaced();
				return;
			default:
		}
	}

	function welcome(resume: string, resumed: boolean, folder: string): void {
		welcomed = true;
		// The tab that is welcomed is the engine, whatever was on its way to another tab.
		if (mode === 'take') mode = 'resume';
		callOff('This tab is still the engine.');
		wait = FIRST_WAIT;
		token = resume;
		mode = 'resume';
		storage = folder;
		if (!resumed) {
			for (const { gone, returns } of session.running.values()) if (!returns) gone.abort();
			session = { running: new Map(), answered: new Map() };
		}
		outbox = [...operations.values()].map((operation) => operation.frame);
		holds();
		journalEnd?.welcomed();
		flush();
		tell('ready');
	}

	function holds(): void {
		const world = options.world();
		const journal = options.journal === undefined ? '' : options.journal();
		const entries = options.entries?.() ?? 0;
		const place = options.place?.(entriesThere) ?? NOWHERE;
		if (world !== '' && journal !== null) say({ kind: 'holds', world, journal, entries, place });
	}

	/** Says something that is true only now: while no relay is there, nobody has to hear it. */
	function say(frame: LinkFrame): void {
		if (welcomed) post(frame);
	}

	/** Puts the worlds on offer when the calls before are done. */
	async function give(): Promise<void> {
		const mine: Giving = { off: false, released: false, given: undefined, parts: undefined };
		giving = mine;
		try {
			if (options.give === undefined) throw new Error('This tab is not handing over a world.');
			const given = await options.give();
			if (mine.off) {
				given.keep();
				return;
			}
			mine.given = given;
			mine.parts = partsOf(encodeSaved(given.saved));
			post({ kind: 'giving', tick: given.tick, digests: given.digests });
			for (let i = 0; i < PARTS_ON_THE_WAY; i++) sendPart();
		} catch (error) {
			post({ kind: 'off', why: error instanceof Error ? error.message : String(error) });
		}
	}

	function sendPart(): void {
		const next = giving?.parts?.next();
		if (next === undefined || next.done === true) return;
		post({ kind: 'part', world: '', ...next.value });
		flush();
	}

	/** The other tab has the worlds: if they are equal they are its own from now on. */
	function compare(digests: string): void {
		if (giving?.given === undefined) return;
		if (digests !== giving.given.digests) {
			post({ kind: 'off', why: 'The worlds that arrived are not equal to those that were sent.' });
			callOff('unequal');
			return;
		}
		const mine = giving;
		turnOver = () => {
			mine.released = true;
			post({ kind: 'released' });
		};
		// Reads are answered first: nobody else knows what they asked.
		if (session.running.size > 0) return;
		turnOver();
		turnOver = undefined;
	}

	async function arrive(last: boolean, world: string, bytes: Uint8Array): Promise<void> {
		arrived.push(bytes.slice());
		post({ kind: 'more' });
		options.onArriving?.(lengthOf(arrived));
		if (!last) return;
		const whole = joinedBytes(arrived);
		arrived = [];
		try {
			if (options.take === undefined) throw new Error('This tab is not taking over a world.');
			post({ kind: 'have', digests: await options.take(whole, world) });
		} catch (error) {
			post({ kind: 'off', why: `The worlds could not be restored: ${String(error)}` });
		}
	}

	/** Nothing is handed over. What was on offer goes on here; a tab that waited for it gets nothing. */
	function callOff(why: string): void {
		turnOver = undefined;
		if (giving !== undefined) {
			giving.off = true;
			giving.given?.keep();
			giving = undefined;
		}
		if (mode !== 'take') return;
		end(why);
		options.onOff?.(why);
	}

	function replaced(): void {
		end('Another tab is now the engine.');
		options.onReplaced?.();
	}

	function call(id: number, ends: number, request: WireRequest): void {
		const mine = session;
		const before = mine.answered.get(id);
		if (before !== undefined) {
			post({ kind: 'answer', id, response: before });
			return;
		}
		if (mine.running.has(id)) return;
		const gone = new AbortController();
		mine.running.set(id, { gone, returns: request.headers[KEY_HEADER] !== undefined });
		const answer = (response: WireResponse): void => {
			mine.running.delete(id);
			mine.answered.set(id, response);
			if (mine === session) post({ kind: 'answer', id, response });
			if (mine.running.size > 0 || turnOver === undefined) return;
			turnOver();
			turnOver = undefined;
		};
		const headers: Record<string, string> = { ...request.headers, [CALL_HEADER]: `${relay}:${id}` };
		if (ends > 0) headers[ENDS_HEADER] = String(ends);
		options
			.handle({ ...request, headers }, gone.signal)
			.then(answer, (error: unknown) => answer(faultAnswer(error)));
	}

	/** Frames wait for those of the same turn while more calls are running, so that many answers make one message. */
	function post(frame: LinkFrame): void {
		outbox.push(frame);
		if (session.running.size === 0) flush();
		else if (!flushing) {
			flushing = true;
			turn.port2.postMessage(null);
		}
	}

	function flush(): void {
		// What cannot go out now comes again by itself: the relay repeats its calls, and a welcome the file operations.
		const speaks = welcomed || mode === 'take';
		if (socket === undefined || !speaks || socket.readyState !== OPEN) {
			outbox = [];
			return;
		}
		if (outbox.length === 0) return;
		const frames = outbox;
		outbox = [];
		for (const message of encodeMessages(frames)) socket.send(message);
	}

	function dropped(code: number, why = 'The connection to the relay was lost.'): void {
		socket = undefined;
		failAsked();
		if (welcomed) downSince = performance.now();
		welcomed = false;
		if (closed) return;
		if (mode === 'take') {
			callOff(why);
			return;
		}
		if (code === CLOSE_REPLACED) {
			replaced();
			return;
		}
		// Once let go of, the worlds may be the other tab's already: the relay knows, when it is there again.
		if (giving?.released !== true) callOff(why);
		tell(performance.now() - downSince > LOST_AFTER ? 'lost' : 'connecting');
		// Who refuses is there, and may be asked for a token at once.
		const waited = code === CLOSE_REFUSED && mode === 'resume' ? 0 : wait;
		wait = Math.min(wait * 2, LONGEST_WAIT);
		retry = setTimeout(() => (code === CLOSE_REFUSED ? void rejoin() : connect()), waited);
	}

	/** The relay does not know this tab: it was restarted, or gave it up. Its page still gives out tokens. */
	async function rejoin(): Promise<void> {
		try {
			token = await freshToken();
			mode = 'rejoin';
		} catch {
			// No relay there at present; the next socket fails too and comes back here later.
		}
		if (!closed) connect();
	}

	function lookAround(): void {
		const now = performance.now();
		// After long work the relay's messages may be here, unread: the silence was this thread's own.
		if (now - lastLook > 4 * LOOK) lastHeard = now;
		lastLook = now;
		if (socket !== undefined && now - lastHeard > SILENCE) {
			const dead = socket;
			dropped(CLOSE_BROKEN, `Nothing was heard from the relay for ${SILENCE / 1000} s.`);
			dead.close();
		}
		if (welcomed || closed) return;
		// A tab that takes worlds is welcomed when it has them, however long that takes: the relay is there meanwhile.
		const there = mode === 'take' && socket?.readyState === OPEN;
		if (!there && now - downSince > LOST_AFTER) {
			tell('lost');
			callOff('The relay could not be reached.');
		}
		for (const [id, operation] of operations) {
			if (now < operation.deadline) continue;
			operations.delete(id);
			operation.reject(
				new FileError('failed', 'The relay is not connected, so its files cannot be reached.'),
			);
		}
	}

	function operate(frame: LinkFrame & { readonly id: number }): Promise<Uint8Array> {
		return new Promise((resolve, reject) => {
			if (closed) return reject(new FileError('failed', 'The link to the relay is closed.'));
			operations.set(frame.id, { frame, resolve, reject, deadline: performance.now() + fileTimeout });
			if (welcomed) post(frame);
		});
	}

	/** Runs an errand. It may have been run when the connection is lost meanwhile, so it is not sent again. */
	function ask<E extends Errand>(errand: E, sent: Errands[E][0]): Promise<Errands[E][1]> {
		if (!welcomed) return Promise.reject(noRelay('The server cannot be reached just now.'));
		return new Promise((resolve, reject) => {
			const id = nextId();
			asked.set(id, {
				tell(bytes) {
					try {
						resolve(toldOf(JSON.parse(new TextDecoder().decode(bytes)) as Told<Errands[E][1]>));
					} catch (error) {
						reject(error);
					}
				},
				fail: () => reject(noRelay('The connection to the server was lost before it answered.')),
			});
			post({ kind: 'ask', id, errand, bytes: new TextEncoder().encode(JSON.stringify(sent)) });
		});
	}

	function failAsked(): void {
		for (const { fail } of asked.values()) fail();
		asked.clear();
	}

	function nextId(): number {
		nextOperation = (nextOperation + 1) >>> 0;
		return nextOperation;
	}

	function tell(now: RelayState): void {
		if (now === state) return;
		state = now;
		if (now === 'lost') journalEnd?.lost('The relay cannot be reached.');
		options.onState(now);
	}

	function end(why: string): void {
		if (closed) return;
		closed = true;
		clearInterval(watch);
		clearTimeout(retry);
		turn.port1.close();
		const last = socket;
		socket = undefined;
		welcomed = false;
		last?.close(1000);
		for (const operation of operations.values()) operation.reject(new FileError('failed', why));
		operations.clear();
		failAsked();
		tell('lost');
	}
}

/** The pieces one after the other, in parts that make one frame each; the last says so. */
function* partsOf(pieces: readonly Uint8Array[]) {
	const whole = pieces.filter((piece) => piece.length > 0);
	for (const [storage, piece] of whole.entries())
		for (let at = 0; at < piece.length; at += PART_BYTES) {
			const last = storage === whole.length - 1 && at + PART_BYTES >= piece.length;
			yield { last, bytes: piece.subarray(at, at + PART_BYTES) };
		}
}

const noRelay = (message: string): ApiError =>
	new ApiError('no_relay', message, {
		fix: 'Send the call again in a moment.',
		headers: { 'retry-after': '1' },
	});

/** The engine answers everything itself; this is for a fault that even its own net did not catch. */
function faultAnswer(error: unknown): WireResponse {
	const why = error instanceof Error ? error.message : String(error);
	return errorResponse(new ApiError('internal', `The engine failed on this call: ${why}`));
}

/** Reads a new one-time token off the relay's page. Only a page of the same origin can. */
export async function tokenFromPage(page: URL): Promise<string> {
	const response = await fetch(page, { headers: { accept: 'text/html' }, cache: 'no-store' });
	const token = /<meta name="orrery-relay" content="([^"]+)"/.exec(await response.text())?.[1];
	if (token === undefined) throw new Error(`The page at ${page.href} has no token of a relay.`);
	return token;
}
