/**
 * Whole state of an engine in a journal: worlds and their parts, deflated. Assets and snapshots never change, so they are stored
 * as blobs.
 * Owns: the format: a packet whose head has the version and the length of the deflated tree. The byte arrays of the tree follow.
 */

import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { decodePacket, PACKET_VERSION, packetPieces } from '../../../shared/transport/packet.ts';
import { dispose } from '../../sim/core/clone.ts';
import { encodeWorld } from '../../sim/core/codec.ts';
import type { World } from '../../sim/core/world.ts';
import type { SavedAsset, SavedWorld, SavedWorlds } from '../../store/saved-state.ts';
import { sha256 } from '../../store/sha256.ts';
import { MAIN } from '../../store/worlds.ts';
import { joinTree, splitTree } from '../saved-bytes.ts';
import type { SnapshotCopy, WorldsCopy } from '../saved-worlds.ts';
import { deflate, inflate } from './deflate.ts';
import type { Lineage } from './lineage.ts';
import type { PackedState } from './state-keeper.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface StateTree {
	/** The bytes of worlds are deflated. */
	readonly saved: Omit<SavedWorlds, 'assets' | 'snapshots'> & {
		readonly snapshots: readonly SnapshotBlob[];
	};
	readonly assets: readonly NamedAsset[];
}

/** Blob of an asset, with the names of the asset. */
type NamedAsset = Omit<SavedAsset, 'bytes'> & BlobReference;

/** Reference to bytes that the journal stores by their hash. */
interface BlobReference {
	readonly hash: string;
}

/** Blob of a snapshot, which is its encoded and deflated world. */
interface SnapshotBlob extends BlobReference {
	readonly label: string;
	readonly owner?: number;
}

/** All worlds, snapshots and assets of an engine. */
export type HeldState = Omit<SavedWorlds, 'worlds' | 'snapshots'> & WorldsCopy;

/** Hash of the blob of each snapshot, by the snapshot's world. */
const snapshotHashes = new WeakMap<World, string>();

/** Journal, known blobs and clock for packing a state. */
export interface PackOptions {
	readonly journal: Pick<Journal, 'keepBlob'>;
	/** Blobs that the journal has. They are not encoded again. */
	readonly knownBlobs: ReadonlySet<string>;
	/** Returns the milliseconds of a monotonic clock. */
	readonly now: () => number;
}

/**
 * Returns the packed state of an engine. Encodes worlds one after the other, and disposes of them. Sends unknown blobs to the
 * journal immediately.
 */
export async function packState(
	heldState: HeldState,
	{ journal, knownBlobs, now }: PackOptions,
): Promise<PackedState> {
	const { assets = [], worlds, snapshots, ...saved } = heldState;
	const blobs = new Set<string>();
	const write = async (hash: string, bytes: Uint8Array): Promise<void> => {
		if (!knownBlobs.has(hash) && !blobs.has(hash)) await journal.keepBlob(hash, bytes);
		blobs.add(hash);
	};
	let workMs = 0;
	const encode = (world: World): Uint8Array => {
		const beginTime = now();
		const bytes = encodeWorld(world);
		workMs += now() - beginTime;
		return bytes;
	};
	/** Returns the hash of a snapshot's blob. A snapshot never changes, so its blob is written once. */
	const writeSnapshot = async ({ source, world }: SnapshotCopy): Promise<string> => {
		const knownHash = snapshotHashes.get(source);
		if (knownHash !== undefined && (knownBlobs.has(knownHash) || blobs.has(knownHash))) {
			blobs.add(knownHash);
			return knownHash;
		}
		const packed = await deflateBytes(encode(world));
		const hash = await sha256(packed);
		snapshotHashes.set(source, hash);
		await write(hash, packed);
		return hash;
	};
	const packedWorlds: SavedWorld[] = [];
	const snapshotBlobs: SnapshotBlob[] = [];
	try {
		for (const { world, ...rest } of worlds) {
			packedWorlds.push({ ...rest, bytes: await deflateBytes(encode(world)) });
			dispose(world);
		}
		for (const snapshot of snapshots) {
			const { view, owner } = snapshot;
			const ownerField = owner === undefined ? {} : { owner };
			snapshotBlobs.push({ label: view.label, ...ownerField, hash: await writeSnapshot(snapshot) });
			dispose(snapshot.world);
		}
	} finally {
		disposeWorlds(heldState);
	}
	const namedAssets: NamedAsset[] = [];
	for (const { bytes, hash = await sha256(bytes), ...names } of assets) {
		await write(hash, bytes);
		namedAssets.push({ hash, ...names });
	}
	const tree: StateTree = {
		saved: { ...saved, worlds: packedWorlds, snapshots: snapshotBlobs },
		assets: namedAssets,
	};
	return { pieces: await statePieces(tree), blobs: [...blobs], work: workMs };
}

