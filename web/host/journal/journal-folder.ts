/**
 * Interface between a journal in a browser and the folder of its files.
 * Owns: the interface; types only.
 */

/** An open file. Only its opener writes to it. */
export interface JournalFile {
	readonly size: number;
	/** Returns the bytes from `from` to `to` (excluded). */
	read(from: number, to: number): Uint8Array;
	/** Writes bytes at an offset. If the storage throws an error, a part may have been written. */
	write(offset: number, bytes: Uint8Array): void;
	truncate(size: number): void;
	close(): void;
}

export interface JournalFolder {
	/** Returns the names of all files. */
	names(): Promise<readonly string[]>;
	read(name: string): Promise<Uint8Array>;
	size(name: string): Promise<number>;
	has(name: string): Promise<boolean>;
	/** Writes a whole file. If it fails, the file is unchanged. */
	write(name: string, pieces: readonly Uint8Array[]): Promise<void>;
	remove(name: string): Promise<void>;
	/** Opens a file, and creates it if it does not exist. */
	open(name: string): Promise<JournalFile>;
}
