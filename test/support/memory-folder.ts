/**
 * A journal folder in memory. Its space can be limited, and then a write stores only the part that has room.
 * Owns: the files, which outlive the journals opened on them.
 */

import type { JournalFile, JournalFolder } from '../../web/host/journal/journal-folder.ts';

export class MemoryFolder implements JournalFolder {
	readonly files = new Map<string, Uint8Array>();
	/** Names of files that are open. */
	readonly #open = new Set<string>();
	/** Number of bytes that can still be written. */
	room = Number.POSITIVE_INFINITY;

	async names(): Promise<readonly string[]> {
		return [...this.files.keys()];
	}

	async read(name: string): Promise<Uint8Array> {
		const bytes = this.files.get(name);
		if (bytes === undefined) throw new Error(`There is no ${name}.`);
		return bytes.slice();
	}

	async size(name: string): Promise<number> {
		return (await this.read(name)).length;
	}

	async has(name: string): Promise<boolean> {
		return this.files.has(name);
	}

	async write(name: string, pieces: readonly Uint8Array[]): Promise<void> {
		const bytes = new Uint8Array(Buffer.concat(pieces));
		if (bytes.length > this.room) throw quotaError();
		this.room -= bytes.length;
		this.files.set(name, bytes);
	}

	async remove(name: string): Promise<void> {
		this.files.delete(name);
	}

	async open(name: string): Promise<JournalFile> {
		const { files } = this;
		const open = this.#open;
		if (open.has(name)) throw new DOMException('It is open elsewhere.', 'NoModificationAllowedError');
		open.add(name);
		if (!files.has(name)) files.set(name, new Uint8Array(0));
		const content = () => files.get(name)!;
		return {
			get size() {
				return content().length;
			},
			read: (from, to) => content().slice(from, to),
			write: (offset, bytes) => {
				const part = bytes.subarray(0, Math.min(bytes.length, this.room));
				this.room -= part.length;
				const next = new Uint8Array(Math.max(content().length, offset + part.length));
				next.set(content());
				next.set(part, offset);
				files.set(name, next);
				if (part.length < bytes.length) throw quotaError();
			},
			truncate: (size) => void files.set(name, content().slice(0, size)),
			close: () => void open.delete(name),
		};
	}
}

const quotaError = () => new DOMException('The quota has been exceeded', 'QuotaExceededError');
