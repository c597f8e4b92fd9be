/**
 * A journal in a NATS stream: entries, leases and lists of states are messages on a subject of its own, states and blobs are objects.
 * Owns: the order of what is asked for, which appends make one message, the chain of messages, and what is cut for the limit on size.
 * Never: looks into an entry, but for its tick when it names a lost or changed one.
 *
 * Every message is published with the expected last sequence of the subject. The lease is a message like any other: after it, an owner
 * that was replaced expects a message that is not the last any more, and NATS refuses what it appends. No clock decides who may write.
 * Each message has the hash of the one before it, so a reader finds a message that is missing or is not what was written.
 *
 * It is long because everything that writes expects the same last message. Reading is in `stream-reader.ts`.
 */

import { headers } from '@nats-io/transport-node';
import { joinedBytes } from '../../shared/contract/joined-bytes.ts';
import {
	cutOff,
	fenced,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	newEntries,
	type Pieces,
	requireStateAt,
} from '../../shared/transport/journal.ts';
import { decodeAppend, encodeAppend, isHash } from '../../shared/transport/journal-bytes.ts';
import { Turns } from '../turns.ts';
import { isOtherLast, isRefusal, MAX_MESSAGE, type Nats, natsFault, STREAM, subjectOf } from './nats.ts';
import {
	HEAD,
	type Link,
	type MessageHead,
	START,
	type StateRow,
	type StreamMessage,
	SUM,
	sha256,
	sumOf,
} from './stream-message.ts';
import { StreamReader } from './stream-reader.ts';
import { WorldObjects } from './world-objects.ts';

export interface StreamJournalOptions {
	/** Identity of the journal. */
	readonly id: string;
	/** Name of the world, for errors. */
	readonly world: string;
	/** Bytes that it may take; what is older than a state is cut beyond that. No limit unless given. */
	readonly most?: number;
	/** Number of entries that it had at least: fewer are a loss. */
	readonly atLeast?: number;
	/** Called when entries were stored. */
	readonly onAppended?: () => void;
	/** Milliseconds for which an append is tried again while NATS does not answer. */
	readonly patience?: number;
}

/** Longer than NATS takes to choose a leader. */
const PATIENCE = 20_000;
/** A cut leaves this share of the limit. */
const KEPT_SHARE = 0.75;

/** An append that waits for its message. */
interface Waiting {
	readonly epoch: number;
	readonly at: number;
	readonly entries: readonly JournalEntry[];
	readonly done: () => void;
	readonly failed: (error: JournalError) => void;
}

/** A message to publish. */
interface Draft {
	readonly head: Omit<MessageHead, 'before' | 'bytes' | 'states'>;
	readonly bytes: Uint8Array;
	/** Bytes of the journal that it adds beside its own. */
	readonly more?: number;
}

const encoder = new TextEncoder();
const EMPTY = new Uint8Array(0);

export class StreamJournal implements Journal {
	readonly durable = true;
	readonly #nats: Nats;
	readonly #options: StreamJournalOptions;
	readonly #subject: string;
	readonly #objects: WorldObjects;
	readonly #reader: StreamReader;
	readonly #turns = new Turns();
	readonly #stateTurns = new Turns();
	/** The last message; undefined for an empty journal. */
	#last: StreamMessage | undefined;
	/** Epoch under which this owner wrote last; 0 if it has not. Under another one, others write. */
	#own = 0;
	/** True if a message may have been stored without an answer. */
	#isUnsure = false;
	/** States of the journal, ascending. */
	#states: readonly StateRow[] = [];
	/** Appends that join the next message; undefined if none wait. */
	#batch: Waiting[] | undefined;
	/** Why the last message failed: entries that follow it fail like it. */
	#fault: JournalError | undefined;
	#isClosed = false;

	private constructor(nats: Nats, options: StreamJournalOptions) {
		this.#nats = nats;
		this.#options = options;
		this.#subject = subjectOf(options.id);
		this.#objects = new WorldObjects(nats.objects, options.id);
		this.#reader = new StreamReader(nats, options, this.#objects);
	}

