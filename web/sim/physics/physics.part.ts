/**
 * The physics world as a part of a world.
 * Owns: the library's world, and the time of its copies. All forks of the same state share one snapshot. It is taken when
 * the first of them steps, or just before the parent steps.
 *
 * The library has 4 GB for all its worlds and fails when they are used up. So only the most recently stepped worlds are
 * in it, within `libraryWorlds.maxBytes`. The others are kept as snapshots, from which they continue bit for bit.
 */

import type { EventQueue, World as RapierWorld } from '@dimforge/rapier3d-compat';
import { DEFAULT_TUNING } from '../../../shared/documents/tuning.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { LazySnapshot } from '../core/lazy-snapshot.ts';
import type { WorldPart } from '../core/part.ts';
import { requireFewTriangles } from './dense-surfaces.ts';
import { decodeTileCounts, encodeTileCounts } from './ground-touches.ts';
import {
	checkMirror,
	cloneMirror,
	createMirror,
	GROUND,
	groundSlots,
	lostMirror,
	MIRROR_ARRAYS,
	type Mirror,
	rowsToSave,
	setGround,
} from './mirror.ts';
import { requireFewPairs } from './new-pairs.ts';
import { LIBRARY_VERSION, loadPhysics, RAPIER, requirePhysics } from './rapier.ts';

/** Increases when bodies or colliders are created differently. 2: fixed inner edges, and look-ahead of bodies. */
const SETUP_VERSION = 2;
/** Returns the version of the library and of its setup, on which a saved library world depends. */
const librarySetup = (): string => `${LIBRARY_VERSION} ${SETUP_VERSION}`;

export interface PhysicsState {
	/** World of the library; null until it is needed. */
	live: RapierWorld | null;
	queue: EventQueue | null;
	mirror: Mirror;
	/** Snapshot that `live` is restored from when it is first needed. */
	origin: LazySnapshot | null;
	/** Snapshot of `live`, for forks since the last step. */
	snapshot: LazySnapshot | null;
	/** Increases with every step of the library. */
	version: number;
	syncedVersions: SyncedVersions;
}

/** Versions of the columns at the end of the last step; -1 before the first. */
interface SyncedVersions {
	structure: number;
	/** Structure version in which no entity needed a body in the library. */
	noBodyStructure: number;
	position: number;
	rotation: number;
	mass: number;
	linear: number;
	angular: number;
}

const NEVER_SYNCED: Readonly<SyncedVersions> = {
	structure: -1,
	noBodyStructure: -1,
	position: -1,
	rotation: -1,
	mass: -1,
	linear: -1,
	angular: -1,
};

/** Maximum bytes of a body with its collider and contacts in the library, as measured in dense piles. */
const BODY_BYTES = 8192;
/** Bytes of a point of a terrain with its two triangles. */
const POINT_BYTES = 640;
/** A world in the library takes up to twice the size of its snapshot. */
const LIVE_BYTES_PER_SNAPSHOT_BYTE = 2;

/** Worlds in the library, with their estimated bytes. The least recently stepped are suspended. */
export const libraryWorlds = new BoundedCache<PhysicsState>(768 * 2 ** 20, suspendWorld);

const emptyState = (mirror: Mirror): PhysicsState => ({
	live: null,
	queue: null,
	mirror,
	origin: null,
	snapshot: null,
	version: 0,
	syncedVersions: { ...NEVER_SYNCED },
});

