/**
 * Interface of the command line to the machine, and its errors.
 * Owns: the interface, which tests replace.
 */

export interface Terminal {
	/** Writes to standard output. */
	out(text: string | Uint8Array): void;
	/** Writes to standard error. */
	error(text: string): void;
	/** Returns the lines of standard input. Only a line feed ends a line. The iteration ends when the reader of `out` has closed it. */
	lines(): AsyncIterable<string>;
	/** Reads the text of a file, or of standard input for `-`. Rejects with `ENOENT` if the file is missing. */
	readFile(path: string): Promise<string>;
	/** Writes a file. Creates the folders of its path. */
	writeFile(path: string, bytes: string | Uint8Array): Promise<void>;
	/** Writes a file that only this user may read. Creates the folders of its path. With `new`, it rejects with `EEXIST` if the file exists. */
	writeSecret(path: string, text: string, mode: 'new' | 'replace'): Promise<void>;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Invalid command line: exit code 2. The message contains the correction. */
export class UsageError extends Error {}

/** No server answers: exit code 1. */
export class NoServerError extends Error {}
