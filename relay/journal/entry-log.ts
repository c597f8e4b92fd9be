/**
 * All entries that are kept, in files that follow one another.
 * Owns: writing groups of appends, each with one write, so that what could not be written leaves nothing behind; that these stay where
 * a start looks for them; reading pages.
 * Never: does two things at once (who calls waits); looks into an entry.
 */

import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { JournalEntry } from '../../shared/contract/journal.ts';
import { decodeAppend } from '../../shared/contract/journal-bytes.ts';
import { syncFolder } from '../replace-file.ts';
import { type Disk, type DiskFile, faultOf } from './disk.ts';
import type { FolderLock } from './folder-lock.ts';
import { bodyOf, damage, encodeFrame, type Frame } from './frame.ts';
import { pathOf, Segment, segmentFirst } from './segment.ts';

/** A file is followed by another beyond so many bytes. */
const SEGMENT_BYTES = 8 * 1024 * 1024;

/** After so long (ms) it is looked at again whether the file's name still leads to it: a backup or a sync tool may have taken it away. */
export const LOOK_MS = 1000;

/** What is appended at once: its bytes, as `encodeAppend` makes them, and how many entries they hold. */
export interface Group {
	readonly appends: readonly Uint8Array[];
	readonly count: number;
}

export interface EntryLogOptions {
	readonly folder: string;
	readonly disk: Disk;
	/** What was written outlives a loss of power, too. */
	readonly fsync: boolean;
	/** Undefined where it is only read: what was not written to its end stays where it is, and does not count. */
	readonly lock: FolderLock | undefined;
	/** Milliseconds on a clock that only goes forward. */
	readonly now?: () => number;
}

export class EntryLog {
	readonly #options: EntryLogOptions;
	/** In order; the last one is written to. */
	#segments: Segment[] = [];
	#file: DiskFile | undefined;
	/** What could not be written may stand behind the last whole frame. */
	#dirty = false;
	/** When the file was last found in its place. */
	#looked = Number.NEGATIVE_INFINITY;
	/** Files that nothing more comes into, on their way to the disk. */
	#sealing: Promise<void> = Promise.resolve();
	/** Whether the next frame begins a file of its own. */
	#turns = false;
	/** The frame that was read last: pages follow one another. */
	#page:
		| { readonly frame: Frame; readonly segment: Segment; readonly entries: readonly JournalEntry[] }
		| undefined;
	/** Bytes that opening cut off. */
	cutBytes = 0;
	/** Which entries that were kept are gone, as a sentence; undefined when nothing is known to be. */
	lost: string | undefined;

	private constructor(options: EntryLogOptions) {
		this.#options = options;
	}

	/** `next`: where a journal goes on that has no entries. Rejects with `damaged`, and changes nothing, when it is not what was written. */
	static async open(options: EntryLogOptions, next: number): Promise<EntryLog> {
		const log = new EntryLog(options);
		const firsts = (await readdir(options.folder))
			.flatMap((file) => segmentFirst(file) ?? [])
			.sort((a, b) => a - b);
		for (const [index, first] of firsts.entries()) {
			const segment = await Segment.open(options.folder, first, index === firsts.length - 1);
			if (typeof segment === 'number') {
				log.cutBytes = segment;
				log.lost = `The file "${basename(pathOf(options.folder, first))}" of the journal ${segment === 0 ? 'was emptied' : 'has lost its beginning'}: the entries from ${first} on are lost.`;
			} else log.#segments.push(segment);
		}
		const lastFirst = firsts.at(-1);
		await log.#mend(lastFirst);
		if (log.#segments.length === 0) log.#segments.push(Segment.begin(options.folder, lastFirst ?? next));
		return log;
	}

	/** Number of the oldest entry in any file. */
	get first(): number {
		return this.#segments[0]!.first;
	}

	get next(): number {
		return this.#last.next!;
	}

	get bytes(): number {
		return this.#segments.reduce((sum, { length }) => sum + length, 0);
	}

	get #last(): Segment {
		return this.#segments.at(-1)!;
	}

