/**
 * The worlds that are kept in a data folder, each in a folder of its own.
 * Owns: which of them is gone on with, what is known of each for a list, and setting one aside for another.
 * Never: removes one; looks into a journal, but for whether it has anything.
 *
 * Below `.orrery-worlds`: `current.json` names the folder of the world that is gone on with; a folder holds its journal, and
 * `world.json` with its name, its last tick and when that was noted, or nothing yet: by that a world which has only begun is told
 * from one whose files other programs, such as sync tools, have removed.
 */

import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OWN_FILES } from '../../shared/contract/file-path.ts';
import { newIdentity } from '../../shared/contract/identity.ts';
import { JournalError } from '../../shared/contract/journal.ts';
import { makeFolder } from '../make-folder.ts';
import { replaceFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { isJournalFile, readFolder } from './journal-folder.ts';
import { openToRead } from './system-fault.ts';

/** What is known of a world without reading its journal. */
export interface WorldNote {
	readonly name: string;
	readonly tick: number;
	/** When that was noted, in ISO 8601. */
	readonly at: string;
}

export interface KeptWorld {
	/** Name of its folder, which never changes. */
	readonly id: string;
	/** Empty when nobody named it. */
	readonly name: string;
	/** Null when nothing was noted yet. */
	readonly tick: number | null;
	/** It has entries or states. */
	readonly written: boolean;
	/** When it was last written to, in ISO 8601, by this machine's clock. */
	readonly when: string;
	readonly bytes: number;
	/** It is gone on with at the next start. */
	readonly current: boolean;
}

const ID = /^[0-9a-z]{16}$/;
const NOTE = 'world.json';
/** What stands in the note of a world of which there is nothing to say yet. */
const BEGUN = '{}';
/** Most bytes of a note, and characters of a name. */
const MOST = 64 * 1024;
const MOST_NAME = 100;

export class WorldFolders {
	readonly folder: string;

	/** `data`: the data folder. */
	constructor(data: string) {
		this.folder = join(resolve(data), `${OWN_FILES}worlds`);
	}

	/** All that are kept: the one that is gone on with, then those that were written to last. */
	async list(): Promise<KeptWorld[]> {
		// A start says what is wrong with it; the list is what helps then.
		const current = await this.#current().catch(() => undefined);
		const worlds = await Promise.all((await this.#ids()).map((id) => this.#look(id, id === current)));
		return worlds.sort(
			(a, b) => Number(b.current) - Number(a.current) || compare(b.when, a.when) || compare(a.id, b.id),
		);
	}

	/**
	 * The folder to go on with: that of the current world, or of a new one where there is none. Where nothing says any more which is
	 * current, that of the only one that has anything, which is said through `say`. Throws a sentence where there are several, and
	 * where nothing is left of the one that is current.
	 */
	async goOn(say: (sentence: string) => void = () => {}): Promise<string> {
		const current = await this.#current();
		if (current !== undefined) return this.#standing(current);
		const worlds = await this.#written();
		const [world, other] = worlds;
		if (world === undefined) return this.begin();
		if (other !== undefined) throw this.#notKnown(worlds);
		say(`"${this.#currentPath}" is missing; the only stored world is used as the current one.`);
		return this.#choose(world.id);
	}

	/** Whether there is one to go on with, for all that can be seen: one that may be there is taken for one. */
	async hasOne(): Promise<boolean> {
		try {
			return (await this.#current()) !== undefined || (await this.#written()).length > 0;
		} catch {
			// What says which it is cannot be read, and is there.
			return true;
		}
	}

	/** The folder of a new world. The one before is kept aside. */
	async begin(): Promise<string> {
		await makeFolder(join(this.folder, '..'));
		await mkdir(this.folder, { mode: 0o700 }).catch(ignoreExisting);
		await this.#check();
		const id = newIdentity();
		const folder = join(this.folder, id);
		await mkdir(folder, { mode: 0o700 });
		await replaceFile(join(folder, NOTE), BEGUN, 0o600);
		return this.#choose(id);
	}

	/** The folder of a world that is kept, by its name or id. The one before is kept aside. Throws a sentence when that names none, or several, or one of which nothing is left. */
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
		await this.#standing(world.id);
		return this.#choose(world.id);
	}

	get #currentPath(): string {
		return join(this.folder, 'current.json');
	}

	async #choose(id: string): Promise<string> {
		await replaceFile(this.#currentPath, JSON.stringify({ world: id }), 0o600);
		return join(this.folder, id);
	}

	/** Those that have entries or states. */
	async #written(): Promise<KeptWorld[]> {
		return (await this.list()).filter(({ written }) => written);
	}

	/** Which of several is to be gone on with is not guessed. */
	#notKnown(worlds: readonly KeptWorld[]): JournalError {
		const told = worlds.map(({ id, name, tick, when }) => {
			const known = [...(name === '' ? [] : [name]), ...(tick === null ? [] : [`tick ${tick}`])];
			return `${id} (${[...known, `written ${when}`].join(', ')})`;
		});
		return new JournalError(
			'damaged',
			`"${this.#currentPath}" is missing, and there are ${worlds.length} stored worlds: ${told.join('; ')}. Choose one with --world NAME.`,
		);
	}

	/** The folder of a world. Throws a sentence where nothing is left of it: an empty world would pass for it. */
	async #standing(id: string): Promise<string> {
		const folder = join(this.folder, id);
		const isThere = (await this.#ids()).includes(id);
		if (isThere && (await isWritten(folder))) return folder;
		// One that has only begun.
		const files = isThere ? await readdir(folder) : [];
		if (files.includes(NOTE) && ((await new WorldNotes(folder).read())?.tick ?? 0) === 0) return folder;
		throw new JournalError(
			'damaged',
			`The files of the world in "${folder}" are missing. Put them back, or choose another world with --world NAME; "orrery worlds" lists the stored worlds.`,
		);
	}

	/** Undefined where none was begun. Rejects when what says so cannot be read. */
	async #current(): Promise<string | undefined> {
		const path = this.#currentPath;
		const value = await readJson(path);
		if (value === undefined) return undefined;
		const { world } = (value ?? {}) as { readonly world?: unknown };
		if (typeof world === 'string' && ID.test(world)) return world;
		throw new JournalError(
			'damaged',
			`"${path}" names no stored world. "orrery worlds" lists them; choose one with --world NAME.`,
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
		for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
			// Files come and go while a relay writes to it.
			const at = await lstat(join(entry.parentPath, entry.name)).catch(ignoreMissing);
			if (at?.isFile() !== true) continue;
			bytes += at.size;
			// A reader changes the index of the log.
			if (!entry.name.endsWith('-shm')) newest = Math.max(newest, at.mtimeMs);
		}
		const note = await new WorldNotes(folder).read();
		const written = await isWritten(folder);
		const when = new Date(newest || (await lstat(folder)).mtimeMs).toISOString();
		return { id, name: note?.name ?? '', tick: note?.tick ?? null, written, when, bytes, current };
	}
}

