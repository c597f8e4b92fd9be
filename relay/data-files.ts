/**
 * The files of the data folder, which the engine reads and writes.
 * Owns: the folder, and the check that no path or link leads outside it.
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
import { NotRegular, openRegular } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';
import { codeOf } from './system-code.ts';

/** Maximum number of paths of a list. */
const MAX_LISTED = 2000;

export interface FileResult {
	readonly outcome: FileOutcome;
	/** The bytes of the file, nothing, or the reason as UTF-8 text. */
	readonly bytes: Uint8Array;
	/** Reason that a file was not created: another has its name. */
	readonly nameTaken?: true;
}

export interface DataFilesOptions {
	/** Maximum bytes of a file. */
	readonly maxBytes?: number;
	readonly faults?: Faults;
	/** Bytes that the files may take. */
	readonly room?: FolderRoom;
	/** The rights of agents; undefined if no caller signs in. */
	readonly rights?: FileRights | undefined;
}

/** Rights of agents to write files. Both reject with an `ApiError`. */
export interface FileRights {
	requireFile(path: string, agent_id: string, exists: boolean): Promise<void>;
	ownFile(path: string, agent_id: string): Promise<void>;
}

export class DataFiles {
	readonly folder: string;
	readonly #maxBytes: number;
	readonly #faults: Faults;
	readonly #room: FolderRoom;
	readonly #rights: FileRights | undefined;
	/** Writes to one path happen in order, in order. */
	readonly #writing = new Map<string, Promise<FileResult>>();

	/** The folder is made when something is first written. */
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
		if (refusal !== undefined) return result('refused', refusal);
		try {
			await this.#writing.get(path);
			const root = await realpath(this.folder);
			const target = join(root, ...path.split('/'));
			// Whether anything has this name beyond a link that leads out is not said either.
			const folder = await nearestFolder(root, dirname(target));
			if (folder === undefined || !inside(root, folder, true))
				return result('refused', `"${path}" passes through a link that leads out of the data folder.`);
			const real = await realpath(target);
			if (!inside(root, real))
				return result('refused', `"${path}" is a link that leads out of the data folder.`);
			const { file, size } = await openRegular(real, 'refused');
			try {
				if (size > this.#maxBytes) return result('failed', tooLarge(path, size, this.#maxBytes));
				return { outcome: 'done', bytes: await file.readFile() };
			} finally {
				await file.close();
			}
		} catch (error) {
			if (codeOf(error) === 'ENOENT')
				return result('missing', `There is no file "${path}" in the data folder.`);
			return this.#failed(error, path);
		}
	}

	/** Paths of the files that can be read, sorted, at most `MAX_LISTED`. Links, and folders that cannot be read, are left out. Never rejects. */
	async list(): Promise<readonly string[]> {
		const paths: string[] = [];
		const folders = [''];
		for (let above = folders.shift(); above !== undefined; above = folders.shift()) {
			const entries = await readdir(join(this.folder, above), { withFileTypes: true }).catch(() => []);
			for (const entry of entries) {
				const path = above + entry.name;
				if (paths.length >= MAX_LISTED) return paths.sort();
				if (pathError(path) !== undefined) continue;
				if (entry.isDirectory()) folders.push(`${path}/`);
				else if (entry.isFile()) paths.push(path);
			}
		}
		return paths.sort();
	}

	/** Creates or replaces a file whole, making folders on the way. `agent`: the caller's name; empty for one that has not signed in. Never rejects. */
	write(path: string, bytes: Uint8Array, agent = ''): Promise<FileResult> {
		return this.#inTurn(path, bytes, agent, false);
	}

	/**
	 * Returns the same, but where another file has this name it is left as it is, and `nameTaken` is true. Never rejects.
	 */
	create(path: string, bytes: Uint8Array, agent = ''): Promise<FileResult> {
		return this.#inTurn(path, bytes, agent, true);
	}

