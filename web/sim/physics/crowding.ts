/**
 * Limits how many bodies may overlap deeply. Each deep overlap costs the solver about 50 microseconds. A thousand bodies
 * on one point would stop it for minutes.
 * Owns: the number of deeply overlapping pairs with a Dynamic body. It is counted on demand, and then updated in a grid
 * while single bodies are added or moved.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Vector } from '../core/math/vector.ts';
import { count, each, has, read, versionOf, type World } from '../core/world.ts';
import {
	type Box,
	buildBoxTree,
	type ComparisonCount,
	visitPairsAcross,
	visitPairsWithin,
} from './box-tree.ts';
import { type ColliderValues, colliderAt, halfExtent, isSurface } from './geometry.ts';
import { boxAround, DEEP_SHARE, overlapDeeply, type PlacedShape, placeShape } from './overlap.ts';

/** Maximum number of Dynamic bodies on one point. */
export const MAX_CROWD = 200;
/**
 * Maximum number of deeply overlapping pairs of bodies in a world. With it, a step takes at most about two seconds.
 */
export const MAX_OVERLAPS = (MAX_CROWD * (MAX_CROWD - 1)) / 2;

/** Maximum number of pairs whose boxes overlap. Each of them needs an exact test. */
const MAX_BOX_OVERLAPS = 10_000_000;

const BODY_COMPONENTS = [PhysicsBody, Collider, LocalTransform];
/** Index of Dynamic in the column. The mirror of the library uses other numbers. */
export const DYNAMIC_KIND = wordIndex(PhysicsBody, 'kind', 'Dynamic');

/** Counts of pairs of bodies. At least one body of each pair is Dynamic. */
export interface OverlapCounts {
	/** Pairs whose boxes overlap. */
	boxes: number;
	/** Pairs that overlap deeply themselves. */
	deep: number;
}

/** A body with a collider. */
export interface CrowdBody {
	readonly isDynamic: boolean;
	readonly center: Vector;
	/** Half extents of its bounding box along the axes of the world. */
	readonly boxHalf: Vector;
	/** Computes its shape. */
	solid(): PlacedShape;
}

/** Number of values per body in the arrays of a crowd: centre, half extents of its box, cell. */
const STRIDE = 9;
const NONE = -1;

/** Returns true if the counts exceed a limit. Counting then ends. */
function exceedsCounts({ boxes, deep }: OverlapCounts): boolean {
	return deep > MAX_OVERLAPS || boxes > MAX_BOX_OVERLAPS;
}

function boxesOverlap(a: CrowdBody, b: CrowdBody): boolean {
	return [0, 1, 2].every((axis) => {
		const distance = Math.abs(a.center[axis]! - b.center[axis]!);
		return distance < DEEP_SHARE * (a.boxHalf[axis]! + b.boxHalf[axis]!);
	});
}

/** Counts the overlapping pairs of bodies, up to the limits. Pairs without a Dynamic body are ignored. */
export function countOverlaps(bodies: readonly CrowdBody[], tally?: ComparisonCount): OverlapCounts {
	const pairs: OverlapCounts = { boxes: 0, deep: 0 };
	const dynamicBodies = bodies.filter(({ isDynamic }) => isDynamic);
	const otherBodies = bodies.filter(({ isDynamic }) => !isDynamic);
	const solids = new Map<CrowdBody, PlacedShape>();
	const solidOf = (body: CrowdBody): PlacedShape => {
		const solid = solids.get(body) ?? body.solid();
		solids.set(body, solid);
		return solid;
	};
	const visit = (a: CrowdBody, b: CrowdBody): boolean => {
		if (!boxesOverlap(a, b)) return true;
		pairs.boxes++;
		if (overlapDeeply(solidOf(a), solidOf(b))) pairs.deep++;
		return !exceedsCounts(pairs);
	};
	const tree = buildBoxTree(dynamicBodies.map(boxOf));
	if (!visitPairsWithin(tree, (a, b) => visit(dynamicBodies[a]!, dynamicBodies[b]!), tally)) return pairs;
	visitPairsAcross(
		tree,
		buildBoxTree(otherBodies.map(boxOf)),
		(a, b) => visit(dynamicBodies[a]!, otherBodies[b]!),
		tally,
	);
	return pairs;
}

