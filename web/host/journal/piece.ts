/**
 * Piece of a journal as one file: a state, the entries after it, and the blobs that they name.
 * Owns: the format of the file: "orrery piece\n", then a packet. The head of the packet has the version and the SHA-256 of its
 * bytes. The bytes are a deflated tree of `saved-bytes.ts`: the states, the entries as one append, and the blobs.
 */

import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { type Journal, type JournalEntry, JournalError } from '../../../shared/transport/journal.ts';
import { decodeAppend, encodeAppend } from '../../../shared/transport/journal-bytes.ts';
import { JournalMemory } from '../../../shared/transport/memory-journal.ts';
import { decodePacket, PACKET_VERSION, PacketError, packetPieces } from '../../../shared/transport/packet.ts';
import { sha256 } from '../../store/sha256.ts';
import { decodeTree, encodeTree } from '../saved-bytes.ts';
import { deflate, inflate } from './deflate.ts';
import { rawEntries } from './raw-entries.ts';
import { blobsOf } from './state.ts';

const MAGIC = new TextEncoder().encode('orrery piece\n');

/** Head of a piece's packet. */
interface PieceHead {
	readonly version: number;
	readonly sha256: string;
}

/** Content of a piece, before it is deflated. */
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

/** Returns true if bytes begin like a piece. */
export const hasPieceMagic = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

/**
 * Returns the piece from the newest state at or before entry `from` up to and including entry `to`. `knownHashes`: blobs that the
 * reader already has. They are omitted. Rejects with a `JournalError` for entries that the journal does not have.
 */
export async function cutPiece(
	journal: Journal,
	from: number,
	to: number,
	knownHashes: ReadonlySet<string> = new Set(),
): Promise<Uint8Array> {
	const { first, next, states: stateNumbers } = await journal.extent();
	const begin = stateNumbers.findLast((at) => at <= from);
	if (begin === undefined)
		throw new JournalError(
			'cut',
			`There is no state at or before entry ${from}. The oldest stored state is before entry ${stateNumbers[0] ?? first}.`,
		);
	if (to >= next || to < from)
		throw new JournalError(
			'failed',
			`The last entry of the piece must be from ${from} to ${next - 1}, got ${to}.`,
		);
	const blobs = new Map<string, Uint8Array>();
	const addBlob = async (hash: string): Promise<void> => {
		if (blobs.has(hash) || knownHashes.has(hash)) return;
		const bytes = await journal.blob(hash);
		if (bytes === null)
			throw new JournalError(
				'damaged',
				`The journal refers to the bytes ${hash}, but does not contain them.`,
			);
		blobs.set(hash, bytes);
	};
	const states: PieceTree['states'][number][] = [];
	for (const at of stateNumbers.filter((candidate) => candidate >= begin && candidate <= to + 1)) {
		const { bytes } = (await journal.state(at))!;
		const stateBlobs = await blobsOf(bytes);
		for (const hash of stateBlobs) await addBlob(hash);
		states.push({ at, bytes, blobs: stateBlobs });
	}
	const entries: JournalEntry[] = [];
	for await (const { entry } of rawEntries(journal, begin, { end: to + 1 })) {
		entries.push(entry);
		for (const hash of entry.blobs) await addBlob(hash);
	}
	const tree: PieceTree = {
		first: begin,
		states,
		entries: encodeAppend(entries),
		blobs: [...blobs].map(([hash, bytes]) => ({ hash, bytes })),
	};
	const packed = joinBytes(await deflate(encodeTree(tree)));
	const head: PieceHead = { version: PACKET_VERSION, sha256: await sha256(packed) };
	return joinBytes([MAGIC, ...packetPieces(head, [packed])]);
}

/** Returns the content of a piece as a journal in memory. Rejects with a `JournalError`. */
export async function readPiece(bytes: Uint8Array): Promise<JournalMemory> {
	if (!hasPieceMagic(bytes))
		throw new JournalError('damaged', 'This is not a piece of a journal. "orrery record" creates pieces.');
	const packed = await packedIn(bytes.subarray(MAGIC.length));
	const tree = decodeTree(await inflate(packed)) as PieceTree;
	const memory = new JournalMemory();
	memory.first = tree.first;
	memory.entries = [...decodeAppend(tree.entries)];
	memory.states = [...tree.states];
	for (const blob of tree.blobs) memory.blobs.set(blob.hash, blob.bytes);
	return memory;
}

/** Returns the deflated tree of a piece. Throws a `JournalError`. */
async function packedIn(bytes: Uint8Array): Promise<Uint8Array> {
	const damaged = new JournalError('damaged', 'The piece is damaged: it is cut off or was changed.');
	let packet: ReturnType<typeof decodePacket>;
	try {
		packet = decodePacket(bytes);
	} catch (error) {
		throw error instanceof PacketError ? damaged : error;
	}
	const { version, sha256: expectedHash } = (packet.head ?? {}) as Partial<PieceHead>;
	if (version !== PACKET_VERSION)
		throw new JournalError(
			'failed',
			`The piece has format ${String(version)}, but this version reads format ${PACKET_VERSION}. Use the version of Orrery that wrote it.`,
		);
	if (packet.end !== bytes.length || (await sha256(packet.bytes)) !== expectedHash) throw damaged;
	return packet.bytes;
}
