/**
 * A piece of a journal as one file: a state, the entries after it, and what both name.
 * Owns: that file's form. "orrery piece\n", the version (u8), the SHA-256 of what follows, and that deflated: a tree of
 * `saved-bytes.ts` with the states, the entries as one append, and the blobs.
 */

import { joinedBytes } from '../../../shared/contract/joined-bytes.ts';
import { type Journal, type JournalEntry, JournalError } from '../../../shared/contract/journal.ts';
import { decodeAppend, encodeAppend } from '../../../shared/contract/journal-bytes.ts';
import { JournalMemory } from '../../../shared/contract/memory-journal.ts';
import { decodeTree, encodeTree } from '../saved-bytes.ts';
import { sha256 } from '../sha256.ts';
import { deflated, inflated } from './deflate.ts';
import { blobsOf } from './state.ts';

/** Rises when pieces change in a way that what was written before does not fit any more. */
const PIECE_VERSION = 1;
const MAGIC = new TextEncoder().encode('orrery piece\n');
const HASH_TEXT = 64;
const START = MAGIC.length + 1 + HASH_TEXT;
/** Bytes of entries that are read at once. */
const PAGE_BYTES = 4 * 1024 * 1024;

interface PieceTree {
	readonly first: number;
	readonly states: readonly {
		readonly at: number;
		readonly bytes: Uint8Array;
		readonly blobs: readonly string[];
	}[];
	readonly entries: Uint8Array;
	readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
}

/** Whether bytes begin as a piece does. */
export const isPiece = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

/**
 * The piece from the newest state at or before an entry up to and with another. Rejects with a `JournalError` for entries
 * that the journal does not have. `elsewhere`: hashes of bytes that whoever reads it has anyway, and that are left out.
 */
export async function cutPiece(
	journal: Journal,
	from: number,
	to: number,
	elsewhere: ReadonlySet<string> = new Set(),
): Promise<Uint8Array> {
	const { first, next, states: all } = await journal.extent();
	const begin = all.findLast((at) => at <= from);
	if (begin === undefined)
		throw new JournalError(
			'cut',
			`There is no state at or before entry ${from}; the oldest that is kept is before entry ${all[0] ?? first}.`,
		);
	if (to >= next || to < from)
		throw new JournalError(
			'failed',
			`The last entry of a piece is from ${from} to ${next - 1} here, not ${to}.`,
		);
	const blobs = new Map<string, Uint8Array>();
	const keep = async (hash: string): Promise<void> => {
		if (blobs.has(hash) || elsewhere.has(hash)) return;
		const bytes = await journal.blob(hash);
		if (bytes === null)
			throw new JournalError('damaged', `The bytes ${hash} are named and not in the journal.`);
		blobs.set(hash, bytes);
	};
	const states: PieceTree['states'][number][] = [];
	for (const at of all.filter((one) => one >= begin && one <= to + 1)) {
		const { bytes } = (await journal.state(at))!;
		const named = await blobsOf(bytes);
		for (const hash of named) await keep(hash);
		states.push({ at, bytes, blobs: named });
	}
	const entries = await entriesOf(journal, begin, to + 1);
	for (const entry of entries) for (const hash of entry.blobs) await keep(hash);
	const tree: PieceTree = {
		first: begin,
		states,
		entries: encodeAppend(entries),
		blobs: [...blobs].map(([hash, bytes]) => ({ hash, bytes })),
	};
	const packed = joinedBytes(await deflated(encodeTree(tree)));
	const piece = new Uint8Array(START + packed.length);
	piece.set(MAGIC);
	piece[MAGIC.length] = PIECE_VERSION;
	piece.set(new TextEncoder().encode(await sha256(packed)), MAGIC.length + 1);
	piece.set(packed, START);
	return piece;
}

async function entriesOf(journal: Journal, from: number, end: number): Promise<JournalEntry[]> {
	const entries: JournalEntry[] = [];
	while (from + entries.length < end) {
		const page = await journal.read(from + entries.length, PAGE_BYTES);
		if (page.length === 0) break;
		entries.push(...page.slice(0, end - from - entries.length));
	}
	return entries;
}

/** What a piece holds, as a journal to be read. Rejects with a `JournalError`. */
export async function readPiece(bytes: Uint8Array): Promise<JournalMemory> {
	if (!isPiece(bytes) || bytes.length < START)
		throw new JournalError('damaged', 'This is no piece of a journal: "orrery record" makes them.');
	if (bytes[MAGIC.length] !== PIECE_VERSION)
		throw new JournalError(
			'failed',
			`The piece has the format ${bytes[MAGIC.length]}, and ${PIECE_VERSION} is read. Use the version of Orrery that wrote it.`,
		);
	const packed = bytes.subarray(START);
	const said = new TextDecoder().decode(bytes.subarray(MAGIC.length + 1, START));
	if ((await sha256(packed)) !== said)
		throw new JournalError('damaged', 'The piece is not what was written: it is cut off or changed.');
	const tree = decodeTree(await inflated(packed)) as PieceTree;
	const memory = new JournalMemory();
	memory.first = tree.first;
	memory.entries = [...decodeAppend(tree.entries).entries];
	memory.states = [...tree.states];
	for (const blob of tree.blobs) memory.blobs.set(blob.hash, blob.bytes);
	return memory;
}
