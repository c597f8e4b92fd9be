/**
 * The journal of a tab without a relay, in the private storage of this origin.
 * Owns: the folder, and the wait for the end of the previous Worker.
 * Never: runs outside a Worker of a browser.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { writeWhole } from '../write-whole.ts';
import { FolderJournal } from './folder-journal.ts';
import type { JournalFile, JournalFolder } from './journal-folder.ts';

const FOLDER = 'journal';
/** Maximum size of the journal in bytes. */
const MAX_BYTES = 256 * 2 ** 20;
/** Time between two tries to get a lease that another Worker has (ms), and the number of tries. */
const RETRY_MS = 20;
const MAX_TRIES = 500;

export interface OriginJournalOptions {
	/** True to reject with `locked` immediately, without waiting for the end of the owner. */
	readonly noWait?: boolean;
	/** Maximum size of the journal in bytes; MAX_BYTES if omitted. */
	readonly maxBytes?: number;
	/** Name of the folder, for tests. */
	readonly folder?: string;
}

/** Error for a page that has no private storage, such as in a private window. */
export class NoPrivateStorage extends JournalError {}

/** Opens the journal once its last owner has ended. Rejects with a `JournalError`, such as `NoPrivateStorage`. */
export async function openOriginJournal(options: OriginJournalOptions = {}): Promise<Journal> {
	const { maxBytes = MAX_BYTES, folder = FOLDER } = options;
	const files = await originFolder(folder);
	for (let tries = options.noWait === true ? MAX_TRIES : 0; ; tries++) {
		try {
			return await FolderJournal.open(files, { maxBytes });
		} catch (error) {
			if (!(error instanceof JournalError) || error.fault !== 'locked' || tries >= MAX_TRIES) throw error;
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}
}

/** Deletes the journal with all its worlds once its last owner has ended. */
export async function deleteOriginJournal(folder = FOLDER): Promise<void> {
	const root = await navigator.storage.getDirectory();
	for (let tries = 0; ; tries++) {
		try {
			await root.removeEntry(folder, { recursive: true });
			return;
		} catch (error) {
			const { name } = error as Error;
			// The journal may never have existed.
			if (name === 'NotFoundError') return;
			if (name !== 'NoModificationAllowedError' || tries >= MAX_TRIES) throw error;
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}
}

async function originFolder(name: string): Promise<JournalFolder> {
	let folder: FileSystemDirectoryHandle;
	try {
		const root = await navigator.storage.getDirectory();
		folder = await root.getDirectoryHandle(name, { create: true });
	} catch (error) {
		const why = reasonOf(error);
		throw new NoPrivateStorage(
			'failed',
			`This browser does not give the page private storage: ${why.replace(/\.?$/, '.')}`,
		);
	}
	return {
		async names() {
			const names: string[] = [];
			for await (const file of folder.keys()) names.push(file);
			return names;
		},
		async read(file) {
			const handle = await folder.getFileHandle(file);
			return new Uint8Array(await (await handle.getFile()).arrayBuffer());
		},
		async size(file) {
			const handle = await folder.getFileHandle(file);
			return (await handle.getFile()).size;
		},
		async has(file) {
			try {
				await folder.getFileHandle(file);
				return true;
			} catch (error) {
				if (error instanceof DOMException && error.name === 'NotFoundError') return false;
				throw error;
			}
		},
		async write(file, pieces) {
			const handle = await folder.getFileHandle(file, { create: true });
			await writeWhole(handle, pieces as Iterable<Uint8Array<ArrayBuffer>>);
		},
		remove: (file) => folder.removeEntry(file),
		async open(file) {
			const handle = await folder.getFileHandle(file, { create: true });
			return openFile(await handle.createSyncAccessHandle());
		},
	};
}

function openFile(handle: FileSystemSyncAccessHandle): JournalFile {
	return {
		get size() {
			return handle.getSize();
		},
		read(from, to) {
			const bytes = new Uint8Array(to - from);
			const length = handle.read(bytes, { at: from });
			return bytes.subarray(0, length);
		},
		write(offset, bytes) {
			const length = handle.write(bytes, { at: offset });
			if (length !== bytes.length)
				throw new DOMException(
					`Only ${length} of ${bytes.length} bytes could be written.`,
					'QuotaExceededError',
				);
		},
		truncate: (size) => handle.truncate(size),
		close: () => handle.close(),
	};
}
