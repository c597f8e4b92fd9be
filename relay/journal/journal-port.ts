/**
 * The relay's end of the way from an engine to the journal.
 * Owns: transfers in parts, and the answers of calls that wait until the journal has their entry.
 * Never: decides which engine is the owner; looks into an entry; reports the server's folders.
 */

import { EMPTY_BODY } from '../../shared/contract/wire.ts';
import { fenced, type Journal, JournalError, type JournalExtent } from '../../shared/transport/journal.ts';
import type { JournalAnswer, JournalAsk } from '../../shared/transport/journal-ask.ts';
import { decodeAppend, encodeAppend } from '../../shared/transport/journal-bytes.ts';
import type { LinkFrame, ShownLease } from '../../shared/transport/link.ts';
import { Faults } from '../faults.ts';
import { faultOf } from './system-fault.ts';
import { BlobUpload } from './upload.ts';

/** An engine that asks: what it sends in parts is its own. */
export interface Asker {
	send(frame: LinkFrame): void;
	/** The same for a frame that no one waits for. */
	sendAlong(frame: LinkFrame): void;
	/** True if it may acquire the lease now. */
	readonly mayAcquire: boolean;
}

export interface JournalPortOptions {
	readonly journal: Journal;
	/** Identity of the journal: no two have one name, wherever they are. */
	readonly id: string;
}

type JournalFrame = LinkFrame & { readonly kind: 'journal' };

/** An answer that waits for an entry. */
interface HeldAnswer {
	readonly asker: Asker;
	readonly entry: number;
	readonly done: (why?: JournalError) => void;
}

export class JournalPort {
	readonly id: string;
	readonly #options: JournalPortOptions;
	readonly #faults: Faults;
	readonly #uploads = new Map<Asker, Map<number, BlobUpload>>();
	#heldAnswers: HeldAnswer[] = [];
	/** The first entry that could not be appended, until that is tried again. */
	#failed: { readonly entry: number; readonly why: JournalError } | undefined;
	/** The blob and the state that were read last: they are asked for in pieces. */
	#blob: { readonly hash: string; readonly bytes: Uint8Array } | undefined;
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

	/** True if the journal outlives the relay. */
	get durable(): boolean {
		return this.#options.journal.durable;
	}

