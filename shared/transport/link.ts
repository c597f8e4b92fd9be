/**
 * Frames on the WebSockets between the relay and a tab. The page has one socket, which shows that it lives. The
 * engine has another, which carries calls.
 * Owns: the frames, their form as packets, and which HTTP headers travel. Several frames make one message.
 * Never: parses a body; keeps state.
 */

import {
	AGAIN_HEADER,
	CALL_HEADER,
	EMPTY_BODY,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../contract/wire.ts';
import type { JournalAnswer, JournalAsk } from './journal-ask.ts';
import {
	decodePackets,
	encodePackets,
	type NewPacket,
	PACKET_VERSION,
	type Packet,
	PacketError,
} from './packet.ts';

/** A tab and a relay of different versions refuse each other. */
export const LINK_VERSION = PACKET_VERSION;

/** Path of the relay's sockets. */
export const LINK_PATH = '/link';

/** Close codes of the socket: why the relay ended it, and so what the tab does next. */
export const CLOSE_REPLACED = 4001;
export const CLOSE_REFUSED = 4003;
export const CLOSE_BROKEN = 4004;

/** Result of a file operation. */
export type FileOutcome = 'done' | 'missing' | 'refused' | 'failed' | 'full' | 'not_owner' | 'agent_limit';

/** `hold`: start the engine, or keep it. `visit`: look and drive from here. */
export type TabRole = 'hold' | 'visit';

/** Owner of the world: the relay's own headless browser, another tab, or none. */
export type Holder = 'headless' | 'tab' | 'nobody';

/** Loss of a world. */
export interface LastWorld {
	/** World that its answers named in X-Orrery-World. */
	readonly world: string;
	/** Time, in ISO 8601. */
	readonly ended_at: string;
	/** Reason, as a sentence. */
	readonly why: string;
}

/** A lease as an engine shows it to take up its place again. */
export interface ShownLease {
	/** Identity of the journal. */
	readonly journal: string;
	readonly epoch: number;
}

export type LinkFrame =
	/** Page -> relay, first on its socket. `holds`: it has an engine with the world. */
	| {
			readonly kind: 'page';
			readonly version: number;
			/** The one-time token of the page that the relay served. */
			readonly token: string;
			readonly holds: boolean;
	  }
	/** Engine -> relay, first on every socket. `token` is its page's key, or one of a page that the relay served. */
	| {
			readonly kind: 'engine';
			readonly version: number;
			readonly token: string;
			/** Null before its first lease. */
			readonly lease: ShownLease | null;
	  }
	/**
	 * Relay -> page, first on its socket and whenever it changes: the role of the page, and the owner of the world.
	 */
	| {
			readonly kind: 'role';
			readonly role: TabRole;
			/** Token of this page's engine, for as long as this socket is open. */
			readonly key: string;
			readonly holder: Holder;
	  }
	/** Page -> relay: the world is to move here. */
	| { readonly kind: 'claim' }
	/** Relay -> page: it does not, and why. Engine -> relay: it cannot release the world, and why. */
	| { readonly kind: 'declined'; readonly why: string }
	/** Relay -> engine: it may acquire the lease and load, or it still has it. */
	| {
			readonly kind: 'welcome';
			readonly storage: string;
			/** True if writes take a session. */
			readonly gated: boolean;
			/** Name of the server since its last start, which a sign-in may cover; empty if no caller signs in. */
			readonly server: string;
			/** Identity of the relay's journal. */
			readonly journal: string;
			/** True if that outlives the relay. */
			readonly durable: boolean;
			/** Identity of the relay: the ids of its calls mean something together with it. */
			readonly relay: string;
	  }
	/** Relay -> engine: names of worlds beside its own, which its forks may not have. */
	| { readonly kind: 'names'; readonly names: readonly string[] }
	/** Engine -> relay: it has loaded this world, and answers calls from now on. */
	| { readonly kind: 'loaded'; readonly world: string }
	/** Engine -> relay: it is reading the journal, and its next entry, and the total. */
	| { readonly kind: 'reading'; readonly next: number; readonly end: number }
	/** Engine -> relay: it cannot load what the journal says, and why. */
	| { readonly kind: 'unreadable'; readonly why: string }
	/** Relay -> engine: write a state and release the lease. */
	| { readonly kind: 'release' }
	/** Engine -> relay: it has. */
	| { readonly kind: 'released' }
	/** Relay -> engine or its page: it is not the engine any more. Another tab is, or a caller ended it. */
	| { readonly kind: 'replaced' }
	| { readonly kind: 'ping' }
	| { readonly kind: 'pong' }
	/** Relay -> engine. `again`: an engine ended while it had this call. The journal knows whether it was applied. */
	| { readonly kind: 'request'; readonly id: number; readonly again: boolean; readonly request: WireRequest }
	/** Relay -> engine: no caller waits for this answer any more. It is answered all the same. */
	| { readonly kind: 'cancel'; readonly id: number }
	/** Engine -> relay. */
	| { readonly kind: 'answer'; readonly id: number; readonly response: WireResponse }
	/** Relay -> engine: these answers arrived and can be forgotten. */
	| { readonly kind: 'received'; readonly ids: readonly number[] }
	/** Engine -> relay. */
	| { readonly kind: 'read'; readonly id: number; readonly path: string }
	| {
			readonly kind: 'write';
			readonly id: number;
			readonly path: string;
			/** The agent; empty for a caller that has not signed in or is an operator. */
			readonly agent: string;
			readonly bytes: Uint8Array;
	  }
	/** Relay -> engine: the file's bytes, nothing, or a sentence saying why not. */
	| { readonly kind: 'file'; readonly id: number; readonly outcome: FileOutcome; readonly bytes: Uint8Array }
	/** Engine -> relay: an errand of `Errands`, with its input as JSON. It is not sent again when the socket was lost. */
	| { readonly kind: 'ask'; readonly id: number; readonly errand: string; readonly bytes: Uint8Array }
	/** Relay -> engine: what came back, an `ErrandAnswer` as JSON. */
	| { readonly kind: 'errand-answer'; readonly id: number; readonly bytes: Uint8Array }
	/** Engine -> relay: what it asks of the journal, and the bytes that belong to it. The same may come twice when a socket was lost. */
	| {
			readonly kind: 'journal';
			readonly id: number;
			readonly ask: JournalAsk;
			readonly bytes: Uint8Array;
	  }
	/** Relay -> engine: what came of it, and the bytes that belong to that. */
	| {
			readonly kind: 'journaled';
			readonly id: number;
			readonly answer: JournalAnswer;
			readonly bytes: Uint8Array;
	  };

export type LinkKind = LinkFrame['kind'];
type FrameOf<K extends LinkKind> = LinkFrame & { readonly kind: K };
type HeadFieldType = 'string' | 'number' | 'boolean' | 'object';

/** Fields of each frame, by type, so that a malformed frame is refused before it is used. */
const FIELDS: {
	readonly [K in LinkKind]: { readonly [F in Exclude<keyof FrameOf<K>, 'kind' | 'bytes'>]: HeadFieldType };
} = {
	page: { version: 'number', token: 'string', holds: 'boolean' },
	engine: { version: 'number', token: 'string', lease: 'object' },
	role: { role: 'string', key: 'string', holder: 'string' },
	claim: {},
	declined: { why: 'string' },
	welcome: {
		storage: 'string',
		gated: 'boolean',
		server: 'string',
		journal: 'string',
		durable: 'boolean',
		relay: 'string',
	},
	names: { names: 'object' },
	loaded: { world: 'string' },
	reading: { next: 'number', end: 'number' },
	unreadable: { why: 'string' },
	release: {},
	released: {},
	replaced: {},
	ping: {},
	pong: {},
	request: { id: 'number', again: 'boolean', request: 'object' },
	cancel: { id: 'number' },
	answer: { id: 'number', response: 'object' },
	received: { ids: 'object' },
	read: { id: 'number', path: 'string' },
	write: { id: 'number', path: 'string', agent: 'string' },
	file: { id: 'number', outcome: 'string' },
	ask: { id: 'number', errand: 'string' },
	'errand-answer': { id: 'number' },
	journal: { id: 'number', ask: 'object' },
	journaled: { id: 'number', answer: 'object' },
};

/** Frames whose bytes are a field of their own. */
const WITH_BYTES: ReadonlySet<string> = new Set<LinkKind>([
	'write',
	'file',
	'ask',
	'errand-answer',
	'journal',
	'journaled',
]);

/** A message that is not made of frames. */
export class LinkError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'LinkError';
	}
}

