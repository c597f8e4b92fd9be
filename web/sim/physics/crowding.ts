/**
 * Keeps bodies from being heaped into each other: the solver works on every pair that overlaps, deep overlaps cost it
 * some 50 microseconds each, and a thousand bodies on one point, or a dense lattice of them, stop it for minutes.
 * Owns: how many pairs of bodies of which one is Dynamic lie in each other. Counted when asked, and kept up in a grid
 * while bodies come or are put elsewhere one by one.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Vector } from '../core/math/vector.ts';
import { count, each, has, read, versionOf, type World } from '../core/world.ts';
import { type Box, boxTree, pairsAcross, pairsWithin, type Tally } from './box-tree.ts';
import { colliderAt, extent, isSurface, type Shaped } from './geometry.ts';
import { boxAround, DEEP, overlapDeeply, type Solid, solid } from './overlap.ts';

/** Most Dynamic bodies that may lie on one point. */
export const MAX_CROWD = 200;
/**
 * Maximum number of pairs of bodies in a world that may lie in each other, so that a step takes a second or two and
 * no more.
 */
export const MAX_OVERLAPS = (MAX_CROWD * (MAX_CROWD - 1)) / 2;

/** Maximum number of pairs that are tried for it, since their boxes meet. */
const MAX_TRIED = 10_000_000;

const BODY = [PhysicsBody, Collider, LocalTransform];
/** Index of Dynamic in the columns; the mirror of the library has numbers of its own. */
export const DYNAMIC_KIND = wordIndex(PhysicsBody, 'kind', 'Dynamic');

/** Counts of pairs of bodies of which one is Dynamic. */
export interface Pairs {
	/** Their boxes lie in each other. */
	tried: number;
	/** They do so themselves. */
	deep: number;
}

/** A body with a collider. */
export interface Body {
	readonly dynamic: boolean;
	readonly center: Vector;
	/** Half extents of the box around it along the axes of the world. */
	readonly around: Vector;
	/** Returns all of its shape, when it is asked for. */
	solid(): Solid;
}

/** Numbers of a body in the arrays of a crowd: center, box around it, cell. */
const STRIDE = 9;
const NONE = -1;

/** Returns true if the pairs are too many to count further. */
function isFull({ tried, deep }: Pairs): boolean {
	return deep > MAX_OVERLAPS || tried > MAX_TRIED;
}

function boxesLieInEachOther(a: Body, b: Body): boolean {
	return [0, 1, 2].every((axis) => {
		const apart = Math.abs(a.center[axis]! - b.center[axis]!);
		return apart < DEEP * (a.around[axis]! + b.around[axis]!);
	});
}

/** Returns the pairs of some bodies, until there are too many. Of those of which none is Dynamic none is looked at. */
export function pairsOf(bodies: readonly Body[], tally?: Tally): Pairs {
	const pairs: Pairs = { tried: 0, deep: 0 };
	const moving = bodies.filter(({ dynamic }) => dynamic);
	const fixed = bodies.filter(({ dynamic }) => !dynamic);
	const solids = new Map<Body, Solid>();
	const solidOf = (body: Body): Solid => {
		const solid = solids.get(body) ?? body.solid();
		solids.set(body, solid);
		return solid;
	};
	const visit = (a: Body, b: Body): boolean => {
		if (!boxesLieInEachOther(a, b)) return true;
		pairs.tried++;
		if (overlapDeeply(solidOf(a), solidOf(b))) pairs.deep++;
		return !isFull(pairs);
	};
	const tree = boxTree(moving.map(boxOf));
	if (!pairsWithin(tree, (a, b) => visit(moving[a]!, moving[b]!), tally)) return pairs;
	pairsAcross(tree, boxTree(fixed.map(boxOf)), (a, b) => visit(moving[a]!, fixed[b]!), tally);
	return pairs;
}