function boxOf({ center: [x, y, z], boxHalf: [hx, hy, hz] }: CrowdBody): Box {
	return [x - hx, y - hy, z - hz, x + hx, y + hy, z + hz];
}

/**
 * The bodies of a world by slot, and the counts of their overlaps. All bodies are in one hash table of cells. The cells of
 * a body are as large as the body, rounded up to a power of two (Mirtich 1996, hierarchical spatial hash tables).
 */
class Crowd {
	version = -1;
	readonly #pairs: OverlapCounts;
	readonly #solids = new Map<number, () => PlacedShape>();
	/** Number of bodies by level. A level is the exponent of a cell size, which is a power of two. */
	readonly #levels = new Map<number, number>();
	#numbers = new Float64Array(0);
	/** Level of the body of each slot, and 1 for Dynamic bodies. */
	#level = new Int16Array(0);
	#isDynamic = new Uint8Array(0);
	/** First slot of the chain of bodies with a hash, and the next slot in the chain for each slot. */
	#heads = new Int32Array(0);
	#next = new Int32Array(0);

	constructor(slots: number, bodies: ReadonlyMap<number, CrowdBody>) {
		this.#grow(slots);
		this.#pairs = countOverlaps([...bodies.values()]);
		for (const [slot, body] of bodies) this.#insert(slot, body);
	}

	/** True if too many bodies overlap deeply. */
	get hasTooManyOverlaps(): boolean {
		return this.#pairs.deep > MAX_OVERLAPS;
	}

