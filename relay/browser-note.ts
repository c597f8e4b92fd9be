/**
 * What a relay notes of its headless browser, so that one that starts after it was killed finds that browser again.
 * Owns: one file for each port in the data folder. A page belongs to the port that served it, and only one relay can hold
 * a port: the relay that holds it may take its browser back, and nobody takes a live relay's.
 * Never: starts or ends a process.
 */

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { makeFolder } from './make-folder.ts';
import { openRegular } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';
import { codeOf } from './system-code.ts';
import { Turns } from './turns.ts';

/** Which browser it is. */
export interface BrowserAt {
	/** Its process, with its children in a group of its own. */
	readonly pid: number;
	/** Where it takes commands; the path cannot be guessed, so who answers there is that browser. */
	readonly endpoint: string;
}

export interface BrowserNote {
	/** Process of the relay that wrote it. */
	readonly relay: number;
	/** The browser, once that is known: its folder tells it too. */
	readonly at?: BrowserAt;
	/** The browser's own folder. */
	readonly profile: string;
	/** What its page shows to be known as the relay's own. */
	readonly key: string;
	/** Identity of the world that the relay last had, whichever tab held it; empty for none. */
	readonly world: string;
}

const NAME = new RegExp(`^\\${OWN_FILES}browser-(\\d+)\\.json$`);

export class BrowserNotes {
	readonly #folder: string;
	readonly #port: number;
	/** The file is changed by one after the other. */
	readonly #changes = new Turns();

	constructor(folder: string, port: number) {
		this.#folder = folder;
		this.#port = port;
	}

	/** What the last relay on this port noted; undefined when it ended in order, or noted nothing that can be read. */
	read(): Promise<BrowserNote | undefined> {
		return this.#readAt(this.#port);
	}

	/** Only this user may read it: who knows the endpoint commands the browser. */
	write(note: BrowserNote): Promise<void> {
		return this.#changes.run(async () => {
			await makeFolder(this.#folder);
			const folder = await identityOf(this.#folder);
			await replaceFile(this.#path(this.#port), JSON.stringify({ ...note, folder }), 0o600);
		});
	}

	remove(): Promise<void> {
		return this.#changes.run(() => rm(this.#path(this.#port), { force: true }));
	}

	/** A sentence for each browser of another port that uses the same data folder. */
	async others(): Promise<string[]> {
		// A folder that is not there has no notes. One that cannot be read is told of by what needs its files.
		const names = await readdir(this.#folder).catch(() => []);
		const sentences: string[] = [];
		for (const name of names) {
			const port = Number(NAME.exec(name)?.[1] ?? Number.NaN);
			if (Number.isNaN(port) || port === this.#port) continue;
			const note = await this.#readAt(port);
			if (note?.at === undefined || !isAlive(note.at.pid)) continue;
			sentences.push(
				isAlive(note.relay)
					? `The relay on port ${port} uses this data folder too, and keeps its browser and its world; this one has its own.`
					: `A browser that the relay on port ${port} left behind still holds a world; start with --port ${port} to take it back.`,
			);
		}
		return sentences;
	}

	async #readAt(port: number): Promise<BrowserNote | undefined> {
		try {
			const { file } = await openRegular(this.#path(port), 'followed');
			try {
				const { folder, ...note } = Object(JSON.parse(await file.readFile('utf8'))) as { folder?: unknown };
				// In a copy of the folder, the note is of the relay of the original.
				if (folder !== undefined && folder !== (await identityOf(this.#folder))) return undefined;
				return isNote(note) ? note : undefined;
			} finally {
				await file.close();
			}
		} catch {
			// There is none, or it is not one: a browser is started as if there had never been one.
			return undefined;
		}
	}

	#path(port: number): string {
		return join(this.#folder, `${OWN_FILES}browser-${port}.json`);
	}
}

/** Tells a folder from every copy of it. */
async function identityOf(folder: string): Promise<string> {
	const { dev, ino } = await stat(folder, { bigint: true });
	return `${dev}-${ino}`;
}

function isNote(value: unknown): value is BrowserNote {
	if (typeof value !== 'object' || value === null) return false;
	const { relay, at, profile, key, world } = value as Partial<Record<keyof BrowserNote, unknown>>;
	const texts = [profile, key].every((text) => typeof text === 'string' && text !== '');
	return isProcess(relay) && (at === undefined || isAt(at)) && texts && typeof world === 'string';
}

const isProcess = (pid: unknown): boolean => Number.isSafeInteger(pid) && (pid as number) > 1;

function isAt(value: unknown): value is BrowserAt {
	if (typeof value !== 'object' || value === null) return false;
	const { pid, endpoint } = value as Partial<Record<keyof BrowserAt, unknown>>;
	return isProcess(pid) && typeof endpoint === 'string' && endpoint !== '';
}

/** Whether there is a process of this number. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// A process of another user lives too.
		return codeOf(error) === 'EPERM';
	}
}
