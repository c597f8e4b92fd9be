/**
 * The engine of a tab without a relay, with its files and its journal in the browser's private storage.
 * Owns: when it begins with what the journal says, and how it goes on in the journal of the tab that handed its worlds over.
 */

import type { Journal } from '../../shared/contract/journal.ts';
import { createEngine, type Engine, type EngineSettings } from './engine.ts';
import { takenIn } from './give-worlds.ts';
import { NoPrivateStorage, openOriginJournal } from './journal/origin-journal.ts';
import { originFiles } from './origin-files.ts';

export interface OriginEngine {
	readonly engine: Engine;
	/** Whether there is a journal. */
	readonly isKept: boolean;
	/** Resolves when calls are answered; until then they wait. */
	readonly goesOn?: Promise<void>;
}

/** Begins; with worlds of another tab where there are `digests` of them, else with what the journal says, or an empty world. */
export function beginWithOrigin(
	settings: EngineSettings,
	digests: string | undefined,
): Promise<OriginEngine> {
	const here = { ...settings, files: originFiles() };
	return digests === undefined ? beginHere(here) : takeOver(here, digests);
}

/**
 * A bare host keeps nothing, and neither does a browser that has no room for it. A bare page that visited goes on with the
 * kept world, where there is one, as it was made.
 */
async function beginHere(settings: EngineSettings): Promise<OriginEngine> {
	const isBare = settings.profile === 'bare';
	const journal = isBare && settings.lastWorld === undefined ? null : await journalHere();
	if (journal === null) return { engine: await createEngine(settings), isKept: false };
	const { next, states } = await journal.extent();
	const isNew = next === 0 && states.length === 0;
	if (isBare && isNew) {
		await journal.close();
		return { engine: await createEngine(settings), isKept: false };
	}
	// A world that goes on has not ended.
	const lastWorld = isNew ? settings.lastWorld : undefined;
	return { engine: await createEngine({ ...settings, lastWorld, journal }), isKept: true };
}

async function journalHere(): Promise<Journal | null> {
	try {
		return await openOriginJournal({ held: 'queue' });
	} catch (error) {
		if (!(error instanceof NoPrivateStorage)) throw error;
		console.warn(`Changes to this world are not stored. ${error.message}`);
		return null;
	}
}

/** Goes on in the journal of the tab that had the worlds, when it has ended. Nothing is applied until then. */
async function takeOver(settings: EngineSettings, digests: string): Promise<OriginEngine> {
	const engine = await takenIn(settings, digests);
	if (engine.entries === null) return { engine, isKept: false };
	const goesOn = engine.alone(async () => engine.keepIn(await openOriginJournal({ held: 'queue' })));
	return { engine, isKept: true, goesOn };
}
