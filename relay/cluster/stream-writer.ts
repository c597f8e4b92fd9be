/**
 * Writes messages of one journal to the NATS stream.
 * Owns: the last message and the states in NATS, the chain of messages, and retries while NATS does not answer.
 * Never: decides which entries are appended or removed.
 *
 * Every message is published with the expected last sequence of the subject. A change of the lease is a message too.
 * After it, a replaced owner expects an outdated last message, and NATS refuses its appends. So no clock decides which
 * owner may write. Each message has the hash of the previous one, so a reader detects missing and changed messages.
 */

import { headers } from '@nats-io/transport-node';
import { fencedError, JournalError } from '../../shared/transport/journal.ts';
import { isConflict, isRefusal, MAX_MESSAGE_BYTES, type Nats, subjectOf } from './nats.ts';
import {
	type ChainLink,
	FIRST_LINK,
	HEAD_HEADER,
	type MessageHead,
	type StreamMessage,
	type StreamState,
	SUM_HEADER,
	sha256,
	sumOf,
} from './stream-message.ts';
import type { StreamReader } from './stream-reader.ts';
import type { WorldObjects } from './world-objects.ts';

/** A message to publish. Bytes that exceed the limit of a message are stored as an object. */
export interface MessageDraft {
	readonly head: Partial<MessageHead> & Pick<MessageHead, 'kind'>;
	readonly bytes: Uint8Array;
	/** Change of the journal's bytes beside those of this message. */
	readonly extraBytes?: number;
}

/** A message without its sequence, which NATS assigns. */
type UnsentMessage = Omit<StreamMessage, 'seq'> & { readonly json: string };

/** Milliseconds of retries. It exceeds the time in which NATS elects a leader. */
const RETRY_TIME_MS = 20_000;
/** Milliseconds between attempts while NATS does not answer. */
const RETRY_MS = 100;

/** Approximate bytes of the head of a message. */
export const HEAD_BYTES = 400;

const encoder = new TextEncoder();
const EMPTY = new Uint8Array(0);

export class StreamWriter {
	readonly #nats: Nats;
	readonly #subject: string;
	readonly #objects: WorldObjects;
	readonly #reader: StreamReader;
	/** Milliseconds for which an attempt is repeated while NATS does not answer. */
	readonly #patience: number;
	/** The last message; undefined for an empty journal. */
	#last: StreamMessage | undefined;
	/** Epoch of this owner's last message; 0 for none. If the lease has another epoch, another owner writes. */
	#ownEpoch = 0;
	/** True if the answer to the last message was lost, so it may have been stored. */
	#isUnsure = false;
	#states: readonly StreamState[] = [];

	constructor(nats: Nats, id: string, objects: WorldObjects, reader: StreamReader, patience = RETRY_TIME_MS) {
		this.#nats = nats;
		this.#subject = subjectOf(id);
		this.#objects = objects;
		this.#reader = reader;
		this.#patience = patience;
	}

	/** The last message; undefined for an empty journal. */
	get last(): StreamMessage | undefined {
		return this.#last;
	}

	/** States of the journal, ascending. */
	get states(): readonly StreamState[] {
		return this.#states;
	}

	/** Number of the entry after the last. */
	get next(): number {
		const head = this.#last?.head;
		return head === undefined ? 0 : head.at + head.count;
	}

	/** Number of the oldest kept entry. */
	get first(): number {
		return this.#last?.head.first ?? 0;
	}

	get lease(): { readonly epoch: number; readonly isTaken: boolean } {
		const { epoch = 0, isTaken = false } = this.#last?.head ?? {};
		return { epoch, isTaken };
	}

