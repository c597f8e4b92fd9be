/**
 * The binary language on the WebSockets between the relay and a tab: one of its page, which says that it lives, and one
 * of its engine while it has one, which carries calls.
 * Owns: frames, their bytes, and which HTTP headers travel. Several frames make one message; bodies travel as they came.
 * Never: parses a body; keeps state; imports anything but the wire types.
 */

import type { JournalPlace } from './journal.ts';
import { CALL_HEADER, ENDS_HEADER, MAX_DOCUMENT_BYTES, type WireRequest, type WireResponse } from './wire.ts';

/** Rises when the frames change. A tab and a relay of different versions refuse each other. */
export const LINK_VERSION = 9;

/** Where the relay takes sockets. */
export const LINK_PATH = '/link';

/** Close codes of the socket: why the relay ended it, and so what the tab does next. */
export const CLOSE_REPLACED = 4001;
export const CLOSE_REFUSED = 4003;
export const CLOSE_BROKEN = 4004;

/** How a file operation ended. */
export type FileOutcome = 'done' | 'missing' | 'refused' | 'failed';
const OUTCOMES: readonly FileOutcome[] = ['done', 'missing', 'refused', 'failed'];

/**
 * `page`: the page's own socket. Of an engine: `new`: begin with an empty world, if nobody holds one. `take`: have the
 * worlds handed over. `resume`: the same world after a lost socket. `rejoin`: the same with a relay that does not know it.
 */
export type HelloMode = 'page' | 'new' | 'take' | 'resume' | 'rejoin';
const MODES: readonly HelloMode[] = ['page', 'new', 'take', 'resume', 'rejoin'];

/**
 * `hold`: start the engine, or keep it. `take`: start it with the worlds that the relay has kept. `visit`: look and drive
 * from here. `stand-by`: wait, and show nothing.
 */
export type Role = 'hold' | 'take' | 'visit' | 'stand-by';
const ROLES: readonly Role[] = ['hold', 'take', 'visit', 'stand-by'];

/** Who holds the world: the relay's own headless browser, another tab, or nobody at present. */
export type Holder = 'headless' | 'tab' | 'nobody';
const HOLDERS: readonly Holder[] = ['headless', 'tab', 'nobody'];

/** How a world was lost. */
export interface LastWorld {
	/** What its answers named in X-Orrery-World. */
	readonly world: string;
	/** When, in ISO 8601. */
	readonly ended_at: string;
	/** Why, as a sentence. */
	readonly why: string;
}

