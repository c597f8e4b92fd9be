/**
 * Files that the relay keeps for itself in the data folder, where no path of a caller leads.
 * Owns: reading and replacing one, whole and for this user alone. Never: knows what is in it.
 */

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { TaskQueue } from '../shared/transport/task-queue.ts';
import { makeFolder } from './make-folder.ts';
import { NotRegular, openRegular } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';
import { codeOf } from './system-code.ts';

/** Maximum number of bytes of one. */
const MOST = 16 * 1024 * 1024;

export class OwnFile {
	readonly path: string;
	/** Changed by in order. */
	readonly #changes = new TaskQueue();

	/** `name` such as `agents`. */
	constructor(folder: string, name: string) {
		this.path = join(folder, `${OWN_FILES}${name}.json`);
	}

	/** Returns a text that changes whenever the file does. Rejects with the system's error. */
	async version(): Promise<string> {
		try {
			const { ino, size, ctimeNs } = await stat(this.path, { bigint: true });
			return `${ino}-${size}-${ctimeNs}`;
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return '';
			throw error;
		}
	}

	/**
	 * Returns the content as `form` makes it, of undefined if the file is missing. Rejects with the system's error, or with a sentence for the
	 * operator when it is not JSON or `form` throws one.
	 */
	async read<T>(form: (value: unknown) => T): Promise<T> {
		try {
			return form(await this.#value());
		} catch (error) {
			if (codeOf(error) !== '') throw error;
			const { message } = error as Error;
			const why = error instanceof SyntaxError ? `It is not JSON (${message}).` : message;
			const hint = 'Correct it, or move it away; the server then creates a new one.';
			throw new Error(`"${this.path}" cannot be used: ${why} ${hint}`, { cause: error });
		}
	}

	async #value(): Promise<unknown> {
		try {
			const { file, size } = await openRegular(this.path, 'followed');
			try {
				if (size > MOST) throw new NotRegular();
				return JSON.parse(await file.readFile('utf8'));
			} finally {
				await file.close();
			}
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return undefined;
			throw error instanceof NotRegular ? new Error('It is not a regular file of at most 16 MiB.') : error;
		}
	}

	/** Replaces it. It is on the disk when this resolves. */
	write(value: unknown): Promise<void> {
		const text = JSON.stringify(value, null, '\t');
		return this.#changes.run(() => this.#replace(text));
	}

	async #replace(text: string): Promise<void> {
		await makeFolder(dirname(this.path));
		await replaceFile(this.path, text, 0o600);
	}
}
