/**
 * `orrery record`: copies a piece of a journal.
 * Owns: the default piece: all entries after the newest state.
 */

import { JournalError } from '../../shared/transport/journal.ts';
import { cutPiece } from '../../web/host/journal/piece.ts';
import { openJournalAt } from './journal-at.ts';

export interface RecordedPiece {
	readonly bytes: Uint8Array;
	readonly from: number;
	readonly to: number;
}

/** Returns the piece from the entry `from` to the entry `to`. Rejects with a `JournalError`. */
export async function recordPiece(
	path: string,
	{ from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<RecordedPiece> {
	const journal = await openJournalAt(path);
	try {
		const { first, next, states } = await journal.extent();
		if (next === first) throw new JournalError('failed', 'The journal has no entries yet.');
		const last = to ?? next - 1;
		if (from !== undefined && from > last)
			throw new JournalError(
				'failed',
				from >= next
					? `There is no entry ${from}. The last entry is ${next - 1}.`
					: `--from ${from} is after --to ${last}: the piece would be empty.`,
			);
		const start = states.findLast((at) => at <= Math.min(from ?? last, next - 1)) ?? from ?? last;
		return { bytes: await cutPiece(journal, start, last), from: start, to: last };
	} finally {
		await journal.close();
	}
}
