/**
 * A whole state of an engine in a journal: worlds and their parts, deflated. Assets and snapshots never change, so
 * they are blobs named by their hashes.
 * Owns: that form: a packet, whose head has the version and the length of the deflated tree. The byte arrays that the
 * tree points at follow.
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
import type { HeldSnapshot, HeldWorlds } from '../saved-worlds.ts';
import { deflated, inflated } from './deflate.ts';
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

/** The blob of an asset, with its names. */
type NamedAsset = Omit<SavedAsset, 'bytes'> & Blob;

/** Bytes that the journal stores by their hash. */
interface Blob {
	readonly hash: string;
}

/** The blob of a snapshot is its encoded world, deflated. */
interface SnapshotBlob extends Blob {
	readonly label: string;
	readonly owner?: number;
}

/** All worlds, snapshots and assets of an engine. */
export type HeldState = Omit<SavedWorlds, 'worlds' | 'snapshots'> & HeldWorlds;

/** Hash of the blob of each snapshot. */
const hashes = new WeakMap<World, string>();

/** Journal and clock of a packing. */
export interface PackOptions {
	readonly journal: Pick<Journal, 'keepBlob'>;
	/** Blobs that the journal has. They are not encoded again. */
	readonly known: ReadonlySet<string>;
	/** Returns the milliseconds of a monotonic clock. */
	readonly now: () => number;
}

/**
 * Returns the packed state of an engine. Worlds are encoded one after the other, and disposed of. Unknown blobs are
 * sent to the journal immediately.
 */
export async function packState(
	heldState: HeldState,
	{ journal, known, now }: PackOptions,
): Promise<PackedState> {
	const { assets = [], worlds, snapshots, ...saved } = heldState;
	const blobs = new Set<string>();
	const write = async (hash: string, bytes: Uint8Array): Promise<void> => {
		if (!known.has(hash) && !blobs.has(hash)) await journal.keepBlob(hash, bytes);
		blobs.add(hash);
	};
	let work = 0;
	const encode = (world: World): Uint8Array => {
		const began = now();
		const bytes = encodeWorld(world);
		work += now() - began;
		return bytes;
	};
	/** Returns the hash of a snapshot's blob. A snapshot never changes, so its blob is written once. */
	const writeSnapshot = async ({ of, world }: HeldSnapshot): Promise<string> => {
		const before = hashes.get(of);
		if (before !== undefined && (known.has(before) || blobs.has(before))) {
			blobs.add(before);
			return before;
		}
		const packed = await packedBytes(encode(world));
		const hash = await sha256(packed);
		hashes.set(of, hash);
		await write(hash, packed);
		return hash;
	};
	const packedWorlds: SavedWorld[] = [];
	const snapshotBlobs: SnapshotBlob[] = [];
	try {
		for (const { world, ...rest } of worlds) {
			packedWorlds.push({ ...rest, bytes: await packedBytes(encode(world)) });
			dispose(world);
		}
		for (const snapshot of snapshots) {
			const { view, owner } = snapshot;
			const by = owner === undefined ? {} : { owner };
			snapshotBlobs.push({ label: view.label, ...by, hash: await writeSnapshot(snapshot) });
			dispose(snapshot.world);
		}
	} finally {
		disposeWorlds(heldState);
	}
	const namedAssets: NamedAsset[] = [];
	for (const { bytes, hash = await sha256(bytes), ...more } of assets) {
		await write(hash, bytes);
		namedAssets.push({ hash, ...more });
	}
	const tree: StateTree = {
		saved: { ...saved, worlds: packedWorlds, snapshots: snapshotBlobs },
		assets: namedAssets,
	};
	return { pieces: await statePieces(tree), blobs: [...blobs], work };
}

/** Disposes of worlds that are not packed. */
export function disposeWorlds({ worlds, snapshots }: HeldWorlds): void {
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
	const packed = await packedBytes(encoder.encode(json));
	const head: StateHead = { version: PACKET_VERSION, tree: packed.length };
	return packetPieces(head, [packed, ...arrays]);
}

async function packedBytes(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	return joinBytes(await deflated([bytes]));
}

/**
 * Returns the worlds of a state, or those that a lineage begins with. They stay deflated, because together they may be
 * too large. Throws a `JournalError`.
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
		const found = await journal.blob(hash);
		if (found === null) throw new JournalError('damaged', `The ${kind} ${hash} is not in the journal.`);
		return found;
	};
	const savedAssets: SavedAsset[] = [];
	for (const { hash, ...more } of assets) savedAssets.push({ bytes: await blob(hash, 'asset'), ...more });
	const snapshots: SavedWorlds['snapshots'][number][] = [];
	for (const { hash, ...one } of saved.snapshots)
		snapshots.push({ ...one, bytes: await blob(hash, 'snapshot') });
	return { ...saved, snapshots, assets: savedAssets };
}

/** Returns the worlds that a lineage begins with, and main, which every state has. No call reaches main. */
function selectWorlds(saved: StateTree['saved'], { begins, snapshots }: Lineage): StateTree['saved'] {
	const worlds = saved.worlds.filter(({ id }) => id === MAIN || begins.has(id));
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

/** Returns the hashes of the blobs that a state names. Throws a `JournalError`. */
export async function blobsOf(bytes: Uint8Array): Promise<string[]> {
	const { saved, assets } = await treeOf(bytes);
	return [...assets, ...saved.snapshots].map(({ hash }) => hash);
}

async function treeOf(state: Uint8Array): Promise<StateTree> {
	try {
		const { head, bytes } = decodePacket(state);
		const { version, tree } = (head ?? {}) as Partial<StateHead>;
		if (version !== PACKET_VERSION || tree === undefined) throw otherVersion(version);
		const json = decoder.decode(await inflateAll(bytes.subarray(0, tree)));
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
export async function inflateAll(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await inflated(packed);
	} catch (error) {
		throw unreadable(error);
	}
}

const unreadable = (error: unknown): JournalError =>
	error instanceof JournalError
		? error
		: new JournalError('damaged', `A state cannot be read: ${(error as Error).message}`);
