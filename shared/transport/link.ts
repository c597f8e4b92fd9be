/**
 * Frames on the WebSockets between the relay and a tab. The page has one socket, which shows that the page is open. The
 * engine has another, which carries calls.
 * Owns: the frames, their form as packets, and the HTTP headers that travel. A message contains one or more frames.
 * Never: parses a body, or keeps state.
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

/** Close codes of the socket. They give the tab the reason that the relay closed it. */
export const CLOSE_REPLACED = 4001;
export const CLOSE_REFUSED = 4003;
export const CLOSE_BROKEN = 4004;

/** Result of a file operation. */
export type FileOutcome = 'done' | 'missing' | 'refused' | 'failed' | 'full' | 'not_owner' | 'agent_limit';

/** Role of a tab. `hold`: it runs the engine. `visit`: it shows a world that another tab runs. */
export type TabRole = 'hold' | 'visit';

/** Owner of the world: the relay's own headless browser, another tab, or none. */
export type Holder = 'headless' | 'tab' | 'nobody';

/** A world that has ended. */
export interface LastWorld {
	/** Identity of the world, as in X-Orrery-World. */
	readonly world: string;
	/** Time, in ISO 8601. */
	readonly ended_at: string;
	/** Reason, as a sentence. */
	readonly why: string;
}

/** The lease that an engine shows when it connects again. */
export interface ShownLease {
	/** Identity of the journal. */
	readonly journal: string;
	readonly epoch: number;
}

export type LinkFrame =
	/** Page -> relay, first on its socket. `holds`: the page has an engine with the world. */
	| {
			readonly kind: 'page';
			readonly version: number;
			/** The one-time token of the page that the relay served. */
			readonly token: string;
			readonly holds: boolean;
	  }
	/** Engine -> relay, first on every socket. `token`: the key of its page, or the token of a page that the relay served. */
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
	/** Page -> relay: move the world to this page. */
	| { readonly kind: 'claim' }
	/** Relay -> page: the world does not move. Engine -> relay: it cannot release the world. Both have a reason. */
	| { readonly kind: 'declined'; readonly why: string }
	/** Relay -> engine: it may acquire the lease and load the world, or it still has the lease. */
	| {
			readonly kind: 'welcome';
			readonly storage: string;
			/** True if writes need a session. */
			readonly gated: boolean;
			/** Name of the server since its last start, which a sign-in may contain. It is empty if no caller signs in. */
			readonly server: string;
			/** Identity of the relay's journal. */
			readonly journal: string;
			/** True if that journal outlives the relay. */
			readonly durable: boolean;
			/** Identity of the relay. Ids of calls are only unique within one relay. */
			readonly relay: string;
	  }
	/** Relay -> engine: names of the other worlds, which its forks may not use. */
	| { readonly kind: 'names'; readonly names: readonly string[] }
	/** Engine -> relay: it has loaded this world, and answers calls from now on. */
	| { readonly kind: 'loaded'; readonly world: string }
	/** Engine -> relay: it is reading the journal. The frame has the next entry and the number of all. */
	| { readonly kind: 'reading'; readonly next: number; readonly end: number }
	/** Engine -> relay: it cannot load the world from the journal, with the reason. */
	| { readonly kind: 'unreadable'; readonly why: string }
	/** Relay -> engine: write a state and release the lease. */
	| { readonly kind: 'release' }
	/** Engine -> relay: it has released the lease. */
	| { readonly kind: 'released' }
	/** Relay -> engine or its page: the engine no longer owns the world. Another tab does, or a caller ended it. */
	| { readonly kind: 'replaced' }
	| { readonly kind: 'ping' }
	| { readonly kind: 'pong' }
	/** Relay -> engine. `again`: an earlier engine ended during this call. The journal shows if it was applied. */
	| { readonly kind: 'request'; readonly id: number; readonly again: boolean; readonly request: WireRequest }
	/** Relay -> engine: no caller waits for this answer any more. The engine still answers. */
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
			/** Id of the agent. It is empty for an operator and for a caller that has not signed in. */
			readonly agent: string;
			readonly bytes: Uint8Array;
	  }
	/** Relay -> engine: the outcome of a file operation. The bytes are the file, nothing, or the reason as a sentence. */
	| { readonly kind: 'file'; readonly id: number; readonly outcome: FileOutcome; readonly bytes: Uint8Array }
	/** Engine -> relay: a request of `RelayServiceCalls`, with its input as JSON. It is not sent again after a lost socket. */
	| { readonly kind: 'ask'; readonly id: number; readonly errand: string; readonly bytes: Uint8Array }
	/** Relay -> engine: the answer to `ask`, a `RelayServiceAnswer` as JSON. */
	| { readonly kind: 'errand-answer'; readonly id: number; readonly bytes: Uint8Array }
	/** Engine -> relay: a request to the journal, with its bytes. After a lost socket it may come twice. */
	| {
			readonly kind: 'journal';
			readonly id: number;
			readonly ask: JournalAsk;
			readonly bytes: Uint8Array;
	  }
	/** Relay -> engine: the answer of the journal, with its bytes. */
	| {
			readonly kind: 'journaled';
			readonly id: number;
			readonly answer: JournalAnswer;
			readonly bytes: Uint8Array;
	  };

