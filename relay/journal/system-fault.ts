/**
 * Errors of the system as faults of the journal.
 * Owns: their sentences, and opening a file to read it. Never: follows a link.
 */

import type { FileHandle } from 'node:fs/promises';
import { reasonOf } from '../../shared/contract/reason.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import { NotRegular, openRegular } from '../regular-file.ts';
import { codeOf } from '../system-code.ts';

/** Opens a file to read it. Rejects with `damaged` for anything that is not a regular file. */
export async function openToRead(path: string): Promise<FileHandle> {
	try {
		return (await openRegular(path, 'refused')).file;
	} catch (error) {
		throw error instanceof NotRegular ? new JournalError('damaged', error.message) : error;
	}
}

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Returns an error of the system as a fault of the journal. `doing` such as "The entries could not be written". */
export function faultOf(error: unknown, doing: string): JournalError {
	if (error instanceof JournalError) return error;
	const code = codeOf(error);
	if (FULL.includes(code)) return new JournalError('full', `${doing}: the disk is full (${code}).`);
	return new JournalError('failed', `${doing}: ${reasonOf(error)}.`);
}