export type LinkFrame =
	/** Tab -> relay, first on every socket. `token` is the page's, its key, or the one that the last welcome gave. */
	| {
			readonly kind: 'hello';
			readonly version: number;
			readonly token: string;
			readonly mode: HelloMode;
			/** Identity of the world that the tab holds; empty for none. */
			readonly world: string;
	  }
	/** Relay -> page, first on its socket and whenever it changes: what the page is, and who holds the world. */
	| {
			readonly kind: 'role';
			readonly role: Role;
			/** Token of this page's engine, for as long as this socket is open. */
			readonly key: string;
			readonly holder: Holder;
	  }
	/** Relay -> engine: it is the engine now. `resumed` tells whether earlier request ids still stand. */
	| {
			readonly kind: 'welcome';
			readonly resume: string;
			readonly resumed: boolean;
			readonly storage: string;
			/** Whether writes take a session. */
			readonly gated: boolean;
			/** How the last world ended, if one was lost. */
			readonly last: LastWorld | null;
			/** Which journal the relay has for the engine; empty for none. */
			readonly journal: string;
			/** How many entries that has. */
			readonly entries: number;
			/** Which relay this is: the ids of its calls mean something together with it. */
			readonly relay: string;
	  }
	/**
	 * Engine -> relay: it answers calls from now on, for this world, which it writes down in this journal; empty for none. So many entries, with
	 * those that are on their way, say what the world is; the place is how far the journal is known to have come with them: where the relay's
	 * ends, if it is known there, and else at the last.
	 */
	| {
			readonly kind: 'holds';
			readonly world: string;
			readonly journal: string;
			readonly entries: number;
			readonly place: JournalPlace;
	  }
	/** Engine -> relay: it is reading the journal, and its next entry is this of so many. It answers no call yet. */
	| { readonly kind: 'reading'; readonly next: number; readonly end: number }
	/** Engine -> relay: it cannot go on with what the journal says, and why. */
	| { readonly kind: 'unreadable'; readonly why: string }
	/** Relay -> engine or its page: it is not the engine any more. Another tab is, or a caller ended it. */
	| { readonly kind: 'replaced' }
	| { readonly kind: 'ping' }
	| { readonly kind: 'pong' }
	/** Relay -> engine: hand over your worlds, and apply no call until it is known how that ended. */
	| { readonly kind: 'yield' }
	/** Engine -> relay, before the first part: the tick of main, and the digests of all that it gives. */
	| { readonly kind: 'giving'; readonly tick: number; readonly digests: string }
	/** Old engine -> relay -> new one: the next bytes of the worlds; `last` ends them. The relay says whose identity they have. */
	| { readonly kind: 'part'; readonly last: boolean; readonly world: string; readonly bytes: Uint8Array }
	/** New engine -> relay -> old one: a part was taken, so one more may come. */
	| { readonly kind: 'more' }
	/** New engine -> relay -> old one: all worlds are here, and these are their digests. */
	| { readonly kind: 'have'; readonly digests: string }
	/** Old engine -> relay: the digests are equal, and it lets go. */
	| { readonly kind: 'released' }
	/** Engine -> relay: its page is about to go, so the relay is to have the worlds. */
	| { readonly kind: 'leaving' }
	/** Relay -> engine: it has them all. Until `off` comes, nothing may change them. */
	| { readonly kind: 'kept' }
	/** Either side -> relay -> the other, or relay -> both: nothing is handed over; the old engine goes on. */
	| { readonly kind: 'off'; readonly why: string }
	/**
	 * Relay -> tab. The same id may come twice when a socket was lost; it is one call. `ends`: so many engines ended while they had it, and
	 * the journal knows whether it was done.
	 */
	| {
			readonly kind: 'request';
			readonly id: number;
			readonly ends: number;
			readonly request: WireRequest;
	  }
	/** Relay -> tab: nobody waits for this call's answer any more. It is answered all the same. */
	| { readonly kind: 'cancel'; readonly id: number }
	/** Tab -> relay. */
	| { readonly kind: 'answer'; readonly id: number; readonly response: WireResponse }
	/** Relay -> tab: these answers arrived and can be forgotten. */
	| { readonly kind: 'received'; readonly ids: readonly number[] }
	/** Tab -> relay. */
	| { readonly kind: 'read'; readonly id: number; readonly path: string }
	| { readonly kind: 'write'; readonly id: number; readonly path: string; readonly bytes: Uint8Array }
	/** Tab -> relay: an errand of `Errands`, with what goes out as JSON. It is not sent again when the socket was lost. */
	| { readonly kind: 'ask'; readonly id: number; readonly errand: string; readonly bytes: Uint8Array }
	/** Relay -> tab: what came back, a `Told` as JSON. */
	| { readonly kind: 'told'; readonly id: number; readonly bytes: Uint8Array }
	/** Tab -> relay: entries for the journal, as `encodeAppend` makes them. The same may come twice when a socket was lost; they are kept once. */
	| { readonly kind: 'append'; readonly id: number; readonly expected: number; readonly bytes: Uint8Array }
	/** Tab -> relay: a `JournalAsk` as JSON, and the bytes that belong to it. */
	| { readonly kind: 'journal'; readonly id: number; readonly ask: string; readonly bytes: Uint8Array }
	/** Relay -> tab: what came of either, a `JournalTold` as JSON, and the bytes that belong to it. */
	| { readonly kind: 'journaled'; readonly id: number; readonly told: string; readonly bytes: Uint8Array }
	/** Relay -> tab: the file's bytes, nothing, or a sentence saying why not. */
	| { readonly kind: 'file'; readonly id: number; readonly outcome: FileOutcome; readonly bytes: Uint8Array };

type Kind = LinkFrame['kind'];
const KINDS: readonly Kind[] = [
	'hello',
	'welcome',
	'replaced',
	'ping',
	'pong',
	'request',
	'answer',
	'received',
	'read',
	'write',
	'file',
	'role',
	'yield',
	'part',
	'more',
	'have',
	'released',
	'off',
	'cancel',
	'giving',
	'leaving',
	'kept',
	'ask',
	'told',
	'append',
	'journal',
	'journaled',
	'holds',
	'reading',
	'unreadable',
];
const CODE = new Map<Kind, number>(KINDS.map((kind, code) => [kind, code]));

/** A message that is not made of frames. */
export class LinkError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'LinkError';
	}
}

