/** State of the journal, as several answers report it. */

import type { Host } from './context.ts';

export function journalWorks({ journal }: Host) {
	const message = journal.trouble()?.message ?? null;
	return { stored: journal.durable, works: message === null, message };
}