/** True if the journal of a folder has entries or states, or cannot be read. */
async function isWritten(folder: string): Promise<boolean> {
	const files = (await readdir(folder)).filter(isJournalFile).map((name) => join(folder, name));
	const found = await Promise.all(files.map((path) => lstat(path).catch(ignoreMissing)));
	if (found.every((file) => (file?.size ?? 0) === 0)) return false;
	try {
		const { tables, close } = await readFolder(folder);
		try {
			return tables.next > 0 || tables.states.length > 0;
		} finally {
			close();
		}
	} catch {
		return true;
	}
}

/** What is noted of the world in a folder. One write at a time: of what is noted meanwhile the last counts. */
export class WorldNotes {
	readonly #path: string;
	readonly #clock: () => number;
	#next: WorldNote | undefined;
	#writing: Promise<void> | undefined;

	/** `clock`: milliseconds since 1970. */
	constructor(folder: string, clock: () => number = Date.now) {
		this.#path = join(folder, NOTE);
		this.#clock = clock;
	}

	/** What was noted last. A note that cannot be read is one that says nothing: the journal is what counts. */
	async read(): Promise<WorldNote | undefined> {
		return noteOf(await readJson(this.#path).catch(() => undefined));
	}

	/** Resolves when this or what was noted after it is written. */
	note(name: string, tick: number): Promise<void> {
		this.#next = { name: plain(name), tick, at: new Date(this.#clock()).toISOString() };
		this.#writing ??= this.#write().finally(() => {
			this.#writing = undefined;
		});
		return this.#writing;
	}

	/** The same, unless that was noted last: when a world was last written to is not when it was last looked at. */
	async noteNew(name: string, tick: number): Promise<void> {
		const last = this.#next ?? (await this.read());
		if (last?.name !== plain(name) || last.tick !== tick) await this.note(name, tick);
	}

	async #write(): Promise<void> {
		for (let next = this.#next; next !== undefined; next = this.#next) {
			this.#next = undefined;
			await replaceFile(this.#path, JSON.stringify(next), 0o600);
		}
	}
}

/** A name on one line, which no terminal takes for a command. */
function plain(name: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
	return name.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, ' ').slice(0, MOST_NAME);
}

function noteOf(value: unknown): WorldNote | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { name, tick, at } = value as Partial<Record<keyof WorldNote, unknown>>;
	if (typeof name !== 'string' || !Number.isSafeInteger(tick) || typeof at !== 'string') return undefined;
	return { name: plain(name), tick: tick as number, at };
}

/** What a file of the relay says; undefined when it is not there. */
async function readJson(path: string): Promise<unknown> {
	let file: Awaited<ReturnType<typeof openToRead>>;
	try {
		file = await openToRead(path);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
	try {
		if ((await file.stat()).size > MOST) throw new JournalError('damaged', `"${path}" is too long.`);
		return JSON.parse(await file.readFile('utf8'));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new JournalError('damaged', `"${path}" is not JSON: ${error.message}.`);
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