function boxOf({ center: [x, y, z], around: [hx, hy, hz] }: Body): Box {
	return [x - hx, y - hy, z - hz, x + hx, y + hy, z + hz];
}

/**
 * The bodies of a world by their slots, and how many of them lie in each other. They are in one hash table of cells; the
 * cells of a body are as large as itself, up to a power of two (Mirtich 1996, hierarchical spatial hash tables).
 */
class Crowd {
	version = -1;
	readonly #pairs: Pairs;
	readonly #solids = new Map<number, () => Solid>();
	/** Number of bodies with cells of each size, as a power of two. */
	readonly #levels = new Map<number, number>();
	#numbers = new Float64Array(0);
	/** Power of two of its cells, or NONE where a slot has no body; and whether it is Dynamic. */
	#level = new Int16Array(0);
	#dynamic = new Uint8Array(0);
	/** First slot of a chain of cells with the same hash, and the next of each. */
	#heads = new Int32Array(0);
	#next = new Int32Array(0);

	constructor(slots: number, bodies: ReadonlyMap<number, Body>) {
		this.#makeRoom(slots);
		this.#pairs = pairsOf([...bodies.values()]);
		for (const [slot, body] of bodies) this.#insert(slot, body);
	}

	/** True if too many overlap. */
	get heaped(): boolean {
		return this.#pairs.deep > MAX_OVERLAPS;
	}

