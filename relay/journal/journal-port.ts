/**
 * The relay's end of the way from an engine to the journal.
 * Owns: what comes in parts, and the answers of calls that wait until the journal has their entry.
 * Never: decides who the engine is; looks into an entry; tells of the server's folders.
 */

import { basename } from 'node:path';
import { JournalError, type JournalPlace } from '../../shared/contract/journal.ts';
import type { JournalAsk, JournalTold } from '../../shared/contract/journal-ask.ts';
import { AUTHOR_BYTES, decodeAppend, encodeAppend } from '../../shared/contract/journal-bytes.ts';
import type { LinkFrame } from '../../shared/contract/link.ts';
import { EMPTY_BODY } from '../../shared/contract/wire.ts';
import { Faults } from '../faults.ts';
import { faultOf } from './disk.ts';
import type { FileJournal } from './file-journal.ts';
import { Upload } from './upload.ts';

/** Who asks: what is sent in parts is its own. */
export interface Asker {
	send(frame: LinkFrame): void;
	/** The same for a frame that nobody waits for. */
	sendAlong(frame: LinkFrame): void;
}

export interface JournalPortOptions {
	readonly journal: FileJournal;
	/** Notes what there is to say of the world. */
	readonly note?: (name: string, tick: number) => Promise<void>;
}

type Frame = LinkFrame & { readonly kind: 'append' | 'journal' };

/** An answer that waits for an entry. */
interface Held {
	readonly asker: Asker;
	readonly entry: number;
	readonly done: (why?: JournalError) => void;
}

export class JournalPort {
	readonly #options: JournalPortOptions;
	readonly #faults: Faults;
	readonly #uploads = new Map<Asker, Map<number, Upload>>();
	#held: Held[] = [];
	/** The first entry that could not be appended, until that is tried again. */
	#failed: { readonly entry: number; readonly why: JournalError } | undefined;
	/** The blob that was read last: it is asked for in pieces. */
	#blob: { readonly hash: string; readonly bytes: Uint8Array } | undefined;

	constructor(options: JournalPortOptions, faults = new Faults(options.journal.folder)) {
		this.#options = options;
		this.#faults = faults;
	}

