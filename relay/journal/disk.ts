/**
 * What entries are written to.
 * Owns: the interface that tests put faults behind, and the one disk there is. Never: follows a link.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { JournalError } from '../../shared/contract/journal.ts';
import { NotRegular, openRegular } from '../regular-file.ts';
import { codeOf } from '../system-code.ts';

/** As much of a file as entries need. */
export type DiskFile = Pick<FileHandle, 'read' | 'write' | 'truncate' | 'datasync' | 'stat' | 'close'>;

/** Opens a file to be written: a `new` one, which must not be there, or one that is. */
export type Disk = (path: string, how: 'new' | 'there') => Promise<DiskFile>;

const NO_LINK = constants.O_NOFOLLOW ?? 0;

/**
 * Where another program has cut a file short, the next write goes to its end, so that its size shows it; at its place it would leave
 * a hole and the right size. On Windows a file that is opened so cannot be cut.
 */
const AT_END = process.platform === 'win32' ? 0 : constants.O_APPEND;

export const disk: Disk = (path, how) =>
	open(
		path,
		constants.O_RDWR | NO_LINK | AT_END | (how === 'new' ? constants.O_CREAT | constants.O_EXCL : 0),
		0o600,
	);

/** Opens a file to be read. Rejects with `damaged` for what is none. */
export async function openToRead(path: string): Promise<FileHandle> {
	try {
		return (await openRegular(path, 'refused')).file;
	} catch (error) {
		throw error instanceof NotRegular ? new JournalError('damaged', error.message) : error;
	}
}

/** At most `length` bytes of a file from `at` on; fewer where it ends. */
export async function readPiece(
	file: Pick<FileHandle, 'read'>,
	at: number,
	length: number,
): Promise<Uint8Array> {
	const bytes = new Uint8Array(length);
	for (let filled = 0; filled < length; ) {
		const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
		if (bytesRead === 0) return bytes.subarray(0, filled);
		filled += bytesRead;
	}
	return bytes;
}

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** What the system says, as a fault of the journal. `doing` such as "The entries could not be written". */
export function faultOf(error: unknown, doing: string): JournalError {
	if (error instanceof JournalError) return error;
	const code = codeOf(error);
	if (FULL.includes(code))
		return new JournalError('full', `${doing}: there is no room on the disk (${code}).`);
	return new JournalError('failed', `${doing}: ${error instanceof Error ? error.message : String(error)}.`);
}
