/**
 * The tab's access to the journal that the relay stores.
 * Owns: open requests, which are sent again after a lost socket, and the division of large data into parts.
 * Never: stores anything twice at the relay; decodes an entry.
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
import type { JournalChannel } from '../relay-link.ts';

/** Bytes of entries that one request reads. */
const PAGE_BYTES = 4 * 1024 * 1024;

interface JournalReply {
	readonly answer: JournalAnswer;
	readonly bytes: Uint8Array;
}

interface JournalRequest {
	readonly frame: LinkFrame;
	/** True for a part of an upload. The relay drops unfinished uploads with the socket. */
	readonly isPart: boolean;
	readonly resolve: (answer: JournalReply) => void;
	readonly fail: (error: Error) => void;
}

/** Error of an upload whose socket was lost. The upload begins again. */
class Interrupted extends Error {}

export class RemoteJournal implements Journal {
	readonly durable: boolean;
	readonly relayWaits = true;
	readonly #line: JournalChannel;
	/** Unanswered requests by id, in the order of sending. */
	readonly #requests = new Map<number, JournalRequest>();
	readonly #operations = new Set<Promise<unknown>>();
	#lastId = 0;
	#uploads = 0;
	/** Epoch of the lease; 0 before a lease was acquired. */
	epoch = 0;
	/** Reason why no request can currently be sent; undefined if one can. */
	#lossReason: string | undefined;
	#closed = false;

	/** `durable`: true if the relay's journal survives the end of the relay. */
	constructor(line: JournalChannel, durable: boolean) {
		this.#line = line;
		this.durable = durable;
		line.listen({
			onAnswer: ({ id, answer, bytes }) => {
				const request = this.#requests.get(id);
				this.#requests.delete(id);
				request?.resolve({ answer, bytes });
			},
			onWelcome: () => {
				this.#lossReason = undefined;
				for (const [id, { frame, isPart, fail }] of [...this.#requests]) {
					if (!isPart) {
						line.send(frame);
						continue;
					}
					this.#requests.delete(id);
					fail(new Interrupted());
				}
			},
			onLoss: (why) => {
				this.#lossReason = why;
				const all = [...this.#requests.values()];
				this.#requests.clear();
				for (const { fail } of all) fail(new JournalError('failed', why));
			},
		});
	}

	extent(): Promise<JournalExtent> {
		return this.#run(async () => {
			const { answer } = await this.#request({ ask: 'extent' });
			if (!('extent' in answer)) throw unexpectedAnswer();
			return answer.extent;
		});
	}