	/** Bytes of the whole journal. */
	get bytes(): number {
		return (this.#last?.head.bytes ?? 0) + this.#objects.uncountedBytes;
	}

	/** Throws `fenced` if another owner has acquired the lease. */
	requireEpoch(epoch: number): void {
		if (epoch !== this.lease.epoch) throw fencedError();
	}

	/** Reads the last message if another owner may have written. */
	async catchUp(): Promise<void> {
		if (this.#isUnsure || this.lease.epoch !== this.#ownEpoch) await this.retry(() => this.refresh());
	}

	/** Reads the last message and the states. */
	async refresh(): Promise<void> {
		const last = await this.#reader.last(this.#subject);
		if (last?.seq !== this.#last?.seq) {
			const isNewList = last !== undefined && last.head.kind !== 'entries';
			this.#states =
				last === undefined ? [] : await this.#reader.states(isNewList ? last.seq : last.head.states);
			this.#last = last;
		}
		this.#isUnsure = false;
	}

	/** Runs work, and repeats it while NATS does not answer. */
	async retry<T>(work: () => Promise<T>): Promise<T> {
		const deadline = performance.now() + this.#patience;
		for (;;)
			try {
				return await work();
			} catch (error) {
				if (error instanceof JournalError || isRefusal(error) || performance.now() > deadline) throw error;
				await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			}
	}

	/**
	 * Publishes a message with the list of states. `change` returns the changes of its head. It is called again if another
	 * message was published first.
	 */
	async publishStates(
		kind: 'lease' | 'state' | 'cut',
		change: () => Partial<MessageHead> & { readonly states?: never },
		states: () => readonly StreamState[] = () => this.#states,
		extraBytes = 0,
	): Promise<void> {
		let rows = this.#states;
		await this.publish(() => {
			const head = { ...change(), kind } as const;
			rows = states();
			return { head, bytes: encoder.encode(JSON.stringify(rows)), extraBytes };
		});
		this.#states = rows;
	}

	/**
	 * Publishes a message after the last one. If another message was published first, that one is read and `createDraft`
	 * is called again. While NATS does not answer, the message is sent again. The last message in NATS then shows if an
	 * earlier attempt was stored.
	 */
	async publish(createDraft: () => MessageDraft | undefined): Promise<void> {
		let isDone = false;
		while (!isDone)
			isDone = await this.retry(async () => {
				if (this.#isUnsure) await this.refresh();
				const draft = createDraft();
				return draft === undefined || this.#send(this.#messageOf(await this.#storeLongBytes(draft)));
			});
	}

	/** Stores the bytes of a draft as an object, if they exceed the limit of a message. Returns the new draft. */
	async #storeLongBytes(draft: MessageDraft): Promise<MessageDraft> {
		const { head, bytes } = draft;
		if (bytes.length <= MAX_MESSAGE_BYTES) return draft;
		const object = sha256(bytes);
		await this.#objects.put(object, bytes);
		return { ...draft, head: { ...head, object }, bytes: EMPTY };
	}

	#messageOf({ head, bytes, extraBytes = 0 }: MessageDraft): UnsentMessage {
		const last = this.#last;
		const before: ChainLink = last === undefined ? FIRST_LINK : { seq: last.seq, sum: last.sum };
		const states = last === undefined ? 0 : last.head.kind === 'entries' ? last.head.states : last.seq;
		const defaults = { at: this.next, count: 0, ...this.lease, first: this.first };
		const journalBytes = this.bytes + bytes.length + HEAD_BYTES + extraBytes;
		const fullHead: MessageHead = { ...defaults, ...head, bytes: Math.max(0, journalBytes), states, before };
		const json = JSON.stringify(fullHead);
		return { head: fullHead, bytes, json, sum: sumOf(json, bytes) };
	}

	/** Sends a message. Returns false if another message was published first. Rejects if NATS does not answer. */
	async #send(message: UnsentMessage): Promise<boolean> {
		const { head, bytes, json, sum } = message;
		const messageHeaders = headers();
		messageHeaders.set(HEAD_HEADER, json);
		messageHeaders.set(SUM_HEADER, sum);
		const countedBytes = this.#objects.uncountedBytes;
		this.#isUnsure = true;
		try {
			const { publisher } = this.#nats;
			const expect = { lastSubjectSequence: head.before.seq };
			const { seq } = await publisher.publish(this.#subject, bytes, { headers: messageHeaders, expect });
			this.#last = { seq, sum, head, bytes: EMPTY };
		} catch (error) {
			if (isRefusal(error) && !isConflict(error)) {
				this.#isUnsure = false;
				throw error;
			}
			await this.refresh();
			if (this.#last?.sum !== sum) {
				if (isConflict(error)) return false;
				throw error;
			}
		}
		this.#isUnsure = false;
		this.#ownEpoch = head.epoch;
		this.#objects.uncountedBytes -= countedBytes;
		this.#reader.addPosition(head);
		return true;
	}
}