	/** Cuts what the last file has behind its last whole frame. */
	async #mend(lastFirst: number | undefined): Promise<void> {
		const last = this.#segments.at(-1);
		if (last === undefined || lastFirst === undefined) return;
		for (const { name, path } of this.#segments)
			if (Buffer.compare(name, last.name) !== 0) throw damage(path, 16, 'it belongs to another journal');
		this.cutBytes += await last.mend(this.#options.lock === undefined ? null : this.#options.disk);
		// A file whose header was not written to its end is written again when the next entry comes.
		if (last.first !== lastFirst && last.next !== lastFirst)
			throw damage(
				last.path,
				last.length,
				`its entries end at ${last.next}, and the next file begins with ${lastFirst}`,
			);
		this.#turns = last.first !== lastFirst;
		// Held from now on: what is in it can be had also when its name is taken away.
		if (this.#options.lock !== undefined && last.length > 0)
			this.#file = await last.write(this.#options.disk);
	}

	get #now(): number {
		return this.#options.now?.() ?? performance.now();
	}

	/**
	 * Sees to it that a start finds what was written: where the file's name leads elsewhere by now, or nowhere, a whole copy gets it.
	 * Rejects when that cannot be; it is looked at again then before anything else is written.
	 */
	async look(): Promise<void> {
		const file = this.#file;
		if (file === undefined || this.#last.length === 0) return;
		this.#looked = Number.NEGATIVE_INFINITY;
		try {
			await this.#options.lock?.stands();
			await this.#clean();
			this.#file = await this.#last.standing(file, this.#options.disk);
		} catch (error) {
			throw faultOf(error, 'The entries that were written are not where they belong');
		}
		this.#looked = this.#now;
		if (this.#file !== file) await file.close();
	}

	/** The next frame begins a file of its own, so that what is older can be cut. */
	turn(): void {
		this.#turns = true;
	}

	/** Writes a group behind the last entry. Rejects with `full` or `failed`, and then nothing of it is kept. */
	async write({ appends, count }: Group): Promise<void> {
		try {
			const file = await this.#writable();
			const segment = this.#last;
			const frame = encodeFrame(segment.name, this.next, count, appends);
			const { header } = segment;
			const bytes = header.length === 0 ? frame : Buffer.concat([header, frame]);
			this.#dirty = true;
			for (let at = 0; at < bytes.length; ) {
				const { bytesWritten } = await file.write(bytes, at, bytes.length - at, segment.length + at);
				at += bytesWritten;
			}
			if (segment.length === 0) await segment.publish();
			if (this.#options.fsync) await this.#sync(file, segment);
			this.#dirty = false;
			segment.grow(bytes.length, count);
		} catch (error) {
			const fault = faultOf(error, 'The entries could not be written');
			// What is behind the last whole frame goes now if it can, and otherwise before anything else is written.
			await this.#clean().catch(() => {});
			throw fault;
		}
	}

	async #sync(file: DiskFile, segment: Segment): Promise<void> {
		try {
			await file.datasync();
			if (segment.length === 0) await syncFolder(this.#options.folder);
		} catch (error) {
			// What a disk did not take once it may never take into this file.
			this.#turns = segment.length > 0;
			throw error;
		}
	}

	/** The file for the next frame. */
	async #writable(): Promise<DiskFile> {
		await this.#clean();
		const last = this.#last;
		const turns = last.length > 0 && (this.#turns || last.length >= SEGMENT_BYTES);
		if (turns || this.#now - this.#looked > LOOK_MS || (await this.#isNameless())) await this.look();
		if (turns) {
			this.#seal();
			last.forget();
			this.#segments.push(Segment.begin(this.#options.folder, this.next, last.name));
		}
		this.#turns = false;
		this.#file ??= await this.#last.write(this.#options.disk);
		return this.#file;
	}

	/** Whether the file was removed, or another has its name: what is written to it then ends with this process. */
	async #isNameless(): Promise<boolean> {
		return this.#file !== undefined && this.#last.length > 0 && (await this.#file.stat()).nlink === 0;
	}

	/** Takes away what a write that failed has left. */
	async #clean(): Promise<void> {
		if (!this.#dirty) return;
		if (this.#last.length > 0) await this.#file!.truncate(this.#last.length);
		else {
			await this.#closeFile();
			await this.#last.remove();
		}
		this.#dirty = false;
	}

	/** Nothing more comes into the file. It reaches the disk while others are written. */
	#seal(): void {
		const file = this.#file;
		this.#file = undefined;
		if (file === undefined) return;
		this.#sealing = this.#sealing.then(() => file.datasync()).finally(() => file.close());
		// Who asks for all to outlive a loss of power hears of it.
		this.#sealing.catch(() => {});
	}

	async #closeFile(): Promise<void> {
		const file = this.#file;
		this.#file = undefined;
		await file?.close();
	}

	/** Sees to it that all entries outlive a loss of power. */
	async sync(): Promise<void> {
		await this.#clean();
		await this.look();
		const sealing = this.#sealing;
		this.#sealing = Promise.resolve();
		await sealing;
		await this.#file?.datasync();
	}

	/** Entries from `from` on: as many as have room, at least one; none at the end. */
	async read(from: number, mostBytes: number): Promise<JournalEntry[]> {
		const read: JournalEntry[] = [];
		let room = mostBytes;
		for (let at = from; at < this.next; ) {
			const { frame, entries } = await this.#frameOf(at);
			for (const { bytes, blobs } of entries.slice(at - frame.first)) {
				room -= bytes.length;
				if (room < 0 && read.length > 0) return read;
				read.push({ bytes: new Uint8Array(bytes), blobs });
				at++;
			}
		}
		return read;
	}

	async #frameOf(entry: number) {
		const page = this.#page;
		if (page !== undefined && page.frame.first <= entry && entry < page.frame.first + page.frame.count)
			return page;
		const index = this.#segments.findLastIndex(({ first }) => first <= entry);
		const segment = this.#segments[index]!;
		const { bytes, frames, next } = await segment.read();
		for (const other of this.#segments) if (other !== segment) other.forget();
		const frame = frames[frameIndex(frames, entry)];
		const follows = this.#segments[index + 1]?.first;
		if (frame === undefined || (follows !== undefined && follows !== next))
			throw damage(
				segment.path,
				segment.length,
				`its entries end at ${next}, and ${follows ?? entry} follows`,
			);
		this.#page = { frame, segment, entries: entriesOf(bytes, frame, segment.path) };
		return this.#page;
	}

	/** Hashes of the blobs that entries from `first` on name. */
	async namedBlobs(first: number): Promise<Set<string>> {
		const named = new Set<string>();
		for (const [index, segment] of this.#segments.entries()) {
			const next = this.#segments[index + 1]?.first ?? this.next;
			if (next <= first) continue;
			const { bytes, frames } = await segment.read();
			for (const frame of frames)
				for (const [i, { blobs }] of entriesOf(bytes, frame, segment.path).entries())
					if (frame.first + i >= first) for (const hash of blobs) named.add(hash);
			if (segment !== this.#last) segment.forget();
		}
		return named;
	}

	/** Removes the files in which no entry is `first` or later. The last one stays: it says where the journal goes on. */
	async removeBefore(first: number): Promise<void> {
		while (this.#segments.length > 1 && this.#segments[1]!.first <= first) {
			await this.#segments[0]!.remove();
			if (this.#page?.segment === this.#segments[0]) this.#page = undefined;
			this.#segments.shift();
		}
	}

	async close(): Promise<void> {
		await this.#sealing.catch(() => {});
		await this.#closeFile();
	}
}

/** The last frame that begins at or before an entry. */
function frameIndex(frames: readonly Frame[], entry: number): number {
	let low = 0;
	let high = frames.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const { first, count } = frames[middle]!;
		if (first + count <= entry) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** The entries of a frame, as views. */
function entriesOf(bytes: Uint8Array, frame: Frame, path: string): JournalEntry[] {
	let entries: JournalEntry[];
	try {
		entries = decodeAppend(bodyOf(bytes, frame));
	} catch (error) {
		throw damage(path, frame.at, (error as Error).message);
	}
	if (entries.length !== frame.count) throw damage(path, frame.at, 'it has not as many entries as it says');
	return entries;
}
