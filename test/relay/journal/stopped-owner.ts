/** A process that owns a journal. It appends an entry for each line that it reads, and prints the result. */

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';
import type { JournalError } from '../../../shared/transport/journal.ts';

const journal = await DatabaseJournal.open(process.argv[2]!);
const epoch = await journal.acquire();
for await (const text of createInterface(process.stdin)) {
	const appended = journal.append(epoch, journal.next, [
		{ bytes: new TextEncoder().encode(text), blobs: [] },
	]);
	const result = await appended.then(
		() => 'kept',
		({ fault }: JournalError) => fault,
	);
	writeSync(1, `${result}\n`);
}
