/**
 * Journal errors for errors of the system.
 * Owns: their texts, and opening a file to read it. Never: follows a link.
 */

import type { FileHandle } from 'node:fs/promises';
import { reasonOf } from '../../shared/contract/reason.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import { NotRegularError, openRegular } from '../regular-file.ts';
import { codeOf } from '../system-code.ts';

/** Opens a file to read it. Rejects with `damaged` if it is not a regular file. */
export async function openToRead(path: string): Promise<FileHandle> {
	try {
		return (await openRegular(path, 'refused')).file;
	} catch (error) {
		throw error instanceof NotRegularError ? new JournalError('damaged', error.message) : error;
	}
}

const FULL_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Returns the journal error for an error of the system. `failure`: start of the text, such as "The entries could not be written". */
export function faultOf(error: unknown, failure: string): JournalError {
	if (error instanceof JournalError) return error;
	const code = codeOf(error);
	if (FULL_CODES.includes(code)) return new JournalError('full', `${failure}: the disk is full (${code}).`);
	return new JournalError('failed', `${failure}: ${reasonOf(error)}.`);
}
