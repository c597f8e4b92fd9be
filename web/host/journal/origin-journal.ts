/**
 * The journal of a tab without a relay: in the browser's private storage of this origin.
 * Owns: the folder, and the lock by which one engine at a time writes to it.
 * Never: runs outside a Worker of a browser.
 */

import { type Journal, JournalError } from '../../../shared/contract/journal.ts';
import { writeWhole } from '../write-whole.ts';
import { FolderJournal } from './folder-journal.ts';
import type { JournalFile, JournalFolder } from './journal-folder.ts';

const FOLDER = 'journal';
const LOCK = 'orrery-journal';
/** Most that it takes of what the browser gives to a page, in bytes. */
const MOST_BYTES = 256 * 2 ** 20;

export interface OriginJournalOptions {
	/** `queue`: stands in line until whoever has it lets go or ends. `refuse`: rejects with `locked` at once. */
	readonly held: 'queue' | 'refuse';
	/** Most bytes that it may take; MOST_BYTES unless given. */
	readonly most?: number;
	/** Name of its folder, for tests. */
	readonly folder?: string;
}

/** The browser gives this page no private storage, such as in a private window. */
export class NoPrivateStorage extends JournalError {}

/** Rejects with a `JournalError`, `NoPrivateStorage` among them. */
export async function openOriginJournal(options: OriginJournalOptions): Promise<Journal> {
	const { most = MOST_BYTES, folder = FOLDER } = options;
	const release = await take(`${LOCK}/${folder}`, options.held);
	try {
		return await FolderJournal.open(await originFolder(folder), { most, closed: release });
	} catch (error) {
		release();
		throw error;
	}
}

/** Deletes the journal and all worlds in it, when whoever writes to it has ended. */
export async function forgetOriginJournal(folder = FOLDER): Promise<void> {
	const release = await take(`${LOCK}/${folder}`, 'queue');
	try {
		const root = await navigator.storage.getDirectory();
		await root.removeEntry(folder, { recursive: true });
	} catch (error) {
		// It may never have begun.
		if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
	} finally {
		release();
	}
}

/** Resolves with what gives the lock back. A Worker that ends gives it back by itself. */
function take(name: string, held: OriginJournalOptions['held']): Promise<() => void> {
	return new Promise((taken, reject) => {
		navigator.locks
			.request(name, { ifAvailable: held === 'refuse' }, (lock) => {
				if (lock === null)
					throw new JournalError('locked', 'Another tab of this browser writes to the journal.');
				return new Promise<void>((release) => taken(release));
			})
			.catch(reject);
	});
}

async function originFolder(name: string): Promise<JournalFolder> {
	let folder: FileSystemDirectoryHandle;
	try {
		const root = await navigator.storage.getDirectory();
		folder = await root.getDirectoryHandle(name, { create: true });
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new NoPrivateStorage(
			'failed',
			`This browser gives the page no private storage: ${why.replace(/\.?$/, '.')}`,
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
				throw new DOMException(`${length} of ${bytes.length} bytes could be written.`, 'QuotaExceededError');
		},
		truncate: (size) => handle.truncate(size),
		close: () => handle.close(),
	};
}
