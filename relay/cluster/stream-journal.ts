/**
 * Journal in a NATS stream. Entries, leases and lists of states are messages on its own subject. States and blobs are
 * objects.
 * Owns: the order of requests, the appends that form one message, and the removal of old entries at the limit on size.
 * `stream-writer.ts` writes messages, and `stream-reader.ts` reads them.
 * Never: reads the content of an entry, except the tick for an error text.
 */

import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import {
	cutError,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	newEntries,
	type Pieces,
	requireStateAt,
} from '../../shared/transport/journal.ts';
import { decodeAppend, encodeAppend, isHash } from '../../shared/transport/journal-bytes.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { MAX_MESSAGE_BYTES, type Nats, natsFault, STREAM, subjectOf } from './nats.ts';
import { type StreamState, sha256 } from './stream-message.ts';
import { StreamReader } from './stream-reader.ts';
import { HEAD_BYTES, type MessageDraft, StreamWriter } from './stream-writer.ts';
import { WorldObjects } from './world-objects.ts';

export interface StreamJournalOptions {
	/** Identity of the journal. */
	readonly id: string;
	/** Name of the world, for errors. */
	readonly world: string;
	/** Maximum bytes of the journal. Beyond it, entries before the oldest state are removed. The default is no limit. */
	readonly maxBytes?: number;
	/** Minimum number of entries that the journal must have. Fewer entries are reported as a loss. */
	readonly minEntries?: number;
	/** Called after entries were stored. */
	readonly onAppended?: () => void;
	/** Milliseconds for which an append is retried while NATS does not answer. */
	readonly patience?: number;
}

/** A cut reduces the journal to this share of the limit. */
const KEPT_SHARE = 0.75;

/** An append that waits for its message. */
interface WaitingAppend {
	readonly epoch: number;
	readonly at: number;
	readonly entries: readonly JournalEntry[];
	readonly resolve: () => void;
	readonly reject: (error: JournalError) => void;
}

export class StreamJournal implements Journal {
	readonly durable = true;
	readonly #nats: Nats;
	readonly #options: StreamJournalOptions;
	readonly #objects: WorldObjects;
	readonly #reader: StreamReader;
	readonly #writer: StreamWriter;
	readonly #queue = new TaskQueue();
	readonly #stateQueue = new TaskQueue();
	/** Appends that join the next message; undefined if none wait. */
	#batch: WaitingAppend[] | undefined;
	/** Error of the last message. Entries that follow it fail with the same error. */
	#fault: JournalError | undefined;
	#isClosed = false;

	private constructor(nats: Nats, options: StreamJournalOptions) {
		this.#nats = nats;
		this.#options = options;
		this.#objects = new WorldObjects(nats.objects, options.id);
		this.#reader = new StreamReader(nats, options, this.#objects);
		this.#writer = new StreamWriter(nats, options.id, this.#objects, this.#reader, options.patience);
	}

	/** Opens a journal. It is empty if it has no message. Rejects with `damaged` if a message is missing or was changed. */
	static async open(nats: Nats, options: StreamJournalOptions): Promise<StreamJournal> {
		const journal = new StreamJournal(nats, options);
		try {
			await journal.#writer.retry(() => journal.#writer.refresh());
		} catch (error) {
			throw natsFault(error, `The journal of the world "${options.world}" could not be opened`);
		}
		const { minEntries = 0 } = options;
		const { next } = journal;
		if (next >= minEntries) return journal;
		const [lastEntry] = await journal.read(Math.max(0, next - 1), 1);
		const problem = `is missing: NATS had ${minEntries} entries before`;
		throw await journal.#reader.damageAt(next, problem, lastEntry);
	}

