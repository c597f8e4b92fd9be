/** The journal in a database passes the tests of every journal. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import { journalSuite } from '../../support/journal-suite.ts';

for (const fsync of [false, true])
	journalSuite(fsync ? 'a database, synced' : 'a database', async (maxBytes) => {
		const folder = await mkdtemp(join(tmpdir(), 'orrery-journal-'));
		return {
			open: () => DatabaseJournal.open(folder, { fsync, ...(maxBytes === undefined ? {} : { maxBytes }) }),
			dispose: () => rm(folder, { recursive: true, force: true }),
		};
	});
