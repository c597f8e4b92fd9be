/**
 * Worlds that are kept in a data folder, each in its own folder.
 * Owns: the choice of the resumed world, the list of worlds, and the creation of new ones.
 * Never: removes a world.
 *
 * In `.orrery-worlds`, `current.json` names the folder of the world that is resumed. Each folder has a journal.
 */

import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OWN_FILES } from '../../shared/contract/file-path.ts';
import { newIdentity } from '../../shared/transport/identity.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import { makeFolder } from '../make-folder.ts';
import { replaceFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { DatabaseJournal } from './database-journal.ts';
import { isJournalFile } from './journal-folder.ts';
import { type JournalStanding, standingOf } from './standing.ts';
import { openToRead } from './system-fault.ts';

export interface KeptWorld extends JournalStanding {
	/** Name of its folder, which never changes. */
	readonly id: string;
	/** True if its journal has any data. */
	readonly written: boolean;
	/** Time of its last write, in ISO 8601, by this machine's clock. */
	readonly when: string;
	/** Bytes of all its files. */
	readonly bytes: number;
	/** True if the next start resumes it. */
	readonly current: boolean;
}

const ID = /^[0-9a-z]{16}$/;

export class WorldFolders {
	readonly folder: string;

	/** `data`: the data folder. */
	constructor(data: string) {
		this.folder = join(resolve(data), `${OWN_FILES}worlds`);
	}

	/** Returns all kept worlds: the current one, then the others by their last write, newest first. */
	async list(): Promise<KeptWorld[]> {
		// If the current world is not known, a start reports it and refers to this list.
		const current = await this.#currentId().catch(() => undefined);
		const worlds = await Promise.all((await this.#ids()).map((id) => this.#describe(id, id === current)));
		return worlds.sort(
			(a, b) => Number(b.current) - Number(a.current) || compare(b.when, a.when) || compare(a.id, b.id),
		);
	}

	/**
	 * Returns the folder of the current world. Creates a world if none is kept. Rejects with a clear error if the current
	 * world is not known, or its folder is missing.
	 */
	async current(): Promise<string> {
		const current = await this.#currentId();
		if (current === undefined) {
			if (!(await this.list()).some(({ written }) => written)) return this.create();
			throw this.#noCurrentError('is missing');
		}
		if ((await this.#ids()).includes(current)) return join(this.folder, current);
		throw new JournalError(
			'damaged',
			`The files of the world in "${join(this.folder, current)}" are missing. Put them back, or choose another world with --world NAME; "orrery worlds" lists the stored worlds.`,
		);
	}

	/** Returns true if there is a current world, or the file that names it cannot be read. */
	async hasCurrent(): Promise<boolean> {
		return this.#currentId().then(
			(current) => current !== undefined,
			() => true,
		);
	}

	/** Creates the folder of a new world and makes it current. Returns its path. */
	async create(): Promise<string> {
		await makeFolder(join(this.folder, '..'));
		await mkdir(this.folder, { mode: 0o700 }).catch(ignoreExisting);
		await this.#requireFolder();
		const id = newIdentity();
		await mkdir(join(this.folder, id), { mode: 0o700 });
		return this.#setCurrent(id);
	}

	/**
	 * Makes a kept world current, by its name or id. Returns its folder. Rejects with a clear error if no world or several
	 * worlds have that name.
	 */
	async makeCurrent(nameOrId: string): Promise<string> {
		const worlds = await this.list();
		const byId = worlds.find(({ id }) => id === nameOrId);
		const matches = byId === undefined ? worlds.filter(({ name }) => name === nameOrId) : [byId];
		const [world, secondMatch] = matches;
		if (world === undefined)
			throw new JournalError(
				'failed',
				`There is no world "${nameOrId}" in "${this.folder}". "orrery worlds" lists the stored worlds.`,
			);
		if (secondMatch !== undefined)
			throw new JournalError(
				'failed',
				`${matches.length} worlds have the name "${nameOrId}". Choose one by its id: ${matches.map(({ id }) => id).join(', ')}.`,
			);
		return this.#setCurrent(world.id);
	}

	get #currentPath(): string {
		return join(this.folder, 'current.json');
	}

	async #setCurrent(id: string): Promise<string> {
		await replaceFile(this.#currentPath, JSON.stringify({ world: id }), 0o600);
		return join(this.folder, id);
	}

	/** Returns the id of the current world; undefined if none was created. Rejects if the file that names it cannot be read. */
	async #currentId(): Promise<string | undefined> {
		const text = await readText(this.#currentPath);
		if (text === undefined) return undefined;
		const world = /^\{"world":"([0-9a-z]{16})"\}\s*$/.exec(text)?.[1];
		if (world !== undefined) return world;
		throw this.#noCurrentError('names no stored world');
	}

	#noCurrentError(problem: string): JournalError {
		return new JournalError(
			'damaged',
			`"${this.#currentPath}" ${problem}. "orrery worlds" lists the stored worlds; choose one with --world NAME.`,
		);
	}

	async #ids(): Promise<string[]> {
		try {
			await this.#requireFolder();
			const entries = await readdir(this.folder, { withFileTypes: true });
			return entries.filter((entry) => entry.isDirectory() && ID.test(entry.name)).map(({ name }) => name);
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return [];
			throw error;
		}
	}

	/** Rejects unless this is a real folder inside the data folder. */
	async #requireFolder(): Promise<void> {
		const parent = await realpath(join(this.folder, '..'));
		if ((await lstat(this.folder)).isDirectory() && (await realpath(this.folder)).startsWith(parent)) return;
		throw new JournalError('failed', `"${this.folder}" is not a folder.`);
	}

	async #describe(id: string, current: boolean): Promise<KeptWorld> {
		const folder = join(this.folder, id);
		let bytes = 0;
		let newest = 0;
		let written = false;
		for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
			// Files appear and disappear while a relay writes to the folder.
			const stats = await lstat(join(entry.parentPath, entry.name)).catch(ignoreMissing);
			if (stats?.isFile() !== true) continue;
			bytes += stats.size;
			written ||= isJournalFile(entry.name) && stats.size > 0;
			// The index of SQLite's log does not count, because readers change it too.
			if (!entry.name.endsWith('-shm')) newest = Math.max(newest, stats.mtimeMs);
		}
		const standing = written ? await readStanding(folder) : NO_STANDING;
		const when = new Date(newest || (await lstat(folder)).mtimeMs).toISOString();
		return { id, written: standing !== NO_STANDING, when, bytes, current, ...standing };
	}
}

const NO_STANDING: JournalStanding = { name: '', tick: null };

/** Reads name and tick of a world from its folder. They are unknown if its journal is damaged. */
async function readStanding(folder: string): Promise<JournalStanding> {
	try {
		const journal = await DatabaseJournal.openReadOnly(folder);
		try {
			return (await standingOf(journal)) ?? NO_STANDING;
		} finally {
			await journal.close();
		}
	} catch (error) {
		if (!(error instanceof JournalError)) throw error;
		return { ...NO_STANDING };
	}
}

/** Maximum bytes of the file that names the current world. */
const MAX_BYTES = 1024;

/** Returns the text of a file of the relay; undefined if it is missing, and empty if it is too long. */
async function readText(path: string): Promise<string | undefined> {
	const file = await openToRead(path).catch(ignoreMissing);
	if (file === undefined) return undefined;
	try {
		return (await file.stat()).size > MAX_BYTES ? '' : await file.readFile('utf8');
	} finally {
		await file.close();
	}
}

function ignoreMissing(error: unknown): undefined {
	if (codeOf(error) !== 'ENOENT') throw error;
}

function ignoreExisting(error: unknown): void {
	if (codeOf(error) !== 'EEXIST') throw error;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
