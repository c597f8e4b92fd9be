/**
 * Files that the engine reads and writes, all in the data folder.
 * Owns: reading and writing them, and the refusal of paths and links that lead out of the folder.
 * Never: interprets a file.
 */

import { lstat, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ApiError, notOwner } from '../shared/contract/errors.ts';
import { ASSETS_FOLDER, MAX_PICTURES, PICTURES_FOLDER, pathError } from '../shared/contract/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../shared/contract/wire.ts';
import { isShipped } from '../shared/documents/shipped.ts';
import type { FileOutcome } from '../shared/transport/link.ts';
import { Faults } from './faults.ts';
import { FolderRoom, NoRoomError, sizeOf } from './folder-room.ts';
import { makeFolder } from './make-folder.ts';
import { NotRegularError, openRegular } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';
import { codeOf } from './system-code.ts';

/** Maximum number of paths in a list. */
const MAX_PATHS = 2000;

export interface FileResult {
	readonly outcome: FileOutcome;
	/** Content of a file that was read; empty after a write; otherwise the reason of the failure as UTF-8 text. */
	readonly bytes: Uint8Array;
	/** True if the file was not created because another file has its name. */
	readonly nameTaken?: true;
}

export interface DataFilesOptions {
	/** Maximum size of a file that is written or read (bytes). */
	readonly maxBytes?: number;
	readonly faults?: Faults;
	/** Limits on the bytes of the files. */
	readonly room?: FolderRoom;
	/** The rights of agents; undefined if no caller signs in. */
	readonly rights?: FileRights | undefined;
}

/** Rights of agents to write files. */
export interface FileRights {
	/** Checks that an agent may write a file. Rejects with an `ApiError`. */
	requireFile(path: string, agent_id: string, exists: boolean): Promise<void>;
	/** Makes an agent the owner of a written file. Rejects with an `ApiError`. */
	ownFile(path: string, agent_id: string): Promise<void>;
}

export class DataFiles {
	readonly folder: string;
	readonly #maxBytes: number;
	readonly #faults: Faults;
	readonly #room: FolderRoom;
	readonly #rights: FileRights | undefined;
	/** Last unfinished write of each path. Writes to one path run in order. */
	readonly #lastWrites = new Map<string, Promise<FileResult>>();

	/** The folder is created at the first write. */
	constructor(
		folder: string,
		{
			maxBytes = MAX_DOCUMENT_BYTES,
			faults = new Faults(folder),
			room = new FolderRoom(resolve(folder)),
			rights,
		}: DataFilesOptions = {},
	) {
		this.folder = resolve(folder);
		this.#room = room;
		this.#maxBytes = maxBytes;
		this.#faults = faults;
		this.#rights = rights;
	}

	/** Returns the bytes of a file. Never rejects. */
	async read(path: string): Promise<FileResult> {
		const refusal = pathError(path);
		if (refusal !== undefined) return createResult('refused', refusal);
		try {
			await this.#lastWrites.get(path);
			const root = await realpath(this.folder);
			const target = join(root, ...path.split('/'));
			// The refusal does not reveal if a file exists behind a link that leads out.
			const folder = await nearestFolder(root, dirname(target));
			if (folder === undefined || !isInside(root, folder, true))
				return createResult('refused', `"${path}" passes through a link that leads out of the data folder.`);
			const real = await realpath(target);
			if (!isInside(root, real))
				return createResult('refused', `"${path}" is a link that leads out of the data folder.`);
			const { file, size } = await openRegular(real, 'refused');
			try {
				if (size > this.#maxBytes) return createResult('failed', tooLargeText(path, size, this.#maxBytes));
				return { outcome: 'done', bytes: await file.readFile() };
			} finally {
				await file.close();
			}
		} catch (error) {
			if (codeOf(error) === 'ENOENT')
				return createResult('missing', `There is no file "${path}" in the data folder.`);
			return this.#resultOf(error, path);
		}
	}

	/** Returns the sorted paths of the files, at most `MAX_PATHS`. Omits links and unreadable folders. Never rejects. */
	async list(): Promise<readonly string[]> {
		const paths: string[] = [];
		const folders = [''];
		for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
			const entries = await readdir(join(this.folder, folder), { withFileTypes: true }).catch(() => []);
			for (const entry of entries) {
				const path = folder + entry.name;
				if (paths.length >= MAX_PATHS) return paths.sort();
				if (pathError(path) !== undefined) continue;
				if (entry.isDirectory()) folders.push(`${path}/`);
				else if (entry.isFile()) paths.push(path);
			}
		}
		return paths.sort();
	}