/** The largest message that a socket takes, in bytes: a frame of the largest document, and as much again beside it. */
export const LARGEST_MESSAGE = 4 * MAX_DOCUMENT_BYTES;

/** Returns frames in as few messages as hold them: many small ones together, and beyond the largest document no further. */
export function encodeMessages(frames: readonly LinkFrame[]): Uint8Array<ArrayBuffer>[] {
	const messages: Uint8Array<ArrayBuffer>[] = [];
	let some: NewPacket[] = [];
	let size = 0;
	for (const packet of frames.map(packetOf)) {
		const { length } = packet.bytes;
		if (some.length > 0 && size + length > MAX_DOCUMENT_BYTES) {
			messages.push(encodePackets(some));
			some = [];
			size = 0;
		}
		some.push(packet);
		size += length;
	}
	if (some.length > 0) messages.push(encodePackets(some));
	return messages;
}

/** Returns one message of all the frames in order. */
export const encodeFrames = (frames: readonly LinkFrame[]): Uint8Array<ArrayBuffer> =>
	encodePackets(frames.map(packetOf));

function packetOf(frame: LinkFrame): NewPacket {
	if (frame.kind === 'request') {
		const { kind, id, again } = frame;
		const { method, path, query, headers, body } = frame.request;
		return { head: { kind, id, again, request: { method, path, query, headers } }, bytes: body };
	}
	if (frame.kind === 'answer') {
		const { kind, id } = frame;
		const { status, headers, body } = frame.response;
		return { head: { kind, id, response: { status, headers } }, bytes: body };
	}
	if (!('bytes' in frame)) return { head: frame, bytes: EMPTY_BODY };
	const { bytes, ...head } = frame;
	return { head, bytes };
}

