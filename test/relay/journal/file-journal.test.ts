/** The journal in files does what every journal does. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileJournal } from '../../../relay/journal/file-journal.ts';
import { journalSuite } from '../../support/journal-suite.ts';

for (const fsync of [false, true])
	journalSuite(fsync ? 'files, synced' : 'files', async (most) => {
		const folder = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
		return {
			open: () => FileJournal.open(folder, { fsync, ...(most === undefined ? {} : { most }) }),
			dispose: () => rm(folder, { recursive: true, force: true }),
		};
	});
