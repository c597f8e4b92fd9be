/**
 * Named worlds in the data folder. Each has a folder with its record and its journal.
 * Owns: creating and removing these folders. Any other folder was left by an interrupted call, and is removed.
 */

import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ApiError } from '../../shared/contract/errors.ts';
import { OWN_FILES } from '../../shared/contract/file-path.ts';
import { isWorldName } from '../../shared/contract/world-name.ts';
import type { Journal } from '../../shared/transport/journal.ts';
import { DatabaseJournal, type DatabaseJournalOptions } from '../journal/database-journal.ts';
import { faultOf } from '../journal/system-fault.ts';
import { makeFolder } from '../make-folder.ts';
import { openRegular } from '../regular-file.ts';
import { replaceFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { randomToken } from '../tokens.ts';
import type { WorldRecord, WorldStore } from './world-directory.ts';

const RECORD_FILE = 'world.json';

export class FolderStore implements WorldStore {
	readonly #folder: string;
	readonly #options: DatabaseJournalOptions;

	/** `data`: the data folder. */
	constructor(data: string, options: DatabaseJournalOptions = {}) {
		this.#folder = join(resolve(data), `${OWN_FILES}worlds`, 'named');
		this.#options = options;
	}

	async list(): Promise<readonly WorldRecord[]> {
		const records: WorldRecord[] = [];
		for (const name of await readNames(this.#folder)) {
			if (isWorldName(name)) records.push(await this.#readRecord(name));
			else await rm(join(this.#folder, name), { recursive: true, force: true });
		}
		return records;
	}

	async #readRecord(name: string): Promise<WorldRecord> {
		try {
			const { file } = await openRegular(join(this.#folder, name, RECORD_FILE), 'followed');
			try {
				return JSON.parse(await file.readFile('utf8')) as WorldRecord;
			} finally {
				await file.close();
			}
		} catch (error) {
			throw faultOf(error, `The record of the world "${name}" cannot be read`);
		}
	}

	async add(record: WorldRecord): Promise<void> {
		const draft = this.#draftPath();
		try {
			await makeFolder(this.#folder);
			await mkdir(draft, { mode: 0o700 });
			await replaceFile(join(draft, RECORD_FILE), JSON.stringify(record), 0o600);
			await rename(draft, join(this.#folder, record.name));
		} catch (error) {
			throw new ApiError(
				'file_failed',
				faultOf(error, `The world "${record.name}" cannot be stored`).message,
			);
		}
	}

	/** Returns the path of a new folder that does not count as a world. */
	#draftPath(): string {
		return join(this.#folder, `${OWN_FILES}${randomToken()}`);
	}

	async remove({ name }: WorldRecord): Promise<void> {
		const draft = this.#draftPath();
		try {
			// After the rename the world no longer exists, even if removing its files is interrupted.
			await rename(join(this.#folder, name), draft);
			await rm(draft, { recursive: true, force: true });
		} catch (error) {
			throw new ApiError('file_failed', faultOf(error, `The world "${name}" cannot be removed`).message);
		}
	}

	open({ name }: WorldRecord): Promise<Journal> {
		return DatabaseJournal.open(join(this.#folder, name), this.#options);
	}
}

/** Returns the names in a folder; none if it is missing. */
async function readNames(folder: string): Promise<string[]> {
	try {
		return await readdir(folder);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return [];
		throw faultOf(error, 'The named worlds cannot be listed');
	}
}
