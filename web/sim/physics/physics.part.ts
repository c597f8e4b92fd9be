/**
 * The physics world as a part of a world.
 * Owns: the library's world and when it is copied. A fork starts from a snapshot that is taken at most once
 * for all forks of the same moment: when the first of them steps, or just before the parent moves on.
 */

import type { EventQueue, World as RapierWorld } from '@dimforge/rapier3d-compat';
import { DEFAULT_TUNING } from '../../../shared/documents/tuning.ts';
import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Part } from '../core/part.ts';
import { cloneMirror, createMirror, MIRROR_ARRAYS, type Mirror } from './mirror.ts';
import { RAPIER } from './rapier.ts';

/** A moment of a physics world that forks may start from. */
interface Moment {
	bytes: Uint8Array | null;
	/** The world that is still at this moment, as long as `bytes` was not taken. */
	source: RapierWorld | null;
	/** Forks that have yet to start from here. */
	waiting: number;
}

export interface PhysicsState {
	live: RapierWorld | null;
	queue: EventQueue | null;
	mirror: Mirror;
	/** Where `live` will be restored from when it is first needed. */
	origin: Moment | null;
	/** What forks taken since the last step start from. */
	moment: Moment | null;
	/** Versions of the columns at the end of the last step. */
	readonly seen: Map<string, number>;
}

export const Physics: Part<PhysicsState> = {
	name: 'physics',
	scope: 'state',
	create: () => ({
		live: null,
		queue: null,
		mirror: createMirror(),
		origin: null,
		moment: null,
		seen: new Map(),
	}),
	clone(state) {
		state.mirror.shared = true;
		let origin = state.origin;
		if (state.live !== null) {
			state.moment ??= { bytes: null, source: state.live, waiting: 0 };
			origin = state.moment;
		}
		if (origin !== null) origin.waiting++;
		return {
			live: null,
			queue: null,
			mirror: state.mirror,
			origin,
			moment: null,
			seen: new Map(state.seen),
		};
	},
	digest: ({ mirror: { awake, tuning } }) => {
		const bits = new Uint8Array(awake.slice(0, lastWord(awake)).buffer);
		return isUsual(tuning) ? bits : Uint8Array.of(...bits, ...numbersOf(tuning));
	},
	encode(state) {
		const writer = new ByteWriter();
		// A library world without bodies still remembers in which order it hands out their places.
		const snapshot = state.live === null && state.origin === null ? new Uint8Array(0) : bytesOf(state);
		const { count, tuning } = state.mirror;
		writer.text(JSON.stringify({ version: RAPIER.version(), count, tuning }));
		for (const name of MIRROR_ARRAYS) writer.array(state.mirror[name] as Uint8Array);
		writer.array(snapshot);
		return writer.end();
	},
	decode(bytes, world) {
		const reader = new ByteReader(bytes);
		const fresh = Physics.create(world);
		const { version, count, tuning } = JSON.parse(reader.text()) as {
			version: string;
			count: number;
			tuning: Mirror['tuning'];
		};
		// Another version of the library may behave otherwise: its world is then built anew from the columns.
		if (version !== RAPIER.version()) return fresh;
		const mirror = createMirror();
		for (const name of MIRROR_ARRAYS)
			(mirror as unknown as Record<string, unknown>)[name] = reader.array(mirror[name].constructor as never);
		mirror.count = count;
		mirror.tuning = tuning;
		const snapshot = reader.array(Uint8Array);
		if (snapshot.length === 0) return fresh;
		return { ...fresh, mirror, origin: { bytes: snapshot, source: null, waiting: 1 } };
	},
	dispose(state) {
		settleMoment(state);
		if (state.origin !== null) state.origin.waiting--;
		state.live?.free();
		state.queue?.free();
		state.live = null;
		state.queue = null;
	},
};

function isUsual(tuning: Mirror['tuning']): boolean {
	const usual = DEFAULT_TUNING.physics;
	return tuning === usual || canonicalJson(tuning) === canonicalJson(usual);
}

function numbersOf({ gravity, restitution, friction }: Mirror['tuning']): Uint8Array {
	return new Uint8Array(Float64Array.of(...gravity, restitution, friction).buffer);
}

function lastWord(words: Uint32Array): number {
	let length = words.length;
	while (length > 0 && words[length - 1] === 0) length--;
	return length;
}

function bytesOf(state: PhysicsState): Uint8Array {
	if (state.live !== null) return state.live.takeSnapshot();
	return takeMoment(state.origin!);
}

function takeMoment(moment: Moment): Uint8Array {
	moment.bytes ??= moment.source!.takeSnapshot();
	moment.source = null;
	return moment.bytes;
}

/** Before the library's world moves on: takes the snapshot that waiting forks need, if any wait. */
function settleMoment(state: PhysicsState): void {
	if (state.moment !== null && state.moment.waiting > 0) takeMoment(state.moment);
	state.moment = null;
}

/** The library's world, ready to be changed: restored or made when there is none yet. */
export function livePhysics(state: PhysicsState): RapierWorld {
	settleMoment(state);
	if (state.mirror.shared) state.mirror = cloneMirror(state.mirror);
	if (state.live === null) {
		if (state.origin === null) state.live = new RAPIER.World({ x: 0, y: 0, z: 0 });
		else {
			state.live = RAPIER.World.restoreSnapshot(takeMoment(state.origin));
			state.origin.waiting--;
			state.origin = null;
		}
		state.queue = new RAPIER.EventQueue(true);
	}
	return state.live;
}

/** Forgets a library world that failed; the next step builds one from the columns. */
export function abandonPhysics(state: PhysicsState): void {
	state.live = null;
	state.queue = null;
	state.origin = null;
	state.moment = null;
	state.mirror = createMirror();
	state.seen.clear();
}
