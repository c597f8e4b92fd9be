/**
 * Name and tick of a world, read from the end of its journal.
 * Owns: the number of entries that it reads back. Never: re-runs anything.
 */

import { type Journal, JournalError } from '../../shared/transport/journal.ts';

export interface JournalStanding {
	/** Empty if it has none. */
	readonly name: string;
	/** Null if the last entries do not tell. */
	readonly tick: number | null;
}

/** Entries that are looked at, the newest first: nearly always the first of them is about the main world. */
const MAX_LOOKS = 1000;

/** Null for a journal in which nothing is stored. */
export async function standingOf(journal: Journal): Promise<JournalStanding | null> {
	const { first, next, states } = await journal.extent();
	if (next === 0) return states.length === 0 ? null : { name: '', tick: 0 };
	const { decodeEntry } = await import('../../shared/transport/journal-entry.ts');
	try {
		for (let at = next - 1; at >= Math.max(first, next - MAX_LOOKS); at--) {
			const [entry] = await journal.read(at, 1);
			const main = decodeEntry(entry!).head.worlds.find(({ id }) => id === 'main');
			if (main !== undefined) return { name: plain(main.name ?? ''), tick: main.tick };
		}
	} catch (error) {
		// The start that resumes the world reports this.
		if (!(error instanceof JournalError)) throw error;
	}
	return { name: '', tick: null };
}

const MAX_NAME = 100;

/** Returns a name on one line, which no terminal takes for a command. */
function plain(name: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
	return name.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, ' ').slice(0, MAX_NAME);
}