	acquire(): Promise<number> {
		return this.#run(async () => {
			const { answer } = await this.#request({ ask: 'acquire' });
			if (!('epoch' in answer)) throw unexpectedAnswer();
			this.epoch = answer.epoch;
			return answer.epoch;
		});
	}

	release(epoch: number): Promise<void> {
		return this.#run(async () => {
			await this.#request({ ask: 'release', epoch });
		});
	}

	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		return this.#run(async () => {
			await this.#request({ ask: 'append', epoch, at }, encodeEntries(entries));
		});
	}

	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		return this.#run(async () => {
			const entries: JournalEntry[] = [];
			for (let room = mostBytes; room > 0 || entries.length === 0; ) {
				const pageBytes = Math.min(room, PAGE_BYTES);
				const { bytes } = await this.#request({
					ask: 'read',
					from: from + entries.length,
					mostBytes: pageBytes,
				});
				const page = decodeAppend(bytes.slice());
				const size = page.reduce((sum, entry) => sum + entry.bytes.length, 0);
				// A page has at least one entry, even if that is larger than the room.
				if (page.length === 0 || (size > room && entries.length > 0)) break;
				for (const entry of page) entries.push(entry);
				if (pageBytes === room) break;
				room -= size;
			}
			return entries;
		});
	}

	keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		return this.#run(async () => {
			const allPieces: Uint8Array[] = [];
			for await (const piece of pieces) allPieces.push(piece);
			await this.#upload((of) => ({ ask: 'keep-state', of, epoch, at, blobs }), allPieces);
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
			const download = await this.#download((from, most) => ({ ask: 'blob', hash, from, most }));
			return download?.bytes ?? null;
		});
	}

	lacks(from: number, { fault, message }: JournalError): void {
		// A failure needs no handling: an unreachable relay has dropped the waiting answers with the socket.
		this.#run(() => this.#request({ ask: 'lacks', from, fault, message })).catch(() => {});
	}

	async close(): Promise<void> {
		this.#closed = true;
		await Promise.allSettled(this.#operations);
	}

	/** Sends data in parts. If the socket is lost, begins again. */
	async #upload(
		begin: (of: number) => JournalAsk & { readonly of: number },
		pieces: readonly Uint8Array[],
	): Promise<void> {
		for (;;) {
			const upload = ++this.#uploads;
			const parts = partsOf(pieces);
			const send = async (): Promise<void> => {
				for (const { last, bytes } of parts)
					await this.#request({ ask: 'part', of: upload, last }, bytes, true);
			};
			try {
				const answered = this.#request(begin(upload), EMPTY_BODY, true);
				await Promise.all([answered, ...Array.from({ length: MAX_PENDING_PARTS }, send)]);
				return;
			} catch (error) {
				if (!(error instanceof Interrupted)) throw error;
			}
		}
	}

	/** Fetches data in parts; null if it does not exist. `at` of the first part selects the other parts. */
	async #download(ask: (from: number, most: number, of?: number) => JournalAsk) {
		const first = await this.#request(ask(0, PART_BYTES));
		const piece = pieceOf(first);
		if (piece === null) return null;
		const { at, length } = piece;
		const bytes = new Uint8Array(length);
		bytes.set(first.bytes);
		let next = first.bytes.length;
		const fetch = async (): Promise<void> => {
			while (next < length) {
				const from = next;
				next += PART_BYTES;
				const part = await this.#request(ask(from, PART_BYTES, at));
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

	#request(ask: JournalAsk, bytes: Uint8Array = EMPTY_BODY, isPart = false): Promise<JournalReply> {
		return new Promise((resolve, reject) => {
			if (this.#lossReason !== undefined) return reject(new JournalError('failed', this.#lossReason));
			this.#lastId = (this.#lastId + 1) >>> 0;
			const frame: LinkFrame = { kind: 'journal', id: this.#lastId, ask, bytes };
			const settle = (answer: JournalReply): void =>
				'fault' in answer.answer
					? reject(new JournalError(answer.answer.fault, answer.answer.message))
					: resolve(answer);
			this.#requests.set(this.#lastId, { frame, isPart, resolve: settle, fail: reject });
			this.#line.send(frame);
		});
	}

	#run<T>(work: () => Promise<T>): Promise<T> {
		if (this.#closed) return Promise.reject(new JournalError('failed', 'The journal is closed.'));
		const operation = work();
		this.#operations.add(operation);
		const remove = (): void => void this.#operations.delete(operation);
		operation.then(remove, remove);
		return operation;
	}
}

function encodeEntries(entries: readonly JournalEntry[]): Uint8Array {
	try {
		return encodeAppend(entries);
	} catch (error) {
		throw new JournalError('failed', `The entries cannot be appended: ${(error as Error).message}.`);
	}
}

/** Returns the state of which an answer has a part, and the total length in bytes; null if the data does not exist. */
function pieceOf({ answer }: JournalReply): { readonly at: number; readonly length: number } | null {
	if ('piece' in answer) return answer.piece;
	throw unexpectedAnswer();
}

const unexpectedAnswer = (): JournalError =>
	new JournalError('failed', 'The relay sent an unexpected answer to a journal request.');

/** Yields pieces in parts that fit into one frame each. Yields at least one part; the last one has `last: true`. */
function* partsOf(pieces: readonly Uint8Array[]) {
	let pending: Uint8Array = EMPTY_BODY;
	let hasPart = false;
	for (const piece of pieces)
		for (let offset = 0; offset < piece.length; offset += PART_BYTES) {
			if (hasPart) yield { last: false, bytes: pending };
			hasPart = true;
			pending = piece.subarray(offset, offset + PART_BYTES);
		}
	yield { last: true, bytes: pending };
}
