/**
 * The physics world as a part of a world.
 * Owns: the library's world and when it is copied. A fork starts from a snapshot that is taken at most once for all
 * forks of the same state: when the first of them steps, or just before the parent moves on.
 *
 * The library has 4 GB for all its worlds and fails when they are spent. So only the worlds that stepped last are in
 * it, within `libraryWorlds.room`; the others rest as snapshots, from which they continue bit for bit.
 */

import type { EventQueue, World as RapierWorld } from '@dimforge/rapier3d-compat';
import { DEFAULT_TUNING } from '../../../shared/documents/tuning.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { LazySnapshot } from '../core/lazy-snapshot.ts';
import type { WorldPart } from '../core/part.ts';
import { requireFewTriangles } from './dense-surfaces.ts';
import { setTileNumbers, tileNumbers } from './ground-touches.ts';
import {
	checkMirror,
	cloneMirror,
	createMirror,
	GROUND,
	groundSlots,
	lostMirror,
	MIRROR_ARRAYS,
	type Mirror,
	savedRows,
	setGround,
} from './mirror.ts';
import { requireFewPairs } from './new-pairs.ts';
import { LIBRARY_VERSION, loadPhysics, RAPIER, requirePhysics } from './rapier.ts';

/** Rises when bodies and colliders are made in another way. 2: inner edges are mended, bodies look ahead. */
const SETUP = 2;
/** Version of the library and of its set-up, on which a saved library world depends. */
const setup = (): string => `${LIBRARY_VERSION} ${SETUP}`;

export interface PhysicsState {
	live: RapierWorld | null;
	queue: EventQueue | null;
	mirror: Mirror;
	/** Snapshot from which `live` will be restored when it is first needed. */
	origin: LazySnapshot | null;
	/** Snapshot from which forks taken since the last step start. */
	snapshot: LazySnapshot | null;
	/** Rises with every step of the library. */
	version: number;
	seen: SeenVersions;
}

/** Versions of the columns at the end of the last step; -1 before the first. */
interface SeenVersions {
	structure: number;
	/** Structure in which no entity wanted a body of the library. */
	unwanted: number;
	position: number;
	rotation: number;
	mass: number;
	linear: number;
	angular: number;
}

const NOTHING_SEEN: Readonly<SeenVersions> = {
	structure: -1,
	unwanted: -1,
	position: -1,
	rotation: -1,
	mass: -1,
	linear: -1,
	angular: -1,
};

/** Bytes that a body with its collider and contacts takes in the library at most, as measured in dense piles. */
const BODY_BYTES = 8192;
/** Bytes of a point of a terrain, with its two triangles. */
const POINT_BYTES = 640;
/** A world in the library takes up to twice its snapshot. */
const LIVE_BYTES = 2;

/** Worlds in the library, with the bytes they are thought to take. Those not stepped for longest rest. */
export const libraryWorlds = new BoundedCache<PhysicsState>(768 * 2 ** 20, rest);

const emptyState = (mirror: Mirror): PhysicsState => ({
	live: null,
	queue: null,
	mirror,
	origin: null,
	snapshot: null,
	version: 0,
	seen: { ...NOTHING_SEEN },
});

export const Physics: WorldPart<PhysicsState> = {
	name: 'physics',
	scope: 'state',
	load: loadPhysics,
	create: () => emptyState(createMirror()),
	version: ({ version }) => version,
	clone(state) {
		state.mirror.shared = true;
		return {
			live: null,
			queue: null,
			mirror: state.mirror,
			origin: snapshotOf(state)?.share() ?? null,
			snapshot: null,
			version: state.version,
			seen: { ...state.seen },
		};
	},
	// A snapshot takes as long as a tick: only a tick that may well fail, or one before which forks want it, pays for it.
	keep(state, mayFail) {
		if (state.live === null || state.snapshot?.shared || mayFail()) return Physics.clone(state);
		return { ...emptyState(lostMirror(state.mirror)), version: state.version + 1 };
	},
	requireTick(state, world) {
		requireFewPairs(state, world);
		requireFewTriangles(world);
	},
	digest: ({ mirror: { awake, tuning } }) => {
		const bits = new Uint8Array(awake.slice(0, lastWord(awake)).buffer);
		return isUsual(tuning) ? bits : Uint8Array.of(...bits, ...numbersOf(tuning));
	},
	encode(state) {
		const writer = new ByteWriter();
		// A library world without bodies still remembers in which order it hands out their places.
		const snapshot = snapshotOf(state)?.look() ?? new Uint8Array(0);
		const { count, tuning, lost, grounds } = state.mirror;
		const slots = groundSlots(state.mirror);
		writer.text(
			canonicalJson({
				version: setup(),
				count,
				tuning,
				lost: lost !== null,
				...(slots.length === 0 ? {} : { grounds: slots }),
			}),
		);
		for (const name of MIRROR_ARRAYS) writer.array(savedRows(state.mirror, name) as Uint8Array);
		writer.array(snapshot);
		if (lost !== null) writer.array(lost.kind).array(lost.generation).array(lost.awake);
		for (const slot of slots) writer.array(grounds.get(slot)!.handles).array(grounds.get(slot)!.prints);
		if (slots.length > 0) writer.array(tileNumbers(state.mirror));
		return writer.end();
	},
	decode(bytes, world) {
		const reader = new ByteReader(bytes);
		const fresh = Physics.create(world);
		const header = JSON.parse(reader.text()) as {
			version: string;
			count: number;
			tuning: Mirror['tuning'];
			lost?: boolean;
			grounds?: readonly number[];
		};
		const { version, count, tuning, lost } = header;
		// Another version of the library, or bodies made in another way, may behave otherwise: rebuilt from the columns.
		if (version !== setup()) return fresh;
		const mirror = createMirror();
		for (const name of MIRROR_ARRAYS)
			(mirror as unknown as Record<string, unknown>)[name] = reader.array(mirror[name].constructor as never);
		mirror.count = count;
		mirror.tuning = tuning;
		const snapshot = reader.array(Uint8Array);
		if (lost === true)
			mirror.lost = {
				kind: reader.array(Uint8Array),
				generation: reader.array(Uint32Array),
				awake: reader.array(Uint32Array),
			};
		// Grounds were one collider each once: what has them so is rebuilt.
		if (header.grounds === undefined && mirror.shape.includes(GROUND)) return fresh;
		for (const slot of header.grounds ?? [])
			setGround(mirror, slot, {
				handles: reader.array(Float64Array),
				prints: reader.array(Uint32Array),
			});
		if (header.grounds !== undefined) setTileNumbers(mirror, reader.array(Float64Array));
		checkMirror(mirror, lost === true);
		if (mirror.lost !== null) return { ...fresh, mirror };
		if (snapshot.length === 0) return fresh;
		return { ...fresh, mirror, origin: LazySnapshot.of(snapshot).share() };
	},
	weigh(state, tell) {
		for (const name of MIRROR_ARRAYS) tell(state.mirror[name], state.mirror[name].byteLength);
		for (const { handles, prints } of state.mirror.grounds.values())
			tell(handles, handles.byteLength + prints.byteLength);
		if (state.live !== null) tell(state.live, libraryWorlds.weightOf(state));
		for (const snapshot of [state.origin, state.snapshot])
			if (snapshot !== null) tell(snapshot, snapshot.weight);
	},
	nextTickBytes: ({ live, mirror }) => (live === null ? BODY_BYTES * mirror.count : 0),
	dispose(state) {
		settleSnapshot(state);
		state.origin?.release();
		state.origin = null;
		leaveLibrary(state);
	},
};

