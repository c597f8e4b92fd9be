/** Process that appends eight entries at a time to a journal, and prints the number of each stored entry, until it is killed. */

import { writeSync } from 'node:fs';
import { DatabaseJournal } from '../../../relay/journal/database-journal.ts';

const encoder = new TextEncoder();

const journal = await DatabaseJournal.open(process.argv[2]!);
const epoch = await journal.acquire();
let at = journal.next;
async function append(): Promise<void> {
	for (;;) {
		const mine = at++;
		await journal.append(epoch, mine, [{ bytes: encoder.encode(`entry ${mine}`), blobs: [] }]);
		// Writes synchronously, so that the number is in the pipe even if the process ends immediately afterwards.
		writeSync(1, `${mine}\n`);
		if (mine % 50 === 49) await journal.keepState(epoch, mine + 1, [encoder.encode(`state ${mine + 1}`)], []);
	}
}
await Promise.all(Array.from({ length: 8 }, append));