	/** Which journal it is: no two have one name, wherever they are. */
	get id(): string {
		return basename(this.#options.journal.folder);
	}

	/** How far it has come. */
	get place(): JournalPlace {
		const { next, mark } = this.#options.journal;
		return { next, mark };
	}

	/** Does what a frame asks, and answers it. */
	take(asker: Asker, frame: Frame): void {
		const frameOf = (told: JournalTold, bytes: Uint8Array = EMPTY_BODY): LinkFrame => ({
			kind: 'journaled',
			id: frame.id,
			told: JSON.stringify(told),
			bytes,
		});
		const answer = (told: JournalTold, bytes?: Uint8Array): void => asker.send(frameOf(told, bytes));
		const failed = (error: unknown): void => {
			const { fault, message } = this.#outsideOf(error);
			answer({ fault, message });
		};
		if (frame.kind === 'append') {
			this.#append(asker, frame.expected, frame.bytes).then((passedOn) => {
				const told = { place: this.place };
				if (passedOn) asker.sendAlong(frameOf(told));
				else answer(told);
			}, failed);
			return;
		}
		this.#do(asker, frame.ask, frame.bytes).then(({ told, bytes }) => answer(told, bytes), failed);
	}

	/**
	 * Calls `done` when the journal has an entry, at once when it has; with the reason when its append fails. An asker that is dropped
	 * hears nothing more.
	 */
	hold(asker: Asker, entry: number, done: (why?: JournalError) => void): void {
		const failed = this.#failed;
		if (entry < this.#options.journal.next) done();
		else if (failed !== undefined && entry >= failed.entry) done(failed.why);
		else this.#held.push({ asker, entry, done });
	}

	/** The asker's socket is gone: what it sent in parts is not kept. */
	drop(asker: Asker): void {
		this.#failed = undefined;
		for (const upload of this.#uploads.get(asker)?.values() ?? []) upload.end();
		this.#uploads.delete(asker);
		this.#held = this.#held.filter((held) => held.asker !== asker);
	}

	/** Whether the answer was passed on that is about these entries, so that nobody in the tab waits for them. */
	async #append(asker: Asker, expected: number, bytes: Uint8Array): Promise<boolean> {
		const { journal } = this.#options;
		try {
			const count = countOf(bytes);
			// It is tried again: who waits for it hears what becomes of that.
			if (this.#failed !== undefined && expected <= this.#failed.entry) this.#failed = undefined;
			await journal.appendBytes(expected, bytes, count);
			return this.#release((held) => held.entry < journal.next);
		} catch (error) {
			const why = this.#outsideOf(error);
			if (expected >= journal.next) this.#lack(asker, expected, why);
			else this.#release((held) => held.asker === asker && held.entry >= expected, why);
			throw why;
		}
	}

	/** A fault as callers hear of it. */
	#outsideOf(error: unknown): JournalError {
		const why = faultOf(error, 'The journal failed');
		return new JournalError(why.fault, this.#faults.told(why));
	}

	/** The journal has no entry from this one on until that is tried again. */
	#lack(asker: Asker, entry: number, why: JournalError): void {
		this.#failed ??= { entry, why };
		this.#release((held) => held.asker === asker && held.entry >= entry, why);
	}

	/** Whether there were any. */
	#release(which: (held: Held) => boolean, why?: JournalError): boolean {
		if (this.#held.length === 0) return false;
		const out = this.#held.filter(which);
		this.#held = this.#held.filter((held) => !which(held));
		for (const { done } of out) done(why);
		return out.length > 0;
	}

	async #do(
		asker: Asker,
		asked: string,
		bytes: Uint8Array,
	): Promise<{ readonly told: JournalTold; readonly bytes?: Uint8Array }> {
		const { journal, note } = this.#options;
		const ask = JSON.parse(asked) as JournalAsk;
		switch (ask.ask) {
			case 'extent': {
				const extent = await journal.extent();
				return { told: { extent } };
			}
			case 'read': {
				const entries = await journal.read(ask.from, ask.mostBytes);
				return { told: { done: true }, bytes: encodeAppend(new Uint8Array(AUTHOR_BYTES), entries) };
			}
			case 'state': {
				const piece = await journal.statePiece(ask.at ?? undefined, ask.from, ask.most);
				if (piece === null) return { told: { piece: null } };
				return { told: { piece: { at: piece.at, length: piece.length } }, bytes: piece.bytes };
			}
			case 'blob': {
				const whole = await this.#blobOf(ask.hash);
				if (whole === null) return { told: { piece: null } };
				const end = Math.min(whole.length, ask.from + ask.most);
				if (end === whole.length) this.#blob = undefined;
				return { told: { piece: { at: 0, length: whole.length } }, bytes: whole.subarray(ask.from, end) };
			}
			case 'keep-state':
				await this.#upload(asker, ask.of, (upload) =>
					journal.keepStateFrom(ask.at, upload.parts(), ask.blobs),
				);
				return { told: { done: true } };
			case 'keep-blob':
				await this.#upload(asker, ask.of, async (upload) => journal.keepBlob(ask.hash, await upload.whole()));
				return { told: { done: true } };
			case 'part': {
				const upload = this.#uploads.get(asker)?.get(ask.of);
				if (upload === undefined) throw new JournalError('failed', 'Nobody waits for this part.');
				await upload.take(bytes, ask.last);
				return { told: { done: true } };
			}
			case 'lacks':
				// What is here by now was told of already.
				if (ask.from >= journal.next) this.#lack(asker, ask.from, new JournalError(ask.fault, ask.message));
				return { told: { done: true } };
			case 'note':
				await note?.(ask.name, ask.tick);
				return { told: { done: true } };
			default:
				throw new JournalError('failed', 'The relay does not know what is asked of its journal.');
		}
	}

	async #blobOf(hash: string): Promise<Uint8Array | null> {
		if (this.#blob?.hash === hash) return this.#blob.bytes;
		const bytes = await this.#options.journal.blob(hash);
		if (bytes !== null) this.#blob = { hash, bytes };
		return bytes;
	}

	/** Has something come in parts, for as long as `keep` takes. */
	async #upload(asker: Asker, of: number, keep: (upload: Upload) => Promise<void>): Promise<void> {
		const uploads = this.#uploads.get(asker) ?? new Map<number, Upload>();
		this.#uploads.set(asker, uploads);
		const upload = new Upload();
		uploads.set(of, upload);
		try {
			await keep(upload);
		} finally {
			upload.end();
			uploads.delete(of);
		}
	}
}

function countOf(bytes: Uint8Array): number {
	try {
		const { entries, end } = decodeAppend(bytes);
		if (end === bytes.length) return entries.length;
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
	}
	throw new JournalError('failed', 'What was to be appended is not made of entries.');
}
