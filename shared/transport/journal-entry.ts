/**
 * One entry of a journal as bytes.
 * Owns: the content of an entry: a packet, whose bytes are the body of the request and the body of the answer.
 */

import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { joinBytes } from '../contract/joined-bytes.ts';
import { type JournalEntry, JournalError } from './journal.ts';
import { decodePacket, PacketError, packetPieces } from './packet.ts';

/** Hours for which the answer to a call with a key is kept. */
export const KEPT_HOURS = 24;

const count = z.int().min(0);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const headers = z.record(z.string(), z.string());

/** Tick and digest of a world. For a very large world, not every entry has the digest. */
const worldState = z.strictObject({
	id: z.string(),
	/** Name of the scene in the main world, if it has one. Lists of worlds show it. */
	name: z.string().optional(),
	tick: count,
	digest: z
		.string()
		.regex(/^[0-9a-f]{16}$/)
		.optional(),
});

/** All worlds that play after an entry, with their speed as a multiple of real time. */
const playing = z.array(z.strictObject({ id: z.string(), speed: z.number() })).optional();

const refusal = z.strictObject({
	code: z.string().refine((code): code is ErrorCode => Object.hasOwn(ERRORS, code)),
	message: z.string(),
	fix: z.string(),
	path: z.string().optional(),
	headers,
});

/** A fact that a call learned from outside: it is neither in the request nor in a world. */
const outsideFact = z.strictObject({
	/**
	 * Kind of the fact. `read`: a file of the data folder. `before`: such a file just before it is overwritten.
	 * `public`: a file of `public/`. `write`: a file was written. `ask`: a request to the relay. `capture`: a picture,
	 * or the fact that nothing draws. `moment`: an earlier state of a world.
	 */
	what: z.enum(['read', 'before', 'public', 'write', 'ask', 'capture', 'moment']),
	/** Name of the file, request, world or moment. */
	of: z.string(),
	/** Hash of the bytes, which are a blob. It is missing if there were no bytes. */
	hash: hash.optional(),
	/** Number of bytes, for facts whose content does not matter. */
	length: count.optional(),
	said: z.json().optional(),
	refused: refusal.optional(),
});

const sender = z.strictObject({
	name: z.string(),
	kind: z.enum(['agent', 'person', 'program']),
	may: z.array(z.enum(['read', 'write', 'admin'])),
	agent: z
		.strictObject({
			number: z.int(),
			id: z.string(),
			limits: z.strictObject({
				calls_per_second: z.number(),
				entities: z.number(),
				forks: z.number(),
				// Older journals lack these.
				snapshots: z.number().default(50),
				files: z.number().default(1000),
				file_bytes: z.number().default(0),
				asset_bytes: z.number().default(2 ** 29),
				journal_bytes: z.number().default(0),
				paid_models: z.number().default(0),
				worlds: z.number().default(0),
			}),
		})
		.optional(),
	said: z.string().optional(),
	unsigned: z.string().optional(),
});

/**
 * Summary of one kind of event in a world: the first tick with one, in the order of the ticks made, and the highest
 * such tick.
 */
const eventSummary = z.strictObject({ id: z.string(), kind: z.string(), first: count, last: count });

