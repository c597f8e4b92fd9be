/**
 * Interface of the command line to the machine, and its one error for wrong usage.
 * Owns: the interface that tests replace.
 */

export interface Terminal {
	out(text: string | Uint8Array): void;
	error(text: string): void;
	/** Standard input, line by line; nothing but a line feed ends one. It ends when the reader of `out` has gone. */
	lines(): AsyncIterable<string>;
	/** Text of a file; of standard input for `-`. Rejects with `ENOENT` where there is none. */
	readFile(path: string): Promise<string>;
	/** Makes folders on the way. */
	writeFile(path: string, bytes: string | Uint8Array): Promise<void>;
	/** Writes a file that this user alone may read, making folders on the way. A `new` one rejects with `EEXIST` where something is. */
	writeSecret(path: string, text: string, how: 'new' | 'replace'): Promise<void>;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The command cannot be understood: exit code 2. The message says what to type instead. */
export class UsageError extends Error {}

/** Nothing answers at the server's address: exit code 1. */
export class NoServerError extends Error {}
