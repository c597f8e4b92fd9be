/**
 * Files that the relay keeps for itself in the data folder. No path of a caller leads to them.
 * Owns: reading and replacing such a file, as a whole and readable only by this user. Never: interprets its content.
 */

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { TaskQueue } from '../shared/transport/task-queue.ts';
import { makeFolder } from './make-folder.ts';
import { NotRegularError, openRegular } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';
import { codeOf } from './system-code.ts';

/** Maximum bytes of a file. */
const MAX_BYTES = 16 * 1024 * 1024;

export class OwnFile {
	readonly path: string;
	/** Runs the writes in order. */
	readonly #writes = new TaskQueue();

	/** `name`: the name without prefix and extension, such as `agents`. */
	constructor(folder: string, name: string) {
		this.path = join(folder, `${OWN_FILES}${name}.json`);
	}

	/** Returns a text that changes with each change of the file; empty if it is missing. Rejects with the system's error. */
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
	 * Returns the result of `parse` for the JSON in the file, or for undefined if the file is missing. Rejects with the
	 * system's error, or with a message for the operator if the content is not JSON or `parse` throws.
	 */
	async read<T>(parse: (value: unknown) => T): Promise<T> {
		try {
			return parse(await this.#readJson());
		} catch (error) {
			if (codeOf(error) !== '') throw error;
			const { message } = error as Error;
			const problem = error instanceof SyntaxError ? `It is not JSON (${message}).` : message;
			const hint = 'Correct it, or move it away; the server then creates a new one.';
			throw new Error(`"${this.path}" cannot be used: ${problem} ${hint}`, { cause: error });
		}
	}

	async #readJson(): Promise<unknown> {
		try {
			const { file, size } = await openRegular(this.path, 'followed');
			try {
				if (size > MAX_BYTES) throw new NotRegularError();
				return JSON.parse(await file.readFile('utf8'));
			} finally {
				await file.close();
			}
		} catch (error) {
			if (codeOf(error) === 'ENOENT') return undefined;
			throw error instanceof NotRegularError
				? new Error('It is not a regular file of at most 16 MiB.')
				: error;
		}
	}

	/** Replaces the file. It is on the disk when this resolves. */
	write(value: unknown): Promise<void> {
		const text = JSON.stringify(value, null, '\t');
		return this.#writes.run(() => this.#replace(text));
	}

	async #replace(text: string): Promise<void> {
		await makeFolder(dirname(this.path));
		await replaceFile(this.path, text, 0o600);
	}
}
