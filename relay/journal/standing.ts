/**
 * Name and tick of a world, read from the end of its journal.
 * Owns: the number of entries that it reads back. Never: re-runs anything.
 */

import { type Journal, JournalError } from '../../shared/transport/journal.ts';

export interface JournalStanding {
	/** Name of the world; empty for none. */
	readonly name: string;
	/** Tick of the world; null if the last entries do not contain it. */
	readonly tick: number | null;
}

/** Maximum number of entries that are read, newest first. The newest one nearly always concerns the main world. */
const MAX_ENTRIES = 1000;

/** Reads name and tick; null for an empty journal. */
export async function standingOf(journal: Journal): Promise<JournalStanding | null> {
	const { first, next, states } = await journal.extent();
	if (next === 0) return states.length === 0 ? null : { name: '', tick: 0 };
	const { decodeEntry } = await import('../../shared/transport/journal-entry.ts');
	try {
		for (let at = next - 1; at >= Math.max(first, next - MAX_ENTRIES); at--) {
			const [entry] = await journal.read(at, 1);
			const main = decodeEntry(entry!).head.worlds.find(({ id }) => id === 'main');
			if (main !== undefined) return { name: removeControlCharacters(main.name ?? ''), tick: main.tick };
		}
	} catch (error) {
		// The start that resumes the world reports this.
		if (!(error instanceof JournalError)) throw error;
	}
	return { name: '', tick: null };
}

const MAX_NAME_LENGTH = 100;

/** Returns a name in one line, without control characters that a terminal would execute. */
function removeControlCharacters(name: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are removed
	return name.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, ' ').slice(0, MAX_NAME_LENGTH);
}
