/**
 * Tree of attackable entities that halves space repeatedly, so that the nearest enemy is found fast in any crowd (a k-d
 * tree: Bentley 1975).
 * Owns: the halves. The result of a search does not depend on them.
 */

import { type SlotKeys, splitSlots } from '../space/split.ts';

/** A node has a range of `slots`. The halves of node `n` are the nodes `2n + 1` and `2n + 2`. */
export interface TargetTree {
	/** Position x, y, z by slot. */
	readonly positions: Float32Array;
	/** Team by slot. */
	readonly teamOf: SlotKeys;
	/** Slots. Those of one node are consecutive, in no particular order. */
	readonly slots: Int32Array;
	/** Lowest x, y, z and highest x, y, z of each node. */
	readonly bounds: Float32Array;
	/** Common team of each node, or MIXED. */
	readonly team: Int16Array;
	/** Lowest slot of each node. */
	readonly lowest: Int32Array;
	/** 1 for nodes with one team at one point. Only their lowest slot can be chosen. */
	readonly isSinglePoint: Uint8Array;
	/** 1 for nodes that are halved. They are halved when they are first visited, because most are never visited. */
	readonly isHalved: Uint8Array;
}

const MIXED = -1;
/** Maximum number of slots of a node that is not halved. */
const MAX_LEAF_SLOTS = 8;

/**
 * Returns the maximum number of nodes of all trees for a number of targets, without the roots. Leaves are more than half
 * full.
 */
export const maxNodes = (targets: number): number => Math.ceil((4 * targets) / MAX_LEAF_SLOTS);

/**
 * Returns a tree of entities. `positions`: x, y, z by slot. `teamOf`: team by slot.
 */
export function buildTree(slots: readonly number[], positions: Float32Array, teamOf: SlotKeys): TargetTree {
	let nodes = 1;
	for (let size = slots.length; size > MAX_LEAF_SLOTS; size = Math.ceil(size / 2)) nodes = 2 * nodes + 1;
	const tree: TargetTree = {
		positions: positions,
		teamOf,
		slots: new Int32Array(slots),
		bounds: new Float32Array(nodes * 6),
		team: new Int16Array(nodes),
		lowest: new Int32Array(nodes),
		isSinglePoint: new Uint8Array(nodes),
		isHalved: new Uint8Array(nodes),
	};
	if (slots.length > 0) describeNode(tree, 0, 0, slots.length);
	return tree;
}

/** Computes the bounds, the team and the lowest slot of a node. */
function describeNode(
	{ positions: at, teamOf, slots, bounds, team, lowest, isSinglePoint: alike }: TargetTree,
	node: number,
	from: number,
	to: number,
): void {
	const firstSlot = slots[from]!;
	let lowestSlot = firstSlot;
	let common = teamOf[firstSlot]!;
	let minX = at[firstSlot * 3]!;
	let minY = at[firstSlot * 3 + 1]!;
	let minZ = at[firstSlot * 3 + 2]!;
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
		if (slot < lowestSlot) lowestSlot = slot;
		if (teamOf[slot] !== common) common = MIXED;
	}
	bounds.set([minX, minY, minZ, maxX, maxY, maxZ], node * 6);
	team[node] = common;
	lowest[node] = lowestSlot;
	alike[node] = common !== MIXED && minX === maxX && minY === maxY && minZ === maxZ ? 1 : 0;
}

/** Halves a node along its longest side, or by team if all entities are at one point. */
function halve(tree: TargetTree, node: number, from: number, middle: number, to: number): void {
	const { slots, bounds, positions: at, teamOf } = tree;
	let axis = -1;
	let longest = 0;
	for (let i = 0; i < 3; i++) {
		const side = bounds[node * 6 + 3 + i]! - bounds[node * 6 + i]!;
		if (side > longest) [axis, longest] = [i, side];
	}
	if (axis < 0) splitSlots(slots, from, to, middle, teamOf, 1, 0);
	else splitSlots(slots, from, to, middle, at, 3, axis);
	describeNode(tree, 2 * node + 1, from, middle);
	describeNode(tree, 2 * node + 2, middle, to);
	tree.isHalved[node] = 1;
}

/** The best target so far, and its squared distance. */
export interface NearestTarget {
	slot: number;
	square: number;
	/** Number of visited nodes of all searches. */
	visitedNodes: number;
}

/** Initial `slot` of a `NearestTarget`: a target must be nearer than `square`, or with `NEARER_OR_EQUAL`, at most as far. */
export const STRICTLY_NEARER = -1;
export const NEARER_OR_EQUAL = 0x7fffffff;

/**
 * Finds the entity nearest to a point that is not in a team. Of equally near ones, it takes the lowest slot. `nearest` starts
 * with `STRICTLY_NEARER` or `NEARER_OR_EQUAL` and the squared reach, and may be passed from one tree to the next.
 */
export function nearestEnemy(
	nearest: NearestTarget,
	tree: TargetTree,
	x: number,
	y: number,
	z: number,
	team: number,
): void {
	const { length } = tree.slots;
	if (length > 0 && tree.team[0] !== team)
		search(nearest, tree, 0, 0, length, squaredDistanceToBox(tree.bounds, 0, x, y, z), x, y, z, team);
}

/** Searches a node. `square` is the squared distance to its box. */
function search(
	nearest: NearestTarget,
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
	if (tree.team[node] === team || !isBetter(nearest, square, lowest)) return;
	nearest.visitedNodes++;
	if (tree.isSinglePoint[node] === 1) {
		nearest.slot = lowest;
		nearest.square = square;
		return;
	}
	if (to - from <= MAX_LEAF_SLOTS) {
		scan(nearest, tree, from, to, x, y, z, team);
		return;
	}
	const middle = (from + to) >> 1;
	if (tree.isHalved[node] === 0) halve(tree, node, from, middle, to);
	const left = 2 * node + 1;
	const right = left + 1;
	const toLeft = squaredDistanceToBox(tree.bounds, left, x, y, z);
	const toRight = squaredDistanceToBox(tree.bounds, right, x, y, z);
	// The nearer half comes first, because its result may make the other half unnecessary.
	const leftFirst = toLeft < toRight || (toLeft === toRight && tree.lowest[left]! < tree.lowest[right]!);
	if (leftFirst) search(nearest, tree, left, from, middle, toLeft, x, y, z, team);
	search(nearest, tree, right, middle, to, toRight, x, y, z, team);
	if (!leftFirst) search(nearest, tree, left, from, middle, toLeft, x, y, z, team);
}

function scan(
	nearest: NearestTarget,
	{ positions: at, teamOf, slots }: TargetTree,
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
		if (!isBetter(nearest, square, slot)) continue;
		nearest.slot = slot;
		nearest.square = square;
	}
}

function isBetter(nearest: NearestTarget, square: number, slot: number): boolean {
	return square < nearest.square || (square === nearest.square && slot < nearest.slot);
}

/**
 * Returns the square of the distance to the box of a node. It is rounded like the distance to a slot, so that it
 * never exceeds that of a slot in the box.
 */
function squaredDistanceToBox(bounds: Float32Array, node: number, x: number, y: number, z: number): number {
	const i = node * 6;
	const dx = Math.max(bounds[i]! - x, 0, x - bounds[i + 3]!);
	const dy = Math.max(bounds[i + 1]! - y, 0, y - bounds[i + 4]!);
	const dz = Math.max(bounds[i + 2]! - z, 0, z - bounds[i + 5]!);
	return dx * dx + dy * dy + dz * dz;
}
