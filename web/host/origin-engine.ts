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
	/** True if the browser stores the world. */
	readonly isKept: boolean;
}

/** Starts an engine with the world of this browser's journal, or with an empty world. Acquires the journal's lease. */
export async function beginWithOrigin(settings: EngineSettings): Promise<OriginEngine> {
	const journal = await openJournal(settings);
	const files = originFiles();
	if (journal === undefined) return { engine: await createEngine({ ...settings, files }), isKept: false };
	// The world continues, so there is no loss to report.
	const engine = await createEngine({ ...settings, lastWorld: undefined, files, journal });
	return { engine, isKept: true };
}

/** Returns this browser's journal; undefined if it has no storage. A bare host uses a journal only if it already has entries. */
async function openJournal({ profile }: EngineSettings): Promise<Journal | undefined> {
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