/** Disposes of worlds that are not packed. */
export function disposeWorlds({ worlds, snapshots }: WorldsCopy): void {
	for (const { world } of [...worlds, ...snapshots]) dispose(world);
}

/** Head of a state's packet. */
interface StateHead {
	readonly version: number;
	/** Bytes of the deflated tree. */
	readonly tree: number;
}

async function statePieces(tree: StateTree): Promise<Uint8Array[]> {
	const { json, arrays } = splitTree(tree);
	const packed = await deflateBytes(encoder.encode(json));
	const head: StateHead = { version: PACKET_VERSION, tree: packed.length };
	return packetPieces(head, [packed, ...arrays]);
}

async function deflateBytes(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	return joinBytes(await deflate([bytes]));
}

/**
 * Returns the worlds of a state, or those that a lineage begins with. They remain deflated, because together they may be too
 * large. Rejects with a `JournalError`.
 */
export async function unpackState(
	bytes: Uint8Array,
	journal: Journal,
	lineage: Lineage | null = null,
): Promise<SavedWorlds> {
	const tree = await treeOf(bytes);
	const { assets } = tree;
	const saved = lineage === null ? tree.saved : selectWorlds(tree.saved, lineage);
	const blob = async (hash: string, kind: string): Promise<Uint8Array> => {
		const bytes = await journal.blob(hash);
		if (bytes === null) throw new JournalError('damaged', `The ${kind} ${hash} is not in the journal.`);
		return bytes;
	};
	const savedAssets: SavedAsset[] = [];
	for (const { hash, ...names } of assets) savedAssets.push({ bytes: await blob(hash, 'asset'), ...names });
	const snapshots: SavedWorlds['snapshots'][number][] = [];
	for (const { hash, ...fields } of saved.snapshots)
		snapshots.push({ ...fields, bytes: await blob(hash, 'snapshot') });
	return { ...saved, snapshots, assets: savedAssets };
}

/** Returns the worlds that a lineage begins with, and main, which every state has. No call reaches main. */
function selectWorlds(saved: StateTree['saved'], { initialWorlds, snapshots }: Lineage): StateTree['saved'] {
	const worlds = saved.worlds.filter(({ id }) => id === MAIN || initialWorlds.has(id));
	const indices = snapshots ? [...new Set(worlds.flatMap((world) => world.snapshots))] : [];
	const newIndexOf = new Map(indices.map((index, at) => [index, at]));
	return {
		...saved,
		keys: [],
		worlds: worlds.map((world) => ({
			...world,
			snapshots: world.snapshots.flatMap((index) => newIndexOf.get(index) ?? []),
		})),
		snapshots: indices.map((index) => saved.snapshots[index]!),
	};
}

/** Returns the hashes of the blobs that a state names. Rejects with a `JournalError`. */
export async function blobsOf(bytes: Uint8Array): Promise<string[]> {
	const { saved, assets } = await treeOf(bytes);
	return [...assets, ...saved.snapshots].map(({ hash }) => hash);
}

async function treeOf(state: Uint8Array): Promise<StateTree> {
	try {
		const { head, bytes } = decodePacket(state);
		const { version, tree } = (head ?? {}) as Partial<StateHead>;
		if (version !== PACKET_VERSION || tree === undefined) throw otherVersion(version);
		const json = decoder.decode(await inflateState(bytes.subarray(0, tree)));
		return joinTree(JSON.parse(json), bytes.subarray(tree)) as StateTree;
	} catch (error) {
		throw unreadable(error);
	}
}

const otherVersion = (version: unknown): JournalError =>
	new JournalError(
		'failed',
		`A state has format ${String(version)}, but this version reads format ${PACKET_VERSION}. Use the version of Orrery that wrote it.`,
	);

/** Inflates bytes of a state. Rejects with a `JournalError`. */
export async function inflateState(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await inflate(packed);
	} catch (error) {
		throw unreadable(error);
	}
}

const unreadable = (error: unknown): JournalError =>
	error instanceof JournalError
		? error
		: new JournalError('damaged', `A state cannot be read: ${(error as Error).message}`);