export type LinkKind = LinkFrame['kind'];
type FrameOf<K extends LinkKind> = LinkFrame & { readonly kind: K };
type HeadFieldType = 'string' | 'number' | 'boolean' | 'object';

/** Types of the fields of each frame. A malformed frame is refused before it is used. */
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

/** Frames that have a field `bytes`. */
const WITH_BYTES: ReadonlySet<string> = new Set<LinkKind>([
	'write',
	'file',
	'ask',
	'errand-answer',
	'journal',
	'journaled',
]);

/** Error for a message that does not consist of frames. */
export class LinkError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'LinkError';
	}
}

/** Maximum bytes of a message: four times the limit of a document, for a large frame and the frames beside it. */
export const MAX_MESSAGE_BYTES = 4 * MAX_DOCUMENT_BYTES;

/** Returns frames in few messages. Small frames share a message up to the size of the largest document. */
export function encodeMessages(frames: readonly LinkFrame[]): Uint8Array<ArrayBuffer>[] {
	const messages: Uint8Array<ArrayBuffer>[] = [];
	let batch: NewPacket[] = [];
	let size = 0;
	for (const packet of frames.map(packetOf)) {
		const { length } = packet.bytes;
		if (batch.length > 0 && size + length > MAX_DOCUMENT_BYTES) {
			messages.push(encodePackets(batch));
			batch = [];
			size = 0;
		}
		batch.push(packet);
		size += length;
	}
	if (batch.length > 0) messages.push(encodePackets(batch));
	return messages;
}

/** Returns one message that contains all frames in order. */
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

/** Returns the frames of one message, in order. Bodies are views into it. Throws `LinkError` for a malformed message. */
export function decodeFrames(message: Uint8Array): LinkFrame[] {
	try {
		return decodePackets(message).map(frameOf);
	} catch (error) {
		if (error instanceof PacketError) throw new LinkError(error.message);
		throw error;
	}
}

function frameOf({ head, bytes }: Packet): LinkFrame {
	const frame = (head ?? {}) as Record<string, unknown>;
	const kind = String(frame.kind);
	if (!Object.hasOwn(FIELDS, kind)) throw new LinkError('A frame is of an unknown kind.');
	const fields: Readonly<Record<string, HeadFieldType>> = FIELDS[kind as LinkKind];
	for (const field in fields)
		if (typeof frame[field] !== fields[field]) throw new LinkError(`A frame has no field ${field}.`);
	if (kind === 'request' || kind === 'answer') {
		const field = kind === 'request' ? 'request' : 'response';
		const call = frame[field] as Record<string, unknown> | null;
		if (typeof call?.headers !== 'object' || call.headers === null)
			throw new LinkError('A call has no headers.');
		call.body = bytes;
	} else if (WITH_BYTES.has(kind)) frame.bytes = bytes;
	return frame as unknown as LinkFrame;
}

const PASSED_HEADERS = new Set([
	'content-type',
	'content-encoding',
	'accept',
	'user-agent',
	'authorization',
	'idempotency-key',
]);

/** Headers that the link itself writes. */
const LINK_HEADERS = new Set([CALL_HEADER, AGAIN_HEADER]);

/**
 * Returns true if a header of a request is sent to the engine. Such headers have the type of the body, the accepted type
 * of the answer, the caller and the key of the call.
 */
export function isPassedHeader(name: string): boolean {
	return (
		PASSED_HEADERS.has(name) ||
		(name.startsWith('x-') && !name.startsWith('x-forwarded') && !LINK_HEADERS.has(name))
	);
}
