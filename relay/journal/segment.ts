/**
 * One file of entries.
 * Owns: its name, opening it, cutting off what was not written to its end, and that its name leads to what was written.
 * Never: knows the files beside it.
 */

import { randomBytes } from 'node:crypto';
import { lstat, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { JournalError } from '../../shared/contract/journal.ts';
import { draftOf, syncFolder } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { type Disk, type DiskFile, openToRead, readPiece } from './disk.ts';
import {
	damage,
	decodeHeader,
	encodeHeader,
	type Frame,
	isFollowed,
	NAME_BYTES,
	SEGMENT_HEADER,
	scanFrames,
} from './frame.ts';

/** Bytes that are copied at once. */
const PIECE = 1024 * 1024;

const FILE = /^entries-(\d{16})\.journal$/;

/** Number of the first entry of a file, by its name; undefined for another file. */
export function segmentFirst(file: string): number | undefined {
	const digits = FILE.exec(file)?.[1];
	return digits === undefined ? undefined : Number(digits);
}

/** What was read of a file: its bytes up to the end of the last whole frame, and where the frames stand. */
interface Read {
	readonly bytes: Uint8Array;
	readonly frames: readonly Frame[];
	readonly next: number;
}

export class Segment {
	readonly path: string;
	/** Where it is until it has a whole frame. */
	readonly #draft: string;
	/** Which journal it belongs to. */
	readonly name: Uint8Array;
	readonly first: number;
	/** Number of the entry after the last; undefined for a file that was not read yet. */
	next: number | undefined;
	/** Bytes that count. */
	length: number;
	#read: Read | undefined;

	private constructor(path: string, name: Uint8Array, first: number, length: number) {
		this.path = path;
		this.#draft = draftOf(path);
		this.name = name;
		this.first = first;
		this.length = length;
	}

	/** One that is written with its first frame. */
	static begin(folder: string, first: number, name: Uint8Array = randomBytes(NAME_BYTES)): Segment {
		const segment = new Segment(pathOf(folder, first), name, first, 0);
		segment.next = first;
		return segment;
	}

	/** One that is there; the number of its bytes when not even its header is, as may happen to the last: then it has lost what it had. */
	static async open(folder: string, first: number, mayBeTorn: boolean): Promise<Segment | number> {
		const path = pathOf(folder, first);
		const file = await openToRead(path);
		try {
			const { size } = await file.stat();
			const header = await readPiece(file, 0, Math.min(size, SEGMENT_HEADER));
			if (mayBeTorn && (size < SEGMENT_HEADER || header.every((byte) => byte === 0))) return size;
			const said = decodeHeader(header, path);
			if (said.first !== first) throw damage(path, 32, `it begins with entry ${said.first}`);
			return new Segment(path, new Uint8Array(said.name), first, size);
		} finally {
			await file.close();
		}
	}

	/** What goes before its first frame. */
	get header(): Uint8Array {
		return this.length === 0 ? encodeHeader(this.name, this.first) : new Uint8Array(0);
	}

	/** Notes that a frame was written. */
	grow(bytes: number, count: number): void {
		this.length += bytes;
		this.next! += count;
	}

	/** Cuts off what was not written to its end; without a disk only leaves it out. How many bytes that were. */
	async mend(disk: Disk | null): Promise<number> {
		const { end } = await this.#scan(true);
		const cut = this.length - end;
		if (cut > 0 && disk !== null) {
			const file = await disk(this.path, 'there');
			try {
				await file.truncate(end);
				await file.datasync();
			} finally {
				await file.close();
			}
		}
		this.length = end;
		return cut;
	}

	/** Its bytes and frames. Rejects with `damaged`. */
	async read(): Promise<Read> {
		if (this.#read === undefined || this.#read.bytes.length < this.length) await this.#scan(false);
		return this.#read!;
	}

	/** Lets go of what was read. */
	forget(): void {
		this.#read = undefined;
	}

	async #scan(mayBeTorn: boolean): Promise<{ readonly end: number }> {
		const before = this.#read;
		const known = before?.bytes.length ?? 0;
		const added = await this.#bytes(known);
		const bytes = before === undefined ? added : Buffer.concat([before.bytes, added]);
		const from = known === 0 ? SEGMENT_HEADER : known;
		const scan = scanFrames(bytes, this.name, from, before?.next ?? this.first, this.path, mayBeTorn);
		this.#read = {
			bytes: bytes.subarray(0, scan.end),
			frames: [...(before?.frames ?? []), ...scan.frames],
			next: scan.next,
		};
		this.next = scan.next;
		return scan;
	}

	async #bytes(from: number): Promise<Uint8Array> {
		if (this.length === 0) return new Uint8Array(0);
		const file = await openToRead(this.path);
		try {
			const bytes = await readPiece(file, from, this.length - from);
			if (bytes.length < this.length - from)
				throw damage(this.path, from + bytes.length, 'it ends there, but was longer');
			return bytes;
		} finally {
			await file.close();
		}
	}

	/** Opens it to be written. */
	async write(disk: Disk): Promise<DiskFile> {
		if (this.length > 0) return disk(this.path, 'there');
		try {
			return await disk(this.#draft, 'new');
		} catch (error) {
			// Of one that could not be written nothing counts.
			if (codeOf(error) !== 'EEXIST') throw error;
			await this.remove();
			return disk(this.#draft, 'new');
		}
	}

	/** Its first frame is written: from now on there is a file of its name, which is never without one. */
	publish(): Promise<void> {
		return rename(this.#draft, this.path);
	}

	/**
	 * The file to go on with when other programs may have been at it: the one that is open while its name leads there, and otherwise
	 * a copy of it under that name, in the place of what is there. Rejects when what was written is not in the open one either.
	 */
	async standing(file: DiskFile, disk: Disk): Promise<DiskFile> {
		const { dev, ino, size } = await file.stat({ bigint: true });
		if (size < this.length || (size > this.length && !(await this.#isMine(file, Number(size)))))
			throw new JournalError(
				'failed',
				`Another program has changed the file "${basename(this.path)}" of the journal: it has ${size} bytes, but ${this.length} were written.`,
			);
		const named = await lstat(this.path, { bigint: true }).catch((error: unknown) => {
			if (codeOf(error) !== 'ENOENT') throw error;
		});
		if (named?.dev !== dev || named.ino !== ino) {
			if (named?.isFile() === true && (await this.#isBehind()))
				throw new JournalError(
					'failed',
					`Another program has written to the file "${basename(this.path)}" of the journal, which has replaced the file of this relay.`,
				);
			return this.#copy(file, disk);
		}
		// What is behind the last frame is no write of the journal.
		if (size > this.length) await file.truncate(this.length);
		return file;
	}

	/** Whether what was written stands at its beginning, and behind it no entry: another writer's were answered there, and are not cut away. */
	async #isMine(file: DiskFile, size: number): Promise<boolean> {
		const bytes = await readPiece(file, 0, size);
		const mine = bytes.subarray(0, this.length);
		try {
			const { next } = scanFrames(mine, this.name, SEGMENT_HEADER, this.first, this.path, false);
			return next === this.next && !isFollowed(bytes, this.name, this.length, this.next - 1);
		} catch {
			return false;
		}
	}

	/** Whether the file of its name has entries that are not in this one. */
	async #isBehind(): Promise<boolean> {
		const file = await openToRead(this.path);
		try {
			const { size } = await file.stat();
			return isFollowed(await readPiece(file, 0, size), this.name, 0, this.next! - 1);
		} finally {
			await file.close();
		}
	}

	async #copy(from: DiskFile, disk: Disk): Promise<DiskFile> {
		await rm(this.#draft, { force: true });
		const file = await disk(this.#draft, 'new');
		try {
			for (let at = 0; at < this.length; ) {
				const bytes = await readPiece(from, at, Math.min(PIECE, this.length - at));
				for (let written = 0; written < bytes.length; )
					written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
				at += bytes.length;
			}
			await file.datasync();
			await this.publish();
			await syncFolder(dirname(this.path));
			return file;
		} catch (error) {
			await file.close();
			await rm(this.#draft, { force: true });
			throw error;
		}
	}

	async remove(): Promise<void> {
		await rm(this.#draft, { force: true });
		await rm(this.path, { force: true });
	}
}

/** Where the file is whose first entry has this number. */
export function pathOf(folder: string, first: number): string {
	return join(folder, `entries-${String(first).padStart(16, '0')}.journal`);
}
