/**
 * Reads messages of one journal from the NATS stream, and checks the chain.
 * Owns: the positions of entries, and the errors for lost or changed ones. Never: writes.
 */

import type { MsgRequest } from '@nats-io/jetstream';
import { type JournalEntry, JournalError } from '../../shared/transport/journal.ts';
import { decodeAppend } from '../../shared/transport/journal-bytes.ts';
import { type Nats, STREAM, subjectOf } from './nats.ts';
import {
	type ChainLink,
	FIRST_LINK,
	type MessageHead,
	messageOf,
	type StreamMessage,
	type StreamState,
} from './stream-message.ts';
import type { WorldObjects } from './world-objects.ts';

/** Maximum number of messages of one request. */
const MAX_MESSAGES = 256;
/** Limits on the bytes of one request. */
const MIN_BYTES = 64 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/** Position of the message whose first entry is `at`: the link to the previous message. */
interface StreamPosition {
	readonly at: number;
	readonly before: ChainLink;
}

/** Id of a journal, and the name of its world for errors. */
interface JournalName {
	readonly id: string;
	readonly world: string;
}

export class StreamReader {
	readonly #nats: Nats;
	readonly #journal: JournalName;
	readonly #subject: string;
	readonly #objects: WorldObjects;
	/** Positions of messages that this process wrote, ascending. */
	#ownPositions: StreamPosition[] = [];
	/** Position of the last message that was read. */
	#cursor: StreamPosition | undefined;

	constructor(nats: Nats, journal: JournalName, objects: WorldObjects) {
		this.#nats = nats;
		this.#journal = journal;
		this.#subject = subjectOf(journal.id);
		this.#objects = objects;
	}

	/** Remembers the position of a message that was written. */
	addPosition({ kind, at, before }: MessageHead): void {
		if (kind === 'entries') this.#ownPositions.push({ at, before });
	}

	/** Forgets positions before the second-last state: the states contain the positions of the entries after them. */
	trim(states: readonly StreamState[]): void {
		const from = states.at(-2)?.at ?? 0;
		this.#ownPositions = this.#ownPositions.filter(({ at }) => at >= from);
	}

	/** Forgets positions before sequence `seq`, because messages up to it are removed. */
	forget(seq: number): void {
		this.#ownPositions = this.#ownPositions.filter(({ before }) => before.seq >= seq);
		this.#cursor = undefined;
	}

	/** Reads the last message of a subject from the leader of the stream; undefined if there is none. */
	async last(subject: string): Promise<StreamMessage | undefined> {
		const stored = await this.#nats.streams.streams.getMessage(STREAM, { last_by_subj: subject });
		if (stored === null) return undefined;
		const message = messageOf(stored);
		if (message === null) throw this.#damageError('The last entry', null, 'was changed');
		return message;
	}

	/** Reads the list of states in a message, by its sequence; it is empty for 0. Rejects with `damaged`. */
	async states(seq: number): Promise<readonly StreamState[]> {
		if (seq === 0) return [];
		const stored = await this.#nats.streams.streams.getMessage(STREAM, { seq });
		const message = stored === null ? null : messageOf(stored);
		if (message === null) throw this.#damageError('The list of states', null, 'is missing or was changed');
		const bytes = await this.#bytesOf(message);
		if (bytes === null) throw this.#damageError('The list of states', null, 'is missing or was changed');
		return JSON.parse(Buffer.from(bytes).toString()) as StreamState[];
	}

	/** Finds the link before the message with entry `at`. Rejects with `damaged`. */
	async linkBefore(at: number, last: StreamMessage, states: readonly StreamState[]): Promise<ChainLink> {
		if (at === last.head.at + last.head.count) return { seq: last.seq, sum: last.sum };
		let link: ChainLink | undefined;
		for await (const { head } of this.messages(at, last, states, MIN_BYTES))
			if (head.kind === 'entries' && head.at + head.count > at) {
				link = head.before;
				break;
			}
		return link ?? { seq: last.seq, sum: last.sum };
	}

	/** Returns the nearest known position at or before an entry. */
	#positionOf(from: number, states: readonly StreamState[]): StreamPosition {
		const positions = [
			...states,
			...this.#ownPositions,
			...(this.#cursor === undefined ? [] : [this.#cursor]),
		];
		let nearest: StreamPosition = { at: 0, before: FIRST_LINK };
		for (const { at, before } of positions) if (at <= from && at >= nearest.at) nearest = { at, before };
		return nearest;
	}

