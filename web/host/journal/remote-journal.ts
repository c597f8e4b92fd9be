/**
 * The journal that the relay keeps, as the engine in the tab has it.
 * Owns: open requests, which are sent again after a lost socket, and large data in parts.
 * Never: has the relay keep anything twice; looks into an entry.
 */

import { EMPTY_BODY } from '../../../shared/contract/wire.ts';
import {
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	type Pieces,
} from '../../../shared/transport/journal.ts';
import {
	type JournalAnswer,
	type JournalAsk,
	MAX_PENDING_PARTS,
	PART_BYTES,
} from '../../../shared/transport/journal-ask.ts';
import { decodeAppend, encodeAppend } from '../../../shared/transport/journal-bytes.ts';
import type { LinkFrame } from '../../../shared/transport/link.ts';
import type { JournalLine } from '../relay-link.ts';

/** Bytes of entries that are asked for at once. */
const PAGE_BYTES = 4 * 1024 * 1024;

interface JournalReply {
	readonly answer: JournalAnswer;
	readonly bytes: Uint8Array;
}

interface JournalRequest {
	readonly frame: LinkFrame;
	/** It is part of something that goes out in parts, of which the relay forgets all with the socket. */
	readonly partly: boolean;
	readonly tell: (answer: JournalReply) => void;
	readonly fail: (error: Error) => void;
}

/** The socket was lost while something went out in parts: it begins again. */
class Interrupted extends Error {}

export class RemoteJournal implements Journal {
	readonly durable: boolean;
	readonly relayWaits = true;
	readonly #line: JournalLine;
	/** In the order in which it was asked. */
	readonly #requests = new Map<number, JournalRequest>();
	readonly #runningRequests = new Set<Promise<unknown>>();
	#lastId = 0;
	#uploads = 0;
	/** Of its lease; 0 before it acquired one. */
	epoch = 0;
	/** Reason that currently nothing can be asked. */
	#lossReason: string | undefined;
	#closed = false;

	/** `durable`: what the relay says of its journal. */
	constructor(line: JournalLine, durable: boolean) {
		this.#line = line;
		this.durable = durable;
		line.listen({
			answered: ({ id, answer, bytes }) => {
				const request = this.#requests.get(id);
				this.#requests.delete(id);
				request?.tell({ answer, bytes });
			},
			welcomed: () => {
				this.#lossReason = undefined;
				for (const [id, { frame, partly, fail }] of [...this.#requests]) {
					if (!partly) {
						line.send(frame);
						continue;
					}
					this.#requests.delete(id);
					fail(new Interrupted());
				}
			},
			lost: (why) => {
				this.#lossReason = why;
				const all = [...this.#requests.values()];
				this.#requests.clear();
				for (const { fail } of all) fail(new JournalError('failed', why));
			},
		});
	}

	extent(): Promise<JournalExtent> {
		return this.#run(async () => {
			const { answer } = await this.#ask({ ask: 'extent' });
			if (!('extent' in answer)) throw unexpected();
			return answer.extent;
		});
	}

