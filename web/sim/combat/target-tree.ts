/**
 * Attackable entities in a tree that halves space repeatedly, so that the nearest enemy is found fast in any crowd (a
 * k-d tree: Bentley 1975). Rebuilt on each request.
 * Owns: the halves. What is found does not depend on how they were made.
 */

import { type BySlot, splitSlots } from '../space/split.ts';

/** A node is a row of slots. The halves of node `n` are the nodes `2n + 1` and `2n + 2`. */
export interface TargetTree {
	/** Position x, y, z and team by slot. */
	readonly at: Float32Array;
	readonly teamOf: BySlot;
	/** Those of a node are in a row, in no useful order. */
	readonly slots: Int32Array;
	/** By node: least x, y, z and greatest x, y, z. */
	readonly bounds: Float32Array;
	/** By node: the team of all of them, or MIXED. */
	readonly team: Int16Array;
	/** By node: the lowest slot. */
	readonly lowest: Int32Array;
	/** By node: 1 when all are of one team and on one spot. Of these only the lowest slot can ever be chosen. */
	readonly alike: Uint8Array;
	/** By node: 1 when its halves are made, which waits until they are looked at: on most ticks few do. */
	readonly halved: Uint8Array;
}

const MIXED = -1;
/** Nodes of at most this many are not halved. */
const LEAF = 8;

/**
 * Maximum number of nodes of all trees of this many targets, each tree's first aside: its leaves are more than half
 * full.
 */
export const mostNodes = (targets: number): number => Math.ceil((4 * targets) / LEAF);

/**
 * Returns a tree of the entities in `slots`, where `at` says they are (x, y, z by slot), of the teams `teamOf` says.
 */
export function buildTree(slots: readonly number[], at: Float32Array, teamOf: BySlot): TargetTree {
	let nodes = 1;
	for (let size = slots.length; size > LEAF; size = Math.ceil(size / 2)) nodes = 2 * nodes + 1;
	const tree: TargetTree = {
		at,
		teamOf,
		slots: new Int32Array(slots),
		bounds: new Float32Array(nodes * 6),
		team: new Int16Array(nodes),
		lowest: new Int32Array(nodes),
		alike: new Uint8Array(nodes),
		halved: new Uint8Array(nodes),
	};
	if (slots.length > 0) survey(tree, 0, 0, slots.length);
	return tree;
}

/** Writes down what a node is. */
function survey(
	{ at, teamOf, slots, bounds, team, lowest, alike }: TargetTree,
	node: number,
	from: number,
	to: number,
): void {
	const first = slots[from]!;
	let least = first;
	let common = teamOf[first]!;
	let minX = at[first * 3]!;
	let minY = at[first * 3 + 1]!;
	let minZ = at[first * 3 + 2]!;
	let maxX = minX;
	let maxY = minY;
	let maxZ = minZ;
	for (let i = from + 1; i < to; i++) {
		const slot = slots[i]!;
		const x = at[slot * 3]!;
		const y = at[slot * 3 + 1]!;
		const z = at[slot * 3 + 2]!;
		if (x < minX) minX = x;
		if (x > maxX) maxX = x;
		if (y < minY) minY = y;
		if (y > maxY) maxY = y;
		if (z < minZ) minZ = z;
		if (z > maxZ) maxZ = z;
		if (slot < least) least = slot;
		if (teamOf[slot] !== common) common = MIXED;
	}
	bounds.set([minX, minY, minZ, maxX, maxY, maxZ], node * 6);
	team[node] = common;
	lowest[node] = least;
	alike[node] = common !== MIXED && minX === maxX && minY === maxY && minZ === maxZ ? 1 : 0;
}

/** Halves a node along its longest side, or by team when all are on one spot. */
function halve(tree: TargetTree, node: number, from: number, middle: number, to: number): void {
	const { slots, bounds, at, teamOf } = tree;
	let axis = -1;
	let longest = 0;
	for (let i = 0; i < 3; i++) {
		const side = bounds[node * 6 + 3 + i]! - bounds[node * 6 + i]!;
		if (side > longest) [axis, longest] = [i, side];
	}
	if (axis < 0) splitSlots(slots, from, to, middle, teamOf, 1, 0);
	else splitSlots(slots, from, to, middle, at, 3, axis);
	survey(tree, 2 * node + 1, from, middle);
	survey(tree, 2 * node + 2, middle, to);
	tree.halved[node] = 1;
}

