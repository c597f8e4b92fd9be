/**
 * Reads messages of one journal from the NATS stream, and checks the chain.
 * Owns: where an entry is, and the sentence that names a lost or changed one. Never: writes.
 */

import type { MsgRequest } from '@nats-io/jetstream';
import { type JournalEntry, JournalError } from '../../shared/transport/journal.ts';
import { decodeAppend } from '../../shared/transport/journal-bytes.ts';
import { type Nats, STREAM, subjectOf } from './nats.ts';
import {
	type Link,
	type MessageHead,
	messageOf,
	START,
	type StateRow,
	type StreamMessage,
} from './stream-message.ts';
import type { WorldObjects } from './world-objects.ts';

/** Messages of one request. */
const BATCH = 256;
/** Least bytes of one request. */
const MIN_BYTES = 64 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/** Start of entry `at` and of the entries after it. */
interface Position {
	readonly at: number;
	readonly before: Link;
}

interface About {
	readonly id: string;
	readonly world: string;
}

export class StreamReader {
	readonly #nats: Nats;
	readonly #about: About;
	readonly #subject: string;
	readonly #objects: WorldObjects;
	/** Messages that were written here, ascending. */
	#known: Position[] = [];
	/** The message after those that were read last. */
	#cursor: Position | undefined;

	constructor(nats: Nats, about: About, objects: WorldObjects) {
		this.#nats = nats;
		this.#about = about;
		this.#subject = subjectOf(about.id);
		this.#objects = objects;
	}

	/** Notes where a message of this journal is. */
	add({ kind, at, before }: MessageHead): void {
		if (kind === 'entries') this.#known.push({ at, before });
	}

	/** Forgets messages before the last state but one: the states say where the entries after them are. */
	trim(states: readonly StateRow[]): void {
		const from = states.at(-2)?.at ?? 0;
		this.#known = this.#known.filter(({ at }) => at >= from);
	}

	/** Forgets messages up to one that is removed. */
	forget(seq: number): void {
		this.#known = this.#known.filter(({ before }) => before.seq >= seq);
		this.#cursor = undefined;
	}

	/** The last message, from the leader of the stream; undefined if there is none. */
	async last(subject: string): Promise<StreamMessage | undefined> {
		const stored = await this.#nats.streams.streams.getMessage(STREAM, { last_by_subj: subject });
		if (stored === null) return undefined;
		const message = messageOf(stored);
		if (message === null) throw this.#sentence('The last entry', null, 'was changed');
		return message;
	}

	/** The states that a message carries; none for 0. */
	async states(seq: number): Promise<readonly StateRow[]> {
		if (seq === 0) return [];
		const stored = await this.#nats.streams.streams.getMessage(STREAM, { seq });
		const message = stored === null ? null : messageOf(stored);
		if (message === null) throw this.#sentence('The list of states', null, 'is missing or was changed');
		const bytes = await this.#bytesOf(message);
		if (bytes === null) throw this.#sentence('The list of states', null, 'is missing or was changed');
		return JSON.parse(Buffer.from(bytes).toString()) as StateRow[];
	}

	/** The link before the message with entry `at`. */
	async linkBefore(at: number, last: StreamMessage, states: readonly StateRow[]): Promise<Link> {
		if (at === last.head.at + last.head.count) return { seq: last.seq, sum: last.sum };
		let found: Link | undefined;
		for await (const { head } of this.messages(at, last, states, MIN_BYTES))
			if (head.kind === 'entries' && head.at + head.count > at) {
				found = head.before;
				break;
			}
		return found ?? { seq: last.seq, sum: last.sum };
	}

	#positionOf(from: number, states: readonly StateRow[]): Position {
		const all = [...states, ...this.#known, ...(this.#cursor === undefined ? [] : [this.#cursor])];
		let best: Position = { at: 0, before: START };
		for (const { at, before } of all) if (at <= from && at >= best.at) best = { at, before };
		return best;
	}

