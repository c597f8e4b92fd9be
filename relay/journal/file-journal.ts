/**
 * A journal in the files of a folder.
 * Owns: the order of what is asked for, which appends make one write, what is cut for the limit on size, and the lock.
 * Never: looks into an entry or a state.
 */

import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
	fenced,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	missing,
	type Pieces,
} from '../../shared/contract/journal.ts';
import { decodeAppend, encodeAppend } from '../../shared/contract/journal-bytes.ts';
import { isDraft } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { Turns } from '../turns.ts';
import { BlobFiles } from './blob-files.ts';
import { type Disk, faultOf, disk as realDisk } from './disk.ts';
import { EntryLog, LOOK_MS } from './entry-log.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { KeptNote } from './kept-note.ts';
import { LeaseFile } from './lease-file.ts';
import { StateFiles } from './state-files.ts';

export interface FileJournalOptions {
	/** Bytes that it may take; what is older than a state is cut beyond that. No limit unless given. */
	readonly most?: number;
	/** What is kept outlives a loss of power, too, and not only the end of every process. */
	readonly fsync?: boolean;
	/** Bytes of appends that may wait for the disk. */
	readonly mostWaiting?: number;
	/** What entries are written to. */
	readonly disk?: Disk;
	/** Milliseconds on a clock that only goes forward. */
	readonly now?: () => number;
}

/** Bytes that one write takes at most, unless one append is larger. */
const GROUP_BYTES = 4 * 1024 * 1024;
const MOST_WAITING = 64 * 1024 * 1024;

/** An append that waits for its write. */
interface Waiting {
	readonly epoch: number;
	readonly at: number;
	readonly bytes: Uint8Array;
	readonly count: number;
	readonly done: () => void;
	readonly failed: (error: JournalError) => void;
}

const FIRST = /^first-(\d{16})$/;

export class FileJournal implements Journal {
	readonly durable = true;
	readonly folder: string;
	/** Null for one that is only read. */
	readonly #lock: FolderLock | null;
	readonly #log: EntryLog;
	readonly #states: StateFiles;
	readonly #blobs: BlobFiles;
	readonly #note: KeptNote;
	readonly #fsync: boolean;
	readonly #most: number;
	readonly #mostWaiting: number;
	readonly #lease: LeaseFile;
	/** Number of the oldest entry that counts. */
	#first: number;
	/** Entries are written and read one after the other; states and blobs may be written meanwhile. */
	readonly #entryTurns = new Turns();
	readonly #stateTurns = new Turns();
	readonly #blobTurns = new Turns();
	/** Appends that have a turn which more may join; undefined when the next append needs a turn of its own. */
	#waiting: Waiting[] | undefined;
	#waitingBytes = 0;
	/** Why the last write failed: entries that follow it fail like it. */
	#fault: JournalError | undefined;
	/** Blobs that came since something was last cut: nothing may name them yet. */
	#newBlobs = new Set<string>();
	/** Runs from the first write after the files were last seen to. */
	#seeing: ReturnType<typeof setTimeout> | undefined;
	#closed = false;

	private constructor(
		folder: string,
		lock: FolderLock | null,
		parts: {
			readonly log: EntryLog;
			readonly states: StateFiles;
			readonly blobs: BlobFiles;
			readonly note: KeptNote;
			readonly lease: LeaseFile;
			readonly first: number;
		},
		options: FileJournalOptions,
	) {
		this.folder = folder;
		this.#lock = lock;
		this.#log = parts.log;
		this.#states = parts.states;
		this.#blobs = parts.blobs;
		this.#note = parts.note;
		this.#lease = parts.lease;
		this.#fsync = options.fsync ?? false;
		this.#first = parts.first;
		this.#most = options.most ?? Number.POSITIVE_INFINITY;
		this.#mostWaiting = options.mostWaiting ?? MOST_WAITING;
	}

