/**
 * The world of a data folder that a start resumes, and its journal.
 * Owns: the faults that end the start, and the reports of the others.
 */

import { basename } from 'node:path';
import type { JournalError, JournalFault } from '../../shared/transport/journal.ts';
import { DatabaseJournal } from './database-journal.ts';
import { standingOf } from './standing.ts';
import { faultOf } from './system-fault.ts';
import { WorldFolders } from './world-folders.ts';

export interface WorldChoice {
	readonly data: string;
	/** Begin another, and keep the previous one aside. */
	readonly fresh: boolean;
	/** Name or id of one that is kept; undefined for the one that was resumed last. */
	readonly world: string | undefined;
	/** Bytes that its journal may take. */
	readonly most: number;
	readonly fsync: boolean;
}

export interface OpenWorld {
	readonly journal: DatabaseJournal;
	/** Name of the resumed world, or else of its folder; undefined for one that begins. */
	readonly goesOn: string | undefined;
}

/**
 * Returns the text for a world that ends the start, with what to do; faults of a journal say only what they are.
 * `why`: a sentence.
 */
export const cannotGoOn = (why: string): string =>
	`The world cannot be resumed: ${why} Its files were not changed. Start with --new to create another world beside it.`;

/** No faults of what is stored: the world begins with a journal in memory, and that is reported. */
const LIVES_WITH: readonly JournalFault[] = ['locked', 'full', 'failed'];

/**
 * Opens it; undefined if nothing can be kept and nothing is, or another process keeps it, which is reported through
 * `say`. Rejects with a sentence if the stored world is damaged or not writable, or if no world has the given name.
 */
export async function openWorld(
	choice: WorldChoice,
	say: (sentence: string) => void,
): Promise<OpenWorld | undefined> {
	const { data, fresh, world, most, fsync } = choice;
	const worlds = new WorldFolders(data);
	const unusable = (error: unknown): JournalError => faultOf(error, `The worlds of "${data}" cannot be used`);
	try {
		if (world !== undefined) await worlds.take(world);
	} catch (error) {
		throw unusable(error);
	}
	try {
		const folder = fresh ? await worlds.begin() : await worlds.goOn();
		const journal = await DatabaseJournal.open(folder, { most, fsync });
		const standing = await standingOf(journal);
		return { journal, goesOn: standing === null ? undefined : standing.name || basename(folder) };
	} catch (error) {
		const { fault, message } = unusable(error);
		if (!LIVES_WITH.includes(fault)) throw new Error(cannotGoOn(message));
		if (fault !== 'locked' && !fresh && (await worlds.hasOne()))
			throw new Error(
				`${message} A stored world cannot be resumed until this is repaired. Choose another data folder with --data, or create another world with --new.`,
			);
		say(`${message} This world is not stored.`);
		return undefined;
	}
}
