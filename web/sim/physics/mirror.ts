/**
 * The state of each entity that the physics library received last, so that only changes are passed on.
 * Owns: the arrays by slot. They are copied with `cloneMirror` before a fork changes them.
 */

import { DEFAULT_TUNING, type TuningDocument, tuningChange } from '../../../shared/documents/tuning.ts';
import { hasBit } from '../core/bits.ts';
import { HASH_WORDS } from '../terrain/tiles.ts';

/** Kind of body in the library; 0 for no body. */
export const NONE = 0;
export const DYNAMIC = 1;
export const KINEMATIC = 2;
export const FIXED = 3;

/** Value of `shape` for the ground of a terrain. */
export const GROUND = 255;

export interface Mirror {
	/** True if another world reads the same arrays. */
	isShared: boolean;
	/** Number of bodies in the library. */
	count: number;
	kind: Uint8Array;
	generation: Uint32Array;
	/** Collider shape + 1, GROUND, or 0 without a collider. */
	shape: Uint8Array;
	/** Size of the collider, or the number of points of a ground along x and z. */
	size: Float32Array;
	/** Handle of the body. */
	body: Float64Array;
	/** Handle of the collider. Grounds have the handles of their tiles in `grounds`. */
	collider: Float64Array;
	position: Float32Array;
	rotation: Float32Array;
	linear: Float32Array;
	angular: Float32Array;
	/** Gravity and the surfaces of all colliders in the last step. */
	tuning: TuningDocument['physics'];
	/** Slots whose body moved in the last step, as bits. */
	awake: Uint32Array;
	/** Bodies at the time when the library's world was lost; null unless it must be rebuilt. */
	lost: LostBodies | null;
	/** Slot by the library's body index and collider index. */
	slotOfBody: Int32Array;
	slotOfCollider: Int32Array;
	/** Colliders of grounds by slot. The map is replaced, never changed in place. */
	grounds: ReadonlyMap<number, GroundColliders>;
	/** Number of tiles of a ground that a body touches: see ground-touches.ts. */
	tiles: Map<number, number>;
}

/** Colliders of a ground, one for each tile. Never changed in place, so mirrors share them. */
export interface GroundColliders {
	readonly handles: Float64Array;
	/** Hashes of each tile's heights. */
	readonly hashes: Uint32Array;
}

/** Bodies of a lost library world by slot, and the set of awake ones. */
export interface LostBodies {
	readonly kind: Uint8Array;
	readonly generation: Uint32Array;
	readonly awake: Uint32Array;
}

const ARRAYS = [
	'kind',
	'generation',
	'shape',
	'size',
	'body',
	'collider',
	'position',
	'rotation',
	'linear',
	'angular',
	'awake',
	'slotOfBody',
	'slotOfCollider',
] as const;

export type MirrorArray = (typeof ARRAYS)[number];
export const MIRROR_ARRAYS: readonly MirrorArray[] = ARRAYS;

export function createMirror(slots = 0): Mirror {
	return {
		isShared: false,
		count: 0,
		tuning: DEFAULT_TUNING.physics,
		kind: new Uint8Array(slots),
		generation: new Uint32Array(slots),
		shape: new Uint8Array(slots),
		size: new Float32Array(slots * 3),
		body: new Float64Array(slots),
		collider: new Float64Array(slots),
		position: new Float32Array(slots * 3),
		rotation: new Float32Array(slots * 4),
		linear: new Float32Array(slots * 3),
		angular: new Float32Array(slots * 3),
		awake: new Uint32Array(Math.ceil(slots / 32)),
		lost: null,
		slotOfBody: new Int32Array(slots).fill(-1),
		slotOfCollider: new Int32Array(slots).fill(-1),
		grounds: new Map(),
		tiles: new Map(),
	};
}

export function cloneMirror(mirror: Mirror): Mirror {
	const copy = { ...mirror, isShared: false, tiles: new Map(mirror.tiles) };
	for (const name of ARRAYS) (copy as Record<MirrorArray, unknown>)[name] = mirror[name].slice();
	return copy;
}

/** Enlarges the arrays to a number of slots. */
export function growMirror(mirror: Mirror, slots: number): void {
	if (mirror.kind.length >= slots) return;
	const grown = createMirror(slots);
	for (const name of ARRAYS) (grown[name] as Float32Array).set(mirror[name] as Float32Array);
	const { count, tuning, lost, grounds, tiles } = mirror;
	Object.assign(mirror, grown, { count, tuning, lost, grounds, tiles, isShared: false });
}

/** Returns the handles of all colliders of a slot that has a body. */
export function collidersOf({ shape, collider, grounds }: Mirror, slot: number): Iterable<number> {
	if (shape[slot] === GROUND) return grounds.get(slot)!.handles;
	return shape[slot] === 0 ? [] : [collider[slot]!];
}