export const Physics: WorldPart<PhysicsState> = {
	name: 'physics',
	scope: 'state',
	loadLibrary: loadPhysics,
	create: () => emptyState(createMirror()),
	version: ({ version }) => version,
	clone(state) {
		state.mirror.isShared = true;
		return {
			live: null,
			queue: null,
			mirror: state.mirror,
			origin: snapshotOf(state)?.share() ?? null,
			snapshot: null,
			version: state.version,
			syncedVersions: { ...state.syncedVersions },
		};
	},
	// A snapshot takes as long as a tick. So it is taken only if the tick may fail, or if forks need it anyway.
	keep(state, mayFail) {
		if (state.live === null || state.snapshot?.shared || mayFail()) return Physics.clone(state);
		return { ...emptyState(lostMirror(state.mirror)), version: state.version + 1 };
	},
	requireTick(state, world) {
		requireFewPairs(state, world);
		requireFewTriangles(world);
	},
	digest: ({ mirror: { awake, tuning } }) => {
		const awakeBits = new Uint8Array(awake.slice(0, usedLength(awake)).buffer);
		return isDefaultTuning(tuning) ? awakeBits : Uint8Array.of(...awakeBits, ...tuningBytes(tuning));
	},
	encode(state) {
		const writer = new ByteWriter();
		// Even a library world without bodies has state: the order in which it reuses handles.
		const snapshot = snapshotOf(state)?.readOnce() ?? new Uint8Array(0);
		const { count, tuning, lost, grounds } = state.mirror;
		const slots = groundSlots(state.mirror);
		writer.writeText(
			canonicalJson({
				version: librarySetup(),
				count,
				tuning,
				lost: lost !== null,
				...(slots.length === 0 ? {} : { grounds: slots }),
			}),
		);
		for (const name of MIRROR_ARRAYS) writer.writeArray(rowsToSave(state.mirror, name) as Uint8Array);
		writer.writeArray(snapshot);
		if (lost !== null) writer.writeArray(lost.kind).writeArray(lost.generation).writeArray(lost.awake);
		for (const slot of slots)
			writer.writeArray(grounds.get(slot)!.handles).writeArray(grounds.get(slot)!.hashes);
		if (slots.length > 0) writer.writeArray(encodeTileCounts(state.mirror));
		return writer.end();
	},
	decode(bytes, world) {
		const reader = new ByteReader(bytes);
		const fresh = Physics.create(world);
		const header = JSON.parse(reader.readText()) as {
			version: string;
			count: number;
			tuning: Mirror['tuning'];
			lost?: boolean;
			grounds?: readonly number[];
		};
		const { version, count, tuning, lost } = header;
		// With another version or setup, bodies may behave differently. The library world is then rebuilt from the columns.
		if (version !== librarySetup()) return fresh;
		const mirror = createMirror();
		for (const name of MIRROR_ARRAYS)
			(mirror as unknown as Record<string, unknown>)[name] = reader.readArray(
				mirror[name].constructor as never,
			);
		mirror.count = count;
		mirror.tuning = tuning;
		const snapshot = reader.readArray(Uint8Array);
		if (lost === true)
			mirror.lost = {
				kind: reader.readArray(Uint8Array),
				generation: reader.readArray(Uint32Array),
				awake: reader.readArray(Uint32Array),
			};
		// Old saves have one collider for each ground. Their library world is rebuilt.
		if (header.grounds === undefined && mirror.shape.includes(GROUND)) return fresh;
		for (const slot of header.grounds ?? [])
			setGround(mirror, slot, {
				handles: reader.readArray(Float64Array),
				hashes: reader.readArray(Uint32Array),
			});
		if (header.grounds !== undefined) decodeTileCounts(mirror, reader.readArray(Float64Array));
		checkMirror(mirror, lost === true);
		if (mirror.lost !== null) return { ...fresh, mirror };
		if (snapshot.length === 0) return fresh;
		return { ...fresh, mirror, origin: LazySnapshot.of(snapshot).share() };
	},
	weigh(state, report) {
		for (const name of MIRROR_ARRAYS) report(state.mirror[name], state.mirror[name].byteLength);
		for (const { handles, hashes } of state.mirror.grounds.values())
			report(handles, handles.byteLength + hashes.byteLength);
		if (state.live !== null) report(state.live, libraryWorlds.weightOf(state));
		for (const snapshot of [state.origin, state.snapshot])
			if (snapshot !== null) report(snapshot, snapshot.weight);
	},
	nextTickBytes: ({ live, mirror }) => (live === null ? BODY_BYTES * mirror.count : 0),
	dispose(state) {
		detachSnapshot(state);
		state.origin?.release();
		state.origin = null;
		freeLibraryWorld(state);
	},
};