// Every frame: u32 length of what follows, u8 kind, u32 id, u16 number, u32 length of the head, head (UTF-8), rest (bytes).
// All integers little-endian. `number` is an answer's status or a file's outcome.
const FIXED = 15;
const AFTER_LENGTH = FIXED - 4;

interface Flat {
	readonly kind: Kind;
	readonly id: number;
	readonly number: number;
	readonly head: string;
	readonly headBytes: number;
	readonly rest: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The largest message that a socket takes, in bytes: a frame of the largest document, and as much again beside it. */
export const LARGEST_MESSAGE = 4 * MAX_DOCUMENT_BYTES;

/** Frames in as few messages as hold them: many small ones together, and beyond the largest document no further. */
export function encodeMessages(frames: readonly LinkFrame[]): Uint8Array<ArrayBuffer>[] {
	const messages: Uint8Array<ArrayBuffer>[] = [];
	let some: LinkFrame[] = [];
	let size = 0;
	for (const frame of frames) {
		const { length } = contentOf(frame);
		if (some.length > 0 && size + length > MAX_DOCUMENT_BYTES) {
			messages.push(encodeFrames(some));
			some = [];
			size = 0;
		}
		some.push(frame);
		size += length;
	}
	if (some.length > 0) messages.push(encodeFrames(some));
	return messages;
}

function contentOf(frame: LinkFrame): Uint8Array {
	if (frame.kind === 'request') return frame.request.body;
	if (frame.kind === 'answer') return frame.response.body;
	return 'bytes' in frame ? frame.bytes : NOTHING;
}

/** One message of all the frames in order, in one new buffer. Bodies are copied once, into it. */
export function encodeFrames(frames: readonly LinkFrame[]): Uint8Array<ArrayBuffer> {
	const flats = frames.map(flatten);
	let size = 0;
	for (const flat of flats) size += FIXED + flat.headBytes + flat.rest.length;
	const message = new Uint8Array(size);
	const view = new DataView(message.buffer);
	let at = 0;
	for (const flat of flats) {
		view.setUint32(at, AFTER_LENGTH + flat.headBytes + flat.rest.length, true);
		view.setUint8(at + 4, CODE.get(flat.kind)!);
		view.setUint32(at + 5, flat.id, true);
		view.setUint16(at + 9, flat.number, true);
		view.setUint32(at + 11, flat.headBytes, true);
		at += FIXED;
		if (flat.headBytes > 0) encoder.encodeInto(flat.head, message.subarray(at, at + flat.headBytes));
		at += flat.headBytes;
		message.set(flat.rest, at);
		at += flat.rest.length;
	}
	return message;
}

/** The frames of one message, in order; bodies are views into it. Throws `LinkError` when it is not well formed. */
export function decodeFrames(message: Uint8Array): LinkFrame[] {
	const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
	const frames: LinkFrame[] = [];
	let at = 0;
	while (at < message.length) {
		if (message.length - at < FIXED) throw new LinkError('A frame is cut off in its head.');
		const end = at + 4 + view.getUint32(at, true);
		const kind = KINDS[view.getUint8(at + 4)];
		const id = view.getUint32(at + 5, true);
		const number = view.getUint16(at + 9, true);
		const restAt = at + FIXED + view.getUint32(at + 11, true);
		if (kind === undefined) throw new LinkError('A frame has an unknown kind.');
		if (end > message.length || restAt > end) throw new LinkError('A frame is longer than its message.');
		const head = restAt === at + FIXED ? '' : decoder.decode(message.subarray(at + FIXED, restAt));
		frames.push(unflatten(kind, id, number, head, message.subarray(restAt, end)));
		at = end;
	}
	return frames;
}

function flatten(frame: LinkFrame): Flat {
	switch (frame.kind) {
		case 'hello':
			return flat(frame.kind, 0, frame.version, lines([frame.mode, frame.token, frame.world]), NOTHING);
		case 'welcome':
			return flat(
				frame.kind,
				0,
				(frame.resumed ? 1 : 0) + (frame.gated ? 2 : 0),
				lines([
					frame.resume,
					frame.storage,
					frame.journal,
					`${frame.entries}`,
					frame.relay,
					...lastLines(frame.last),
				]),
				NOTHING,
			);
		case 'role':
			return flat(frame.kind, 0, 0, lines([frame.role, frame.key, frame.holder]), NOTHING);
		case 'replaced':
		case 'ping':
		case 'pong':
		case 'yield':
		case 'more':
		case 'released':
		case 'leaving':
		case 'kept':
			return flat(frame.kind, 0, 0, '', NOTHING);
		case 'giving':
			return flat(frame.kind, 0, 0, `${frame.tick}\n${frame.digests}`, NOTHING);
		case 'part':
			return flat(frame.kind, 0, frame.last ? 1 : 0, oneLine(frame.world), frame.bytes);
		case 'have':
			return flat(frame.kind, 0, 0, frame.digests, NOTHING);
		case 'off':
		case 'unreadable':
			return flat(frame.kind, 0, 0, frame.why, NOTHING);
		case 'holds':
			return flat(
				frame.kind,
				0,
				0,
				lines([frame.world, frame.journal, `${frame.entries}`, `${frame.place.next}`, frame.place.mark]),
				NOTHING,
			);
		case 'reading':
			return flat(frame.kind, 0, 0, `${frame.next}\n${frame.end}`, NOTHING);
		case 'request': {
			const { method, path, query, headers, body } = frame.request;
			const head = `${lines([method, path, query])}${headerLines(headers)}`;
			return flat(frame.kind, frame.id, frame.ends, head, body);
		}
		case 'answer': {
			const { status, headers, body } = frame.response;
			return flat(frame.kind, frame.id, status, headerLines(headers), body);
		}
		case 'cancel':
			return flat(frame.kind, frame.id, 0, '', NOTHING);
		case 'received':
			return flat(frame.kind, 0, 0, '', idBytes(frame.ids));
		case 'read':
			return flat(frame.kind, frame.id, 0, frame.path, NOTHING);
		case 'write':
			return flat(frame.kind, frame.id, 0, frame.path, frame.bytes);
		case 'ask':
			return flat(frame.kind, frame.id, 0, frame.errand, frame.bytes);
		case 'told':
			return flat(frame.kind, frame.id, 0, '', frame.bytes);
		case 'append':
			return flat(frame.kind, frame.id, 0, String(frame.expected), frame.bytes);
		case 'journal':
			return flat(frame.kind, frame.id, 0, frame.ask, frame.bytes);
		case 'journaled':
			return flat(frame.kind, frame.id, 0, frame.told, frame.bytes);
		case 'file':
			return flat(frame.kind, frame.id, OUTCOMES.indexOf(frame.outcome), '', frame.bytes);
	}
}

function flat(kind: Kind, id: number, number: number, head: string, rest: Uint8Array): Flat {
	return { kind, id, number, head, headBytes: utf8Length(head), rest };
}

function unflatten(kind: Kind, id: number, number: number, head: string, rest: Uint8Array): LinkFrame {
	switch (kind) {
		case 'hello': {
			const [mode, token = '', world = ''] = head.split('\n');
			return { kind, version: number, mode: oneOf(MODES, mode), token, world };
		}
		case 'welcome': {
			const [resume = '', storage = '', journal = '', said, relay = '', ...lost] = head.split('\n');
			const entries = Number(said);
			if (!Number.isSafeInteger(entries))
				throw new LinkError('The number of journal entries must be a whole number.');
			const [world = '', ended_at = '', why = ''] = lost;
			const last = world === '' ? null : { world, ended_at, why };
			const [resumed, gated] = [(number & 1) > 0, (number & 2) > 0];
			return { kind, resumed, gated, resume, storage, last, journal, entries, relay };
		}
		case 'role': {
			const [role, key = '', holder] = head.split('\n');
			return { kind, role: oneOf(ROLES, role), key, holder: oneOf(HOLDERS, holder) };
		}
		case 'replaced':
		case 'ping':
		case 'pong':
		case 'yield':
		case 'more':
		case 'released':
		case 'leaving':
		case 'kept':
			return { kind };
		case 'giving': {
			const end = head.indexOf('\n');
			const tick = Number(head.slice(0, end));
			if (end < 1 || !Number.isSafeInteger(tick)) throw new LinkError('A handover has no tick.');
			return { kind, tick, digests: head.slice(end + 1) };
		}
		case 'part':
			return { kind, last: number === 1, world: head, bytes: rest };
		case 'have':
			return { kind, digests: head };
		case 'off':
		case 'unreadable':
			return { kind, why: head };
		case 'holds': {
			const [world = '', journal = '', ofEntries, ofNext, mark = ''] = head.split('\n');
			const entries = Number(ofEntries);
			const next = Number(ofNext);
			if (!Number.isSafeInteger(entries) || !Number.isSafeInteger(next))
				throw new LinkError('The entry numbers of a world must be whole numbers.');
			return { kind, world, journal, entries, place: { next, mark } };
		}
		case 'reading': {
			const [next, end] = head.split('\n').map(Number);
			if (!Number.isSafeInteger(next) || !Number.isSafeInteger(end))
				throw new LinkError('The entry numbers of a journal must be whole numbers.');
			return { kind, next: next!, end: end! };
		}
		case 'request': {
			const parts = head.split('\n');
			const [method, path, query] = parts;
			if (method === undefined || path === undefined || query === undefined) {
				throw new LinkError('A request has no method, path or query.');
			}
			const headers = headersFrom(parts, 3);
			return { kind, id, ends: number, request: { method, path, query, headers, body: rest } };
		}
		case 'answer':
			return {
				kind,
				id,
				response: { status: number, headers: headersFrom(head.split('\n'), 0), body: rest },
			};
		case 'cancel':
			return { kind, id };
		case 'received':
			return { kind, ids: idsFrom(rest) };
		case 'read':
			return { kind, id, path: head };
		case 'write':
			return { kind, id, path: head, bytes: rest };
		case 'ask':
			return { kind, id, errand: head, bytes: rest };
		case 'told':
			return { kind, id, bytes: rest };
		case 'append': {
			const expected = /^\d+$/.test(head) ? Number(head) : Number.NaN;
			if (!Number.isSafeInteger(expected))
				throw new LinkError('The entry number of an append must be a whole number.');
			return { kind, id, expected, bytes: rest };
		}
		case 'journal':
			return { kind, id, ask: head, bytes: rest };
		case 'journaled':
			return { kind, id, told: head, bytes: rest };
		case 'file': {
			const outcome = OUTCOMES[number];
			if (outcome === undefined) throw new LinkError('A file answer has an unknown outcome.');
			return { kind, id, outcome, bytes: rest };
		}
	}
}

function oneOf<W extends string>(words: readonly W[], word: string | undefined): W {
	const found = words.find((known) => known === word);
	if (found === undefined) throw new LinkError('A frame has an unknown word.');
	return found;
}

function lastLines(last: LastWorld | null): readonly string[] {
	return last === null ? [] : [last.world, last.ended_at, last.why];
}

/** Each part on a line of its own; a line break inside a part becomes a space, as HTTP has none either. */
function lines(parts: readonly string[]): string {
	let text = '';
	for (const part of parts) text += `${oneLine(part)}\n`;
	return text;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
	let text = '';
	for (const name in headers) text += `${oneLine(name)}\n${oneLine(headers[name]!)}\n`;
	return text;
}

const BREAK = /[\r\n]/;
function oneLine(part: string): string {
	return BREAK.test(part) ? part.replaceAll(/[\r\n]/g, ' ') : part;
}

function headersFrom(parts: readonly string[], start: number): Record<string, string> {
	const headers: Record<string, string> = {};
	for (let i = start; i + 1 < parts.length; i += 2) {
		const name = parts[i]!;
		if (name !== '' && name !== '__proto__') headers[name] = parts[i + 1]!;
	}
	return headers;
}

function idBytes(ids: readonly number[]): Uint8Array {
	const bytes = new Uint8Array(ids.length * 4);
	const view = new DataView(bytes.buffer);
	for (let i = 0; i < ids.length; i++) view.setUint32(i * 4, ids[i]!, true);
	return bytes;
}

function idsFrom(bytes: Uint8Array): number[] {
	if (bytes.length % 4 !== 0) throw new LinkError('A list of ids is cut off.');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const ids: number[] = [];
	for (let at = 0; at < bytes.length; at += 4) ids.push(view.getUint32(at, true));
	return ids;
}

/** Bytes of a text in UTF-8; a lone surrogate counts as the replacement character that the encoder writes. */
function utf8Length(text: string): number {
	let bytes = text.length;
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		if (unit < 0x80) continue;
		if (unit < 0x800) bytes += 1;
		else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
			bytes += 2;
			i++;
		} else bytes += 2;
	}
	return bytes;
}

const PASSED = new Set([
	'content-type',
	'content-encoding',
	'accept',
	'user-agent',
	'authorization',
	'idempotency-key',
]);

/** What the link itself writes. */
const OWN = new Set([CALL_HEADER, ENDS_HEADER]);

/** Whether a request's header means something to the engine: what a body is, what is wanted, who asks, and which call it is. */
export function passesOn(name: string): boolean {
	return PASSED.has(name) || (name.startsWith('x-') && !name.startsWith('x-forwarded') && !OWN.has(name));
}