/** Sets the colliders of a ground; null removes them. */
export function setGround(mirror: Mirror, slot: number, colliders: GroundColliders | null): void {
	const grounds = new Map(mirror.grounds);
	if (colliders === null) grounds.delete(slot);
	else grounds.set(slot, colliders);
	mirror.grounds = grounds;
}

/** Returns the slots of grounds, ascending. */
export const groundSlots = ({ grounds }: Mirror): number[] => [...grounds.keys()].sort((a, b) => a - b);

/** Returns a mirror for a library world that must be rebuilt with the same bodies awake. */
export function lostMirror({ kind, generation, awake, lost, tuning }: Mirror): Mirror {
	return {
		...createMirror(),
		awake: awake.slice(),
		tuning,
		lost: lost ?? { kind: kind.slice(), generation: generation.slice(), awake: awake.slice() },
	};
}

/** Returns true if the body of a slot was asleep when the library's world was lost. */
export function wasAsleep({ lost }: Mirror, slot: number, generation: number): boolean {
	if (lost === null || lost.generation[slot] !== generation || hasBit(lost.awake, slot)) return false;
	return lost.kind[slot] === DYNAMIC || lost.kind[slot] === KINEMATIC;
}

/**
 * Returns a mirror array for saving. Rows that are not read, such as those of slots without a body, are set to 0, and -0
 * becomes 0.
 */
export function rowsToSave(mirror: Mirror, name: MirrorArray): Mirror[MirrorArray] {
	const rows = mirror[name].slice();
	const slots = mirror.kind.length;
	if (slots === 0 || name === 'slotOfBody' || name === 'slotOfCollider' || name === 'awake') return rows;
	const stride = rows.length / slots;
	const isVelocity = name === 'linear' || name === 'angular';
	for (let slot = 0; slot < slots; slot++) {
		const [kind, shape] = [mirror.kind[slot], mirror.shape[slot]];
		const hasNoCollider = (name === 'size' || name === 'collider') && shape === 0;
		const hasTiles = name === 'collider' && shape === GROUND;
		const isUsed = kind !== NONE && !(isVelocity && kind === FIXED) && !hasNoCollider && !hasTiles;
		if (!isUsed) rows.fill(0, slot * stride, (slot + 1) * stride);
	}
	if (rows instanceof Float32Array) for (let i = 0; i < rows.length; i++) rows[i] = rows[i]! + 0;
	return rows;
}

/**
 * Throws a RangeError if a loaded mirror is inconsistent. `isLost` is true for a mirror of a library world that must be
 * rebuilt.
 */
export function checkMirror(mirror: Mirror, isLost: boolean): void {
	const slots = mirror.kind.length;
	const fresh = createMirror(slots);
	for (const name of ARRAYS) {
		const isBySlot = name !== 'slotOfBody' && name !== 'slotOfCollider' && !(isLost && name === 'awake');
		if (isBySlot && mirror[name].length !== fresh[name].length)
			throw new RangeError(`physics has ${mirror[name].length} numbers of "${name}" for ${slots} slots`);
	}
	for (const name of ['size', 'position', 'rotation', 'linear', 'angular'] as const)
		if (!mirror[name].every(Number.isFinite)) throw new RangeError(`"${name}" of physics is not a number`);
	if (mirror.count !== mirror.kind.reduce((sum, kind) => sum + Number(kind !== NONE), 0))
		throw new RangeError(`physics does not have the ${mirror.count} bodies that it lists`);
	for (const name of ['slotOfBody', 'slotOfCollider'] as const)
		if (mirror[name].some((slot) => slot < -1 || slot >= slots))
			throw new RangeError(`"${name}" of physics has invalid slots`);
	for (let slot = 0; slot < slots; slot++) {
		const ground = mirror.grounds.get(slot);
		if ((ground !== undefined) !== (mirror.kind[slot] !== NONE && mirror.shape[slot] === GROUND))
			throw new RangeError('physics does not have the grounds that it lists');
		if (ground !== undefined && ground.hashes.length !== ground.handles.length * HASH_WORDS)
			throw new RangeError('physics does not have the ground tiles that it lists');
	}
	const parsed = tuningChange.safeParse({ physics: mirror.tuning });
	if (!parsed.success) throw new RangeError('the tuning values of physics are not valid');
}

const handleBits = new Float64Array(1);
const handleWords = new Uint32Array(handleBits.buffer);

/** Returns the index in a handle of the library, which has an index and a generation in the bits of a float. */
export function indexOfHandle(handle: number): number {
	handleBits[0] = handle;
	return handleWords[0]!;
}

/** Sets the entry of an index. Returns the list, or a longer copy if it is too short. */
export function setSlot(list: Int32Array, index: number, slot: number): Int32Array {
	let result = list;
	if (index >= list.length) {
		result = new Int32Array(Math.max(64, index + 1, list.length * 2)).fill(-1);
		result.set(list);
	}
	result[index] = slot;
	return result;
}