	/**
	 * Creates or replaces a whole file, and creates the folders of its path. `agent`: name of the caller; empty if it has
	 * not signed in. Never rejects.
	 */
	write(path: string, bytes: Uint8Array, agent = ''): Promise<FileResult> {
		return this.#queueWrite(path, bytes, agent, false);
	}

	/**
	 * Writes a file like `write`, but never replaces a file with other content. `nameTaken` is then true. Never rejects.
	 */
	create(path: string, bytes: Uint8Array, agent = ''): Promise<FileResult> {
		return this.#queueWrite(path, bytes, agent, true);
	}

	#queueWrite(path: string, bytes: Uint8Array, agent: string, fresh: boolean): Promise<FileResult> {
		const refusal = pathError(path);
		if (refusal !== undefined) return Promise.resolve(createResult('refused', refusal));
		if (bytes.length > this.#maxBytes)
			return Promise.resolve(createResult('failed', tooLargeText(path, bytes.length, this.#maxBytes)));
		const previousWrite = this.#lastWrites.get(path) ?? Promise.resolve();
		const write = previousWrite.then(() => this.#writeFile(path, bytes, agent, fresh));
		this.#lastWrites.set(path, write);
		void write.then(() => {
			if (this.#lastWrites.get(path) === write) this.#lastWrites.delete(path);
		});
		return write;
	}

	async #writeFile(path: string, bytes: Uint8Array, agent: string, fresh: boolean): Promise<FileResult> {
		try {
			await makeFolder(this.folder);
			const root = await realpath(this.folder);
			const target = join(root, ...path.split('/'));
			// Existing folders are checked before any is created, so that none is created behind a link that leads out.
			const nearest = await nearestFolder(root, dirname(target));
			if (nearest === undefined || !isInside(root, nearest, true)) {
				return createResult('refused', `"${path}" passes through a link that leads out of the data folder.`);
			}
			await makeFolder(dirname(target));
			const folder = await realpath(dirname(target));
			if (!isInside(root, folder, true))
				return createResult('refused', `"${path}" leads out of the data folder.`);
			if (await leadsOut(root, target)) {
				return createResult('refused', `"${path}" is a link that leads out of the data folder.`);
			}
			if (await isSpecialFile(target)) return createResult('refused', `"${path}" is not a regular file.`);
			if (fresh && (await exists(target)) && !(await hasContent(target, bytes)))
				return { ...createResult('refused', `The file "${path}" already exists.`), nameTaken: true };
			const rights = agent === '' || isShared(path) ? undefined : this.#rights;
			const filePath = join(folder, basename(target));
			const oldSize = await sizeOf(filePath);
			// A file in the data folder would hide the shipped file with the same path.
			if (rights !== undefined && isShipped(path)) throw notOwner(`The shipped file "${path}"`, undefined);
			await rights?.requireFile(path, agent, oldSize !== undefined);
			// Pictures count for no agent, because the oldest are removed for new ones of any caller.
			const owner = isPicture(path) ? '' : agent;
			const giveBack = await this.#room.reserve({ path, size: bytes.length, oldSize, agent: owner });
			await replaceFile(filePath, bytes).catch((error: unknown) => {
				giveBack();
				throw error;
			});
			await rights?.ownFile(path, agent);
			if (isPicture(path))
				await removeOldPictures(folder, (name, size) =>
					this.#room.subtract(`${PICTURES_FOLDER}/${name}`, size),
				);
			return { outcome: 'done', bytes: new Uint8Array(0) };
		} catch (error) {
			return this.#resultOf(error, path);
		}
	}

	/** Returns the result for an error. Its outcome is never `missing`, because a missing file can be written. */
	#resultOf(error: unknown, path: string): FileResult {
		if (error instanceof ApiError) return createResult(outcomeOf(error), error.message);
		if (error instanceof NoRoomError) return createResult('full', error.message);
		const code = codeOf(error);
		// Opening a socket fails with `ENXIO`.
		if (error instanceof NotRegularError || code === 'ENXIO')
			return createResult('refused', `"${path}" is not a regular file.`);
		if (code === 'ENAMETOOLONG') return createResult('refused', `A name in "${path}" is too long.`);
		if (code === 'ELOOP') return createResult('refused', `"${path}" is a link that leads to itself.`);
		if (code === 'EISDIR' || code === 'ENOTDIR' || code === 'EEXIST') {
			return createResult(
				'refused',
				`"${path}" names a folder where a file is expected, or a file where a folder is expected.`,
			);
		}
		return createResult('failed', `"${path}": ${this.#faults.describe(error)}`);
	}
}

/** Returns true for a file without an owner: an asset, whose name is its hash, or a picture, which may be removed. */
const isShared = (path: string): boolean => path.startsWith(`${ASSETS_FOLDER}/`) || isPicture(path);

const isPicture = (path: string): boolean => dirname(path) === PICTURES_FOLDER && PICTURE_FILE.test(path);

const PICTURE_FILE = /\.(?:png|jpeg|webp)$/;

const outcomeOf = ({ code }: ApiError): FileOutcome =>
	code === 'not_owner' || code === 'agent_limit' ? code : 'failed';

/** Removes the oldest pictures of a folder that has more than `MAX_PICTURES`. */
async function removeOldPictures(
	folder: string,
	onRemoved: (name: string, size: number) => void,
): Promise<void> {
	const pictures = (await readdir(folder)).filter((name) => PICTURE_FILE.test(name));
	if (pictures.length <= MAX_PICTURES) return;
	const datedPictures = await Promise.all(
		pictures.map(async (name) => {
			const stats = await lstat(join(folder, name)).catch((error: unknown) => {
				// Another call has just removed it.
				if (codeOf(error) === 'ENOENT') return undefined;
				throw error;
			});
			return {
				name,
				size: stats?.size ?? 0,
				writtenAt: stats?.isFile() ? stats.mtimeMs : Number.POSITIVE_INFINITY,
			};
		}),
	);
	datedPictures.sort((a, b) => a.writtenAt - b.writtenAt);
	for (const { name, size, writtenAt } of datedPictures.slice(0, pictures.length - MAX_PICTURES)) {
		if (writtenAt === Number.POSITIVE_INFINITY) continue;
		await rm(join(folder, name), { force: true });
		onRemoved(name, size);
	}
}

/**
 * Returns the real path of `folder`, or of its nearest parent that exists. Returns undefined if a link on the path
 * leads nowhere.
 */
async function nearestFolder(root: string, folder: string): Promise<string | undefined> {
	for (let path = folder; ; path = dirname(path)) {
		try {
			return await realpath(path);
		} catch (error) {
			if (codeOf(error) !== 'ENOENT' || path === root || (await exists(path))) return undefined;
		}
	}
}

async function leadsOut(root: string, target: string): Promise<boolean> {
	if (!(await exists(target))) return false;
	try {
		return !isInside(root, await realpath(target));
	} catch {
		return true;
	}
}

/**
 * Returns true if a path exists and is neither a regular file nor a folder, for example a pipe or a device. Follows
 * links.
 */
async function isSpecialFile(path: string): Promise<boolean> {
	// If this fails, opening the file fails too and reports the reason.
	const stats = await stat(path).catch(() => undefined);
	return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Returns true if the path exists. Returns true for a broken link too. */
async function exists(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch {
		return false;
	}
}

async function hasContent(path: string, bytes: Uint8Array): Promise<boolean> {
	const stats = await stat(path);
	return stats.isFile() && stats.size === bytes.length && (await readFile(path)).equals(bytes);
}

function isInside(root: string, path: string, allowRoot = false): boolean {
	return (allowRoot && path === root) || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function tooLargeText(path: string, size: number, maxBytes: number): string {
	return `"${path}" has ${size} bytes; a file may have at most ${maxBytes}.`;
}

function createResult(outcome: FileOutcome, sentence: string): FileResult {
	return { outcome, bytes: Buffer.from(sentence) };
}
