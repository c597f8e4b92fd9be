/**
 * Faults of the server, told in two ways: callers hear what happened, and the operator where on this machine.
 * Owns: the text for callers, and the suppression of repeated reports to the operator.
 */

import { realpathSync } from 'node:fs';
import { basename, resolve, sep, win32 } from 'node:path';
import { reasonOf } from '../shared/contract/reason.ts';
import { JournalError } from '../shared/transport/journal.ts';

/** A repeated fault is not reported again within this time (ms). */
const AGAIN_MS = 60_000;

/** An absolute path in quotes, as most of the system's errors and the relay's own sentences have it. Within one may be an apostrophe. */
const QUOTED = /(?<=(["']))(?:\/|\\\\|[A-Za-z]:[\\/]).*?(?=\1(?!\w))/g;
/** One without them. */
const BARE = /(?<=^|[\s(])(?:\/|\\\\|[A-Za-z]:[\\/])\S*\w/g;

export class Faults {
	readonly #folder: string;
	readonly #report: (error: unknown) => void;
	readonly #now: () => number;
	#last: { readonly message: string; readonly at: number } | undefined;

	/** `folder`: the data folder. `now`: milliseconds on a clock that only goes forward. */
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
	 * Returns a fault as callers hear it: with paths below the data folder, and last names of any others. The rest is
	 * reported.
	 */
	describe(error: unknown): string {
		const message = reasonOf(error);
		let text = message;
		for (const root of this.#roots()) text = text.replaceAll(root, '');
		text = text.replaceAll(QUOTED, lastName).replaceAll(BARE, lastName);
		// A sentence of a journal is made to be told; behind anything else is more.
		if (text !== message || !(error instanceof JournalError)) this.report(error);
		return text;
	}

	/** Tells the operator. */
	report(error: unknown): void {
		const message = reasonOf(error);
		const now = this.#now();
		if (this.#last?.message === message && now - this.#last.at < AGAIN_MS) return;
		this.#last = { message, at: now };
		this.#report(error);
	}

	/** Beginnings of paths below the data folder: the system may report the target of a link. */
	#roots(): string[] {
		const folders = [this.#folder];
		try {
			folders.push(realpathSync(this.#folder));
		} catch {
			// It is not there.
		}
		return folders.filter((folder) => !folder.endsWith(sep)).map((folder) => folder + sep);
	}
}

const lastName = (path: string): string => (path.startsWith('/') ? basename(path) : win32.basename(path));