function isUsual(tuning: Mirror['tuning']): boolean {
	const usual = DEFAULT_TUNING.physics;
	return tuning === usual || canonicalJson(tuning) === canonicalJson(usual);
}

function numbersOf({ gravity, restitution, friction }: Mirror['tuning']): Uint8Array {
	return new Uint8Array(Float64Array.of(...gravity, restitution, friction).map((part) => part + 0).buffer);
}

function lastWord(words: Uint32Array): number {
	let length = words.length;
	while (length > 0 && words[length - 1] === 0) length--;
	return length;
}

/** Returns the snapshot of a state, for those that continue from it; null if it never had a library world. */
function snapshotOf(state: PhysicsState): LazySnapshot | null {
	const { live } = state;
	if (live === null) return state.origin;
	state.snapshot ??= new LazySnapshot(() => live.takeSnapshot());
	return state.snapshot;
}

/** Before the library's world moves on or ends: the snapshot that others need is taken, if any do. */
function settleSnapshot(state: PhysicsState): void {
	state.snapshot?.settle();
	state.snapshot = null;
}

function leaveLibrary(state: PhysicsState): void {
	libraryWorlds.drop(state);
	state.live?.free();
	state.queue?.free();
	state.live = null;
	state.queue = null;
}

/** Puts the library's world to rest as a snapshot, until the next step. */
function rest(state: PhysicsState): void {
	state.origin = snapshotOf(state)!.share();
	settleSnapshot(state);
	leaveLibrary(state);
}

/**
 * Returns the library's world, ready to be changed: restored or made when there is none. `bodies` and `points` of
 * terrains are how many it will have.
 */
export function livePhysics(state: PhysicsState, bodies: number, points: number): RapierWorld {
	requirePhysics();
	settleSnapshot(state);
	state.version++;
	if (state.mirror.shared) state.mirror = cloneMirror(state.mirror);
	const snapshot = state.origin?.read();
	const estimate = Math.max(libraryWorlds.weightOf(state), LIVE_BYTES * (snapshot?.length ?? 0));
	libraryWorlds.use(state, Math.max(estimate, BODY_BYTES * bodies + POINT_BYTES * points));
	if (state.live === null) {
		state.live = snapshot === undefined ? new RAPIER.World({ x: 0, y: 0, z: 0 }) : restoredWorld(snapshot);
		state.queue = new RAPIER.EventQueue(true);
		state.origin?.release();
		state.origin = null;
	}
	return state.live;
}

/** The library answers a snapshot that it cannot read with nothing. */
function restoredWorld(snapshot: Uint8Array): RapierWorld {
	const restored = RAPIER.World.restoreSnapshot(snapshot) as RapierWorld | null;
	if (restored === null) throw new RangeError("the physics library's own part is damaged");
	return restored;
}

/** Forgets a library world that failed; the next step builds one from the columns, with the same bodies awake. */
export function rebuildPhysics(state: PhysicsState): void {
	const mirror = lostMirror(state.mirror);
	abandonPhysics(state);
	state.mirror = mirror;
}

/** Forgets a library world that failed, and all that was known of its bodies. It is not freed: it may hang on to anything. */
export function abandonPhysics(state: PhysicsState): void {
	libraryWorlds.drop(state);
	state.version++;
	state.live = null;
	state.queue = null;
	state.origin = null;
	state.snapshot = null;
	state.mirror = createMirror();
	state.seen = { ...NOTHING_SEEN };
}