	/** Removes a journal and the objects that it names. */
	static async remove(nats: Nats, id: string): Promise<void> {
		const names = new Set<string>();
		const objects = new WorldObjects(nats.objects, id);
		try {
			const journal = await StreamJournal.open(nats, { id, world: '' });
			for (const { hash, blobs } of journal.#writer.states)
				for (const name of [hash, ...blobs]) names.add(name);
			await journal.#collectNames(journal.#writer.first, names);
		} catch (error) {
			// The objects of a damaged journal may be left over.
			if (!(error instanceof JournalError) || error.fault !== 'damaged') throw error;
		}
		await nats.streams.streams.purge(STREAM, { filter: subjectOf(id) });
		await objects.remove([...names]);
	}

	/** Number of the entry after the last. */
	get next(): number {
		return this.#writer.next;
	}

	extent(): Promise<JournalExtent> {
		return this.#runInOrder('The journal could not be read', async () => {
			const { maxBytes } = this.#options;
			const { first, next, lease, bytes, states } = this.#writer;
			const limit = maxBytes === undefined ? {} : { most: maxBytes };
			return { first, next, lease, states: states.map(({ at }) => at), bytes, ...limit };
		});
	}

	acquire(): Promise<number> {
		return this.#runInOrder('The lease could not be written', async () => {
			const writer = this.#writer;
			await writer.publishStates('lease', () => ({ epoch: writer.lease.epoch + 1, isTaken: true }));
			return writer.lease.epoch;
		});
	}

	release(epoch: number): Promise<void> {
		return this.#runInOrder('The lease could not be written', async () => {
			const writer = this.#writer;
			if (epoch !== writer.lease.epoch) return;
			await writer.publishStates('lease', () => {
				writer.requireEpoch(epoch);
				return { isTaken: false };
			});
		});
	}

	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		if (this.#isClosed) return Promise.reject(closedError());
		return new Promise((resolve, reject) => {
			const waiting: WaitingAppend = { epoch, at, entries, resolve, reject };
			if (this.#batch !== undefined) {
				this.#batch.push(waiting);
				return;
			}
			const batch = [waiting];
			this.#batch = batch;
			void this.#queue.run(() => this.#flush(batch));
		});
	}

	/** Publishes waiting appends in as few messages as possible. Never rejects. */
	async #flush(batch: WaitingAppend[]): Promise<void> {
		if (this.#batch === batch) this.#batch = undefined;
		while (batch.length > 0) {
			const group = batch.splice(0, countFitting(batch));
			const refusals = new Map<WaitingAppend, JournalError>();
			try {
				await this.#writer.publish(() => this.#draftOf(group, refusals));
				this.#fault = undefined;
				this.#options.onAppended?.();
				for (const waiting of group) if (!refusals.has(waiting)) waiting.resolve();
			} catch (error) {
				this.#fault = natsFault(error, 'The entries could not be written');
				for (const waiting of group) if (!refusals.has(waiting)) waiting.reject(this.#fault);
			}
			for (const [{ reject }, error] of refusals) reject(error);
		}
	}

	/**
	 * Returns the message of appends; undefined if the journal already has all their entries. Fills `refusals` with the
	 * appends that are not allowed.
	 */
	#draftOf(
		part: readonly WaitingAppend[],
		refused: Map<WaitingAppend, JournalError>,
	): MessageDraft | undefined {
		refused.clear();
		const draftEntries: JournalEntry[] = [];
		for (const waiting of part)
			try {
				const { epoch, at, entries } = waiting;
				const next = this.next + draftEntries.length;
				this.#writer.requireEpoch(epoch);
				if (at > next && this.#fault !== undefined) throw this.#fault;
				draftEntries.push(...newEntries(at, next, entries));
			} catch (error) {
				refused.set(waiting, natsFault(error, 'The entries could not be written'));
			}
		if (draftEntries.length === 0) return undefined;
		return { head: { kind: 'entries', count: draftEntries.length }, bytes: encodeAppend(draftEntries) };
	}

	read(from: number, maxBytes: number): Promise<readonly JournalEntry[]> {
		return this.#runInOrder('Entries could not be read', () =>
			this.#writer.retry(() => this.#readFrom(from, maxBytes)),
		);
	}

	async #readFrom(from: number, maxBytes: number): Promise<readonly JournalEntry[]> {
		const { first, next, last, states } = this.#writer;
		if (from < first) throw cutError(from, first);
		const read: JournalEntry[] = [];
		let room = maxBytes;
		if (from >= next) return read;
		for await (const { head, bytes } of this.#reader.messages(from, last!, states, maxBytes)) {
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
		const failure = 'The state could not be stored';
		await this.#runInOrder(failure, async () => this.#requireStateAt(epoch, at));
		const chunks: Uint8Array[] = [];
		for await (const piece of pieces) chunks.push(piece.slice());
		return this.#stateQueue
			.run(() => this.#storeState(epoch, at, joinBytes(chunks), blobs))
			.catch((error) => {
				throw natsFault(error, failure);
			});
	}

	async #storeState(epoch: number, at: number, bytes: Uint8Array, blobs: readonly string[]): Promise<void> {
		const hash = sha256(bytes);
		await this.#writer.retry(() => this.#objects.put(hash, bytes));
		await this.#runInOrder('The state could not be stored', async () => {
			this.#requireStateAt(epoch, at);
			const writer = this.#writer;
			const before = await this.#reader.linkBefore(at, writer.last!, writer.states);
			const row: StreamState = { at, hash, size: bytes.length, blobs: [...blobs], before };
			await writer.publishStates(
				'state',
				() => {
					this.#requireStateAt(epoch, at);
					return {};
				},
				() => [...writer.states.filter((state) => state.at !== at), row].sort((a, b) => a.at - b.at),
			);
			this.#reader.trim(writer.states);
			await this.#makeRoom(epoch);
		});
	}

	#requireStateAt(epoch: number, at: number): void {
		this.#writer.requireEpoch(epoch);
		requireStateAt(at, this.#writer.first, this.next);
	}

	/** If the limit is exceeded, removes the oldest entries and states. The newest state and the entries after it stay. */
	async #makeRoom(epoch: number): Promise<void> {
		const { maxBytes } = this.#options;
		const writer = this.#writer;
		const total = writer.last!.head.bytes;
		if (maxBytes === undefined || total <= maxBytes) return;
		let { states, first } = writer;
		let removedBytes = 0;
		const unreferenced = new Set<string>();
		while (total - removedBytes > maxBytes * KEPT_SHARE) {
			const [oldest, following] = states;
			// Entries before the oldest state are removed first, then that state.
			const to = oldest !== undefined && oldest.at > first ? oldest : following;
			if (to === undefined) break;
			if (to !== oldest) {
				removedBytes += oldest!.size;
				for (const hash of [oldest!.hash, ...oldest!.blobs]) unreferenced.add(hash);
				states = states.slice(1);
			}
			removedBytes += await this.#collectNames(first, unreferenced, to);
			first = to.at;
		}
		if (first === writer.first && states === writer.states) return;
		const unused = await this.#objects.findRemovable(unreferenced, async (candidates) => {
			for (const { hash, blobs } of states) for (const name of [hash, ...blobs]) candidates.delete(name);
			if (candidates.size > 0) await this.#removeNamed(first, states, candidates);
		});
		const before = states[0]!.before;
		await writer.publishStates(
			'cut',
			() => {
				writer.requireEpoch(epoch);
				return { first };
			},
			() => states,
			-(removedBytes + unused.bytes),
		);
		await this.#nats.streams.streams.purge(STREAM, {
			filter: subjectOf(this.#options.id),
			seq: before.seq + 1,
		});
		this.#reader.forget(before.seq);
		await this.#objects.remove(unused.hashes);
	}

	/**
	 * Returns the bytes of the messages from an entry to a state, or to the last one. Adds the objects and blobs that they
	 * name to `names`.
	 */
	async #collectNames(from: number, names: Set<string>, to?: StreamState): Promise<number> {
		let bytes = 0;
		if (from >= this.next) return bytes;
		for await (const message of this.#reader.messages(
			from,
			this.#writer.last!,
			this.#writer.states,
			MAX_MESSAGE_BYTES,
		)) {
			if (to !== undefined && message.seq > to.before.seq) break;
			const { head } = message;
			bytes += message.bytes.length + HEAD_BYTES;
			if (head.object !== undefined) names.add(head.object);
			if (head.kind === 'entries')
				for (const { blobs } of decodeAppend(message.bytes)) for (const hash of blobs) names.add(hash);
		}
		return bytes;
	}

	/** Removes from `names` all objects and blobs that entries from `from` on name. */
	async #removeNamed(from: number, states: readonly StreamState[], names: Set<string>): Promise<void> {
		if (from >= this.next) return;
		for await (const { head, bytes } of this.#reader.messages(
			from,
			this.#writer.last!,
			states,
			MAX_MESSAGE_BYTES,
		)) {
			if (head.object !== undefined) names.delete(head.object);
			if (head.kind === 'entries')
				for (const { blobs } of decodeAppend(bytes)) for (const hash of blobs) names.delete(hash);
		}
	}

	state(at = Number.POSITIVE_INFINITY): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#runInOrder('A state could not be read', async () => {
			const row = this.#writer.states.findLast((state) => state.at <= at);
			if (row === undefined) return null;
			const bytes = await this.#writer.retry(() => this.#objects.read(row.hash));
			if (bytes === null)
				throw await this.#reader.damageAt(row.at, 'has a state before it that is missing or was changed');
			return { at: row.at, bytes };
		});
	}

	keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		if (!isHash(hash) || sha256(bytes) !== hash)
			return Promise.reject(
				new JournalError('failed', 'The name of a blob must be its SHA-256 in lowercase hex.'),
			);
		return this.#runInOrder('The blob could not be stored', () =>
			this.#writer.retry(() => this.#objects.put(hash, bytes)),
		);
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#runInOrder('A blob could not be read', () =>
			this.#writer.retry(() => this.#objects.read(hash)),
		);
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		const idle = this.#stateQueue.idle();
		const rest = this.#queue.idle();
		await idle;
		await rest;
		this.#isClosed = true;
	}

	/**
	 * Runs work after all earlier requests. Later appends form another message. `failure`: start of the error text, such
	 * as "Entries could not be read".
	 */
	#runInOrder<T>(failure: string, work: () => Promise<T>): Promise<T> {
		if (this.#isClosed) return Promise.reject(closedError());
		this.#batch = undefined;
		return this.#queue
			.run(async () => {
				await this.#writer.catchUp();
				return work();
			})
			.catch((error: unknown) => {
				throw natsFault(error, failure);
			});
	}
}

/** Returns the number of appends that fit into one message. */
function countFitting(batch: readonly WaitingAppend[]): number {
	let bytes = 0;
	let count = 0;
	for (const { entries } of batch) {
		for (const entry of entries) bytes += entry.bytes.length + 80 * (entry.blobs.length + 1);
		if (count > 0 && bytes > MAX_MESSAGE_BYTES) break;
		count++;
	}
	return count;
}

const closedError = (): JournalError => new JournalError('failed', 'The journal is closed.');
