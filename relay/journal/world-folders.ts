/**
 * The worlds that are kept in a data folder, each in a folder of its own.
 * Owns: the choice of the resumed world, the list of worlds, and setting one aside for another.
 * Never: removes one.
 *
 * Below `.orrery-worlds`, `current.json` names the folder of the world that is resumed. A folder holds a journal.
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
	/** It has entries or states. */
	readonly written: boolean;
	/** Time of its last write, in ISO 8601, by this machine's clock. */
	readonly when: string;
	readonly bytes: number;
	/** The next start resumes it. */
	readonly current: boolean;
}

const ID = /^[0-9a-z]{16}$/;

export class WorldFolders {
	readonly folder: string;

	/** `data`: the data folder. */
	constructor(data: string) {
		this.folder = join(resolve(data), `${OWN_FILES}worlds`);
	}

	/** Returns all kept worlds: the current one, then those that were written to last. */
	async list(): Promise<KeptWorld[]> {
		// A start reports what is wrong with it; the list is what helps then.
		const current = await this.#current().catch(() => undefined);
		const worlds = await Promise.all((await this.#ids()).map((id) => this.#look(id, id === current)));
		return worlds.sort(
			(a, b) => Number(b.current) - Number(a.current) || compare(b.when, a.when) || compare(a.id, b.id),
		);
	}

	/**
	 * Returns the folder of the current world, or of a new one if there is none. Throws a sentence if it is not known
	 * which, or its folder is missing.
	 */
	async goOn(): Promise<string> {
		const current = await this.#current();
		if (current === undefined) {
			if (!(await this.list()).some(({ written }) => written)) return this.begin();
			throw this.#noCurrent('is missing');
		}
		if ((await this.#ids()).includes(current)) return join(this.folder, current);
		throw new JournalError(
			'damaged',
			`The files of the world in "${join(this.folder, current)}" are missing. Put them back, or choose another world with --world NAME; "orrery worlds" lists the stored worlds.`,
		);
	}

	/** Returns true if there is a current world, or the file that names it cannot be read. */
	async hasOne(): Promise<boolean> {
		return this.#current().then(
			(current) => current !== undefined,
			() => true,
		);
	}

	/** Creates the folder of a new world and makes it current. Returns its path. */
	async begin(): Promise<string> {
		await makeFolder(join(this.folder, '..'));
		await mkdir(this.folder, { mode: 0o700 }).catch(ignoreExisting);
		await this.#check();
		const id = newIdentity();
		await mkdir(join(this.folder, id), { mode: 0o700 });
		return this.#choose(id);
	}

	/**
	 * Makes a kept world current, by its name or id. Returns its folder. Throws a sentence if no world, or several, have
	 * that name.
	 */
	async take(named: string): Promise<string> {
		const worlds = await this.list();
		const byId = worlds.find(({ id }) => id === named);
		const found = byId === undefined ? worlds.filter(({ name }) => name === named) : [byId];
		const [world, other] = found;
		if (world === undefined)
			throw new JournalError(
				'failed',
				`There is no world "${named}" in "${this.folder}". "orrery worlds" lists the stored worlds.`,
			);
		if (other !== undefined)
			throw new JournalError(
				'failed',
				`${found.length} worlds have the name "${named}". Choose one by its id: ${found.map(({ id }) => id).join(', ')}.`,
			);
		return this.#choose(world.id);
	}

	get #currentPath(): string {
		return join(this.folder, 'current.json');
	}

	async #choose(id: string): Promise<string> {
		await replaceFile(this.#currentPath, JSON.stringify({ world: id }), 0o600);
		return join(this.folder, id);
	}

	/** Undefined if none was begun. Rejects if the file that names it cannot be read. */
	async #current(): Promise<string | undefined> {
		const text = await textOf(this.#currentPath);
		if (text === undefined) return undefined;
		const world = /^\{"world":"([0-9a-z]{16})"\}\s*$/.exec(text)?.[1];
		if (world !== undefined) return world;
		throw this.#noCurrent('names no stored world');
	}

	#noCurrent(why: string): JournalError {
		return new JournalError(
			'damaged',
			`"${this.#currentPath}" ${why}. "orrery worlds" lists the stored worlds; choose one with --world NAME.`,
		);
	}

	async #ids(): Promise<string[]> {
		try {
			await this.#check();
			const entries = await readdir(this.folder, { withFileTypes: true });
			return entries.filter((entry) => entry.isDirectory() && ID.test(entry.name)).map(({ name }) => name);
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return [];
			throw error;
		}
	}

	/** No link leads elsewhere. */
	async #check(): Promise<void> {
		const parent = await realpath(join(this.folder, '..'));
		if ((await lstat(this.folder)).isDirectory() && (await realpath(this.folder)).startsWith(parent)) return;
		throw new JournalError('failed', `"${this.folder}" is not a folder.`);
	}

	async #look(id: string, current: boolean): Promise<KeptWorld> {
		const folder = join(this.folder, id);
		let bytes = 0;
		let newest = 0;
		let written = false;
		for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
			// Files come and go while a relay writes to it.
			const at = await lstat(join(entry.parentPath, entry.name)).catch(ignoreMissing);
			if (at?.isFile() !== true) continue;
			bytes += at.size;
			written ||= isJournalFile(entry.name) && at.size > 0;
			// A reader changes the index of the log.
			if (!entry.name.endsWith('-shm')) newest = Math.max(newest, at.mtimeMs);
		}
		const standing = written ? await lookAt(folder) : NOT_BEGUN;
		const when = new Date(newest || (await lstat(folder)).mtimeMs).toISOString();
		return { id, written: standing !== NOT_BEGUN, when, bytes, current, ...standing };
	}
}

const NOT_BEGUN: JournalStanding = { name: '', tick: null };

/** Facts about a world from the journal of its folder; none if that is damaged. */
async function lookAt(folder: string): Promise<JournalStanding> {
	try {
		const journal = await DatabaseJournal.look(folder);
		try {
			return (await standingOf(journal)) ?? NOT_BEGUN;
		} finally {
			await journal.close();
		}
	} catch (error) {
		if (!(error instanceof JournalError)) throw error;
		return { ...NOT_BEGUN };
	}
}

/** Maximum number of bytes of the file that names the current world. */
const MAX_BYTES = 1024;

/** Text of a file of the relay; undefined if it is missing. */
async function textOf(path: string): Promise<string | undefined> {
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
