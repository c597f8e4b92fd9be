/** Body of a call in the journal. Owns: reading it from the entry or from a blob. */

import { EMPTY_BODY } from '../../shared/contract/wire.ts';
import { type Journal, JournalError } from '../../shared/transport/journal.ts';
import type { CallHead, ReadEntry } from '../../shared/transport/journal-entry.ts';

/** Returns the body of the call of entry `at`. Throws a `JournalError`. */
export async function bodyOfCall(
	{ head, body }: Pick<ReadEntry, 'body'> & { readonly head: CallHead },
	journal: Pick<Journal, 'blob'>,
	at: number,
): Promise<Uint8Array> {
	return head.body === undefined ? body : blobOf(journal, head.body, at);
}

/** Returns the bytes that entry `at` names. Throws a `JournalError`. */
export async function blobOf(journal: Pick<Journal, 'blob'>, hash: string, at: number): Promise<Uint8Array> {
	const bytes = await journal.blob(hash);
	if (bytes === null)
		throw new JournalError(
			'damaged',
			`Entry ${at} refers to the bytes ${hash}, which are not in the journal.`,
		);
	return bytes.length === 0 ? EMPTY_BODY : bytes;
}
