/**
 * A whole state of an engine as a journal keeps it: worlds and all that goes with them, deflated; assets, snapshots and
 * answers to calls with a key, which never change, by their hashes, as blobs.
 * Owns: that form, and its version (u8, the first byte).
 */

import { joinedBytes } from '../../../shared/contract/joined-bytes.ts';
import { type Journal, JournalError } from '../../../shared/contract/journal.ts';
import { dispose } from '../../sim/core/clone.ts';
import { encodeWorld } from '../../sim/core/codec.ts';
import type { World } from '../../sim/core/world.ts';
import type { SavedAsset, SavedWorld, SavedWorlds } from '../frames.ts';
import { decodeTree, encodeTree } from '../saved-bytes.ts';
import type { HeldWorlds } from '../saved-worlds.ts';
import { sha256 } from '../sha256.ts';
import { MAIN } from '../worlds.ts';
import { AnswerPages } from './answer-pages.ts';
import { BlobWriter } from './blob-writer.ts';
import { deflated, inflated } from './deflate.ts';
import type { KeptAnswer } from './keys.ts';
import type { Lineage } from './lineage.ts';
import type { KeptState } from './scribe.ts';

/** Rises when states change in a way that what was written before does not fit any more. */
const STATE_VERSION = 3;
/** The two before, deflated as a whole: in the first one the snapshots, and in both the answers stood in the state. */
const [WITH_SNAPSHOTS, WITH_ANSWERS] = [1, 2];
/** Where the deflated head begins. */
const HEAD = 5;

interface StateTree {
	/** The bytes of worlds are deflated. */
	readonly saved: Omit<SavedWorlds, 'assets' | 'snapshots' | 'answers'> & {
		readonly snapshots: readonly (SavedWorlds['snapshots'][number] | SnapshotBlob)[];
		/** A page that can still change is there itself, deflated; before pages there were the answers themselves. */
		readonly answers?: readonly (Blob | Uint8Array | KeptAnswer)[];
	};
	readonly assets: readonly NamedAsset[];
}

/** The blob of an asset, with what leads to it. */
type NamedAsset = Omit<SavedAsset, 'bytes'> & Blob;

/** Bytes that the journal keeps under their hash. Those of a page of answers are deflated. */
interface Blob {
	readonly hash: string;
}

/** The blob of a snapshot is its encoded world, deflated. */
interface SnapshotBlob extends Blob {
	readonly label: string;
}

/** Everything that an engine has. */
export type HeldState = Omit<SavedWorlds, 'worlds' | 'snapshots'> & HeldWorlds;

/** Hashes of the blobs that snapshots and pages of answers have become. */
const hashes = new WeakMap<World | Uint8Array, string>();

export interface Packing {
	readonly journal: Pick<Journal, 'keepBlob'>;
	/** Blobs that the journal has; their bytes are not made again. */
	readonly known: ReadonlySet<string>;
	/** Milliseconds on some clock that only goes forward. */
	readonly now: () => number;
}

/** A state of everything that is held. One world after the other is encoded, and disposed of; blobs that are not known go to the journal as they are made. */
export async function packState(held: HeldState, { journal, known, now }: Packing): Promise<KeptState> {
	const { assets = [], answers = [], worlds, snapshots, ...saved } = held;
	const blobs = new BlobWriter(journal, known);
	let work = 0;
	const encoded = (world: World): Uint8Array => {
		const began = now();
		const bytes = encodeWorld(world);
		work += now() - began;
		return bytes;
	};
	/** The hash of the blob of something that never changes. */
	const once = async (thing: World | Uint8Array, bytes: () => Uint8Array): Promise<string> => {
		const before = hashes.get(thing);
		if (before !== undefined && blobs.has(before)) return before;
		const packed = await packedBytes(bytes());
		const hash = await sha256(packed);
		hashes.set(thing, hash);
		await blobs.write(hash, packed);
		return hash;
	};
	const packed: SavedWorld[] = [];
	const kept: SnapshotBlob[] = [];
	try {
		for (const { world, ...rest } of worlds) {
			packed.push({ ...rest, bytes: await packedBytes(encoded(world)) });
			dispose(world);
		}
		for (const { view, world, of } of snapshots) {
			kept.push({ label: view.label, hash: await once(of, () => encoded(world)) });
			dispose(world);
		}
	} finally {
		drop(held);
	}
	const named: NamedAsset[] = [];
	for (const { bytes, hash = await sha256(bytes), ...more } of assets) {
		await blobs.write(hash, bytes);
		named.push({ hash, ...more });
	}
	const pages: (Blob | Uint8Array)[] = [];
	for (const page of answers.slice(0, -1)) pages.push({ hash: await once(page, () => page) });
	// More answers come to the last page.
	for (const page of answers.slice(-1)) pages.push(await packedBytes(page));
	await blobs.written();
	const tree: StateTree = {
		saved: { ...saved, worlds: packed, snapshots: kept, answers: pages },
		assets: named,
	};
	return { pieces: await statePieces(tree), blobs: blobs.named, work };
}

