/**
 * The world of a data folder that a start goes on with, and its journal.
 * Owns: which faults end the start, and what is said of the others.
 */

import { basename } from 'node:path';
import { JournalError, type JournalFault } from '../../shared/contract/journal.ts';
import { FileJournal } from './file-journal.ts';
import { WorldFolders, type WorldNote, WorldNotes } from './world-folders.ts';

export interface WorldChoice {
	readonly data: string;
	/** Begin another, and keep the one before aside. */
	readonly fresh: boolean;
	/** Name or id of one that is kept; undefined for the one that was gone on with last. */
	readonly world: string | undefined;
	/** Bytes that its journal may take. */
	readonly most: number;
	readonly fsync: boolean;
}

export interface OpenWorld {
	readonly journal: FileJournal;
	readonly notes: WorldNotes;
	/** What the world is called that is there already; undefined for one that begins. */
	readonly goesOn: string | undefined;
}

/** What a world is called: by its name, or else by its folder. */
const nameOf = (note: WorldNote | undefined, folder: string): string =>
	note === undefined || note.name === '' ? basename(folder) : note.name;

/** Not a fault of what is kept: the world lives without a journal, and that is said. */
const LIVES_WITH: readonly JournalFault[] = ['locked', 'full', 'failed'];

/**
 * Opens it; undefined where nothing can be kept and nothing is, or another process keeps it, which is said through `say`. Rejects with a sentence
 * when what is kept is damaged or cannot be written to, or there is no world of the name that was given.
 */
export async function openWorld(
	choice: WorldChoice,
	say: (sentence: string) => void,
): Promise<OpenWorld | undefined> {
	const { data, fresh, world, most, fsync } = choice;
	const worlds = new WorldFolders(data);
	if (world !== undefined) await worlds.take(world);
	try {
		const folder = fresh ? await worlds.begin() : await worlds.goOn();
		const journal = await FileJournal.open(folder, { most, fsync });
		const { lost } = journal;
		if (lost !== undefined) say(`${lost} The world goes on as it was before them.`);
		else if (journal.cutBytes > 0)
			say(
				`The last ${journal.cutBytes} bytes of the journal were cut: the relay ended while it wrote them. All before them is whole.`,
			);
		const notes = new WorldNotes(folder);
		const { next } = journal;
		return {
			journal,
			notes,
			goesOn: next === 0 && lost === undefined ? undefined : nameOf(await notes.read(), folder),
		};
	} catch (error) {
		const { message } = error as Error;
		const fault = error instanceof JournalError ? error.fault : 'failed';
		if (!LIVES_WITH.includes(fault))
			throw new Error(`${message} Start with --new to begin another world; this one is kept aside as it is.`);
		const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
		if (fault !== 'locked' && !fresh && (await worlds.hasOne()))
			throw new Error(
				`${sentence} The world that is kept there cannot be gone on with until that is mended, and no other begins in its place. Choose another data folder with --data, or start with --new.`,
			);
		say(`${sentence} This world is not kept.`);
		return undefined;
	}
}