/** Returns the frames of one message, in order; bodies are views into it. Throws `LinkError` when it is not well formed. */
export function decodeFrames(message: Uint8Array): LinkFrame[] {
	try {
		return decodePackets(message).map(frameOf);
	} catch (error) {
		if (error instanceof PacketError) throw new LinkError(error.message);
		throw error;
	}
}

function frameOf({ head, bytes }: Packet): LinkFrame {
	const given = (head ?? {}) as Record<string, unknown>;
	const kind = String(given.kind);
	if (!Object.hasOwn(FIELDS, kind)) throw new LinkError('A frame is of an unknown kind.');
	const fields: Readonly<Record<string, HeadFieldType>> = FIELDS[kind as LinkKind];
	for (const field in fields)
		if (typeof given[field] !== fields[field]) throw new LinkError(`A frame has no field ${field}.`);
	if (kind === 'request' || kind === 'answer') {
		const field = kind === 'request' ? 'request' : 'response';
		const call = given[field] as Record<string, unknown> | null;
		if (typeof call?.headers !== 'object' || call.headers === null)
			throw new LinkError('A call has no headers.');
		call.body = bytes;
	} else if (WITH_BYTES.has(kind)) given.bytes = bytes;
	return given as unknown as LinkFrame;
}

const PASSED = new Set([
	'content-type',
	'content-encoding',
	'accept',
	'user-agent',
	'authorization',
	'idempotency-key',
]);

/** Headers that the link itself writes. */
const OWN = new Set([CALL_HEADER, AGAIN_HEADER]);

/**
 * Returns true if the engine reads a request's header: the body's type, the wanted answer, the caller, and the id of
 * the call.
 */
export function passesOn(name: string): boolean {
	return PASSED.has(name) || (name.startsWith('x-') && !name.startsWith('x-forwarded') && !OWN.has(name));
}
