/**
 * Opens the world of a data folder that a start resumes, with its journal.
 * Owns: the choice of faults that end the start. Other faults are only reported.
 */

import { basename } from 'node:path';
import type { JournalError, JournalFault } from '../../shared/transport/journal.ts';
import { DatabaseJournal } from './database-journal.ts';
import { standingOf } from './standing.ts';
import { faultOf } from './system-fault.ts';
import { WorldFolders } from './world-folders.ts';

export interface WorldChoice {
	readonly data: string;
	/** True to create another world, and keep the previous one. */
	readonly fresh: boolean;
	/** Name or id of a stored world; undefined for the latest one. */
	readonly world: string | undefined;
	/** Maximum size of the journal (bytes). */
	readonly maxBytes: number;
	readonly fsync: boolean;
}

export interface OpenWorld {
	readonly journal: DatabaseJournal;
	/** Name of the resumed world, otherwise of its folder; undefined for a new world. */
	readonly resumedName: string | undefined;
}

/**
 * Returns the error text for a world that cannot be resumed, with a fix. `why`: a sentence with the cause.
 */
export const cannotResumeText = (why: string): string =>
	`The world cannot be resumed: ${why} Its files were not changed. Start with --new to create another world beside it.`;

/** Faults that do not concern the stored data. The world then starts with a journal in memory, and this is reported. */
const TOLERATED: readonly JournalFault[] = ['locked', 'full', 'failed'];

/**
 * Opens the chosen world. Returns undefined if another process owns the folder, or if no world is stored and none can
 * be created; `say` reports this. Rejects with a clear error if the stored world is damaged or not writable, or if no world has
 * the name.
 */
export async function openWorld(
	choice: WorldChoice,
	say: (sentence: string) => void,
): Promise<OpenWorld | undefined> {
	const { data, fresh, world, maxBytes, fsync } = choice;
	const worlds = new WorldFolders(data);
	const unusableError = (error: unknown): JournalError =>
		faultOf(error, `The worlds of "${data}" cannot be used`);
	try {
		if (world !== undefined) await worlds.makeCurrent(world);
	} catch (error) {
		throw unusableError(error);
	}
	try {
		const folder = fresh ? await worlds.create() : await worlds.current();
		const journal = await DatabaseJournal.open(folder, { maxBytes, fsync });
		const standing = await standingOf(journal);
		return { journal, resumedName: standing === null ? undefined : standing.name || basename(folder) };
	} catch (error) {
		const { fault, message } = unusableError(error);
		if (!TOLERATED.includes(fault)) throw new Error(cannotResumeText(message));
		if (fault !== 'locked' && !fresh && (await worlds.hasCurrent()))
			throw new Error(
				`${message} A stored world cannot be resumed until this is repaired. Choose another data folder with --data, or create another world with --new.`,
			);
		say(`${message} This world is not stored.`);
		return undefined;
	}
}
