/** The state of the journal, for answers that report it. Owns: nothing. */

import type { Host } from './context.ts';

export function journalWorks({ journal }: Host) {
	const message = journal.trouble()?.message ?? null;
	return { stored: journal.durable, works: message === null, message };
}