	/**
	 * Reads and checks the messages from the one with entry `from` to `last`, with their bytes from the object store.
	 * `requestBytes`: bytes of one request. Rejects with `damaged` if a message is missing or was changed.
	 */
	async *messages(
		from: number,
		last: StreamMessage,
		states: readonly StreamState[],
		requestBytes: number,
	): AsyncGenerator<StreamMessage> {
		const position = this.#positionOf(from, states);
		const max_bytes = Math.min(MAX_BYTES, Math.max(MIN_BYTES, requestBytes));
		let before = position.before;
		let next = position.at;
		let lastValid: JournalEntry | undefined;
		while (before.seq < last.seq) {
			let hasMessages = false;
			for await (const stored of await this.#batch(before.seq + 1, max_bytes)) {
				hasMessages = true;
				if (before.seq >= last.seq) break;
				const message = messageOf(stored);
				if (message === null) throw await this.damageAt(next, 'was changed', lastValid, stored.data);
				const isChained = message.head.before.seq === before.seq && message.head.before.sum === before.sum;
				if (!isChained) throw await this.damageAt(next, 'is missing', lastValid);
				const bytes = await this.#bytesOf(message);
				if (bytes === null)
					throw await this.damageAt(message.head.at, 'is missing in the object store', lastValid);
				if (message.head.kind === 'entries') {
					next = message.head.at + message.head.count;
					lastValid = decodeAppend(bytes).at(-1);
				}
				if (message.head.kind !== 'entries' || next > from) {
					if (message.head.kind === 'entries') this.#cursor = { at: message.head.at, before };
					yield { ...message, bytes };
				}
				before = { seq: message.seq, sum: message.sum };
			}
			if (!hasMessages) throw await this.damageAt(next, 'is missing', lastValid);
		}
	}

	/** Reads messages of the subject from a sequence on. If a replica has none yet, asks the leader. */
	async #batch(seq: number, max_bytes: number) {
		const { direct, streams } = this.#nats.streams;
		const batch = await direct.getBatch(STREAM, {
			seq,
			next_by_subj: this.#subject,
			batch: MAX_MESSAGES,
			max_bytes,
		});
		const messages = [];
		try {
			for await (const message of batch) messages.push(message);
		} catch (error) {
			if (messages.length === 0 && (error as { code?: unknown }).code !== 404) throw error;
		}
		if (messages.length > 0) return messages;
		// NATS accepts this request, but the client's type does not declare it.
		const next = { seq, next_by_subj: this.#subject } as unknown as MsgRequest;
		const leaderMessage = await streams.getMessage(STREAM, next);
		return leaderMessage === null ? [] : [leaderMessage];
	}

	/** Reads the bytes of a message; null if they are in an object that is missing. */
	async #bytesOf({ head, bytes }: StreamMessage): Promise<Uint8Array | null> {
		return head.object === undefined ? bytes : this.#objects.read(head.object);
	}

	/**
	 * Returns the error for a lost or changed entry. `problem`: end of the sentence, such as "is missing". `before`: the
	 * previous entry. `bytes`: its current bytes.
	 */
	async damageAt(
		entry: number,
		problem: string,
		before?: JournalEntry,
		bytes?: Uint8Array,
	): Promise<JournalError> {
		const changed = bytes === undefined ? undefined : entriesOf(bytes)?.[0];
		const tick = (await tickOf(changed)) ?? (await tickOf(before));
		return this.#damageError(`Entry ${entry}`, tick, problem);
	}

	#damageError(entry: string, tick: number | null, problem: string): JournalError {
		const position = tick === null ? '' : ` (tick ${tick})`;
		return new JournalError(
			'damaged',
			`${entry}${position} of the world "${this.#journal.world}" ${problem}. The world is not resumed without it.`,
		);
	}
}

function entriesOf(bytes: Uint8Array): readonly JournalEntry[] | undefined {
	try {
		return decodeAppend(bytes);
	} catch {
		// Changed bytes need not be readable.
		return undefined;
	}
}

/** Reads the tick of the main world after an entry; null if the entry does not contain it. */
async function tickOf(entry: JournalEntry | undefined): Promise<number | null> {
	if (entry === undefined) return null;
	const { decodeEntry } = await import('../../shared/transport/journal-entry.ts');
	try {
		return decodeEntry(entry).head.worlds.find(({ id }) => id === 'main')?.tick ?? null;
	} catch {
		// A changed entry need not be readable.
		return null;
	}
}
