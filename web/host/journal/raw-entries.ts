/** The entries of a journal in order. Owns: reading them in pages. */

import type { Journal, JournalEntry } from '../../../shared/transport/journal.ts';

/** Bytes of entries that are read together. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Yields the entries from `from` on, up to `end` (excluded) if it is given. Throws a `JournalError`. */
export async function* rawEntries(
	journal: Journal,
	from: number,
	{ end = Number.POSITIVE_INFINITY, pageBytes = PAGE_BYTES } = {},
): AsyncGenerator<{ readonly at: number; readonly entry: JournalEntry }> {
	for (let at = from; at < end; ) {
		const page = await journal.read(at, pageBytes);
		if (page.length === 0) return;
		for (const entry of page.slice(0, end - at)) yield { at: at++, entry };
	}
}
