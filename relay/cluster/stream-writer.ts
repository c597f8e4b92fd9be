/**
 * Writes messages of one journal to the NATS stream.
 * Owns: the last message and the states as NATS has them, the chain of messages, and attempts while NATS does not
 * answer.
 * Never: decides what is appended or cut.
 *
 * Every message is published with the expected last sequence of the subject. The lease is a message like any other.
 * After it, a replaced owner expects an outdated last message, and NATS refuses its appends. No clock decides who may
 * write. Each message has the hash of the one before it, so a reader finds a message that is missing or is not what
 * was written.
 */

import { headers } from '@nats-io/transport-node';
import { fenced, JournalError } from '../../shared/transport/journal.ts';
import { isOtherLast, isRefusal, MAX_MESSAGE, type Nats, subjectOf } from './nats.ts';
import {
	type ChainLink,
	HEAD,
	type MessageHead,
	START,
	type StreamMessage,
	type StreamState,
	SUM,
	sha256,
	sumOf,
} from './stream-message.ts';
import type { StreamReader } from './stream-reader.ts';
import type { WorldObjects } from './world-objects.ts';

/** A message to publish. Bytes that exceed what a message may have are stored as an object. */
export interface MessageDraft {
	readonly head: Partial<MessageHead> & Pick<MessageHead, 'kind'>;
	readonly bytes: Uint8Array;
	/** Bytes of the journal that it adds beside its own. */
	readonly more?: number;
}

type Unsent = Omit<StreamMessage, 'seq'> & { readonly json: string };

/** Longer than NATS takes to choose a leader. */
const PATIENCE = 20_000;
/** Milliseconds between attempts while NATS does not answer. */
const RETRY_MS = 100;

/** Bytes that the head of a message takes, about. */
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
	/** Epoch under which this owner wrote last; 0 if it has not. Under another one, others write. */
	#own = 0;
	/** True if a message may have been stored without an answer. */
	#isUnsure = false;
	#states: readonly StreamState[] = [];

	constructor(nats: Nats, id: string, objects: WorldObjects, reader: StreamReader, patience = PATIENCE) {
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

	/** The oldest entry that is kept. */
	get first(): number {
		return this.#last?.head.first ?? 0;
	}

	get lease(): { readonly epoch: number; readonly isTaken: boolean } {
		const { epoch = 0, isTaken = false } = this.#last?.head ?? {};
		return { epoch, isTaken };
	}

	/** Bytes of the whole journal. */
	get bytes(): number {
		return (this.#last?.head.bytes ?? 0) + this.#objects.added;
	}

	/** Throws `fenced` if another owner has acquired the lease. */
	requireEpoch(epoch: number): void {
		if (epoch !== this.lease.epoch) throw fenced();
	}

	/** Reads what others may have written since. */
	async catchUp(): Promise<void> {
		if (this.#isUnsure || this.lease.epoch !== this.#own) await this.patiently(() => this.refresh());
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

	/** Does work again while NATS does not answer. */
	async patiently<T>(work: () => Promise<T>): Promise<T> {
		const end = performance.now() + this.#patience;
		for (;;)
			try {
				return await work();
			} catch (error) {
				if (error instanceof JournalError || isRefusal(error) || performance.now() > end) throw error;
				await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			}
	}

	/** Publishes a message with the states. `change`: what it changes, computed again if another message came first. */
	async publishStates(
		kind: 'lease' | 'state' | 'cut',
		change: () => Partial<MessageHead> & { readonly states?: never },
		states: () => readonly StreamState[] = () => this.#states,
		more = 0,
	): Promise<void> {
		let rows = this.#states;
		await this.publish(() => {
			const head = { ...change(), kind } as const;
			rows = states();
			return { head, bytes: encoder.encode(JSON.stringify(rows)), more };
		});
		this.#states = rows;
	}

	/**
	 * Publishes a message after the last one. If another one came first, `make` is called again after that was read. While NATS does not
	 * answer, the same message is tried again: whether an earlier attempt was stored is read from its last message.
	 */
	async publish(make: () => MessageDraft | undefined): Promise<void> {
		let isDone = false;
		while (!isDone)
			isDone = await this.patiently(async () => {
				if (this.#isUnsure) await this.refresh();
				const draft = make();
				return draft === undefined || this.#send(this.#messageOf(await this.#fitting(draft)));
			});
	}

	/** Stores bytes as an object that exceed what a message may have. */
	async #fitting(draft: MessageDraft): Promise<MessageDraft> {
		const { head, bytes } = draft;
		if (bytes.length <= MAX_MESSAGE) return draft;
		const object = sha256(bytes);
		await this.#objects.keep(object, bytes);
		return { ...draft, head: { ...head, object }, bytes: EMPTY };
	}

	#messageOf({ head, bytes, more = 0 }: MessageDraft): Unsent {
		const last = this.#last;
		const before: ChainLink = last === undefined ? START : { seq: last.seq, sum: last.sum };
		const states = last === undefined ? 0 : last.head.kind === 'entries' ? last.head.states : last.seq;
		const same = { at: this.next, count: 0, ...this.lease, first: this.first };
		const sum = this.bytes + bytes.length + HEAD_BYTES + more;
		const whole: MessageHead = { ...same, ...head, bytes: Math.max(0, sum), states, before };
		const json = JSON.stringify(whole);
		return { head: whole, bytes, json, sum: sumOf(json, bytes) };
	}

	/** Sends a message until it is stored. False if another message came first. Rejects if NATS does not answer. */
	async #send(message: Unsent): Promise<boolean> {
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
			await this.refresh();
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
}
