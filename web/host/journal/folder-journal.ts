/**
 * A journal in a folder of a browser's private storage: a sequence of entry files, states, and blobs.
 * Owns: the content of each file, the removal of old data when the journal is too large, and the lease. The lease is an open
 * file, because the browser does not let another Worker open it.
 */

import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { reasonOf } from '../../../shared/contract/reason.ts';
import {
	cutError,
	fencedError,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	newEntries,
	type Pieces,
	requireStateAt,
} from '../../../shared/transport/journal.ts';
import { decodeAppend, encodeAppend, isHash } from '../../../shared/transport/journal-bytes.ts';
import { TaskQueue } from '../../../shared/transport/task-queue.ts';
import { sha256 } from '../../store/sha256.ts';
import {
	appendIn,
	type EntryFrame,
	encodeFrame,
	encodeMark,
	MARK_BYTES,
	scanFrames,
} from './entry-frames.ts';
import type { JournalFile, JournalFolder } from './journal-folder.ts';

/** Size of an entry file after which another one begins. */
const SEGMENT_BYTES = 8 * 2 ** 20;
/** Time between checks that the file still exists (ms). Without them, writes to a deleted file would seem to succeed. */
const CHECK_MS = 1000;
/** Bytes before a state: its SHA-256 in hexadecimal digits, and the length of its description (u32). */
const STATE_HEAD_BYTES = 68;

const [ENTRIES, STATE, BLOB] = ['entries-', 'state-', 'blob-'] as const;
const LEASE = 'lease';

/** An entry file. `next`: number of the entry after its last one. `length`: its bytes without an unfinished frame. */
interface Segment {
	readonly first: number;
	next: number;
	readonly frames: EntryFrame[];
	length: number;
	readonly blobs: Set<string>;
}

/** A stored state: the number of the entry after it, its bytes, and the hashes of its blobs. */
interface FolderState {
	readonly entry: number;
	readonly size: number;
	readonly blobs: readonly string[];
}

export interface FolderJournalOptions {
	/** Maximum number of bytes. Beyond it, data that is older than a state is deleted. */
	readonly maxBytes: number;
}

