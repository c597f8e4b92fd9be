/**
 * The journal of a tab without a relay: in the browser's private storage of this origin.
 * Owns: the folder, and waiting for the Worker before this one to end.
 * Never: runs outside a Worker of a browser.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { writeWhole } from '../write-whole.ts';
import { FolderJournal } from './folder-journal.ts';
import type { JournalFile, JournalFolder } from './journal-folder.ts';

const FOLDER = 'journal';
/** Most that it takes of what the browser gives to a page, in bytes. */
const MAX_BYTES = 256 * 2 ** 20;
/** Milliseconds between looks at a lease that another Worker has, and how many there are. */
const LOOK_MS = 20;
const LOOKS = 500;

export interface OriginJournalOptions {
	/** Rejects with `locked` at once, and does not wait for the owner before to end. */
	readonly refuse?: boolean;
	/** Maximum number of bytes that it may take; MAX_BYTES unless given. */
	readonly most?: number;
	/** Name of its folder, for tests. */
	readonly folder?: string;
}

/** The browser gives this page no private storage, such as in a private window. */
export class NoPrivateStorage extends JournalError {}

/** Opens it, once its last owner has ended. Rejects with a `JournalError`, `NoPrivateStorage` among them. */
export async function openOriginJournal(options: OriginJournalOptions = {}): Promise<Journal> {
	const { most = MAX_BYTES, folder = FOLDER } = options;
	const files = await originFolder(folder);
	for (let looks = options.refuse === true ? LOOKS : 0; ; looks++) {
		try {
			return await FolderJournal.open(files, { most });
		} catch (error) {
			if (!(error instanceof JournalError) || error.fault !== 'locked' || looks >= LOOKS) throw error;
			await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
		}
	}
}

/** Deletes the journal and all worlds in it, when its last owner has ended. */
export async function forgetOriginJournal(folder = FOLDER): Promise<void> {
	const root = await navigator.storage.getDirectory();
	for (let looks = 0; ; looks++) {
		try {
			await root.removeEntry(folder, { recursive: true });
			return;
		} catch (error) {
			const { name } = error as Error;
			// It may never have begun.
			if (name === 'NotFoundError') return;
			if (name !== 'NoModificationAllowedError' || looks >= LOOKS) throw error;
			await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
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
		write(at, bytes) {
			const length = handle.write(bytes, { at });
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