	/**
	 * True if there are too many already: they are not counted further, and the count does not fall when bodies leave.
	 */
	get full(): boolean {
		return isFull(this.#pairs);
	}

	/** Returns true if a body fits in place of its slot's current one. */
	hasRoom(body: Body, slot: number): boolean {
		return !isFull(changed(this.#pairs, this.#ofSlot(slot), this.#pairsOf(body, slot)));
	}

	/** Puts a body in, in place of the one that its slot had; null takes that away. */
	put(slot: number, body: Body | null): void {
		if (slot >= this.#level.length) this.#makeRoom(slot + 1);
		if (this.#hasBody(slot)) {
			Object.assign(this.#pairs, changed(this.#pairs, this.#ofSlot(slot), NO_PAIRS));
			this.#unlink(slot);
		}
		if (body === null) return;
		if (!this.full) Object.assign(this.#pairs, changed(this.#pairs, NO_PAIRS, this.#pairsOf(body, slot)));
		this.#insert(slot, body);
	}

	#insert(slot: number, body: Body): void {
		const level = levelOf(body);
		const edge = 2 ** level;
		const at = slot * STRIDE;
		this.#numbers.set(body.center, at);
		this.#numbers.set(body.around, at + 3);
		for (let i = 0; i < 3; i++) this.#numbers[at + 6 + i] = Math.floor(body.center[i]! / edge);
		this.#level[slot] = level;
		this.#dynamic[slot] = body.dynamic ? 1 : 0;
		this.#solids.set(slot, body.solid);
		this.#levels.set(level, (this.#levels.get(level) ?? 0) + 1);
		this.#link(slot);
	}

	#hasBody(slot: number): boolean {
		return this.#solids.has(slot);
	}

	#ofSlot(slot: number): Pairs {
		if (!this.#hasBody(slot)) return NO_PAIRS;
		const [x = 0, y = 0, z = 0, hx = 0, hy = 0, hz = 0] = this.#numbers.subarray(
			slot * STRIDE,
			slot * STRIDE + 6,
		);
		const solid = this.#solids.get(slot)!;
		return this.#pairsOf(
			{ center: [x, y, z], around: [hx, hy, hz], dynamic: this.#dynamic[slot] === 1, solid },
			slot,
		);
	}

	/** Returns the pairs of one body with the others, that of its own slot excepted. */
	#pairsOf(body: Body, slot: number): Pairs {
		const found: Pairs = { tried: 0, deep: 0 };
		let own: Solid | null = null;
		const [x, y, z] = body.center;
		const [hx, hy, hz] = body.around;
		const numbers = this.#numbers;
		const look = (other: number): void => {
			const at = other * STRIDE;
			if (Math.abs(numbers[at]! - x) >= DEEP * (numbers[at + 3]! + hx)) return;
			if (Math.abs(numbers[at + 1]! - y) >= DEEP * (numbers[at + 4]! + hy)) return;
			if (Math.abs(numbers[at + 2]! - z) >= DEEP * (numbers[at + 5]! + hz)) return;
			if (other === slot || (!body.dynamic && this.#dynamic[other] === 0)) return;
			found.tried++;
			own ??= body.solid();
			if (overlapDeeply(own, this.#solids.get(other)!())) found.deep++;
		};
		for (const [level, population] of this.#levels) {
			const edge = 2 ** level;
			// A body in a cell reaches at most half an edge out of it.
			const [x0, x1] = [Math.floor((x - hx) / edge - 0.5), Math.floor((x + hx) / edge + 0.5)];
			const [y0, y1] = [Math.floor((y - hy) / edge - 0.5), Math.floor((y + hy) / edge + 0.5)];
			const [z0, z1] = [Math.floor((z - hz) / edge - 0.5), Math.floor((z + hz) / edge + 0.5)];
			if ((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) > population + 64) {
				for (const other of this.#solids.keys()) if (this.#level[other] === level) look(other);
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
							const at = other * STRIDE + 6;
							// Others may have the same hash.
							const here = numbers[at] === cx && numbers[at + 1] === cy && numbers[at + 2] === cz;
							if (here && this.#level[other] === level) look(other);
						}
		}
		return found;
	}

	#hash(level: number, x: number, y: number, z: number): number {
		const mixed =
			Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791) ^ Math.imul(level, 2654435761);
		return (mixed ^ (mixed >>> 15)) & (this.#heads.length - 1);
	}

	#hashOf(slot: number): number {
		const at = slot * STRIDE + 6;
		return this.#hash(this.#level[slot]!, this.#numbers[at]!, this.#numbers[at + 1]!, this.#numbers[at + 2]!);
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
			let before = this.#heads[hash]!;
			while (this.#next[before] !== slot) before = this.#next[before]!;
			this.#next[before] = this.#next[slot]!;
		}
		const level = this.#level[slot]!;
		this.#levels.set(level, this.#levels.get(level)! - 1);
		this.#solids.delete(slot);
	}

	#makeRoom(slots: number): void {
		let room = 64;
		while (room < slots) room *= 2;
		this.#numbers = grown(this.#numbers, new Float64Array(room * STRIDE));
		this.#level = grown(this.#level, new Int16Array(room));
		this.#dynamic = grown(this.#dynamic, new Uint8Array(room));
		this.#next = new Int32Array(room);
		this.#heads = new Int32Array(room * 2).fill(NONE);
		for (const slot of this.#solids.keys()) this.#link(slot);
	}
}

const NO_PAIRS: Readonly<Pairs> = { tried: 0, deep: 0 };

function changed(now: Pairs, less: Pairs, more: Pairs): Pairs {
	return { tried: now.tried - less.tried + more.tried, deep: now.deep - less.deep + more.deep };
}

function grown<A extends Float64Array | Int16Array | Uint8Array>(before: A, after: A): A {
	after.set(before);
	return after;
}

/** Returns the power of two that is the edge of a body's cells: no less than its extent. */
function levelOf({ around: [x, y, z] }: Body): number {
	const extent = 2 * Math.max(x, y, z);
	let level = -10;
	while (2 ** level < extent) level++;
	return level;
}

const crowds = new WeakMap<World, Crowd>();

function versionNow(world: World): number {
	return Math.max(
		versionOf(world, PhysicsBody, 'kind'),
		versionOf(world, Collider),
		versionOf(world, LocalTransform, 'position', 'rotation'),
		versionOf(world, Parent),
	);
}

/** Returns the count of a world if it is up to date, to be kept so with `keepCount`; null if there is none. */
export function knownCrowd(world: World): Crowd | null {
	const cached = crowds.get(world);
	return cached !== undefined && cached.version === versionNow(world) ? cached : null;
}

/** After the body of a slot, and of no other, came, went or was changed: what was known before is kept up. */
export function keepCount(world: World, before: Crowd | null, slot: number): void {
	if (before === null) return;
	before.put(slot, bodyAt(world, slot));
	if (before.full) crowds.delete(world);
	before.version = versionNow(world);
}

function crowdOf(world: World): Crowd {
	const cached = knownCrowd(world);
	if (cached !== null) return cached;
	const bodies = new Map<number, Body>();
	each(world, BODY, (slot) => {
		const body = bodyAt(world, slot);
		if (body !== null) bodies.set(slot, body);
	});
	const crowd = new Crowd(world.entities.used, bodies);
	crowd.version = versionNow(world);
	crowds.set(world, crowd);
	return crowd;
}

/** Returns the body of a slot; null if it has none, or hangs on something: then it is no body of its own. */
function bodyAt(world: World, slot: number): Body | null {
	if (!BODY.every((component) => has(world, slot, component)) || has(world, slot, Parent)) return null;
	const at = slot * 3;
	const turn = slot * 4;
	const collider = colliderAt(world, slot);
	// Nothing lies in what has no inside.
	if (isSurface(collider.shape)) return null;
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	return bodyOf(
		world,
		{
			...collider,
			position: [position[at]!, position[at + 1]!, position[at + 2]!],
			rotation: [rotation[turn]!, rotation[turn + 1]!, rotation[turn + 2]!, rotation[turn + 3]!],
		},
		read(world, PhysicsBody, 'kind')[slot] === DYNAMIC_KIND,
	);
}

function bodyOf(world: World, { position, rotation, ...collider }: Coming, dynamic: boolean): Body {
	const { shape } = collider;
	const half = extent(world, collider);
	return {
		dynamic,
		center: position,
		around: boxAround(shape, half, rotation),
		solid: () => solid(shape, half, position, rotation),
	};
}

/** A body that is to come, or to be put elsewhere. */
export interface Coming extends Shaped {
	readonly position: readonly [number, number, number];
	readonly rotation: readonly [number, number, number, number];
}

/** Returns true if a Dynamic body fits, in place of its slot's current one if it has one. */
export function hasRoom(world: World, coming: Coming, slot = NONE): boolean {
	// However they lie, so few cannot overlap too often.
	const bodies = count(world, PhysicsBody) + 1;
	if ((bodies * (bodies - 1)) / 2 <= MAX_OVERLAPS) return true;
	// As it will be kept, so that what is counted when it comes is counted alike later.
	const position = coming.position.map(Math.fround) as [number, number, number];
	return crowdOf(world).hasRoom(bodyOf(world, { ...coming, position }, true), slot);
}

/** Throws `too_crowded` when a Dynamic body does not fit. */
export function requireRoom(world: World, coming: Coming, slot?: number): void {
	if (hasRoom(world, coming, slot)) return;
	throw new ApiError(
		'too_crowded',
		`Too many bodies overlap at [${coming.position.join(', ')}]. At most ${MAX_OVERLAPS} pairs of bodies may overlap deeply, and the bounding boxes of at most ${MAX_TRIED / 1e6} million pairs may overlap.`,
	);
}

/** Throws `too_crowded` when too many bodies lie in each other, however they came there. */
export function requireFewOverlaps(world: World): void {
	if (count(world, PhysicsBody) <= MAX_CROWD || !crowdOf(world).heaped) return;
	throw new ApiError(
		'too_crowded',
		`More than ${MAX_OVERLAPS} pairs of bodies overlap deeply, which is too many for a step.`,
		{ fix: 'Move the overlapping bodies apart, or despawn some of them.' },
	);
}