	acquire(): Promise<number> {
		return this.#run(async () => {
			const { answer } = await this.#ask({ ask: 'acquire' });
			if (!('epoch' in answer)) throw unexpected();
			this.epoch = answer.epoch;
			return answer.epoch;
		});
	}

	release(epoch: number): Promise<void> {
		return this.#run(async () => {
			await this.#ask({ ask: 'release', epoch });
		});
	}

	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		return this.#run(async () => {
			await this.#ask({ ask: 'append', epoch, at }, encoded(entries));
		});
	}

	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		return this.#run(async () => {
			const entries: JournalEntry[] = [];
			for (let room = mostBytes; room > 0 || entries.length === 0; ) {
				const most = Math.min(room, PAGE_BYTES);
				const { bytes } = await this.#ask({ ask: 'read', from: from + entries.length, mostBytes: most });
				const page = decodeAppend(bytes.slice());
				const size = page.reduce((sum, entry) => sum + entry.bytes.length, 0);
				// The first of a page comes even where it has no room.
				if (page.length === 0 || (size > room && entries.length > 0)) break;
				for (const entry of page) entries.push(entry);
				if (most === room) break;
				room -= size;
			}
			return entries;
		});
	}

	keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		return this.#run(async () => {
			const whole: Uint8Array[] = [];
			for await (const piece of pieces) whole.push(piece);
			await this.#upload((of) => ({ ask: 'keep-state', of, epoch, at, blobs }), whole);
		});
	}

	state(at?: number): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#run(() =>
			this.#download((from, most, of) => ({ ask: 'state', at: of ?? at ?? null, from, most })),
		);
	}

	keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		return this.#run(() => this.#upload((of) => ({ ask: 'keep-blob', of, hash }), [bytes]));
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#run(async () => {
			const found = await this.#download((from, most) => ({ ask: 'blob', hash, from, most }));
			return found?.bytes ?? null;
		});
	}

	lacks(from: number, { fault, message }: JournalError): void {
		// A relay that is away holds no answers any more: it forgets them with the socket.
		this.#run(() => this.#ask({ ask: 'lacks', from, fault, message })).catch(() => {});
	}

	async close(): Promise<void> {
		this.#closed = true;
		await Promise.allSettled(this.#runningRequests);
	}

	/** Sends something in parts, again from its beginning when the socket was lost. */
	async #upload(
		begin: (of: number) => JournalAsk & { readonly of: number },
		pieces: readonly Uint8Array[],
	): Promise<void> {
		for (;;) {
			const of = ++this.#uploads;
			const parts = partsOf(pieces);
			const send = async (): Promise<void> => {
				for (const { last, bytes } of parts) await this.#ask({ ask: 'part', of, last }, bytes, true);
			};
			try {
				const answered = this.#ask(begin(of), EMPTY_BODY, true);
				await Promise.all([answered, ...Array.from({ length: MAX_PENDING_PARTS }, send)]);
				return;
			} catch (error) {
				if (!(error instanceof Interrupted)) throw error;
			}
		}
	}

	/** Has something come in parts; null for what is not there. `at` of the first part is asked of the others. */
	async #download(ask: (from: number, most: number, of?: number) => JournalAsk) {
		const first = await this.#ask(ask(0, PART_BYTES));
		const whole = pieceOf(first);
		if (whole === null) return null;
		const { at, length } = whole;
		const bytes = new Uint8Array(length);
		bytes.set(first.bytes);
		let next = first.bytes.length;
		const fetch = async (): Promise<void> => {
			while (next < length) {
				const from = next;
				next += PART_BYTES;
				const part = await this.#ask(ask(from, PART_BYTES, at));
				const piece = pieceOf(part);
				if (
					piece?.at !== at ||
					piece.length !== length ||
					part.bytes.length !== Math.min(PART_BYTES, length - from)
				)
					throw new JournalError('failed', 'The journal changed while it was read.');
				bytes.set(part.bytes, from);
			}
		};
		await Promise.all(Array.from({ length: MAX_PENDING_PARTS }, fetch));
		return { at, bytes };
	}

	#ask(ask: JournalAsk, bytes: Uint8Array = EMPTY_BODY, partly = false): Promise<JournalReply> {
		return new Promise((resolve, reject) => {
			if (this.#lossReason !== undefined) return reject(new JournalError('failed', this.#lossReason));
			this.#lastId = (this.#lastId + 1) >>> 0;
			const frame: LinkFrame = { kind: 'journal', id: this.#lastId, ask, bytes };
			const tell = (answer: JournalReply): void =>
				'fault' in answer.answer
					? reject(new JournalError(answer.answer.fault, answer.answer.message))
					: resolve(answer);
			this.#requests.set(this.#lastId, { frame, partly, tell, fail: reject });
			this.#line.send(frame);
		});
	}

	#run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#closed) return Promise.reject(new JournalError('failed', 'The journal is closed.'));
		const done = work();
		this.#runningRequests.add(done);
		const over = (): void => void this.#runningRequests.delete(done);
		done.then(over, over);
		return done;
	}
}

function encoded(entries: readonly JournalEntry[]): Uint8Array {
	try {
		return encodeAppend(entries);
	} catch (error) {
		throw new JournalError('failed', `The entries cannot be appended: ${(error as Error).message}.`);
	}
}

/** Returns the place of a part, and the length of all. */
function pieceOf({ answer }: JournalReply): { readonly at: number; readonly length: number } | null {
	if ('piece' in answer) return answer.piece;
	throw unexpected();
}

const unexpected = (): JournalError =>
	new JournalError('failed', 'The relay sent an unexpected answer to a journal request.');

/** The pieces in order, in parts that make one frame each; the last says so. There is at least one. */
function* partsOf(pieces: readonly Uint8Array[]) {
	let before: Uint8Array = EMPTY_BODY;
	let any = false;
	for (const piece of pieces)
		for (let at = 0; at < piece.length; at += PART_BYTES) {
			if (any) yield { last: false, bytes: before };
			any = true;
			before = piece.subarray(at, at + PART_BYTES);
		}
	yield { last: true, bytes: before };
}
