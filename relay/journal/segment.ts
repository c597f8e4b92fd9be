/**
 * One file of entries.
 * Owns: its name, opening it, and cutting off what was not written to its end.
 * Never: knows the files beside it.
 */

import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { draftOf } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { type Disk, type DiskFile, openToRead, readPiece } from './disk.ts';
import {
	damage,
	decodeHeader,
	encodeHeader,
	type Frame,
	NAME_BYTES,
	SEGMENT_HEADER,
	scanFrames,
} from './frame.ts';

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
				throw damage(this.path, from + bytes.length, 'it ends there, and was longer');
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

	async remove(): Promise<void> {
		await rm(this.#draft, { force: true });
		await rm(this.path, { force: true });
	}
}

/** Where the file is whose first entry has this number. */
export function pathOf(folder: string, first: number): string {
	return join(folder, `entries-${String(first).padStart(16, '0')}.journal`);
}
