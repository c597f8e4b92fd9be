/**
 * A whole state of an engine as a journal keeps it: worlds and all that goes with them, deflated; assets and snapshots,
 * which never change, by their hashes, as blobs.
 * Owns: that form, and its version (u8, before the deflated bytes).
 */

import { joinedBytes } from '../../../shared/contract/joined-bytes.ts';
import { type Journal, JournalError } from '../../../shared/contract/journal.ts';
import { encodeWorld } from '../../sim/core/codec.ts';
import type { World } from '../../sim/core/world.ts';
import type { SavedAsset, SavedWorlds } from '../frames.ts';
import { decodeTree, encodeTree } from '../saved-bytes.ts';
import type { HeldWorlds } from '../saved-worlds.ts';
import { sha256 } from '../sha256.ts';
import { deflated, inflated } from './deflate.ts';
import type { KeptState } from './scribe.ts';

/** Rises when states change in a way that what was written before does not fit any more. */
const STATE_VERSION = 2;
/** In these the snapshots stood in the state itself. */
const WITH_SNAPSHOTS = 1;

interface StateTree {
	readonly saved: Omit<SavedWorlds, 'assets' | 'snapshots'> & {
		readonly snapshots: readonly (SavedWorlds['snapshots'][number] | SnapshotBlob)[];
	};
	readonly assets: readonly { readonly hash: string; readonly names: readonly string[] }[];
}

/** The blob of a snapshot is its encoded world, deflated. */
interface SnapshotBlob {
	readonly label: string;
	readonly hash: string;
}

/** Everything that an engine has, with its snapshots as they are. */
export type HeldState = Omit<SavedWorlds, 'snapshots'> & HeldWorlds;

/** Hashes of the blobs that snapshots have become. */
const hashes = new WeakMap<World, string>();

/** A state of everything that is held, which does not change any more. Of blobs that are `known` the bytes are not made again. */
export async function packState(
	{ assets = [], snapshots, ...saved }: HeldState,
	known: ReadonlySet<string>,
): Promise<KeptState> {
	const blobs = new Set<string>();
	const fresh = new Map<string, Uint8Array>();
	const named: { hash: string; names: readonly string[] }[] = [];
	for (const { bytes, names, hash = await sha256(bytes) } of assets) {
		blobs.add(hash);
		if (!known.has(hash)) fresh.set(hash, bytes);
		named.push({ hash, names });
	}
	const kept: SnapshotBlob[] = [];
	for (const { view, world } of snapshots) {
		let hash = hashes.get(world);
		if (hash === undefined || !known.has(hash)) {
			const bytes = joinedBytes(await deflated([encodeWorld(world)]));
			hash = await sha256(bytes);
			hashes.set(world, hash);
			fresh.set(hash, bytes);
		}
		blobs.add(hash);
		kept.push({ label: view.label, hash });
	}
	const tree: StateTree = { saved: { ...saved, snapshots: kept }, assets: named };
	const pieces = [Uint8Array.of(STATE_VERSION), ...(await deflated(encodeTree(tree)))];
	return { pieces, blobs: [...blobs], fresh };
}

/** What a journal has a state of. Throws a `JournalError`. */
export async function unpackState(bytes: Uint8Array, journal: Journal): Promise<SavedWorlds> {
	const { saved, assets } = await treeOf(bytes);
	const blob = async (hash: string, what: string): Promise<Uint8Array> => {
		const found = await journal.blob(hash);
		if (found === null) throw new JournalError('damaged', `The ${what} ${hash} is not in the journal.`);
		return found;
	};
	const read: SavedAsset[] = [];
	for (const { hash, names } of assets) read.push({ bytes: await blob(hash, 'asset'), names });
	const snapshots: SavedWorlds['snapshots'][number][] = [];
	for (const one of saved.snapshots)
		snapshots.push(
			'bytes' in one
				? one
				: { label: one.label, bytes: await inflatedWhole(await blob(one.hash, 'snapshot')) },
		);
	return { ...saved, snapshots, assets: read };
}

/** Hashes of the blobs that a state names. Throws a `JournalError`. */
export async function blobsOf(bytes: Uint8Array): Promise<string[]> {
	const { saved, assets } = await treeOf(bytes);
	return [...assets, ...saved.snapshots].flatMap((one) => ('hash' in one ? [one.hash] : []));
}

async function treeOf(bytes: Uint8Array): Promise<StateTree> {
	if (bytes[0] !== STATE_VERSION && bytes[0] !== WITH_SNAPSHOTS)
		throw new JournalError(
			'failed',
			`A state has the format ${bytes[0]}, and ${WITH_SNAPSHOTS} to ${STATE_VERSION} are read. Go on with the version of Orrery that wrote it.`,
		);
	const tree = await inflatedWhole(bytes.subarray(1));
	try {
		return decodeTree(tree) as StateTree;
	} catch (error) {
		throw unreadable(error);
	}
}

async function inflatedWhole(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await inflated(packed);
	} catch (error) {
		throw unreadable(error);
	}
}

const unreadable = (error: unknown): JournalError =>
	new JournalError('damaged', `A state cannot be read: ${(error as Error).message}`);
