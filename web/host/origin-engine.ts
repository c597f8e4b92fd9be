/**
 * The engine of a tab without a relay, with its files and its journal in the browser's private storage.
 * Owns: which journal that is.
 */

import type { Journal } from '../../shared/contract/journal.ts';
import { JournalMemory, MemoryJournal } from '../../shared/contract/memory-journal.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import { NoPrivateStorage, openOriginJournal } from './journal/origin-journal.ts';
import { originFiles } from './origin-files.ts';

export interface OriginEngine {
	readonly engine: Engine;
	/** True if its world outlives the tab. */
	readonly isKept: boolean;
}

/** Most bytes of a journal in memory. */
const MAX_MEMORY_BYTES = 64 * 2 ** 20;

/** Acquires the lease of this browser's journal and loads what that says, or begins an empty world. */
export async function beginWithOrigin(settings: EngineSettings): Promise<OriginEngine> {
	const kept = await journalHere(settings);
	const journal = kept ?? new MemoryJournal(new JournalMemory(MAX_MEMORY_BYTES));
	// A world that continues has not ended.
	const lastWorld = kept === null ? settings.lastWorld : undefined;
	return {
		engine: await createEngine({ ...settings, lastWorld, files: originFiles(), journal }),
		isKept: kept !== null,
	};
}

/** Null if this browser has none. A bare host begins none either; it continues a world that is there. */
async function journalHere({ profile }: EngineSettings): Promise<Journal | null> {
	let journal: Journal;
	try {
		journal = await openOriginJournal();
	} catch (error) {
		if (!(error instanceof NoPrivateStorage)) throw error;
		console.warn(`Changes to this world are not stored. ${error.message}`);
		return null;
	}
	const { next, states } = await journal.extent();
	if (profile !== 'bare' || next > 0 || states.length > 0) return journal;
	await journal.close();
	return null;
}
