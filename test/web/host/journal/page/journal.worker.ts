/**
 * A journal in this browser's private storage, for one owner. Each owner has a separate Worker.
 * Owns: calling the journal's methods for a test. Bytes are sent as base64.
 */

import type { Journal, JournalEntry } from '../../../../../shared/transport/journal.ts';
import { JournalError } from '../../../../../shared/transport/journal.ts';
import { openOriginJournal } from '../../../../../web/host/journal/origin-journal.ts';
import { fromBase64, toBase64 } from '../../../../../web/sim/core/base64.ts';

/** An entry in a message. */
interface SentEntry {
	readonly bytes: string;
	readonly blobs: readonly string[];
}

/** Requests of a test to a journal, and their answers. */
export interface WorkerRequest {
	readonly method: keyof Journal | 'open';
	readonly args: readonly unknown[];
}
export type WorkerReply =
	| { readonly value: unknown }
	| { readonly fault: JournalError['fault'] | 'bug'; readonly message: string };

let journal: Journal;

const decodeEntry = ({ bytes, blobs }: SentEntry): JournalEntry => ({ bytes: fromBase64(bytes), blobs });
const encodeEntry = ({ bytes, blobs }: JournalEntry): SentEntry => ({ bytes: toBase64(bytes), blobs });

const METHODS = {
	async open(folder: string, most: number | null) {
		journal = await openOriginJournal({ noWait: true, folder, maxBytes: most ?? Number.POSITIVE_INFINITY });
	},
	extent: () => journal.extent(),
	acquire: () => journal.acquire(),
	release: (epoch: number) => journal.release(epoch),
	append: (epoch: number, at: number, entries: readonly SentEntry[]) =>
		journal.append(epoch, at, entries.map(decodeEntry)),
	read: async (from: number, most: number) => (await journal.read(from, most)).map(encodeEntry),
	keepState: (epoch: number, at: number, pieces: readonly string[], blobs: readonly string[]) =>
		journal.keepState(epoch, at, pieces.map(fromBase64), blobs),
	async state(at: number | null) {
		const found = await journal.state(at ?? undefined);
		return found === null ? null : { at: found.at, bytes: toBase64(found.bytes) };
	},
	keepBlob: (hash: string, bytes: string) => journal.keepBlob(hash, fromBase64(bytes)),
	async blob(hash: string) {
		const bytes = await journal.blob(hash);
		return bytes === null ? null : toBase64(bytes);
	},
	close: () => journal.close(),
};

self.onmessage = async ({ data, ports: [port] }: MessageEvent<WorkerRequest>) => {
	let answer: WorkerReply;
	try {
		const method = METHODS[data.method as keyof typeof METHODS] as (...args: never[]) => unknown;
		answer = { value: await method(...(data.args as never[])) };
	} catch (error) {
		const fault = error instanceof JournalError ? error.fault : 'bug';
		answer = { fault, message: error instanceof Error ? error.message : String(error) };
	}
	port!.postMessage(answer);
};