/** For what is held and not packed after all. */
export function drop({ worlds, snapshots }: HeldWorlds): void {
	for (const { world } of [...worlds, ...snapshots]) dispose(world);
}

/** The version, the length of the deflated head of the tree (u32, little-endian), that head, and the byte arrays that it points at. */
async function statePieces(tree: StateTree): Promise<Uint8Array[]> {
	const [, head, ...arrays] = encodeTree(tree);
	const packed = await packedBytes(head!);
	return [Uint8Array.of(STATE_VERSION), lengthBytes(packed.length), packed, ...arrays];
}

async function packedBytes(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	return joinedBytes(await deflated([bytes]));
}

/** What a journal has a state of, or what a lineage begins with; the worlds are still deflated, since all of them at once may be too much. Throws a `JournalError`. */
export async function unpackState(
	bytes: Uint8Array,
	journal: Journal,
	lineage: Lineage | null = null,
): Promise<SavedWorlds> {
	const { version, tree } = await treeOf(bytes);
	const { assets } = tree;
	const saved = lineage === null ? tree.saved : beginOf(tree.saved, lineage);
	const blob = async (hash: string, what: string): Promise<Uint8Array> => {
		const found = await journal.blob(hash);
		if (found === null) throw new JournalError('damaged', `The ${what} ${hash} is not in the journal.`);
		return found;
	};
	const read: SavedAsset[] = [];
	for (const { hash, ...more } of assets) read.push({ bytes: await blob(hash, 'asset'), ...more });
	const snapshots: SavedWorlds['snapshots'][number][] = [];
	for (const one of saved.snapshots)
		snapshots.push(
			'bytes' in one ? one : { label: one.label, bytes: await blob(one.hash, 'snapshot'), deflated: true },
		);
	if (version <= WITH_ANSWERS) {
		const answers = answerPages(saved.answers as readonly KeptAnswer[] | undefined);
		return { ...saved, snapshots, assets: read, answers };
	}
	const worlds = saved.worlds.map((world): SavedWorld => ({ ...world, deflated: true }));
	const answers: Uint8Array[] = [];
	for (const page of (saved.answers ?? []) as readonly (Blob | Uint8Array)[])
		answers.push(await inflatedWhole('hash' in page ? await blob(page.hash, 'page of answers') : page));
	return { ...saved, worlds, snapshots, assets: read, answers };
}

/** Only the worlds that a lineage begins with, and main, without which there are no worlds. Nobody asks there for an answer again. */
function beginOf(saved: StateTree['saved'], { begins, snapshots }: Lineage): StateTree['saved'] {
	const worlds = saved.worlds.filter(({ id }) => id === MAIN || begins.has(id));
	const places = snapshots ? [...new Set(worlds.flatMap((world) => world.snapshots))] : [];
	const placeOf = new Map(places.map((place, at) => [place, at]));
	return {
		...saved,
		answers: [],
		worlds: worlds.map((world) => ({
			...world,
			snapshots: world.snapshots.flatMap((place) => placeOf.get(place) ?? []),
		})),
		snapshots: places.map((place) => saved.snapshots[place]!),
	};
}

function answerPages(answers: readonly KeptAnswer[] = []): readonly Uint8Array[] {
	const pages = new AnswerPages();
	for (const answer of answers) pages.add(answer);
	return pages.all();
}

/** Hashes of the blobs that a state names. Throws a `JournalError`. */
export async function blobsOf(bytes: Uint8Array): Promise<string[]> {
	const { saved, assets } = (await treeOf(bytes)).tree;
	return [...assets, ...saved.snapshots, ...(saved.answers ?? [])].flatMap((one) =>
		'hash' in one ? [one.hash] : [],
	);
}

async function treeOf(bytes: Uint8Array): Promise<{ readonly version: number; readonly tree: StateTree }> {
	const version = bytes[0]!;
	if (!(version >= WITH_SNAPSHOTS && version <= STATE_VERSION))
		throw new JournalError(
			'failed',
			`A state has the format ${version}, and ${WITH_SNAPSHOTS} to ${STATE_VERSION} are read. Go on with the version of Orrery that wrote it.`,
		);
	try {
		const whole =
			version <= WITH_ANSWERS ? await inflatedWhole(bytes.subarray(1)) : await inflatedHead(bytes);
		return { version, tree: decodeTree(whole) as StateTree };
	} catch (error) {
		throw unreadable(error);
	}
}

/** A tree whose head is deflated, as `decodeTree` takes it. */
async function inflatedHead(bytes: Uint8Array): Promise<Uint8Array> {
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true);
	const head = await inflatedWhole(bytes.subarray(HEAD, HEAD + length));
	return joinedBytes([lengthBytes(head.length), head, bytes.subarray(HEAD + length)]);
}

function lengthBytes(length: number): Uint8Array {
	const bytes = new Uint8Array(4);
	new DataView(bytes.buffer).setUint32(0, length, true);
	return bytes;
}

/** Bytes of a state that are deflated. Rejects with a `JournalError`. */
export async function inflatedWhole(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
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
