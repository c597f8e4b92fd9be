/** A journal in memory does what every journal does. */

import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { journalSuite } from '../../../support/journal-suite.ts';

journalSuite('memory', async (most) => {
	const memory = new JournalMemory(most);
	return { open: async () => new MemoryJournal(memory) };
});