	/**
	 * Messages from the one with entry `from` to `last`, each checked, with bytes of objects in place. Rejects with `damaged` for one that
	 * is missing or was changed.
	 */
	async *messages(
		from: number,
		last: StreamMessage,
		states: readonly StateRow[],
		about: number,
	): AsyncGenerator<StreamMessage> {
		const position = this.#positionOf(from, states);
		const max_bytes = Math.min(MAX_BYTES, Math.max(MIN_BYTES, about));
		let before = position.before;
		let next = position.at;
		let good: JournalEntry | undefined;
		while (before.seq < last.seq) {
			let isAny = false;
			for await (const stored of await this.#batch(before.seq + 1, max_bytes)) {
				isAny = true;
				if (before.seq >= last.seq) break;
				const message = messageOf(stored);
				if (message === null) throw await this.damaged(next, 'was changed', good, stored.data);
				const isChained = message.head.before.seq === before.seq && message.head.before.sum === before.sum;
				if (!isChained) throw await this.damaged(next, 'is missing', good);
				const bytes = await this.#bytesOf(message);
				if (bytes === null) throw await this.damaged(message.head.at, 'is missing in the object store', good);
				if (message.head.kind === 'entries') {
					next = message.head.at + message.head.count;
					good = decodeAppend(bytes).at(-1);
				}
				if (message.head.kind !== 'entries' || next > from) {
					if (message.head.kind === 'entries') this.#cursor = { at: message.head.at, before };
					yield { ...message, bytes };
				}
				before = { seq: message.seq, sum: message.sum };
			}
			if (!isAny) throw await this.damaged(next, 'is missing', good);
		}
	}

	/** Messages of the subject from a sequence on. A replica that is behind has none; then the leader is asked. */
	async #batch(seq: number, max_bytes: number) {
		const { direct, streams } = this.#nats.streams;
		const got = await direct.getBatch(STREAM, { seq, next_by_subj: this.#subject, batch: BATCH, max_bytes });
		const read = [];
		try {
			for await (const message of got) read.push(message);
		} catch (error) {
			if (read.length === 0 && (error as { code?: unknown }).code !== 404) throw error;
		}
		if (read.length > 0) return read;
		// NATS takes this request; the client's type lacks it.
		const next = { seq, next_by_subj: this.#subject } as unknown as MsgRequest;
		const one = await streams.getMessage(STREAM, next);
		return one === null ? [] : [one];
	}

	/** Bytes of a message; null if they are an object that is missing. */
	async #bytesOf({ head, bytes }: StreamMessage): Promise<Uint8Array | null> {
		return head.object === undefined ? bytes : this.#objects.read(head.object);
	}

	/** The refusal of a journal with a lost or changed entry. `good`: the entry before it. `bytes`: what is there now. */
	async damaged(entry: number, what: string, good?: JournalEntry, bytes?: Uint8Array): Promise<JournalError> {
		const changed = bytes === undefined ? undefined : entriesOf(bytes)?.[0];
		const tick = (await tickOf(changed)) ?? (await tickOf(good));
		return this.#sentence(`Entry ${entry}`, tick, what);
	}

	#sentence(entry: string, tick: number | null, what: string): JournalError {
		const at = tick === null ? '' : ` (tick ${tick})`;
		return new JournalError(
			'damaged',
			`${entry}${at} of the world "${this.#about.world}" ${what}. The world is not resumed without it.`,
		);
	}
}

function entriesOf(bytes: Uint8Array): readonly JournalEntry[] | undefined {
	try {
		return decodeAppend(bytes);
	} catch {
		// These bytes are what was changed.
		return undefined;
	}
}

/** Tick of the main world after an entry; null if the entry does not say it. */
async function tickOf(entry: JournalEntry | undefined): Promise<number | null> {
	if (entry === undefined) return null;
	const { decodeEntry } = await import('../../shared/transport/journal-entry.ts');
	try {
		return decodeEntry(entry).head.worlds.find(({ id }) => id === 'main')?.tick ?? null;
	} catch {
		// An entry that was changed need not be one any more.
		return null;
	}
}
