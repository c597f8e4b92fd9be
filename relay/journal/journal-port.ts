/**
 * Port of the relay through which engines use the journal.
 * Owns: transfers in pieces, and the answers of calls that wait until the journal has their entry.
 * Never: decides which engine is the owner; reads the content of an entry; reports the server's folders.
 */

import { EMPTY_BODY } from '../../shared/contract/wire.ts';
import {
	fencedError,
	type Journal,
	JournalError,
	type JournalExtent,
} from '../../shared/transport/journal.ts';
import type { JournalAnswer, JournalAsk } from '../../shared/transport/journal-ask.ts';
import { decodeAppend, encodeAppend } from '../../shared/transport/journal-bytes.ts';
import type { LinkFrame, ShownLease } from '../../shared/transport/link.ts';
import { Faults } from '../faults.ts';
import { faultOf } from './system-fault.ts';
import { BlobUpload } from './upload.ts';

/** An engine that uses the journal. Its uploads are kept apart from those of other engines. */
export interface JournalClient {
	send(frame: LinkFrame): void;
	/** Sends a frame that is not urgent. */
	sendLater(frame: LinkFrame): void;
	/** True if it may acquire the lease now. */
	readonly mayAcquire: boolean;
}

export interface JournalPortOptions {
	readonly journal: Journal;
	/** Identity of the journal, which no other journal anywhere has. */
	readonly id: string;
}

type JournalFrame = LinkFrame & { readonly kind: 'journal' };

/** An answer that waits for an entry. */
interface WaitingAnswer {
	readonly client: JournalClient;
	readonly entry: number;
	readonly onStored: (error?: JournalError) => void;
}

export class JournalPort {
	readonly id: string;
	readonly #options: JournalPortOptions;
	readonly #faults: Faults;
	readonly #uploads = new Map<JournalClient, Map<number, BlobUpload>>();
	#waitingAnswers: WaitingAnswer[] = [];
	/** The first entry that could not be appended, until its append is repeated. */
	#failedAppend: { readonly entry: number; readonly error: JournalError } | undefined;
	/** The blob that was read last, because engines read it in pieces. */
	#blob: { readonly hash: string; readonly bytes: Uint8Array } | undefined;
	/** The state that was read last, because engines read it in pieces. */
	#state: { readonly at: number; readonly bytes: Uint8Array } | undefined;
	#next: number;
	#lease: JournalExtent['lease'];
	#appendedAt = performance.now();

	private constructor(options: JournalPortOptions, { next, lease }: JournalExtent, faults: Faults) {
		this.#options = options;
		this.id = options.id;
		this.#next = next;
		this.#lease = lease;
		this.#faults = faults;
	}

	static async open(options: JournalPortOptions, faults = new Faults('')): Promise<JournalPort> {
		return new JournalPort(options, await options.journal.extent(), faults);
	}

	/** True if the journal survives the end of the relay. */
	get durable(): boolean {
		return this.#options.journal.durable;
	}

	/**
	 * Milliseconds on the steady clock at which entries were last appended. A world that plays appends all the time.
	 */
	get appendedAt(): number {
		return this.#appendedAt;
	}

	/** Returns the bytes that the journal takes. Rejects with a `JournalError`. */
	async bytes(): Promise<number> {
		return (await this.#options.journal.extent()).bytes;
	}

	/** True if the newest lease was not released. */
	get isTaken(): boolean {
		return this.#lease.isTaken;
	}

	/**
	 * Returns true if the newest lease belongs to an engine that does not use this port. Rejects with a `JournalError`.
	 */
	async isTakenElsewhere(): Promise<boolean> {
		return (await this.#options.journal.extent()).lease.epoch !== this.#lease.epoch;
	}

	/** Compares a lease that an engine shows with the newest one. */
	compareLease(lease: ShownLease | null): 'none' | 'current' | 'old' {
		if (lease === null) return 'none';
		return lease.journal === this.id && lease.epoch === this.#lease.epoch ? 'current' : 'old';
	}

	/** Runs the request of a frame, and answers it. */
	handle(client: JournalClient, { id, ask, bytes }: JournalFrame): void {
		const frameOf = (answer: JournalAnswer, bytes: Uint8Array = EMPTY_BODY): LinkFrame => ({
			kind: 'journaled',
			id,
			answer,
			bytes,
		});
		const fail = (error: unknown): void => {
			const { fault, message } = this.#callerError(error);
			client.send(frameOf({ fault, message }));
		};
		if (ask.ask === 'append') {
			this.#append(client, ask.epoch, ask.at, bytes).then((hasPassedAnswer) => {
				if (hasPassedAnswer) client.sendLater(frameOf({ done: true }));
				else client.send(frameOf({ done: true }));
			}, fail);
			return;
		}
		this.#run(client, ask, bytes).then(({ answer, bytes }) => client.send(frameOf(answer, bytes)), fail);
	}