/** The best that was found so far, and the square of its distance. */
export interface NearestFound {
	slot: number;
	square: number;
	/** Nodes that were looked into, by all searches. */
	looked: number;
}

/** `slot` of a `NearestFound` that holds nothing yet: only what is nearer than `square` is taken, or also what is as far. */
export const NEARER = -1;
export const AS_FAR = 0x7fffffff;

/**
 * The nearest by distance in space to a point that is not of a team, the lowest slot first among equals. `found`
 * begins with `NEARER` or `AS_FAR` and the square of the reach, and may be carried from one tree to the next.
 */
export function nearestEnemy(
	found: NearestFound,
	tree: TargetTree,
	x: number,
	y: number,
	z: number,
	team: number,
): void {
	const { length } = tree.slots;
	if (length > 0 && tree.team[0] !== team)
		search(found, tree, 0, 0, length, squareTo(tree.bounds, 0, x, y, z), x, y, z, team);
}

/** Looks through a node whose box is as far as the root of `square`. */
function search(
	found: NearestFound,
	tree: TargetTree,
	node: number,
	from: number,
	to: number,
	square: number,
	x: number,
	y: number,
	z: number,
	team: number,
): void {
	const lowest = tree.lowest[node]!;
	if (tree.team[node] === team || !isBetter(found, square, lowest)) return;
	found.looked++;
	if (tree.alike[node] === 1) {
		found.slot = lowest;
		found.square = square;
		return;
	}
	if (to - from <= LEAF) {
		scan(found, tree, from, to, x, y, z, team);
		return;
	}
	const middle = (from + to) >> 1;
	if (tree.halved[node] === 0) halve(tree, node, from, middle, to);
	const left = 2 * node + 1;
	const right = left + 1;
	const toLeft = squareTo(tree.bounds, left, x, y, z);
	const toRight = squareTo(tree.bounds, right, x, y, z);
	// The half that promises more comes first: what is found there may spare the other.
	const leftFirst = toLeft < toRight || (toLeft === toRight && tree.lowest[left]! < tree.lowest[right]!);
	if (leftFirst) search(found, tree, left, from, middle, toLeft, x, y, z, team);
	search(found, tree, right, middle, to, toRight, x, y, z, team);
	if (!leftFirst) search(found, tree, left, from, middle, toLeft, x, y, z, team);
}

function scan(
	found: NearestFound,
	{ at, teamOf, slots }: TargetTree,
	from: number,
	to: number,
	x: number,
	y: number,
	z: number,
	team: number,
): void {
	for (let i = from; i < to; i++) {
		const slot = slots[i]!;
		if (teamOf[slot] === team) continue;
		const dx = at[slot * 3]! - x;
		const dy = at[slot * 3 + 1]! - y;
		const dz = at[slot * 3 + 2]! - z;
		const square = dx * dx + dy * dy + dz * dz;
		if (!isBetter(found, square, slot)) continue;
		found.slot = slot;
		found.square = square;
	}
}

function isBetter(found: NearestFound, square: number, slot: number): boolean {
	return square < found.square || (square === found.square && slot < found.slot);
}

/**
 * Returns the square of the distance to the box of a node. It is rounded like the distance to a slot, so that it
 * never exceeds that of a slot in the box.
 */
function squareTo(bounds: Float32Array, node: number, x: number, y: number, z: number): number {
	const i = node * 6;
	const dx = Math.max(bounds[i]! - x, 0, x - bounds[i + 3]!);
	const dy = Math.max(bounds[i + 1]! - y, 0, y - bounds[i + 4]!);
	const dz = Math.max(bounds[i + 2]! - z, 0, z - bounds[i + 5]!);
	return dx * dx + dy * dy + dz * dz;
}
