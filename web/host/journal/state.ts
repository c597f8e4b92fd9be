/**
 * A whole state of an engine as a journal keeps it: worlds, snapshots and all that goes with them, deflated; assets by
 * their hashes, as blobs.
 * Owns: that form, and its version (u8, before the deflated bytes).
 */

import { type Journal, JournalError } from '../../../shared/contract/journal.ts';
import type { SavedAsset, SavedWorlds } from '../frames.ts';
import { decodeTree, encodeTree } from '../saved-bytes.ts';
import { sha256 } from '../sha256.ts';
import type { KeptState } from './scribe.ts';

/** Rises when states change in a way that what was written before does not fit any more. */
const STATE_VERSION = 1;

interface StateTree {
	readonly saved: Omit<SavedWorlds, 'assets'>;
	readonly assets: readonly { readonly hash: string; readonly names: readonly string[] }[];
}

/** A state of everything that was saved, to be packed later: what was saved does not change any more. */
export async function packState({ assets = [], ...saved }: SavedWorlds): Promise<KeptState> {
	const blobs = new Map<string, Uint8Array>();
	const named: { hash: string; names: readonly string[] }[] = [];
	for (const { bytes, names, hash = await sha256(bytes) } of assets) {
		blobs.set(hash, bytes);
		named.push({ hash, names });
	}
	const tree: StateTree = { saved, assets: named };
	const packed = await through(encodeTree(tree), new CompressionStream('deflate-raw'));
	return { pieces: [Uint8Array.of(STATE_VERSION), packed], blobs };
}

/** What a journal has a state of. Throws a `JournalError`. */
export async function unpackState(bytes: Uint8Array, journal: Journal): Promise<SavedWorlds> {
	checkVersion(bytes);
	const { saved, assets } = await inflatedTree(bytes.subarray(1));
	const read: SavedAsset[] = [];
	for (const { hash, names } of assets) {
		const blob = await journal.blob(hash);
		if (blob === null) throw new JournalError('damaged', `The asset ${hash} is not in the journal.`);
		read.push({ bytes: blob, names });
	}
	return { ...saved, assets: read };
}

/** Hashes of the assets that a state names. Throws a `JournalError`. */
export async function assetsOf(bytes: Uint8Array): Promise<string[]> {
	checkVersion(bytes);
	return (await inflatedTree(bytes.subarray(1))).assets.map(({ hash }) => hash);
}

function checkVersion(bytes: Uint8Array): void {
	if (bytes[0] === STATE_VERSION) return;
	throw new JournalError(
		'failed',
		`A state has the format ${bytes[0]}, and ${STATE_VERSION} is read. Go on with the version of Orrery that wrote it.`,
	);
}

async function inflatedTree(packed: Uint8Array): Promise<StateTree> {
	try {
		return decodeTree(await through([packed], new DecompressionStream('deflate-raw'))) as StateTree;
	} catch (error) {
		throw new JournalError('damaged', `A state cannot be read: ${(error as Error).message}`);
	}
}

/** Bytes that have passed through a stream. */
export async function through(
	pieces: readonly Uint8Array[],
	stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
	const all = new Blob(pieces as Uint8Array<ArrayBuffer>[]).stream().pipeThrough(stream);
	return new Uint8Array(await new Response(all).arrayBuffer());
}
