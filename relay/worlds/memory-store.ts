/** Named worlds of a server that stores nothing. Owns: their journals, which end with the server. */

import { JournalMemory, MemoryJournal } from '../../shared/transport/memory-journal.ts';
import type { WorldRecord, WorldStore } from './world-directory.ts';

export class MemoryStore implements WorldStore {
	readonly #maxBytes: number;
	readonly #memories = new Map<string, JournalMemory>();

	/** `maxBytes`: maximum bytes of one journal. */
	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	async list(): Promise<readonly WorldRecord[]> {
		return [];
	}

	async add({ name }: WorldRecord): Promise<void> {
		this.#memories.set(name, new JournalMemory(this.#maxBytes));
	}

	async remove({ name }: WorldRecord): Promise<void> {
		this.#memories.delete(name);
	}

	async open({ name }: WorldRecord): Promise<MemoryJournal> {
		return new MemoryJournal(this.#memories.get(name)!);
	}
}