const call = z.strictObject({
	kind: z.literal('call'),
	/** Time at which it was applied, in milliseconds since 1970. Worlds cannot read it. */
	at: count,
	door: z.enum(['process', 'page', 'worker', 'relay']),
	sender,
	method: z.string(),
	path: z.string(),
	query: z.string(),
	headers,
	/** Hash of the body, if the body is a blob outside the entry. */
	body: hash.optional(),
	/** Number of bytes of the body in the entry. */
	length: count,
	/** Idempotency-Key, with the agent that it belongs to. */
	key: z.string().optional(),
	/** Id of the call at its relay. */
	call: z.string().optional(),
	/** The world that it was about. */
	world: z.string(),
	/** The worlds that it changed or created, as they are after it. */
	worlds: z.array(worldState),
	/** Deaths, scores and phases of matches; missing if nothing was marked. */
	happened: z.array(eventSummary).optional(),
	/** The worlds that it deleted. */
	gone: z.array(z.string()).optional(),
	playing,
	status: z.int(),
	/** Headers of the answer to a call with a key. The bytes of that answer are in the entry. */
	answer: headers.optional(),
	/** Tick and digest of the world after a call with a key; null if the world was deleted. */
	place: z.strictObject({ tick: count.nullable(), digest: z.string().nullable() }).optional(),
	told: z.array(outsideFact).optional(),
	/** Reason for an early end, and the number of the tick or request edge at which the call ended. */
	stop: z.strictObject({ edge: count, why: z.enum(['cancelled', 'paused', 'diverged']) }).optional(),
	/** Numbers of the memory checks of this call that found no room. */
	full: z.array(count).optional(),
	/** True if it ran during another call, whose entry comes later. It only changes which worlds play. */
	overtook: z.literal(true).optional(),
});

/** Changes without a call since the previous entry. */
const between = z.strictObject({
	kind: z.literal('between'),
	at: count,
	/** Worlds that played, with the number of ticks and their state afterwards. */
	worlds: z.array(worldState.extend({ ticks: count })),
	happened: z.array(eventSummary).optional(),
	/** Assets that were loaded for reads. */
	assets: z.array(hash).optional(),
	playing,
	/** Worlds that stopped playing by themselves. */
	halted: z
		.array(z.strictObject({ id: z.string(), tick: count, message: z.string(), fix: z.string() }))
		.optional(),
});

const head = z.discriminatedUnion('kind', [call, between]);

export type CallHead = z.infer<typeof call>;
export type BetweenHead = z.infer<typeof between>;
export type OutsideFactHead = z.infer<typeof outsideFact>;
export type EventSummaryHead = z.infer<typeof eventSummary>;
export type WorldStateHead = z.infer<typeof worldState>;

export interface ReadEntry {
	readonly head: CallHead | BetweenHead;
	/** Body of the request; empty if the body is a blob. */
	readonly body: Uint8Array;
	/** Body of the answer; empty if the answer is not kept. */
	readonly answer: Uint8Array;
}

/** Returns the blobs that an entry names. */
function blobsOf({ head }: ReadEntry): string[] {
	if (head.kind === 'between') return head.assets ?? [];
	const read = (head.told ?? []).flatMap(({ hash }) => hash ?? []);
	return [...new Set(head.body === undefined ? read : [head.body, ...read])];
}

/** Encodes an entry as a packet, with the list of its blobs. */
export function encodeEntry(entry: ReadEntry): JournalEntry {
	const { head, body, answer } = entry;
	return { bytes: joinBytes(packetPieces(head, [body, answer])), blobs: blobsOf(entry) };
}

/** Decodes an entry. Throws a `JournalError` with `damaged` for bytes that are not an entry. */
export function decodeEntry({ bytes }: Pick<JournalEntry, 'bytes'>): ReadEntry {
	const packet = packetOf(bytes);
	const read = head.safeParse(packet.head);
	if (!read.success)
		throw new JournalError('damaged', `An entry is malformed: ${z.prettifyError(read.error)}.`);
	const length = read.data.kind === 'call' ? read.data.length : 0;
	if (packet.end !== bytes.length || length > packet.bytes.length)
		throw new JournalError('damaged', 'An entry is cut off.');
	return {
		head: read.data,
		body: packet.bytes.subarray(0, length),
		answer: packet.bytes.subarray(length),
	};
}

function packetOf(bytes: Uint8Array) {
	try {
		return decodePacket(bytes);
	} catch (error) {
		if (!(error instanceof PacketError)) throw error;
		throw new JournalError('damaged', `An entry is damaged: ${error.message}`);
	}
}
