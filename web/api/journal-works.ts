/** State of the journal, as several answers report it. */

import type { Host } from './context.ts';

/** Returns the status of a host's journal. */
export function journalStatusOf({ journal }: Host) {
	const message = journal.currentTrouble()?.message ?? null;
	return { stored: journal.durable, works: message === null, message };
}