	/** Opens the journal, which is empty if it has no message. Rejects with `damaged` if it is not what was written. */
	static async open(nats: Nats, options: StreamJournalOptions): Promise<StreamJournal> {
		const journal = new StreamJournal(nats, options);
		try {
			await journal.#patiently(() => journal.#refresh());
		} catch (error) {
			throw natsFault(error, `The journal of the world "${options.world}" could not be opened`);
		}
		const { atLeast = 0 } = options;
		if (journal.next < atLeast) {
			const [good] = await journal.read(Math.max(0, journal.next - 1), 1);
			throw await journal.#reader.damaged(
				journal.next,
				`is missing: NATS had ${atLeast} entries before`,
				good,
			);
		}
		return journal;
	}

	/** Removes a journal and the objects that it names. */
	static async remove(nats: Nats, id: string): Promise<void> {
		const names = new Set<string>();
		const objects = new WorldObjects(nats.objects, id);
		try {
			const journal = await StreamJournal.open(nats, { id, world: '' });
			for (const { hash, blobs } of journal.#states) for (const name of [hash, ...blobs]) names.add(name);
			await journal.#namesOf(journal.#first, names);
		} catch (error) {
			// Whatever a damaged journal still names stays.
			if (!(error instanceof JournalError) || error.fault !== 'damaged') throw error;
		}
		await nats.streams.streams.purge(STREAM, { filter: subjectOf(id) });
		await objects.remove([...names]);
	}

	get #head(): MessageHead | undefined {
		return this.#last?.head;
	}

	/** Number of the entry after the last. */
	get next(): number {
		const head = this.#head;
		return head === undefined ? 0 : head.at + head.count;
	}

	get #first(): number {
		return this.#head?.first ?? 0;
	}

	get #epoch(): number {
		return this.#head?.epoch ?? 0;
	}

	extent(): Promise<JournalExtent> {
		return this.#inTurn('The journal could not be read', async () => {
			const { most } = this.#options;
			const head = this.#head;
			return {
				first: this.#first,
				next: this.next,
				lease: { epoch: this.#epoch, isTaken: head?.isTaken ?? false },
				states: this.#states.map(({ at }) => at),
				bytes: (head?.bytes ?? 0) + this.#objects.added,
				...(most === undefined ? {} : { most }),
			};
		});
	}

	acquire(): Promise<number> {
		return this.#inTurn('The lease could not be written', async () => {
			await this.#publishStates('lease', () => ({ epoch: this.#epoch + 1, isTaken: true }));
			return this.#epoch;
		});
	}

	release(epoch: number): Promise<void> {
		return this.#inTurn('The lease could not be written', async () => {
			if (epoch !== this.#epoch) return;
			await this.#publishStates('lease', () => {
				this.#requireEpoch(epoch);
				return { isTaken: false };
			});
		});
	}

	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		if (this.#isClosed) return Promise.reject(closed());
		return new Promise((done, failed) => {
			const waiting: Waiting = { epoch, at, entries, done, failed };
			if (this.#batch !== undefined) {
				this.#batch.push(waiting);
				return;
			}
			const batch = [waiting];
			this.#batch = batch;
			void this.#turns.run(() => this.#flush(batch));
		});
	}

	/** Publishes appends that wait, as few messages. Never rejects. */
	async #flush(batch: Waiting[]): Promise<void> {
		if (this.#batch === batch) this.#batch = undefined;
		while (batch.length > 0) {
			const part = batch.splice(0, partOf(batch));
			const refused = new Map<Waiting, JournalError>();
			try {
				await this.#publish(() => this.#draftOf(part, refused));
				this.#fault = undefined;
				this.#options.onAppended?.();
				for (const waiting of part) if (!refused.has(waiting)) waiting.done();
			} catch (error) {
				this.#fault = natsFault(error, 'The entries could not be written');
				for (const waiting of part) if (!refused.has(waiting)) waiting.failed(this.#fault);
			}
			for (const [{ failed }, why] of refused) failed(why);
		}
	}

	/** The message of appends; undefined if the journal has all their entries. `refused`: those that may not append. */
	async #draftOf(part: readonly Waiting[], refused: Map<Waiting, JournalError>): Promise<Draft | undefined> {
		refused.clear();
		const added: JournalEntry[] = [];
		for (const waiting of part)
			try {
				const { epoch, at, entries } = waiting;
				const next = this.next + added.length;
				if (epoch !== this.#epoch) throw fenced();
				if (at > next && this.#fault !== undefined) throw this.#fault;
				added.push(...newEntries(at, next, entries));
			} catch (error) {
				refused.set(waiting, natsFault(error, 'The entries could not be written'));
			}
		if (added.length === 0) return undefined;
		const bytes = encodeAppend(added);
		const head = { ...this.#sameHead, kind: 'entries', at: this.next, count: added.length } as const;
		if (bytes.length <= MAX_MESSAGE) return { head, bytes };
		const object = sha256(bytes);
		await this.#objects.keep(object, bytes);
		return { head: { ...head, object }, bytes: EMPTY };
	}

	/** The head of a message that changes nothing. */
	get #sameHead() {
		const { next: at } = this;
		return { at, count: 0, epoch: this.#epoch, isTaken: this.#head?.isTaken ?? false, first: this.#first };
	}

	/** Publishes a message with the states. `change`: what it changes, computed again if another message came first. */
	async #publishStates(
		kind: 'lease' | 'state' | 'cut',
		change: () => Partial<MessageHead> & { readonly states?: never },
		states: () => readonly StateRow[] = () => this.#states,
		more = 0,
	): Promise<void> {
		let rows = this.#states;
		await this.#publish(async () => {
			const head = { ...this.#sameHead, ...change(), kind } as const;
			rows = states();
			const bytes = encoder.encode(JSON.stringify(rows));
			if (bytes.length <= MAX_MESSAGE) return { head, bytes, more };
			const object = sha256(bytes);
			await this.#objects.keep(object, bytes);
			return { head: { ...head, object }, bytes: EMPTY, more };
		});
		this.#states = rows;
	}

	/**
	 * Publishes a message after the last one. If another one came first, `make` is called again after that was read. While NATS does not
	 * answer, the same message is tried again: whether an earlier attempt was stored is read from its last message.
	 */
	async #publish(make: () => Promise<Draft | undefined>): Promise<void> {
		let isDone = false;
		while (!isDone)
			isDone = await this.#patiently(async () => {
				if (this.#isUnsure) await this.#refresh();
				const draft = await make();
				return draft === undefined || this.#send(this.#messageOf(draft));
			});
	}

	/** Does work again while NATS does not answer. */
	async #patiently<T>(work: () => Promise<T>): Promise<T> {
		const { patience = PATIENCE } = this.#options;
		const end = performance.now() + patience;
		for (;;)
			try {
				return await work();
			} catch (error) {
				if (error instanceof JournalError || isRefusal(error) || performance.now() > end) throw error;
				await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			}
	}

	#messageOf({ head, bytes, more = 0 }: Draft): Omit<StreamMessage, 'seq'> & { readonly json: string } {
		const last = this.#last;
		const before: Link = last === undefined ? START : { seq: last.seq, sum: last.sum };
		const states = last === undefined ? 0 : last.head.kind === 'entries' ? last.head.states : last.seq;
		const sum = (last?.head.bytes ?? 0) + this.#objects.added + bytes.length + HEAD_BYTES + more;
		const whole: MessageHead = { ...head, bytes: Math.max(0, sum), states, before };
		const json = JSON.stringify(whole);
		return { head: whole, bytes, json, sum: sumOf(json, bytes) };
	}

	/** Sends a message until it is stored. False if another message came first. Rejects if NATS does not answer. */
	async #send(message: Omit<StreamMessage, 'seq'> & { readonly json: string }): Promise<boolean> {
		const { head, bytes, json, sum } = message;
		const named = headers();
		named.set(HEAD, json);
		named.set(SUM, sum);
		const added = this.#objects.added;
		this.#isUnsure = true;
		try {
			const { publisher } = this.#nats;
			const expect = { lastSubjectSequence: head.before.seq };
			const { seq } = await publisher.publish(this.#subject, bytes, { headers: named, expect });
			this.#last = { seq, sum, head, bytes: EMPTY };
		} catch (error) {
			if (isRefusal(error) && !isOtherLast(error)) {
				this.#isUnsure = false;
				throw error;
			}
			await this.#refresh();
			if (this.#last?.sum !== sum) {
				if (isOtherLast(error)) return false;
				throw error;
			}
		}
		this.#isUnsure = false;
		this.#own = head.epoch;
		this.#objects.added -= added;
		this.#reader.add(head);
		return true;
	}

	/** Reads the last message and the states. */
	async #refresh(): Promise<void> {
		const last = await this.#reader.last(this.#subject);
		if (last?.seq !== this.#last?.seq) {
			const isNewList = last !== undefined && last.head.kind !== 'entries';
			this.#states =
				last === undefined ? [] : await this.#reader.states(isNewList ? last.seq : last.head.states);
			this.#last = last;
		}
		this.#isUnsure = false;
	}

	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		return this.#inTurn('Entries could not be read', () =>
			this.#patiently(() => this.#readFrom(from, mostBytes)),
		);
	}

	async #readFrom(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		if (from < this.#first) throw cutOff(from, this.#first);
		const { next } = this;
		const read: JournalEntry[] = [];
		let room = mostBytes;
		if (from >= next) return read;
		for await (const { head, bytes } of this.#reader.messages(from, this.#last!, this.#states, mostBytes)) {
			if (head.kind !== 'entries') continue;
			for (const [i, entry] of decodeAppend(bytes).entries()) {
				if (head.at + i < from) continue;
				room -= entry.bytes.length;
				if (room < 0 && read.length > 0) return read;
				read.push({ bytes: entry.bytes.slice(), blobs: entry.blobs });
			}
			if (from + read.length >= next) return read;
		}
		return read;
	}

	async keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		const doing = 'The state could not be stored';
		await this.#inTurn(doing, async () => this.#requireStateAt(epoch, at));
		const stored: Uint8Array[] = [];
		for await (const piece of pieces) stored.push(piece.slice());
		return this.#stateTurns
			.run(() => this.#storeState(epoch, at, joinedBytes(stored), blobs))
			.catch((error) => {
				throw natsFault(error, doing);
			});
	}

	async #storeState(epoch: number, at: number, bytes: Uint8Array, blobs: readonly string[]): Promise<void> {
		const hash = sha256(bytes);
		await this.#patiently(() => this.#objects.keep(hash, bytes));
		await this.#inTurn('The state could not be stored', async () => {
			this.#requireStateAt(epoch, at);
			const before = await this.#reader.linkBefore(at, this.#last!, this.#states);
			const row: StateRow = { at, hash, size: bytes.length, blobs: [...blobs], before };
			await this.#publishStates(
				'state',
				() => {
					this.#requireStateAt(epoch, at);
					return {};
				},
				() => [...this.#states.filter((state) => state.at !== at), row].sort((a, b) => a.at - b.at),
			);
			this.#reader.trim(this.#states);
			await this.#makeRoom(epoch);
		});
	}

	#requireEpoch(epoch: number): void {
		if (epoch !== this.#epoch) throw fenced();
	}

	#requireStateAt(epoch: number, at: number): void {
		this.#requireEpoch(epoch);
		requireStateAt(at, this.#first, this.next);
	}

	/** Cuts what is before the oldest states if there is too much. The newest state and what follows it stay. */
	async #makeRoom(epoch: number): Promise<void> {
		const { most } = this.#options;
		const total = this.#head!.bytes;
		if (most === undefined || total <= most) return;
		let states = this.#states;
		let first = this.#first;
		let less = 0;
		const unnamed = new Set<string>();
		while (total - less > most * KEPT_SHARE) {
			const [oldest, following] = states;
			// What is before the oldest state goes first, then that state itself.
			const to = oldest !== undefined && oldest.at > first ? oldest : following;
			if (to === undefined) break;
			if (to !== oldest) {
				less += oldest!.size;
				for (const hash of [oldest!.hash, ...oldest!.blobs]) unnamed.add(hash);
				states = states.slice(1);
			}
			less += await this.#namesOf(first, unnamed, to);
			first = to.at;
		}
		if (first === this.#first && states === this.#states) return;
		const kept = await this.#objects.dropped(unnamed, async (candidates) => {
			for (const { hash, blobs } of states) for (const name of [hash, ...blobs]) candidates.delete(name);
			if (candidates.size > 0) await this.#namedFrom(first, states, candidates);
		});
		const before = states[0]!.before;
		await this.#publishStates(
			'cut',
			() => {
				this.#requireEpoch(epoch);
				return { first };
			},
			() => states,
			-(less + kept.bytes),
		);
		await this.#nats.streams.streams.purge(STREAM, { filter: this.#subject, seq: before.seq + 1 });
		this.#reader.forget(before.seq);
		await this.#objects.remove(kept.hashes);
	}

	/** Bytes of the messages from an entry to a state, or the last. Adds the objects and blobs that they name to `names`. */
	async #namesOf(from: number, names: Set<string>, to?: StateRow): Promise<number> {
		let bytes = 0;
		if (from >= this.next) return bytes;
		for await (const message of this.#reader.messages(from, this.#last!, this.#states, MAX_MESSAGE)) {
			if (to !== undefined && message.seq > to.before.seq) break;
			const { head } = message;
			bytes += message.bytes.length + HEAD_BYTES;
			if (head.object !== undefined) names.add(head.object);
			if (head.kind === 'entries')
				for (const { blobs } of decodeAppend(message.bytes)) for (const hash of blobs) names.add(hash);
		}
		return bytes;
	}

	/** Removes from `names` what the entries from one on name. */
	async #namedFrom(from: number, states: readonly StateRow[], names: Set<string>): Promise<void> {
		if (from >= this.next) return;
		for await (const { head, bytes } of this.#reader.messages(from, this.#last!, states, MAX_MESSAGE)) {
			if (head.object !== undefined) names.delete(head.object);
			if (head.kind === 'entries')
				for (const { blobs } of decodeAppend(bytes)) for (const hash of blobs) names.delete(hash);
		}
	}

	state(at = Number.POSITIVE_INFINITY): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#inTurn('A state could not be read', async () => {
			const row = this.#states.findLast((state) => state.at <= at);
			if (row === undefined) return null;
			const bytes = await this.#patiently(() => this.#objects.read(row.hash));
			if (bytes === null)
				throw await this.#reader.damaged(row.at, 'has a state before it that is missing or was changed');
			return { at: row.at, bytes };
		});
	}

	keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		if (!isHash(hash) || sha256(bytes) !== hash)
			return Promise.reject(
				new JournalError('failed', 'The name of a blob must be its SHA-256 in lowercase hex.'),
			);
		return this.#inTurn('The blob could not be stored', () =>
			this.#patiently(() => this.#objects.keep(hash, bytes)),
		);
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#inTurn('A blob could not be read', () => this.#patiently(() => this.#objects.read(hash)));
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		const idle = this.#stateTurns.idle();
		const rest = this.#turns.idle();
		await idle;
		await rest;
		this.#isClosed = true;
	}

	/** Does work after all that was asked for before it. Appends that come later make another message. */
	#inTurn<T>(doing: string, work: () => Promise<T>): Promise<T> {
		if (this.#isClosed) return Promise.reject(closed());
		this.#batch = undefined;
		return this.#turns
			.run(async () => {
				if (this.#isUnsure || this.#epoch !== this.#own) await this.#patiently(() => this.#refresh());
				return work();
			})
			.catch((error: unknown) => {
				throw natsFault(error, doing);
			});
	}
}

/** Milliseconds between attempts while NATS does not answer. */
const RETRY_MS = 100;

/** Bytes that the head of a message takes, about. */
const HEAD_BYTES = 400;

/** Returns the number of appends that make one message. */
function partOf(batch: readonly Waiting[]): number {
	let bytes = 0;
	let count = 0;
	for (const { entries } of batch) {
		for (const entry of entries) bytes += entry.bytes.length + 80 * (entry.blobs.length + 1);
		if (count > 0 && bytes > MAX_MESSAGE) break;
		count++;
	}
	return count;
}

const closed = (): JournalError => new JournalError('failed', 'The journal is closed.');