	/**
	 * The journal of a folder, which is made when it is not there (that around it is). Rejects with `locked` when another process writes to it, and with
	 * `damaged` when it is not what was written; nothing is changed then.
	 */
	static async open(folder: string, options: FileJournalOptions = {}): Promise<FileJournal> {
		try {
			await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
				if (codeOf(error) !== 'EEXIST') throw error;
			});
			if (!(await lstat(folder)).isDirectory())
				throw new JournalError('failed', `"${folder}" is not a folder.`);
			const lock = await lockFolder(folder);
			try {
				return new FileJournal(folder, lock, await partsOf(folder, options, lock), options);
			} catch (error) {
				await lock.release();
				throw error;
			}
		} catch (error) {
			throw faultOf(error, `The journal in "${folder}" could not be opened`);
		}
	}

	/**
	 * The journal of a folder as it is now, only to be read, whoever writes to it meanwhile: nothing is locked or changed, and what is
	 * appended later does not show. Rejects with `damaged` when it is not what was written.
	 */
	static async look(folder: string): Promise<FileJournal> {
		try {
			return new FileJournal(folder, null, await partsOf(folder, {}), {});
		} catch (error) {
			throw faultOf(error, `The journal in "${folder}" could not be read`);
		}
	}

	/** Bytes of the last write that opening cut off, because the process ended before it was done. */
	get cutBytes(): number {
		return this.#log.cutBytes;
	}

	/** Which entries are gone that were kept before it was opened; undefined when none are, and when a state was kept since. */
	get lost(): string | undefined {
		return this.#log.lost;
	}

	/** Number of the entry after the last that is kept. */
	get next(): number {
		return this.#log.next;
	}

	/** Bytes of appends that wait for the disk. */
	get waitingBytes(): number {
		return this.#waitingBytes;
	}

	async extent(): Promise<JournalExtent> {
		this.#check();
		await this.#idle();
		const { lost } = this;
		return {
			first: this.#first,
			next: this.#log.next,
			lease: this.#lease.newest,
			states: this.#states.all,
			bytes: this.#bytes,
			...(lost === undefined ? {} : { lost }),
		};
	}

	acquire(): Promise<number> {
		return this.#inEntryTurn(() => this.#lease.acquire());
	}

	async release(epoch: number): Promise<void> {
		await this.#inEntryTurn(() => this.#lease.release(epoch));
	}

	/** After the appends that were asked for; those that follow have a turn after this. */
	#inEntryTurn<T>(work: () => Promise<T>): Promise<T> {
		if (this.#lock === null) return Promise.reject(onlyRead());
		this.#waiting = undefined;
		return this.#run(this.#entryTurns, 'The lease could not be written', work);
	}

	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		if (this.#closed) return Promise.reject(closed());
		if (this.#lock === null) return Promise.reject(onlyRead());
		let bytes: Uint8Array;
		try {
			bytes = encodeAppend(entries);
		} catch (error) {
			return Promise.reject(faultOf(error, 'The entries cannot be appended'));
		}
		if (this.#waitingBytes > 0 && this.#waitingBytes + bytes.length > this.#mostWaiting) {
			this.#fault = new JournalError(
				'full',
				`The disk is too slow: ${this.#waitingBytes} bytes wait to be written.`,
			);
			return Promise.reject(this.#fault);
		}
		this.#waitingBytes += bytes.length;
		return new Promise((resolve, reject) => {
			const append = { epoch, at, bytes, count: entries.length, done: resolve, failed: reject };
			if (this.#waiting !== undefined) this.#waiting.push(append);
			else {
				const waiting = [append];
				this.#waiting = waiting;
				void this.#entryTurns.run(() => this.#appendAll(waiting));
			}
		});
	}

	/** Writes what has waited for this turn: all that has come until it begins goes with it. */
	async #appendAll(waiting: readonly Waiting[]): Promise<void> {
		if (this.#waiting === waiting) this.#waiting = undefined;
		for (let i = 0; i < waiting.length; ) {
			const group: Waiting[] = [];
			const appends: Uint8Array[] = [];
			let size = 0;
			let { next } = this.#log;
			for (; i < waiting.length; i++) {
				const append = waiting[i]!;
				if (append.epoch !== this.#lease.newest.epoch || append.at > next) break;
				if (size > 0 && size + append.bytes.length > GROUP_BYTES) break;
				group.push(append);
				const known = next - append.at;
				if (known >= append.count) continue;
				const bytes = known === 0 ? append.bytes : encodeAppend(decodeAppend(append.bytes).slice(known));
				appends.push(bytes);
				size += bytes.length;
				next = append.at + append.count;
			}
			if (group.length > 0) await this.#write(group, appends, next);
			else this.#refuse(waiting[i++]!);
		}
	}

	async #write(group: readonly Waiting[], appends: readonly Uint8Array[], next: number): Promise<void> {
		try {
			if (appends.length > 0) {
				// After a while in which nothing was written nobody has looked.
				if (this.#seeing === undefined || this.#states.amiss) await this.#look();
				await this.#log.write({ appends, count: next - this.#log.next });
			}
			this.#fault = undefined;
			for (const append of group) this.#settle(append);
			this.#seeLater();
		} catch (error) {
			this.#fault = error as JournalError;
			for (const append of group) this.#settle(append, this.#fault);
		}
	}

	/** An append of an old owner, or one that does not follow the last entry. */
	#refuse(append: Waiting): void {
		const isOld = append.epoch !== this.#lease.newest.epoch;
		this.#settle(append, isOld ? fenced() : (this.#fault ?? missing(append.at, this.#log.next)));
	}

	/** Sees to it that the next start finds what was written. Rejects when that cannot be. */
	async #look(): Promise<void> {
		await this.#log.look();
		await this.#states.stand();
	}

	#seeLater(): void {
		this.#seeing ??= setTimeout(() => void this.#see(), LOOK_MS).unref();
	}

	/** What was written a moment ago is where a start looks for it, also when nothing follows, and noted. */
	async #see(): Promise<void> {
		this.#seeing = undefined;
		// The next append is told of it.
		await this.#entryTurns.run(() => this.#look()).catch(() => {});
		await this.#noteKept(this.#fsync);
	}

	/** Each start says what is lost until a state is kept, so the note stays until then. */
	async #noteKept(synced: boolean): Promise<void> {
		if (this.lost === undefined && this.#log.next > 0) await this.#note.note(this.#log.next, synced);
	}

	#settle({ bytes, done, failed }: Waiting, why?: JournalError): void {
		this.#waitingBytes -= bytes.length;
		if (why === undefined) done();
		else failed(why);
	}

	read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		// What is appended from now on is not read.
		this.#waiting = undefined;
		return this.#run(this.#entryTurns, 'Entries could not be read', async () => {
			if (from < this.#first) throw this.#cut(from);
			// Reading says by itself what it lacks.
			await this.#log.look().catch(() => {});
			return await this.#log.read(from, mostBytes);
		});
	}

	/** The pieces may change once they are written, and not before. */
	async keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		this.#check();
		if (this.#lock === null) throw onlyRead();
		const before = this.#entryTurns.idle();
		return this.#run(this.#stateTurns, 'The state could not be kept', async () => {
			await before;
			if (epoch !== this.#lease.newest.epoch) throw fenced();
			if (at < this.#first) throw this.#cut(at);
			const { next } = this.#log;
			if (!Number.isSafeInteger(at) || at < 0 || at > next)
				throw new JournalError(
					'failed',
					`There is no state before entry ${at}: the journal goes on at ${next}.`,
				);
			// No state is on the disk without the entries before it.
			await this.#entryTurns.run(() => this.#log.sync());
			await this.#states.keep(at, inTurn(pieces), blobs);
			this.#seeLater();
			if (at >= next) this.#log.lost = undefined;
			await this.#noteKept(true);
			this.#log.turn();
			await this.#entryTurns.run(() => this.#makeRoom());
		});
	}

	/** Cuts what stands before the oldest states, as long as there is too much. The newest state and what follows it stay. */
	async #makeRoom(): Promise<void> {
		let cut = false;
		const before = this.#newBlobs;
		this.#newBlobs = new Set();
		while (this.#bytes > this.#most && this.#states.all.length > 0) {
			const [oldest = 0, following] = this.#states.all;
			// What stands before the oldest state goes first, then that state itself.
			const first = oldest > this.#first ? oldest : following;
			if (first === undefined) break;
			if (first !== oldest) await this.#states.remove(oldest);
			await this.#setFirst(first);
			await this.#log.removeBefore(first);
			await this.#dropBlobs(before);
			cut = true;
		}
		if (!cut) for (const hash of before) this.#newBlobs.add(hash);
	}

	/** The name of a file says it, which is there or not. */
	async #setFirst(first: number): Promise<void> {
		const before = join(this.folder, firstName(this.#first));
		await (await open(join(this.folder, firstName(first)), 'a', 0o600)).close();
		await rm(before, { force: true });
		this.#first = first;
	}

	/** Removes the blobs that nothing names, but for those that came lately. */
	async #dropBlobs(lately: ReadonlySet<string>): Promise<void> {
		const stated = this.#states.namedBlobs();
		const unnamed = (hash: string): boolean =>
			!stated.has(hash) && !lately.has(hash) && !this.#newBlobs.has(hash);
		const left = [...this.#blobs.all].filter(unnamed);
		if (left.length === 0) return;
		const named = await this.#log.namedBlobs(this.#first);
		await this.#blobTurns.run(async () => {
			for (const hash of left) if (unnamed(hash) && !named.has(hash)) await this.#blobs.remove(hash);
		});
	}

	state(at?: number): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#run(this.#stateTurns, 'A state could not be read', async () => {
			const state = this.#states.newest(at);
			if (state === undefined) return null;
			return { at: state.at, bytes: await this.#states.read(state, 0, Number.POSITIVE_INFINITY) };
		});
	}

	keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		if (this.#lock === null) return Promise.reject(onlyRead());
		if (!this.#closed) this.#newBlobs.add(hash);
		return this.#run(this.#blobTurns, 'The blob could not be kept', () => this.#blobs.keep(hash, bytes));
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#run(this.#blobTurns, 'A blob could not be read', () => this.#blobs.read(hash));
	}

	/** Rejects, and is closed, when what was written is not where the next start looks for it. */
	async close(): Promise<void> {
		if (this.#closed) return;
		const idle = this.#idle();
		this.#closed = true;
		await idle;
		clearTimeout(this.#seeing);
		try {
			await this.#entryTurns.run(() => this.#look());
		} finally {
			if (this.#lock !== null) await this.#noteKept(this.#fsync);
			await this.#states.close();
			await this.#log.close();
			await this.#lock?.release();
		}
	}

	get #bytes(): number {
		return this.#log.bytes + this.#states.bytes + this.#blobs.bytes;
	}

	async #idle(): Promise<void> {
		await Promise.all([this.#stateTurns.idle(), this.#blobTurns.idle()]);
		await this.#entryTurns.idle();
	}

	#run<T>(turns: Turns, doing: string, work: () => Promise<T>): Promise<T> {
		if (this.#closed) return Promise.reject(closed());
		return turns.run(work).catch((error: unknown) => {
			throw faultOf(error, doing);
		});
	}

	#check(): void {
		if (this.#closed) throw closed();
	}

	#cut(entry: number): JournalError {
		return new JournalError(
			'cut',
			`Entry ${entry} is not kept any more; the oldest that is kept is ${this.#first}.`,
		);
	}
}

async function partsOf(
	folder: string,
	{ disk = realDisk, fsync = false, now }: FileJournalOptions,
	lock?: FolderLock,
) {
	const looks = lock === undefined;
	const files = await readdir(folder);
	// What a process that was killed had not written to its end.
	if (!looks) for (const name of files) if (isDraft(name)) await rm(join(folder, name), { force: true });
	const noted = Math.max(0, ...files.map((file) => Number(FIRST.exec(file)?.[1] ?? 0)));
	// Before the entries: whoever writes meanwhile writes these first.
	const note = await KeptNote.open(folder);
	const lease = await LeaseFile.open(folder);
	const states = await StateFiles.open(folder, lock);
	try {
		const blobs = await BlobFiles.open(folder, looks);
		const newest = states.all.at(-1) ?? 0;
		const log = await EntryLog.open(
			{ folder, disk, fsync, lock, ...(now === undefined ? {} : { now }) },
			Math.max(noted, newest),
		);
		if (newest > log.next) {
			await log.close();
			throw new JournalError(
				'damaged',
				`The journal in "${folder}" is damaged: it has a state of the world after ${newest} entries, and has ${log.next}.`,
			);
		}
		if (note.next !== undefined && log.next < note.next) log.lost ??= goneOf(log.next, note.next);
		return { log, states, blobs, note, lease, first: Math.max(noted, log.first) };
	} catch (error) {
		await states.close();
		throw error;
	}
}

const firstName = (first: number): string => `first-${String(first).padStart(16, '0')}`;

/** What was kept up to one entry ends before another. */
function goneOf(next: number, kept: number): string {
	const ends = next === 0 ? 'have none' : `end with entry ${next - 1}`;
	return `The journal had entries up to ${kept - 1}, and its files ${ends}: one was removed, cut or replaced by an older one. The entries from ${next} on are lost.`;
}

async function* inTurn(pieces: Pieces): AsyncGenerator<Uint8Array> {
	yield* pieces;
}

const onlyRead = (): JournalError => new JournalError('failed', 'The journal was opened to be read only.');

const closed = (): JournalError => new JournalError('failed', 'The journal is closed.');