function isDefaultTuning(tuning: Mirror['tuning']): boolean {
	const standard = DEFAULT_TUNING.physics;
	return tuning === standard || canonicalJson(tuning) === canonicalJson(standard);
}

function tuningBytes({ gravity, restitution, friction }: Mirror['tuning']): Uint8Array {
	return new Uint8Array(Float64Array.of(...gravity, restitution, friction).map((part) => part + 0).buffer);
}

function usedLength(words: Uint32Array): number {
	let length = words.length;
	while (length > 0 && words[length - 1] === 0) length--;
	return length;
}

/** Returns the snapshot of a state, for its forks; null if it never had a library world. */
function snapshotOf(state: PhysicsState): LazySnapshot | null {
	const { live } = state;
	if (live === null) return state.origin;
	state.snapshot ??= new LazySnapshot(() => live.takeSnapshot());
	return state.snapshot;
}

/** Takes the snapshot if forks need it. Must be called before the library's world steps or ends. */
function detachSnapshot(state: PhysicsState): void {
	state.snapshot?.detachSource();
	state.snapshot = null;
}

function freeLibraryWorld(state: PhysicsState): void {
	libraryWorlds.drop(state);
	state.live?.free();
	state.queue?.free();
	state.live = null;
	state.queue = null;
}

/** Replaces the library's world by a snapshot, until the next step. */
function suspendWorld(state: PhysicsState): void {
	state.origin = snapshotOf(state)!.share();
	detachSnapshot(state);
	freeLibraryWorld(state);
}

/**
 * Returns the library's world, ready for changes. It is restored or created if necessary. `bodies` and `points` (of
 * terrains) are the expected numbers, for the estimate of its memory.
 */
export function livePhysics(state: PhysicsState, bodies: number, points: number): RapierWorld {
	requirePhysics();
	detachSnapshot(state);
	state.version++;
	if (state.mirror.isShared) state.mirror = cloneMirror(state.mirror);
	const snapshot = state.origin?.read();
	const estimate = Math.max(
		libraryWorlds.weightOf(state),
		LIVE_BYTES_PER_SNAPSHOT_BYTE * (snapshot?.length ?? 0),
	);
	libraryWorlds.use(state, Math.max(estimate, BODY_BYTES * bodies + POINT_BYTES * points));
	if (state.live === null) {
		state.live = snapshot === undefined ? new RAPIER.World({ x: 0, y: 0, z: 0 }) : restoreWorld(snapshot);
		state.queue = new RAPIER.EventQueue(true);
		state.origin?.release();
		state.origin = null;
	}
	return state.live;
}

/** Restores a library world. Throws a RangeError if the snapshot is damaged. */
function restoreWorld(snapshot: Uint8Array): RapierWorld {
	const restored = RAPIER.World.restoreSnapshot(snapshot) as RapierWorld | null;
	if (restored === null) throw new RangeError("the physics library's own part is damaged");
	return restored;
}

/** Drops a library world that failed. The next step builds one from the columns, with the same bodies awake. */
export function rebuildPhysics(state: PhysicsState): void {
	const mirror = lostMirror(state.mirror);
	abandonPhysics(state);
	state.mirror = mirror;
}

/** Drops a library world that failed, and the mirror of its bodies. It is not freed, because its memory may be corrupt. */
export function abandonPhysics(state: PhysicsState): void {
	libraryWorlds.drop(state);
	state.version++;
	state.live = null;
	state.queue = null;
	state.origin = null;
	state.snapshot = null;
	state.mirror = createMirror();
	state.syncedVersions = { ...NEVER_SYNCED };
}