	/**
	 * True if a count exceeds its limit. The counts are then incomplete, and do not decrease correctly.
	 */
	get isFull(): boolean {
		return exceedsCounts(this.#pairs);
	}

	/** Returns true if a body can replace its slot's current body within the limits. */
	hasRoom(body: CrowdBody, slot: number): boolean {
		return !exceedsCounts(replaceCounts(this.#pairs, this.#countsOfSlot(slot), this.#countsOf(body, slot)));
	}

	/** Replaces the body of a slot; null removes it. */
	put(slot: number, body: CrowdBody | null): void {
		if (slot >= this.#level.length) this.#grow(slot + 1);
		if (this.#hasBody(slot)) {
			Object.assign(this.#pairs, replaceCounts(this.#pairs, this.#countsOfSlot(slot), NO_OVERLAPS));
			this.#unlink(slot);
		}
		if (body === null) return;
		if (!this.isFull)
			Object.assign(this.#pairs, replaceCounts(this.#pairs, NO_OVERLAPS, this.#countsOf(body, slot)));
		this.#insert(slot, body);
	}

	#insert(slot: number, body: CrowdBody): void {
		const level = levelOf(body);
		const edge = 2 ** level;
		const start = slot * STRIDE;
		this.#numbers.set(body.center, start);
		this.#numbers.set(body.boxHalf, start + 3);
		for (let i = 0; i < 3; i++) this.#numbers[start + 6 + i] = Math.floor(body.center[i]! / edge);
		this.#level[slot] = level;
		this.#isDynamic[slot] = body.isDynamic ? 1 : 0;
		this.#solids.set(slot, body.solid);
		this.#levels.set(level, (this.#levels.get(level) ?? 0) + 1);
		this.#link(slot);
	}

	#hasBody(slot: number): boolean {
		return this.#solids.has(slot);
	}

	#countsOfSlot(slot: number): OverlapCounts {
		if (!this.#hasBody(slot)) return NO_OVERLAPS;
		const [x = 0, y = 0, z = 0, hx = 0, hy = 0, hz = 0] = this.#numbers.subarray(
			slot * STRIDE,
			slot * STRIDE + 6,
		);
		const solid = this.#solids.get(slot)!;
		return this.#countsOf(
			{ center: [x, y, z], boxHalf: [hx, hy, hz], isDynamic: this.#isDynamic[slot] === 1, solid },
			slot,
		);
	}

	/** Counts the overlaps of one body with all other bodies except that of its own slot. */
	#countsOf(body: CrowdBody, slot: number): OverlapCounts {
		const counts: OverlapCounts = { boxes: 0, deep: 0 };
		let ownShape: PlacedShape | null = null;
		const [x, y, z] = body.center;
		const [hx, hy, hz] = body.boxHalf;
		const numbers = this.#numbers;
		const compare = (other: number): void => {
			const start = other * STRIDE;
			if (Math.abs(numbers[start]! - x) >= DEEP_SHARE * (numbers[start + 3]! + hx)) return;
			if (Math.abs(numbers[start + 1]! - y) >= DEEP_SHARE * (numbers[start + 4]! + hy)) return;
			if (Math.abs(numbers[start + 2]! - z) >= DEEP_SHARE * (numbers[start + 5]! + hz)) return;
			if (other === slot || (!body.isDynamic && this.#isDynamic[other] === 0)) return;
			counts.boxes++;
			ownShape ??= body.solid();
			if (overlapDeeply(ownShape, this.#solids.get(other)!())) counts.deep++;
		};
		for (const [level, population] of this.#levels) {
			const edge = 2 ** level;
			// A body extends at most half an edge beyond its cell.
			const [x0, x1] = [Math.floor((x - hx) / edge - 0.5), Math.floor((x + hx) / edge + 0.5)];
			const [y0, y1] = [Math.floor((y - hy) / edge - 0.5), Math.floor((y + hy) / edge + 0.5)];
			const [z0, z1] = [Math.floor((z - hz) / edge - 0.5), Math.floor((z + hz) / edge + 0.5)];
			if ((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) > population + 64) {
				for (const other of this.#solids.keys()) if (this.#level[other] === level) compare(other);
				continue;
			}
			for (let cx = x0; cx <= x1; cx++)
				for (let cy = y0; cy <= y1; cy++)
					for (let cz = z0; cz <= z1; cz++)
						for (
							let other = this.#heads[this.#hash(level, cx, cy, cz)]!;
							other !== NONE;
							other = this.#next[other]!
						) {
							const cell = other * STRIDE + 6;
							// Bodies of other cells may have the same hash.
							const isInCell = numbers[cell] === cx && numbers[cell + 1] === cy && numbers[cell + 2] === cz;
							if (isInCell && this.#level[other] === level) compare(other);
						}
		}
		return counts;
	}

	#hash(level: number, x: number, y: number, z: number): number {
		const mixed =
			Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791) ^ Math.imul(level, 2654435761);
		return (mixed ^ (mixed >>> 15)) & (this.#heads.length - 1);
	}

	#hashOf(slot: number): number {
		const cell = slot * STRIDE + 6;
		const numbers = this.#numbers;
		return this.#hash(this.#level[slot]!, numbers[cell]!, numbers[cell + 1]!, numbers[cell + 2]!);
	}

	#link(slot: number): void {
		const hash = this.#hashOf(slot);
		this.#next[slot] = this.#heads[hash]!;
		this.#heads[hash] = slot;
	}

	#unlink(slot: number): void {
		const hash = this.#hashOf(slot);
		if (this.#heads[hash] === slot) this.#heads[hash] = this.#next[slot]!;
		else {
			let previous = this.#heads[hash]!;
			while (this.#next[previous] !== slot) previous = this.#next[previous]!;
			this.#next[previous] = this.#next[slot]!;
		}
		const level = this.#level[slot]!;
		this.#levels.set(level, this.#levels.get(level)! - 1);
		this.#solids.delete(slot);
	}

	#grow(slots: number): void {
		let capacity = 64;
		while (capacity < slots) capacity *= 2;
		this.#numbers = copyInto(this.#numbers, new Float64Array(capacity * STRIDE));
		this.#level = copyInto(this.#level, new Int16Array(capacity));
		this.#isDynamic = copyInto(this.#isDynamic, new Uint8Array(capacity));
		this.#next = new Int32Array(capacity);
		this.#heads = new Int32Array(capacity * 2).fill(NONE);
		for (const slot of this.#solids.keys()) this.#link(slot);
	}
}

const NO_OVERLAPS: Readonly<OverlapCounts> = { boxes: 0, deep: 0 };

function replaceCounts(counts: OverlapCounts, removed: OverlapCounts, added: OverlapCounts): OverlapCounts {
	return { boxes: counts.boxes - removed.boxes + added.boxes, deep: counts.deep - removed.deep + added.deep };
}

function copyInto<A extends Float64Array | Int16Array | Uint8Array>(source: A, target: A): A {
	target.set(source);
	return target;
}

/** Returns the exponent of the cell size of a body: the smallest power of two that is at least its extent. */
function levelOf({ boxHalf: [x, y, z] }: CrowdBody): number {
	const extent = 2 * Math.max(x, y, z);
	let level = -10;
	while (2 ** level < extent) level++;
	return level;
}

const crowds = new WeakMap<World, Crowd>();

function crowdVersion(world: World): number {
	return Math.max(
		versionOf(world, PhysicsBody, 'kind'),
		versionOf(world, Collider),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent),
	);
}

/** Returns the cached crowd of a world if it is up to date, for `updateCrowd`; otherwise null. */
export function cachedCrowd(world: World): Crowd | null {
	const cached = crowds.get(world);
	return cached !== undefined && cached.version === crowdVersion(world) ? cached : null;
}

/** Updates a crowd after the body of one slot was added, removed or changed, and no other. */
export function updateCrowd(world: World, crowd: Crowd | null, slot: number): void {
	if (crowd === null) return;
	crowd.put(slot, bodyAt(world, slot));
	if (crowd.isFull) crowds.delete(world);
	crowd.version = crowdVersion(world);
}

function crowdOf(world: World): Crowd {
	const cached = cachedCrowd(world);
	if (cached !== null) return cached;
	const bodies = new Map<number, CrowdBody>();
	each(world, BODY_COMPONENTS, (slot) => {
		const body = bodyAt(world, slot);
		if (body !== null) bodies.set(slot, body);
	});
	const crowd = new Crowd(world.entities.used, bodies);
	crowd.version = crowdVersion(world);
	crowds.set(world, crowd);
	return crowd;
}

/** Returns the body of a slot; null if it has no body with a volume, or is a child of another entity. */
function bodyAt(world: World, slot: number): CrowdBody | null {
	if (!BODY_COMPONENTS.every((component) => has(world, slot, component)) || has(world, slot, Parent))
		return null;
	const collider = colliderAt(world, slot);
	// Nothing can be inside a surface.
	if (isSurface(collider.shape)) return null;
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	return bodyOf(
		world,
		{
			...collider,
			position: [position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!],
			rotation: [
				rotation[slot * 4]!,
				rotation[slot * 4 + 1]!,
				rotation[slot * 4 + 2]!,
				rotation[slot * 4 + 3]!,
			],
		},
		read(world, PhysicsBody, 'kind')[slot] === DYNAMIC_KIND,
	);
}

function bodyOf(
	world: World,
	{ position, rotation, ...collider }: PlacedCollider,
	isDynamic: boolean,
): CrowdBody {
	const { shape } = collider;
	const half = halfExtent(world, collider);
	return {
		isDynamic,
		center: position,
		boxHalf: boxAround(shape, half, rotation),
		solid: () => placeShape(shape, half, position, rotation),
	};
}

/** Collider with the pose at which a body is to be added. */
export interface PlacedCollider extends ColliderValues {
	readonly position: readonly [number, number, number];
	readonly rotation: readonly [number, number, number, number];
}

/** Returns true if a Dynamic body can be added within the limits, or replace the current body of `slot`. */
export function hasRoom(world: World, collider: PlacedCollider, slot = NONE): boolean {
	// With fewer bodies, the number of pairs cannot exceed the limit.
	const bodies = count(world, PhysicsBody) + 1;
	if ((bodies * (bodies - 1)) / 2 <= MAX_OVERLAPS) return true;
	// Rounded as the column stores it, so that later counts are equal.
	const position = collider.position.map(Math.fround) as [number, number, number];
	return crowdOf(world).hasRoom(bodyOf(world, { ...collider, position }, true), slot);
}

/** Throws `too_crowded` if a Dynamic body cannot be added within the limits. */
export function requireRoom(world: World, collider: PlacedCollider, slot?: number): void {
	if (hasRoom(world, collider, slot)) return;
	throw new ApiError(
		'too_crowded',
		`Too many bodies overlap at [${collider.position.join(', ')}]. At most ${MAX_OVERLAPS} pairs of bodies may overlap deeply, and the bounding boxes of at most ${MAX_BOX_OVERLAPS / 1e6} million pairs may overlap.`,
	);
}

/** Throws `too_crowded` if too many bodies overlap deeply. */
export function requireFewOverlaps(world: World): void {
	if (count(world, PhysicsBody) <= MAX_CROWD || !crowdOf(world).hasTooManyOverlaps) return;
	throw new ApiError(
		'too_crowded',
		`More than ${MAX_OVERLAPS} pairs of bodies overlap deeply, which is too many for a step.`,
		{ fix: 'Move the overlapping bodies apart, or despawn some of them.' },
	);
}
