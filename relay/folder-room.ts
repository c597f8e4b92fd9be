/**
 * Limits on the bytes of the data folder, in total and for each agent.
 * Owns: the count of bytes, read once from the folder and updated with each write, and the refusal of further bytes.
 * Never: writes or removes a file. The journals in the folder have a limit of their own.
 */

import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { codeOf } from './system-code.ts';

/** Owners of files, and the limits of their bytes. */
export interface FileShares {
	/** Returns the agent that owns a file, or undefined. */
	ownerOf(path: string): Promise<string | undefined>;
	/** Returns the maximum bytes of an agent's files. */
	limitOf(agent: string): number;
}

export interface FolderRoomOptions {
	/** Maximum bytes of all files. The default is DATA_BYTES. */
	readonly maxBytes?: number;
	/** Bytes of the disk that stay free for the journal. The default is SPARE_BYTES. */
	readonly spare?: number;
	/** Returns the bytes that the journals take beyond the part of the folder that is reserved for them. */
	readonly journalExcess?: (() => Promise<number>) | undefined;
	/** Undefined if no caller signs in. */
	readonly owners?: (() => Promise<FileShares>) | undefined;
}

/** Maximum bytes of all files, unless the operator sets another limit. */
export const DATA_BYTES = 10 * 2 ** 30;
const SPARE_BYTES = 128 * 2 ** 20;
/** Bytes that a file and each folder of its path count beside the content. */
const BLOCK_BYTES = 4096;

/** Refusal of a write that would exceed a limit. Its message is for callers. */
export class NoRoomError extends Error {}

/** File that is about to be written. */
export interface NewFile {
	readonly path: string;
	readonly size: number;
	/** Bytes of the file that it replaces, or undefined. */
	readonly oldSize: number | undefined;
	/** Agent that writes the file; empty for none. */
	readonly agent: string;
}

interface Count {
	totalBytes: number;
	readonly byAgent: Map<string, number>;
}

export class FolderRoom {
	readonly #folder: string;
	readonly #maxBytes: number;
	readonly #spare: number;
	readonly #owners: FolderRoomOptions['owners'];
	readonly #journalExcess: () => Promise<number>;
	#count: Promise<Count> | undefined;

	/** `folder`: the data folder, absolute. */
	constructor(folder: string, options: FolderRoomOptions = {}) {
		const { maxBytes = DATA_BYTES, spare = SPARE_BYTES, owners, journalExcess = async () => 0 } = options;
		this.#folder = folder;
		this.#maxBytes = maxBytes;
		this.#spare = spare;
		this.#owners = owners;
		this.#journalExcess = journalExcess;
	}

	/** Reserves the room for a file. Returns a function that gives it back. Rejects with `NoRoomError`. */
	async reserve({ path, size, oldSize, agent }: NewFile): Promise<() => void> {
		const count = await this.#countFolder();
		const limit = agent === '' ? Number.POSITIVE_INFINITY : (await this.#owners?.())?.limitOf(agent);
		const { bavail, bsize } = await statfs(this.#folder);
		const addedBytes = oldSize === undefined ? spaceOf(path, size) : size - oldSize;
		const ownBytes = (count.byAgent.get(agent) ?? 0) + addedBytes;
		// A file may always be replaced by a smaller one.
		if (addedBytes > 0) {
			const maxBytes = Math.max(0, this.#maxBytes - (await this.#journalExcess()));
			if (count.totalBytes + addedBytes > maxBytes)
				throw noRoom(`The files of the data folder may have ${maxBytes} bytes`);
			if (ownBytes > (limit ?? 0)) throw noRoom(`The files of "${agent}" may have ${limit ?? 0} bytes`);
			if (bavail * bsize - size < this.#spare)
				throw noRoom(`${this.#spare} bytes of the disk stay free for the journal`);
		}
		this.#add(count, agent, addedBytes);
		return () => this.#add(count, agent, -addedBytes);
	}

	/** Subtracts the bytes of a removed file that had no owner. */
	subtract(path: string, size: number): void {
		void this.#count?.then((count) => this.#add(count, '', -spaceOf(path, size)));
	}

	#add(count: Count, agent: string, bytes: number): void {
		count.totalBytes += bytes;
		if (agent !== '') count.byAgent.set(agent, (count.byAgent.get(agent) ?? 0) + bytes);
	}

	#countFolder(): Promise<Count> {
		this.#count ??= this.#readFolder().catch((error: unknown) => {
			this.#count = undefined;
			throw error;
		});
		return this.#count;
	}

	/** Counts the bytes of the files in the folder. */
	async #readFolder(): Promise<Count> {
		const owners = await this.#owners?.();
		const count: Count = { totalBytes: 0, byAgent: new Map() };
		const folders = [''];
		for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
			for (const entry of await readdir(join(this.#folder, folder), { withFileTypes: true })) {
				if (folder === '' && entry.name.startsWith(OWN_FILES)) continue;
				const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
				if (entry.isDirectory()) folders.push(path);
				if (!entry.isFile()) continue;
				const size = await sizeOf(join(this.#folder, path));
				if (size === undefined) continue;
				this.#add(count, (await owners?.ownerOf(path)) ?? '', spaceOf(path, size));
			}
		return count;
	}
}

/** Returns the size of a file, or undefined if it does not exist. Links are not followed. */
export async function sizeOf(path: string): Promise<number | undefined> {
	try {
		return (await lstat(path)).size;
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/** Returns the bytes that a new file counts. Each name of its path counts too, because many small files also fill a disk. */
const spaceOf = (path: string, size: number): number => size + BLOCK_BYTES * path.split('/').length;

const noRoom = (limit: string): NoRoomError => new NoRoomError(`${limit}, and this file would exceed that.`);