	#inTurn(path: string, bytes: Uint8Array, agent: string, fresh: boolean): Promise<FileResult> {
		const refusal = pathError(path);
		if (refusal !== undefined) return Promise.resolve(result('refused', refusal));
		if (bytes.length > this.#maxBytes)
			return Promise.resolve(result('failed', tooLarge(path, bytes.length, this.#maxBytes)));
		const before = this.#writing.get(path) ?? Promise.resolve();
		const now = before.then(() => this.#writeFile(path, bytes, agent, fresh));
		this.#writing.set(path, now);
		void now.then(() => {
			if (this.#writing.get(path) === now) this.#writing.delete(path);
		});
		return now;
	}

	async #writeFile(path: string, bytes: Uint8Array, agent: string, fresh: boolean): Promise<FileResult> {
		try {
			await makeFolder(this.folder);
			const root = await realpath(this.folder);
			const target = join(root, ...path.split('/'));
			// The folders that exist are checked before any is made, so that a link cannot have one made elsewhere.
			const nearest = await nearestFolder(root, dirname(target));
			if (nearest === undefined || !inside(root, nearest, true)) {
				return result('refused', `"${path}" passes through a link that leads out of the data folder.`);
			}
			await makeFolder(dirname(target));
			const folder = await realpath(dirname(target));
			if (!inside(root, folder, true)) return result('refused', `"${path}" leads out of the data folder.`);
			if (await leadsOut(root, target)) {
				return result('refused', `"${path}" is a link that leads out of the data folder.`);
			}
			if (await isOther(target)) return result('refused', `"${path}" is not a regular file.`);
			if (fresh && (await exists(target)) && !(await isSame(target, bytes)))
				return { ...result('refused', `The file "${path}" already exists.`), nameTaken: true };
			const rights = agent === '' || isShared(path) ? undefined : this.#rights;
			const place = join(folder, basename(target));
			const was = await sizeOf(place);
			// A file of the data folder is found before the shipped file of its path.
			if (rights !== undefined && isShipped(path)) throw notOwner(`The shipped file "${path}"`, undefined);
			await rights?.requireFile(path, agent, was !== undefined);
			// Old pictures make room for new ones, of any caller.
			const owner = isPicture(path) ? '' : agent;
			const giveBack = await this.#room.take({ path, size: bytes.length, oldSize: was, agent: owner });
			await replaceFile(place, bytes).catch((error: unknown) => {
				giveBack();
				throw error;
			});
			await rights?.ownFile(path, agent);
			if (isPicture(path))
				await removeOldPictures(folder, (name, size) =>
					this.#room.removed(`${PICTURES_FOLDER}/${name}`, size),
				);
			return { outcome: 'done', bytes: new Uint8Array(0) };
		} catch (error) {
			return this.#failed(error, path);
		}
	}

	/** Never `missing`: what is not there can be written. */
	#failed(error: unknown, path: string): FileResult {
		if (error instanceof ApiError) return result(outcomeOf(error), error.message);
		if (error instanceof NoRoomError) return result('full', error.message);
		const code = codeOf(error);
		// What a socket answers to being opened.
		if (error instanceof NotRegular || code === 'ENXIO')
			return result('refused', `"${path}" is not a regular file.`);
		if (code === 'ENAMETOOLONG') return result('refused', `A name in "${path}" is too long.`);
		if (code === 'ELOOP') return result('refused', `"${path}" is a link that leads to itself.`);
		if (code === 'EISDIR' || code === 'ENOTDIR' || code === 'EEXIST') {
			return result(
				'refused',
				`"${path}" names a folder where a file is expected, or a file where a folder is expected.`,
			);
		}
		return result('failed', `"${path}": ${this.#faults.describe(error)}`);
	}
}

/** Files that have no owner: the same bytes have the same name, or the oldest make room. */
const isShared = (path: string): boolean => path.startsWith(`${ASSETS_FOLDER}/`) || isPicture(path);

const isPicture = (path: string): boolean => dirname(path) === PICTURES_FOLDER && PICTURE_FILE.test(path);

const PICTURE_FILE = /\.(?:png|jpeg|webp)$/;

const outcomeOf = ({ code }: ApiError): FileOutcome =>
	code === 'not_owner' || code === 'agent_limit' ? code : 'failed';

/** Removes the oldest pictures of a folder that has more than `MAX_PICTURES`. */
async function removeOldPictures(
	folder: string,
	removed: (name: string, size: number) => void,
): Promise<void> {
	const pictures = (await readdir(folder)).filter((name) => PICTURE_FILE.test(name));
	if (pictures.length <= MAX_PICTURES) return;
	const aged = await Promise.all(
		pictures.map(async (name) => {
			const at = await lstat(join(folder, name)).catch((error: unknown) => {
				// Another call has removed it meanwhile.
				if (codeOf(error) === 'ENOENT') return undefined;
				throw error;
			});
			return { name, size: at?.size ?? 0, written: at?.isFile() ? at.mtimeMs : Number.POSITIVE_INFINITY };
		}),
	);
	aged.sort((a, b) => a.written - b.written);
	for (const { name, size, written } of aged.slice(0, pictures.length - MAX_PICTURES)) {
		if (written === Number.POSITIVE_INFINITY) continue;
		await rm(join(folder, name), { force: true });
		removed(name, size);
	}
}

/**
 * Returns the real path of the deepest folder on the way to `folder` that exists; undefined at a link that leads
 * nowhere.
 */
async function nearestFolder(root: string, folder: string): Promise<string | undefined> {
	for (let at = folder; ; at = dirname(at)) {
		try {
			return await realpath(at);
		} catch (error) {
			if (codeOf(error) !== 'ENOENT' || at === root || (await exists(at))) return undefined;
		}
	}
}

async function leadsOut(root: string, target: string): Promise<boolean> {
	if (!(await exists(target))) return false;
	try {
		return !inside(root, await realpath(target));
	} catch {
		return true;
	}
}

/**
 * Returns true for what is there and neither a regular file nor a folder, such as a pipe or a device. Links are
 * followed.
 */
async function isOther(path: string): Promise<boolean> {
	// What cannot be looked at cannot be opened either, and opening it says why.
	const at = await stat(path).catch(() => undefined);
	return at !== undefined && !at.isFile() && !at.isDirectory();
}

/** Returns true for anything that has this name, a broken link too. */
async function exists(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch {
		return false;
	}
}

async function isSame(path: string, bytes: Uint8Array): Promise<boolean> {
	const at = await stat(path);
	return at.isFile() && at.size === bytes.length && (await readFile(path)).equals(bytes);
}

function inside(root: string, path: string, orSame = false): boolean {
	return (orSame && path === root) || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function tooLarge(path: string, size: number, maxBytes: number): string {
	return `"${path}" has ${size} bytes; a file may have at most ${maxBytes}.`;
}

function result(outcome: FileOutcome, sentence: string): FileResult {
	return { outcome, bytes: Buffer.from(sentence) };
}