	/**
	 * Time at which entries were last appended: milliseconds on the steady clock. A world that plays appends all the
	 * time.
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
	 * Returns true if an engine that did not come through this port has the newest lease. Rejects with a
	 * `JournalError`.
	 */
	async isTakenElsewhere(): Promise<boolean> {
		return (await this.#options.journal.extent()).lease.epoch !== this.#lease.epoch;
	}

	/** Compares a lease that an engine shows with the newest one. */
	lookAt(lease: ShownLease | null): 'none' | 'current' | 'old' {
		if (lease === null) return 'none';
		return lease.journal === this.id && lease.epoch === this.#lease.epoch ? 'current' : 'old';
	}

	/** Does what a frame asks, and answers it. */
	take(asker: Asker, { id, ask, bytes }: JournalFrame): void {
		const frameOf = (answer: JournalAnswer, bytes: Uint8Array = EMPTY_BODY): LinkFrame => ({
			kind: 'journaled',
			id,
			answer,
			bytes,
		});
		const failed = (error: unknown): void => {
			const { fault, message } = this.#outsideOf(error);
			asker.send(frameOf({ fault, message }));
		};
		if (ask.ask === 'append') {
			this.#append(asker, ask.epoch, ask.at, bytes).then((passedOn) => {
				if (passedOn) asker.sendAlong(frameOf({ done: true }));
				else asker.send(frameOf({ done: true }));
			}, failed);
			return;
		}
		this.#do(asker, ask, bytes).then(({ answer, bytes }) => asker.send(frameOf(answer, bytes)), failed);
	}

	/**
	 * Calls `done` when the journal has an entry, at once when it has; with the reason when its append fails. An asker that is dropped
	 * hears nothing more.
	 */
	hold(asker: Asker, entry: number, done: (why?: JournalError) => void): void {
		const failed = this.#failed;
		if (entry < this.#next) done();
		else if (failed !== undefined && entry >= failed.entry) done(failed.why);
		else this.#heldAnswers.push({ asker, entry, done });
	}

	/** The asker's socket is gone: what it sent in parts is not kept. */
	drop(asker: Asker): void {
		this.#failed = undefined;
		for (const upload of this.#uploads.get(asker)?.values() ?? []) upload.end();
		this.#uploads.delete(asker);
		this.#heldAnswers = this.#heldAnswers.filter((answer) => answer.asker !== asker);
	}

	/** Returns true if an answer about these entries was passed on. The tab does not wait for them then. */
	async #append(asker: Asker, epoch: number, at: number, bytes: Uint8Array): Promise<boolean> {
		try {
			const entries = entriesOf(bytes);
			// It has loaded.
			this.#state = undefined;
			// It is tried again: its callers hear the result of that.
			if (this.#failed !== undefined && at <= this.#failed.entry) this.#failed = undefined;
			await this.#options.journal.append(epoch, at, entries);
			this.#next = Math.max(this.#next, at + entries.length);
			this.#appendedAt = performance.now();
			return this.#release((answer) => answer.entry < this.#next);
		} catch (error) {
			const why = this.#outsideOf(error);
			if (at >= this.#next) this.#lack(asker, at, why);
			else this.#release((answer) => answer.asker === asker && answer.entry >= at, why);
			throw why;
		}
	}

	/** Returns a fault as callers hear of it. */
	#outsideOf(error: unknown): JournalError {
		const why = faultOf(error, 'The journal failed');
		return new JournalError(why.fault, this.#faults.describe(why));
	}

	/** The journal has no entry from this one on until that is tried again. */
	#lack(asker: Asker, entry: number, why: JournalError): void {
		this.#failed ??= { entry, why };
		this.#release((answer) => answer.asker === asker && answer.entry >= entry, why);
	}

	/** Returns true if there were any. */
	#release(which: (held: HeldAnswer) => boolean, why?: JournalError): boolean {
		if (this.#heldAnswers.length === 0) return false;
		const out = this.#heldAnswers.filter(which);
		this.#heldAnswers = this.#heldAnswers.filter((answer) => !which(answer));
		for (const { done } of out) done(why);
		return out.length > 0;
	}

	async #do(
		asker: Asker,
		ask: JournalAsk,
		bytes: Uint8Array,
	): Promise<{ readonly answer: JournalAnswer; readonly bytes?: Uint8Array }> {
		const { journal } = this.#options;
		switch (ask.ask) {
			case 'extent':
				return { answer: { extent: await journal.extent() } };
			case 'acquire': {
				if (!asker.mayAcquire) throw fenced();
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
				await this.#upload(asker, ask.of, (upload) =>
					journal.keepState(ask.epoch, ask.at, upload.parts(), ask.blobs),
				);
				return { answer: { done: true } };
			case 'keep-blob':
				await this.#upload(asker, ask.of, async (upload) => journal.keepBlob(ask.hash, await upload.whole()));
				return { answer: { done: true } };
			case 'part': {
				const upload = this.#uploads.get(asker)?.get(ask.of);
				if (upload === undefined) throw new JournalError('failed', 'No upload waits for this part.');
				await upload.take(bytes, ask.last);
				return { answer: { done: true } };
			}
			case 'lacks':
				// Entries that are here by now were answered already.
				if (ask.from >= this.#next) this.#lack(asker, ask.from, new JournalError(ask.fault, ask.message));
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

	/** Has something come in parts, for as long as `keep` takes. */
	async #upload(asker: Asker, of: number, keep: (upload: BlobUpload) => Promise<void>): Promise<void> {
		const uploads = this.#uploads.get(asker) ?? new Map<number, BlobUpload>();
		this.#uploads.set(asker, uploads);
		const upload = new BlobUpload();
		uploads.set(of, upload);
		try {
			await keep(upload);
		} finally {
			upload.end();
			uploads.delete(of);
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
