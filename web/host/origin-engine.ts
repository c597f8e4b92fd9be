/**
 * The engine of a tab without a relay, with its files and its journal in the browser's private storage.
 * Owns: the choice of the journal.
 */

import type { Journal } from '../../shared/transport/journal.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import { NoPrivateStorage, openOriginJournal } from './journal/origin-journal.ts';
import { originFiles } from './origin-files.ts';

export interface OriginEngine {
	readonly engine: Engine;
	/** True if its world outlives the tab. */
	readonly isKept: boolean;
}

/** Acquires the lease of this browser's journal and loads what that says, or begins an empty world. */
export async function beginWithOrigin(settings: EngineSettings): Promise<OriginEngine> {
	const journal = await journalHere(settings);
	const files = originFiles();
	if (journal === undefined) return { engine: await createEngine({ ...settings, files }), isKept: false };
	// A world that continues has not ended.
	const engine = await createEngine({ ...settings, lastWorld: undefined, files, journal });
	return { engine, isKept: true };
}

/** Undefined if this browser has none. A bare host begins none either; it continues a world that is there. */
async function journalHere({ profile }: EngineSettings): Promise<Journal | undefined> {
	let journal: Journal;
	try {
		journal = await openOriginJournal();
	} catch (error) {
		if (!(error instanceof NoPrivateStorage)) throw error;
		console.warn(`Changes to this world are not stored. ${error.message}`);
		return undefined;
	}
	const { next, states } = await journal.extent();
	if (profile !== 'bare' || next > 0 || states.length > 0) return journal;
	await journal.close();
	return undefined;
}