	/**
	 * Calls `onStored` when the journal has an entry, immediately if it already has. If the append fails, `onStored` gets
	 * the error. After `drop`, it is not called for this client.
	 */
	waitForEntry(client: JournalClient, entry: number, onStored: (error?: JournalError) => void): void {
		const failedAppend = this.#failedAppend;
		if (entry < this.#next) onStored();
		else if (failedAppend !== undefined && entry >= failedAppend.entry) onStored(failedAppend.error);
		else this.#waitingAnswers.push({ client, entry, onStored });
	}

	/** Drops the uploads and waiting answers of a client whose socket is closed. */
	drop(client: JournalClient): void {
		this.#failedAppend = undefined;
		for (const upload of this.#uploads.get(client)?.values() ?? []) upload.end();
		this.#uploads.delete(client);
		this.#waitingAnswers = this.#waitingAnswers.filter((answer) => answer.client !== client);
	}

	/** Appends entries. Returns true if an answer that waited for them was passed on. Then the tab's own answer is not urgent. */
	async #append(client: JournalClient, epoch: number, at: number, bytes: Uint8Array): Promise<boolean> {
		try {
			const entries = entriesOf(bytes);
			// An engine that appends has loaded its state.
			this.#state = undefined;
			// The failed append is repeated, so its callers get the new result.
			if (this.#failedAppend !== undefined && at <= this.#failedAppend.entry) this.#failedAppend = undefined;
			await this.#options.journal.append(epoch, at, entries);
			this.#next = Math.max(this.#next, at + entries.length);
			this.#appendedAt = performance.now();
			return this.#release((answer) => answer.entry < this.#next);
		} catch (error) {
			const fault = this.#callerError(error);
			if (at >= this.#next) this.#failFrom(client, at, fault);
			else this.#release((answer) => answer.client === client && answer.entry >= at, fault);
			throw fault;
		}
	}

	/** Returns an error whose text is for callers. */
	#callerError(error: unknown): JournalError {
		const journalError = faultOf(error, 'The journal failed');
		return new JournalError(journalError.fault, this.#faults.describe(journalError));
	}

	/** Notes that entries from `entry` on could not be appended. The note holds until their append is repeated. */
	#failFrom(client: JournalClient, entry: number, error: JournalError): void {
		this.#failedAppend ??= { entry, error };
		this.#release((answer) => answer.client === client && answer.entry >= entry, error);
	}

	/** Releases the held answers that match. Returns true if there were any. */
	#release(matches: (held: WaitingAnswer) => boolean, error?: JournalError): boolean {
		if (this.#waitingAnswers.length === 0) return false;
		const released = this.#waitingAnswers.filter(matches);
		this.#waitingAnswers = this.#waitingAnswers.filter((answer) => !matches(answer));
		for (const { onStored } of released) onStored(error);
		return released.length > 0;
	}

	async #run(
		client: JournalClient,
		ask: JournalAsk,
		bytes: Uint8Array,
	): Promise<{ readonly answer: JournalAnswer; readonly bytes?: Uint8Array }> {
		const { journal } = this.#options;
		switch (ask.ask) {
			case 'extent':
				return { answer: { extent: await journal.extent() } };
			case 'acquire': {
				if (!client.mayAcquire) throw fencedError();
				const epoch = await journal.acquire();
				this.#lease = { epoch, isTaken: true };
				return { answer: { epoch } };
			}
			case 'release':
				await journal.release(ask.epoch);
				this.#lease = (await journal.extent()).lease;
				return { answer: { done: true } };
			case 'read': {
				const entries = await journal.read(ask.from, ask.mostBytes);
				return { answer: { done: true }, bytes: encodeAppend(entries) };
			}
			case 'state': {
				const whole = await this.#stateOf(ask.at ?? undefined, ask.from);
				if (whole === null) return { answer: { piece: null } };
				const end = Math.min(whole.bytes.length, ask.from + ask.most);
				return {
					answer: { piece: { at: whole.at, length: whole.bytes.length } },
					bytes: whole.bytes.subarray(ask.from, end),
				};
			}
			case 'blob': {
				const whole = await this.#blobOf(ask.hash);
				if (whole === null) return { answer: { piece: null } };
				const end = Math.min(whole.length, ask.from + ask.most);
				if (end === whole.length) this.#blob = undefined;
				return { answer: { piece: { at: 0, length: whole.length } }, bytes: whole.subarray(ask.from, end) };
			}
			case 'keep-state':
				await this.#upload(client, ask.of, (upload) =>
					journal.keepState(ask.epoch, ask.at, upload.parts(), ask.blobs),
				);
				return { answer: { done: true } };
			case 'keep-blob':
				await this.#upload(client, ask.of, async (upload) =>
					journal.keepBlob(ask.hash, await upload.readAll()),
				);
				return { answer: { done: true } };
			case 'part': {
				const upload = this.#uploads.get(client)?.get(ask.of);
				if (upload === undefined) throw new JournalError('failed', 'No upload waits for this part.');
				await upload.add(bytes, ask.last);
				return { answer: { done: true } };
			}
			case 'lacks':
				// Answers for entries that the journal has by now were already released.
				if (ask.from >= this.#next)
					this.#failFrom(client, ask.from, new JournalError(ask.fault, ask.message));
				return { answer: { done: true } };
			default:
				throw new JournalError('failed', 'The relay does not support this journal request.');
		}
	}

	/** Returns a state. Caches it while a tab reads it in pieces. */
	async #stateOf(at: number | undefined, from: number) {
		if (from > 0 && this.#state !== undefined && this.#state.at === at) return this.#state;
		const state = await this.#options.journal.state(at);
		this.#state = state ?? undefined;
		return state;
	}

	async #blobOf(hash: string): Promise<Uint8Array | null> {
		if (this.#blob?.hash === hash) return this.#blob.bytes;
		const bytes = await this.#options.journal.blob(hash);
		if (bytes !== null) this.#blob = { hash, bytes };
		return bytes;
	}

	/** Accepts the parts of an upload while `store` stores them. */
	async #upload(
		client: JournalClient,
		id: number,
		store: (upload: BlobUpload) => Promise<void>,
	): Promise<void> {
		const uploads = this.#uploads.get(client) ?? new Map<number, BlobUpload>();
		this.#uploads.set(client, uploads);
		const upload = new BlobUpload();
		uploads.set(id, upload);
		try {
			await store(upload);
		} finally {
			upload.end();
			uploads.delete(id);
		}
	}
}

function entriesOf(bytes: Uint8Array) {
	try {
		return decodeAppend(bytes);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
	}
	throw new JournalError('failed', 'The append contains no valid entries.');
}
