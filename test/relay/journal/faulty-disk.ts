/** A disk that fails as a test asks for: too small, too slow, or broken. */

import { type Disk, type DiskFile, disk as realDisk } from '../../../relay/journal/disk.ts';

export interface FaultyDisk {
	readonly disk: Disk;
	/** Bytes that may still be written. */
	room: number;
	/** Writes that were asked for, and calls that sync. */
	writes: number;
	syncs: number;
	/** Writes wait until `release`. */
	hold(): void;
	release(): void;
	/** What the next calls of a kind reject with. */
	fails: { write?: Error; truncate?: Error; datasync?: Error };
}

export const systemError = (code: string): Error =>
	Object.assign(new Error(`${code}: as the test asks for`), { code });

export function faultyDisk(): FaultyDisk {
	let held: Promise<void> | undefined;
	let letGo: () => void = () => {};
	const faulty: FaultyDisk = {
		room: Number.POSITIVE_INFINITY,
		writes: 0,
		syncs: 0,
		fails: {},
		hold() {
			held = new Promise((resolve) => {
				letGo = resolve;
			});
		},
		release() {
			held = undefined;
			letGo();
		},
		disk: async (path, how) => fileOf(await realDisk(path, how)),
	};
	const fileOf = (file: DiskFile): DiskFile => {
		const wrapped = {
			// As a disk that becomes full does: what has room is written, then the next write fails.
			async write(bytes: Uint8Array, from: number, length: number, at: number) {
				faulty.writes++;
				await held;
				if (faulty.fails.write !== undefined) throw faulty.fails.write;
				if (faulty.room === 0 && length > 0) throw systemError('ENOSPC');
				const result = await file.write(bytes, from, Math.min(length, faulty.room), at);
				faulty.room -= result.bytesWritten;
				return result;
			},
			async truncate(length?: number) {
				if (faulty.fails.truncate !== undefined) throw faulty.fails.truncate;
				await file.truncate(length);
			},
			async datasync() {
				faulty.syncs++;
				await held;
				if (faulty.fails.datasync !== undefined) throw faulty.fails.datasync;
				await file.datasync();
			},
			read: file.read.bind(file),
			stat: file.stat.bind(file),
			close: () => file.close(),
		};
		return wrapped as unknown as DiskFile;
	};
	return faulty;
}
