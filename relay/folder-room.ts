/**
 * The limits on the bytes of the data folder, together and for each agent.
 * Owns: the count, which is made once from the folder and kept with each write, and the refusal of more.
 * Never: writes or removes a file. The journals in the folder have a limit of their own.
 */

import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { codeOf } from './system-code.ts';

/** Owners of files, with the bytes that each of them may write. */
export interface FileShares {
	/** Returns the agent that owns a file; undefined for none. */
	ownerOf(path: string): Promise<string | undefined>;
	/** Returns the bytes of files that an agent may have. */
	limitOf(agent: string): number;
}

export interface FolderRoomOptions {
	/** Bytes of all files; DATA_BYTES unless given. */
	readonly most?: number;
	/** Bytes of the disk that files leave free, so that the journal continues; SPARE_BYTES unless given. */
	readonly spare?: number;
	/** Bytes that the journals take beyond the part of the folder that is set aside for them. */
	readonly journalExcess?: (() => Promise<number>) | undefined;
	/** Undefined if no caller signs in. */
	readonly owners?: (() => Promise<FileShares>) | undefined;
}

/** Of all files, unless the operator sets another limit. */
export const DATA_BYTES = 10 * 2 ** 30;
const SPARE_BYTES = 128 * 2 ** 20;
/** Bytes that a file, and each folder on its path, takes beside its content. */
const BLOCK = 4096;

/** A write that there is no room for. Its message is for callers. */
export class NoRoomError extends Error {}

/** A file that is written for an agent; an empty name for none. */
export interface NewFile {
	readonly path: string;
	readonly size: number;
	/** Bytes of the file that it replaces; undefined if there is none. */
	readonly was: number | undefined;
	readonly agent: string;
}

interface Count {
	all: number;
	readonly byAgent: Map<string, number>;
}

export class FolderRoom {
	readonly #folder: string;
	readonly #most: number;
	readonly #spare: number;
	readonly #owners: FolderRoomOptions['owners'];
	readonly #journalExcess: () => Promise<number>;
	#count: Promise<Count> | undefined;

	/** `folder`: the data folder, absolute. */
	constructor(folder: string, options: FolderRoomOptions = {}) {
		const { most = DATA_BYTES, spare = SPARE_BYTES, owners, journalExcess = async () => 0 } = options;
		this.#folder = folder;
		this.#most = most;
		this.#spare = spare;
		this.#owners = owners;
		this.#journalExcess = journalExcess;
	}

	/** Takes the room for a file that is about to be written. Returns how to give it back. Throws `NoRoomError`. */
	async take({ path, size, was, agent }: NewFile): Promise<() => void> {
		const count = await this.#countFolder();
		const limit = agent === '' ? Number.POSITIVE_INFINITY : (await this.#owners?.())?.limitOf(agent);
		const { bavail, bsize } = await statfs(this.#folder);
		const more = was === undefined ? spaceOf(path, size) : size - was;
		const own = (count.byAgent.get(agent) ?? 0) + more;
		// What takes less than before is always written.
		if (more > 0) {
			const most = Math.max(0, this.#most - (await this.#journalExcess()));
			if (count.all + more > most) throw noRoom(`The files of the data folder may have ${most} bytes`);
			if (own > (limit ?? 0)) throw noRoom(`The files of "${agent}" may have ${limit ?? 0} bytes`);
			if (bavail * bsize - size < this.#spare)
				throw noRoom(`${this.#spare} bytes of the disk stay free for the journal`);
		}
		this.#change(count, agent, more);
		return () => this.#change(count, agent, -more);
	}

	/** A file was removed. */
	removed(path: string, size: number): void {
		void this.#count?.then((count) => this.#change(count, '', -spaceOf(path, size)));
	}

	#change(count: Count, agent: string, bytes: number): void {
		count.all += bytes;
		if (agent !== '') count.byAgent.set(agent, (count.byAgent.get(agent) ?? 0) + bytes);
	}

	#countFolder(): Promise<Count> {
		this.#count ??= this.#look().catch((error: unknown) => {
			this.#count = undefined;
			throw error;
		});
		return this.#count;
	}

	/** Counts what is in the folder. */
	async #look(): Promise<Count> {
		const owners = await this.#owners?.();
		const count: Count = { all: 0, byAgent: new Map() };
		const folders = [''];
		for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
			for (const entry of await readdir(join(this.#folder, folder), { withFileTypes: true })) {
				if (folder === '' && entry.name.startsWith(OWN_FILES)) continue;
				const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
				if (entry.isDirectory()) folders.push(path);
				if (!entry.isFile()) continue;
				const size = await sizeOf(join(this.#folder, path));
				if (size === undefined) continue;
				this.#change(count, (await owners?.ownerOf(path)) ?? '', spaceOf(path, size));
			}
		return count;
	}
}

/** Returns the size of a file; undefined if there is none. Links are not followed. */
export async function sizeOf(path: string): Promise<number | undefined> {
	try {
		return (await lstat(path)).size;
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/** Many small files in deep folders fill a disk as well. */
const spaceOf = (path: string, size: number): number => size + BLOCK * path.split('/').length;

const noRoom = (limit: string): NoRoomError => new NoRoomError(`${limit}, and this file would exceed that.`);
