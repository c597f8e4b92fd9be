/** Process that keeps eight appends to a journal running, and prints the number of each stored entry, until it is killed. */

import { writeSync } from 'node:fs';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';

const encoder = new TextEncoder();

const journal = await DatabaseJournal.open(process.argv[2]!);
const epoch = await journal.acquire();
let at = journal.next;
async function append(): Promise<void> {
	for (;;) {
		const entry = at++;
		await journal.append(epoch, entry, [{ bytes: encoder.encode(`entry ${entry}`), blobs: [] }]);
		// Writes synchronously, so that the number is in the pipe even if the process ends immediately afterwards.
		writeSync(1, `${entry}\n`);
		if (entry % 50 === 49)
			await journal.keepState(epoch, entry + 1, [encoder.encode(`state ${entry + 1}`)], []);
	}
}
await Promise.all(Array.from({ length: 8 }, append));
