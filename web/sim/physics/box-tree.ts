/**
 * Finds the boxes that meet among many, in time that grows with how many do and not with the square of how many there are:
 * boxes are halved again and again by where they are, and only halves that meet are looked into (a bounding volume
 * hierarchy joined with itself or another: Brinkhoff, Kriegel, Seeger 1993).
 * Owns: the halves. Which pairs are found does not depend on how they were made.
 */

import { splitSlots } from '../space/split.ts';

/** Lowest and highest corner of a box: x, y, z, x, y, z. */
export type Box = readonly [number, number, number, number, number, number];

/** Called with the indices of two boxes that meet. Returns whether the search continues. */
export type Visit = (a: number, b: number) => boolean;

/** Number of compared pairs of boxes. */
export interface Tally {
	compared: number;
}

/** The halves of node `n`, which has a row of boxes, are the nodes `2n + 1` and `2n + 2`. */
export interface BoxTree {
	readonly boxes: readonly Box[];
	/** Indices of the boxes; those of a node are in a row. */
	readonly order: Int32Array;
	/** By node: its lowest and highest corner. */
	readonly bounds: Float64Array;
}

/** A node and its row. */
interface Node {
	readonly tree: BoxTree;
	readonly at: number;
	readonly from: number;
	readonly to: number;
}

/** Nodes of at most this many boxes are not halved. */
const LEAF = 8;

export function boxTree(boxes: readonly Box[]): BoxTree {
	let nodes = 1;
	for (let size = boxes.length; size > LEAF; size = Math.ceil(size / 2)) nodes = 2 * nodes + 1;
	const tree = { boxes, order: Int32Array.from(boxes.keys()), bounds: new Float64Array(nodes * 6) };
	if (boxes.length > 0) build(rootOf(tree), new Float64Array(boxes.length));
	return tree;
}

/** Visits every pair of boxes of a tree that meet, once. Answers whether it came to its end. */
export function pairsWithin(tree: BoxTree, visit: Visit, tally?: Tally): boolean {
	return tree.boxes.length === 0 || within(rootOf(tree), visit, tally);
}

/** Visits every pair of a box of `a` and a box of `b` that meet. Answers whether it came to its end. */
export function pairsAcross(a: BoxTree, b: BoxTree, visit: Visit, tally?: Tally): boolean {
	if (a.boxes.length === 0 || b.boxes.length === 0) return true;
	return across(rootOf(a), rootOf(b), visit, tally);
}

function rootOf(tree: BoxTree): Node {
	return { tree, at: 0, from: 0, to: tree.boxes.length };
}

function isLeaf({ from, to }: Node): boolean {
	return to - from <= LEAF;
}

function halves({ tree, at, from, to }: Node): readonly [Node, Node] {
	const middle = (from + to) >> 1;
	return [
		{ tree, at: 2 * at + 1, from, to: middle },
		{ tree, at: 2 * at + 2, from: middle, to },
	];
}

/** Halves a node by the middles of its boxes, along the axis on which they are farthest apart. `keys`: room to work in. */
function build(node: Node, keys: Float64Array): void {
	const { tree, at, from, to } = node;
	const { boxes, order, bounds } = tree;
	const lowest = [1 / 0, 1 / 0, 1 / 0];
	const highest = [-1 / 0, -1 / 0, -1 / 0];
	const least = [1 / 0, 1 / 0, 1 / 0];
	const greatest = [-1 / 0, -1 / 0, -1 / 0];
	for (let i = from; i < to; i++) {
		const box = boxes[order[i]!]!;
		for (let axis = 0; axis < 3; axis++) {
			const low = box[axis]!;
			const high = box[axis + 3]!;
			const middle = low + high;
			if (low < lowest[axis]!) lowest[axis] = low;
			if (high > highest[axis]!) highest[axis] = high;
			if (middle < least[axis]!) least[axis] = middle;
			if (middle > greatest[axis]!) greatest[axis] = middle;
		}
	}
	bounds.set(lowest, at * 6);
	bounds.set(highest, at * 6 + 3);
	if (isLeaf(node)) return;
	let axis = 0;
	for (let i = 1; i < 3; i++) if (greatest[i]! - least[i]! > greatest[axis]! - least[axis]!) axis = i;
	for (let i = from; i < to; i++) {
		const box = boxes[order[i]!]!;
		keys[order[i]!] = box[axis]! + box[axis + 3]!;
	}
	const [left, right] = halves(node);
	splitSlots(order, from, to, left.to, keys, 1, 0);
	build(left, keys);
	build(right, keys);
}

function within(node: Node, visit: Visit, tally: Tally | undefined): boolean {
	if (!isLeaf(node)) {
		const [left, right] = halves(node);
		return within(left, visit, tally) && within(right, visit, tally) && across(left, right, visit, tally);
	}
	const { boxes, order } = node.tree;
	for (let i = node.from; i < node.to; i++)
		for (let j = node.from; j < i; j++) {
			if (tally !== undefined) tally.compared++;
			const a = order[i]!;
			const b = order[j]!;
			if (meet(boxes[a]!, boxes[b]!) && !visit(a, b)) return false;
		}
	return true;
}

function across(a: Node, b: Node, visit: Visit, tally: Tally | undefined): boolean {
	if (tally !== undefined) tally.compared++;
	if (!nodesMeet(a, b)) return true;
	if (isLeaf(a) && isLeaf(b)) return acrossLeaves(a, b, visit, tally);
	if (isLeaf(b) || (!isLeaf(a) && a.to - a.from >= b.to - b.from)) {
		const [left, right] = halves(a);
		return across(left, b, visit, tally) && across(right, b, visit, tally);
	}
	const [left, right] = halves(b);
	return across(a, left, visit, tally) && across(a, right, visit, tally);
}

function acrossLeaves(a: Node, b: Node, visit: Visit, tally: Tally | undefined): boolean {
	for (let i = a.from; i < a.to; i++) {
		const first = a.tree.order[i]!;
		const box = a.tree.boxes[first]!;
		for (let j = b.from; j < b.to; j++) {
			if (tally !== undefined) tally.compared++;
			const second = b.tree.order[j]!;
			if (meet(box, b.tree.boxes[second]!) && !visit(first, second)) return false;
		}
	}
	return true;
}

function nodesMeet(a: Node, b: Node): boolean {
	const bounds = a.tree.bounds;
	const other = b.tree.bounds;
	const p = a.at * 6;
	const q = b.at * 6;
	return (
		bounds[p]! <= other[q + 3]! &&
		other[q]! <= bounds[p + 3]! &&
		bounds[p + 1]! <= other[q + 4]! &&
		other[q + 1]! <= bounds[p + 4]! &&
		bounds[p + 2]! <= other[q + 5]! &&
		other[q + 2]! <= bounds[p + 5]!
	);
}

function meet(a: Box, b: Box): boolean {
	return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}