/** Size of the lease file: JSON and blanks, so that a write replaces all of it. */
const LEASE_BYTES = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class FolderJournal implements Journal {
	readonly durable = true;
	readonly #folder: JournalFolder;
	readonly #options: FolderJournalOptions;
	readonly #leaseFile: JournalFile;
	#lease: JournalExtent['lease'];
	/** Entry files in order. Entries are appended to the last one. */
	#segments: Segment[] = [];
	/** States in ascending order. */
	#states: FolderState[] = [];
	/** Sizes of the stored blobs by their hash. */
	readonly #blobs = new Map<string, number>();
	/** Blobs that were added since the last cut. No entry may refer to them yet. */
	readonly #newBlobs = new Set<string>();
	/** The last entry file, once it was opened for writing. */
	#file: JournalFile | undefined;
	/** Time of the last check that the file is in the folder. */
	#checkTime = 0;
	/** True if an unfinished frame may follow the last whole one. */
	#hasTornEnd = false;
	/** The entry file that was read last, because reads are usually consecutive. */
	#page: { readonly segment: Segment; readonly bytes: Uint8Array } | undefined;
	/** Queue of all operations. */
	readonly #queue = new TaskQueue();
	#closed = false;

	private constructor(folder: JournalFolder, options: FolderJournalOptions, leaseFile: JournalFile) {
		this.#folder = folder;
		this.#options = options;
		this.#leaseFile = leaseFile;
		this.#lease = leaseIn(leaseFile);
	}

	/**
	 * Opens a journal. Rejects with `locked` while another Worker has the lease. If the files differ from what was written, it rejects with
	 * `damaged` and changes nothing.
	 */
	static async open(folder: JournalFolder, options: FolderJournalOptions): Promise<FolderJournal> {
		let leaseFile: JournalFile | undefined;
		try {
			leaseFile = await folder.open(LEASE);
			const journal = new FolderJournal(folder, options, leaseFile);
			await journal.#read();
			return journal;
		} catch (error) {
			leaseFile?.close();
			throw asJournalError(error);
		}
	}

	async #read(): Promise<void> {
		const names = await this.#folder.names();
		const numbers = (kind: string) =>
			names
				.filter((name) => name.startsWith(kind) && /^\d+$/.test(name.slice(kind.length)))
				.map((name) => Number(name.slice(kind.length)))
				.sort((a, b) => a - b);
		for (const name of names) {
			const hash = name.slice(BLOB.length);
			if (!name.startsWith(BLOB) || !isHash(hash)) continue;
			const size = await this.#folder.size(name);
			if (size > 0) this.#blobs.set(hash, size);
		}
		const firsts = numbers(ENTRIES);
		for (const [index, first] of firsts.entries()) {
			const name = `${ENTRIES}${first}`;
			const previous = this.#segments.at(-1);
			if (previous !== undefined && previous.next !== first)
				throw new JournalError(
					'damaged',
					`Entries ${previous.next} to ${first - 1} are missing from the journal. Its files were not changed.`,
				);
			const bytes = await this.#folder.read(name);
			const scan = await scanFrames(bytes, first, name, index === firsts.length - 1);
			const { next, end, blobs } = scan;
			this.#segments.push({ first, next, frames: [...scan.frames], length: end, blobs: new Set(blobs) });
			// The next write removes the unfinished frame of a killed tab.
			this.#hasTornEnd = end < bytes.length || end === 0;
		}
		if (this.#segments.length === 0) this.#beginSegment(0);
		for (const at of numbers(STATE)) {
			// A state whose write did not finish is empty.
			if ((await this.#folder.size(`${STATE}${at}`)) === 0) continue;
			const { blobs, size } = await this.#readState(at);
			this.#states.push({ entry: at, blobs, size });
		}
	}

	/** Begins another entry file. It is created when its first entry is written. */
	#beginSegment(first: number): void {
		this.#file?.close();
		this.#file = undefined;
		this.#hasTornEnd = true;
		this.#segments.push({ first, next: first, frames: [], length: 0, blobs: new Set() });
	}

	get #last(): Segment {
		return this.#segments.at(-1)!;
	}

	get #first(): number {
		return this.#segments[0]!.first;
	}

	get #bytes(): number {
		let sum = 0;
		for (const { length } of this.#segments) sum += length;
		for (const { size } of this.#states) sum += size;
		for (const size of this.#blobs.values()) sum += size;
		return sum;
	}

	/** Runs an operation after all earlier ones. */
	#enqueue<T>(work: () => Promise<T>): Promise<T> {
		return this.#queue.run(async () => {
			if (this.#closed) throw new JournalError('failed', 'The journal is closed.');
			try {
				return await work();
			} catch (error) {
				throw asJournalError(error);
			}
		});
	}

	extent(): Promise<JournalExtent> {
		return this.#enqueue(async () => ({
			first: this.#first,
			next: this.#last.next,
			lease: this.#lease,
			states: this.#states.map(({ entry }) => entry),
			bytes: this.#bytes,
		}));
	}

	acquire(): Promise<number> {
		return this.#enqueue(async () => {
			this.#setLease({ epoch: this.#lease.epoch + 1, isTaken: true });
			return this.#lease.epoch;
		});
	}

	release(epoch: number): Promise<void> {
		return this.#enqueue(async () => {
			if (epoch === this.#lease.epoch) this.#setLease({ epoch, isTaken: false });
		});
	}

	#setLease(lease: JournalExtent['lease']): void {
		this.#leaseFile.write(0, encoder.encode(JSON.stringify(lease).padEnd(LEASE_BYTES)));
		this.#lease = lease;
	}

	#requireOwner(epoch: number): void {
		if (epoch !== this.#lease.epoch) throw fencedError();
	}

	append(epoch: number, from: number, entries: readonly JournalEntry[]): Promise<void> {
		// The caller may change the entries as soon as this method returns, so they are copied.
		const copies = entries.map(({ bytes, blobs }) => ({ bytes: bytes.slice(), blobs: [...blobs] }));
		return this.#enqueue(async () => {
			this.#requireOwner(epoch);
			const { next } = this.#last;
			const entries = newEntries(from, next, copies);
			if (entries.length === 0) return;
			const append = encodeAppend(entries);
			if (this.#last.length > SEGMENT_BYTES) this.#beginSegment(next);
			const segment = this.#last;
			const frame = await encodeFrame(next, append);
			const file = await this.#openForWrite();
			const offset = segment.length;
			this.#hasTornEnd = true;
			file.write(offset, frame);
			this.#hasTornEnd = false;
			segment.length = offset + frame.length;
			segment.next = next + entries.length;
			segment.frames.push({ first: next, count: entries.length, offset, end: segment.length });
			for (const { blobs } of entries) for (const hash of blobs) segment.blobs.add(hash);
			if (this.#page?.segment === segment) this.#page = undefined;
		});
	}

	/** Returns the last entry file, without an unfinished frame. */
	async #openForWrite(): Promise<JournalFile> {
		const segment = this.#last;
		const name = `${ENTRIES}${segment.first}`;
		if (this.#file === undefined) {
			this.#file = await this.#folder.open(name);
			this.#checkTime = performance.now();
		}
		if (performance.now() - this.#checkTime >= CHECK_MS) {
			if (!(await this.#folder.has(name)))
				throw new JournalError(
					'failed',
					"The browser's data for this page was cleared, including the journal. Save the world with POST /scene/save, then load the page again.",
				);
			this.#checkTime = performance.now();
		}
		if (!this.#hasTornEnd) return this.#file;
		this.#file.truncate(segment.length);
		if (segment.length === 0) {
			this.#file.write(0, encodeMark());
			segment.length = MARK_BYTES;
		}
		this.#hasTornEnd = false;
		return this.#file;
	}

	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		return this.#enqueue(async () => {
			if (from < this.#first) throw cutError(from, this.#first);
			const read: JournalEntry[] = [];
			let room = mostBytes;
			for (const segment of this.#segments) {
				if (segment.next <= from || segment.frames.length === 0) continue;
				const bytes = await this.#bytesOf(segment);
				for (const { first, count, offset, end } of segment.frames) {
					if (first + count <= from) continue;
					const entries = decodeAppend(appendIn(bytes.subarray(offset, end)));
					for (const entry of entries.slice(Math.max(0, from - first))) {
						room -= entry.bytes.length;
						if (room < 0 && read.length > 0) return read;
						read.push({ bytes: entry.bytes.slice(), blobs: entry.blobs });
					}
				}
			}
			return read;
		});
	}

	async #bytesOf(segment: Segment): Promise<Uint8Array> {
		if (this.#page?.segment === segment) return this.#page.bytes;
		const isOpen = segment === this.#last && this.#file !== undefined;
		const bytes = isOpen
			? this.#file!.read(0, segment.length)
			: await this.#folder.read(`${ENTRIES}${segment.first}`);
		this.#page = { segment, bytes };
		return bytes;
	}

	async keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		const copies: Uint8Array[] = [];
		for await (const piece of pieces) copies.push(piece.slice());
		return this.#enqueue(async () => {
			this.#requireOwner(epoch);
			const { next } = this.#last;
			requireStateAt(at, this.#first, next);
			const head = encoder.encode(JSON.stringify({ blobs }));
			const length = new Uint8Array(4);
			new DataView(length.buffer).setUint32(0, head.length, true);
			const rest = joinBytes([length, head, ...copies]);
			const hash = encoder.encode(await sha256(rest));
			await this.#folder.write(`${STATE}${at}`, [hash, rest]);
			const others = this.#states.filter((state) => state.entry !== at);
			const size = hash.length + rest.length;
			this.#states = [...others, { entry: at, size, blobs: [...blobs] }].sort((a, b) => a.entry - b.entry);
			if (at === next && this.#last.frames.length > 0) this.#beginSegment(next);
			await this.#cut();
		});
	}

	/** Deletes the oldest entries and states while the journal is too large. The newest state and the entries after it stay. */
	async #cut(): Promise<void> {
		let hasRemoved = false;
		while (this.#bytes > this.#options.maxBytes) {
			const [oldest, second] = this.#states;
			const segment = this.#segments[0]!;
			if (oldest === undefined) break;
			if (segment !== this.#last && segment.next <= oldest.entry) {
				await this.#folder.remove(`${ENTRIES}${segment.first}`);
				this.#segments.shift();
			} else if (second !== undefined) {
				await this.#folder.remove(`${STATE}${oldest.entry}`);
				this.#states.shift();
			} else break;
			hasRemoved = true;
		}
		if (!hasRemoved) return;
		const usedBlobs = new Set([...this.#segments, ...this.#states].flatMap(({ blobs }) => [...blobs]));
		for (const hash of this.#blobs.keys()) {
			if (usedBlobs.has(hash) || this.#newBlobs.has(hash)) continue;
			await this.#folder.remove(`${BLOB}${hash}`);
			this.#blobs.delete(hash);
		}
		this.#newBlobs.clear();
	}

	state(at = Number.POSITIVE_INFINITY): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#enqueue(async () => {
			const newest = this.#states.findLast((state) => state.entry <= at);
			return newest === undefined
				? null
				: { at: newest.entry, bytes: (await this.#readState(newest.entry)).bytes };
		});
	}

	async #readState(at: number): Promise<FolderState & { readonly bytes: Uint8Array }> {
		const name = `${STATE}${at}`;
		const file = await this.#folder.read(name);
		const rest = file.subarray(STATE_HEAD_BYTES - 4);
		if (
			file.length < STATE_HEAD_BYTES ||
			decoder.decode(file.subarray(0, STATE_HEAD_BYTES - 4)) !== (await sha256(rest))
		)
			throw new JournalError('damaged', `"${name}" is damaged. The file was not changed.`);
		const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0, true);
		const { blobs } = JSON.parse(decoder.decode(rest.subarray(4, 4 + length))) as Pick<FolderState, 'blobs'>;
		return { entry: at, size: file.length, blobs, bytes: rest.slice(4 + length) };
	}

	keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		const copy = bytes.slice();
		return this.#enqueue(async () => {
			this.#newBlobs.add(hash);
			if (this.#blobs.has(hash)) return;
			await this.#folder.write(`${BLOB}${hash}`, [copy]);
			this.#blobs.set(hash, copy.length);
		});
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#enqueue(async () => {
			if (!this.#blobs.has(hash)) return null;
			const bytes = await this.#folder.read(`${BLOB}${hash}`);
			if ((await sha256(bytes)) !== hash)
				throw new JournalError('damaged', `The blob ${hash} is damaged. The file was not changed.`);
			return bytes;
		});
	}

	close(): Promise<void> {
		return this.#enqueue(async () => {
			this.#closed = true;
			this.#file?.close();
			this.#leaseFile.close();
		});
	}
}

/** Returns the lease in its file. Throws a `JournalError` for a damaged file. */
function leaseIn(file: JournalFile): JournalExtent['lease'] {
	if (file.size === 0) return { epoch: 0, isTaken: false };
	try {
		const { epoch, isTaken } = JSON.parse(decoder.decode(file.read(0, file.size)));
		if (Number.isSafeInteger(epoch) && typeof isTaken === 'boolean') return { epoch, isTaken };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new JournalError('damaged', `"${LEASE}" is damaged. The file was not changed.`);
}

function asJournalError(error: unknown): JournalError {
	if (error instanceof JournalError) return error;
	const why = reasonOf(error);
	if (error instanceof Error && error.name === 'NoModificationAllowedError')
		return new JournalError('locked', 'Another tab of this browser writes to the journal.');
	if (error instanceof Error && error.name === 'QuotaExceededError')
		return new JournalError(
			'full',
			`This browser's storage for the page is full: ${why.replace(/\.?$/, '.')}`,
		);
	return new JournalError('failed', `This browser's private storage failed: ${why.replace(/\.?$/, '.')}`);
}
