/**
 * Faults of the server. Callers learn what happened, and only the operator learns where on this machine.
 * Owns: the text for callers, and the suppression of repeated reports to the operator.
 */

import { realpathSync } from 'node:fs';
import { basename, resolve, sep, win32 } from 'node:path';
import { reasonOf } from '../shared/contract/reason.ts';
import { JournalError } from '../shared/transport/journal.ts';

/** A repeated fault is not reported again within this time (ms). */
const REPEAT_MS = 60_000;

/** An absolute path in quotes, as in most errors of the system and of the relay. It may contain an apostrophe. */
const QUOTED_PATH = /(?<=(["']))(?:\/|\\\\|[A-Za-z]:[\\/]).*?(?=\1(?!\w))/g;
/** An absolute path without quotes. */
const BARE_PATH = /(?<=^|[\s(])(?:\/|\\\\|[A-Za-z]:[\\/])\S*\w/g;

export class Faults {
	readonly #folder: string;
	readonly #report: (error: unknown) => void;
	readonly #now: () => number;
	#last: { readonly message: string; readonly at: number } | undefined;

	/** `folder`: the data folder. `now`: returns milliseconds of a steady clock. */
	constructor(
		folder: string,
		report: (error: unknown) => void = (error) => console.error(error),
		now: () => number = () => performance.now(),
	) {
		this.#folder = resolve(folder);
		this.#report = report;
		this.#now = now;
	}

	/**
	 * Returns the text of a fault for callers. Paths in the data folder are relative to it, and any other path is reduced
	 * to its last name. The operator gets the complete error, unless the text already says all.
	 */
	describe(error: unknown): string {
		const message = reasonOf(error);
		let text = message;
		for (const root of this.#roots()) text = text.replaceAll(root, '');
		text = text.replaceAll(QUOTED_PATH, lastName).replaceAll(BARE_PATH, lastName);
		// The message of a `JournalError` is complete. Any other error has details, such as its stack.
		if (text !== message || !(error instanceof JournalError)) this.report(error);
		return text;
	}

	/** Reports an error to the operator. */
	report(error: unknown): void {
		const message = reasonOf(error);
		const now = this.#now();
		if (this.#last?.message === message && now - this.#last.at < REPEAT_MS) return;
		this.#last = { message, at: now };
		this.#report(error);
	}

	/** Returns the prefixes of paths in the data folder. There are two if the folder is reached through a link. */
	#roots(): string[] {
		const folders = [this.#folder];
		try {
			folders.push(realpathSync(this.#folder));
		} catch {
			// The folder does not exist.
		}
		return folders.filter((folder) => !folder.endsWith(sep)).map((folder) => folder + sep);
	}
}

const lastName = (path: string): string => (path.startsWith('/') ? basename(path) : win32.basename(path));
