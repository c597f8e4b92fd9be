/**
 * Finds the pairs of boxes that meet. The time grows with the number of pairs, not with the square of the number of boxes.
 * The boxes are halved repeatedly by their position, and only halves that meet are searched (a bounding volume hierarchy
 * joined with itself or another one: Brinkhoff, Kriegel, Seeger 1993).
 * Owns: the tree of halves. The pairs do not depend on its shape.
 */

import { splitSlots } from '../space/split.ts';

/** Lowest and highest corner of a box: x, y, z, x, y, z. */
export type Box = readonly [number, number, number, number, number, number];

/** Called with the indexes of two boxes that meet. Returns false to end the search. */
export type Visit = (a: number, b: number) => boolean;

/** Counter of compared pairs of boxes. */
export interface ComparisonCount {
	comparisons: number;
}

/** Tree of boxes. Node `n` has a range of `order`; its halves are the nodes `2n + 1` and `2n + 2`. */
export interface BoxTree {
	readonly boxes: readonly Box[];
	/** Indexes of the boxes. Those of one node are consecutive. */
	readonly order: Int32Array;
	/** Lowest and highest corner of each node. */
	readonly bounds: Float64Array;
}

/** A node and its range of `order`. */
interface Node {
	readonly tree: BoxTree;
	readonly index: number;
	readonly from: number;
	readonly to: number;
}

/** Maximum number of boxes in a node that is not halved. */
const MAX_LEAF_BOXES = 8;

/** Builds the tree of a list of boxes. */
export function buildBoxTree(boxes: readonly Box[]): BoxTree {
	let nodes = 1;
	for (let size = boxes.length; size > MAX_LEAF_BOXES; size = Math.ceil(size / 2)) nodes = 2 * nodes + 1;
	const tree = { boxes, order: Int32Array.from(boxes.keys()), bounds: new Float64Array(nodes * 6) };
	if (boxes.length > 0) splitNode(rootOf(tree), new Float64Array(boxes.length));
	return tree;
}

/** Visits every pair of boxes of a tree that meet, once. Returns false if `visit` ended the search. */
export function visitPairsWithin(tree: BoxTree, visit: Visit, tally?: ComparisonCount): boolean {
	return tree.boxes.length === 0 || visitWithin(rootOf(tree), visit, tally);
}

/** Visits every pair of a box of `a` and a box of `b` that meet. Returns false if `visit` ended the search. */
export function visitPairsAcross(a: BoxTree, b: BoxTree, visit: Visit, tally?: ComparisonCount): boolean {
	if (a.boxes.length === 0 || b.boxes.length === 0) return true;
	return visitAcross(rootOf(a), rootOf(b), visit, tally);
}

function rootOf(tree: BoxTree): Node {
	return { tree, index: 0, from: 0, to: tree.boxes.length };
}

function isLeaf({ from, to }: Node): boolean {
	return to - from <= MAX_LEAF_BOXES;
}

function halvesOf({ tree, index, from, to }: Node): readonly [Node, Node] {
	const middle = (from + to) >> 1;
	return [
		{ tree, index: 2 * index + 1, from, to: middle },
		{ tree, index: 2 * index + 2, from: middle, to },
	];
}

/** Halves a node by the centres of its boxes, along the axis on which they spread most. `keys` is working memory. */
function splitNode(node: Node, keys: Float64Array): void {
	const { tree, index, from, to } = node;
	const { boxes, order, bounds } = tree;
	const lowest = [1 / 0, 1 / 0, 1 / 0];
	const highest = [-1 / 0, -1 / 0, -1 / 0];
	const lowestCentre = [1 / 0, 1 / 0, 1 / 0];
	const highestCentre = [-1 / 0, -1 / 0, -1 / 0];
	for (let i = from; i < to; i++) {
		const box = boxes[order[i]!]!;
		for (let axis = 0; axis < 3; axis++) {
			const low = box[axis]!;
			const high = box[axis + 3]!;
			const middle = low + high;
			if (low < lowest[axis]!) lowest[axis] = low;
			if (high > highest[axis]!) highest[axis] = high;
			if (middle < lowestCentre[axis]!) lowestCentre[axis] = middle;
			if (middle > highestCentre[axis]!) highestCentre[axis] = middle;
		}
	}
	bounds.set(lowest, index * 6);
	bounds.set(highest, index * 6 + 3);
	if (isLeaf(node)) return;
	let axis = 0;
	const spread = (axis: number) => highestCentre[axis]! - lowestCentre[axis]!;
	for (let i = 1; i < 3; i++) if (spread(i) > spread(axis)) axis = i;
	for (let i = from; i < to; i++) {
		const box = boxes[order[i]!]!;
		keys[order[i]!] = box[axis]! + box[axis + 3]!;
	}
	const [left, right] = halvesOf(node);
	splitSlots(order, from, to, left.to, keys, 1, 0);
	splitNode(left, keys);
	splitNode(right, keys);
}

function visitWithin(node: Node, visit: Visit, tally: ComparisonCount | undefined): boolean {
	if (!isLeaf(node)) {
		const [left, right] = halvesOf(node);
		return (
			visitWithin(left, visit, tally) &&
			visitWithin(right, visit, tally) &&
			visitAcross(left, right, visit, tally)
		);
	}
	const { boxes, order } = node.tree;
	for (let i = node.from; i < node.to; i++)
		for (let j = node.from; j < i; j++) {
			if (tally !== undefined) tally.comparisons++;
			const a = order[i]!;
			const b = order[j]!;
			if (boxesMeet(boxes[a]!, boxes[b]!) && !visit(a, b)) return false;
		}
	return true;
}

function visitAcross(a: Node, b: Node, visit: Visit, tally: ComparisonCount | undefined): boolean {
	if (tally !== undefined) tally.comparisons++;
	if (!nodesMeet(a, b)) return true;
	if (isLeaf(a) && isLeaf(b)) return visitAcrossLeaves(a, b, visit, tally);
	if (isLeaf(b) || (!isLeaf(a) && a.to - a.from >= b.to - b.from)) {
		const [left, right] = halvesOf(a);
		return visitAcross(left, b, visit, tally) && visitAcross(right, b, visit, tally);
	}
	const [left, right] = halvesOf(b);
	return visitAcross(a, left, visit, tally) && visitAcross(a, right, visit, tally);
}

function visitAcrossLeaves(a: Node, b: Node, visit: Visit, tally: ComparisonCount | undefined): boolean {
	for (let i = a.from; i < a.to; i++) {
		const first = a.tree.order[i]!;
		const box = a.tree.boxes[first]!;
		for (let j = b.from; j < b.to; j++) {
			if (tally !== undefined) tally.comparisons++;
			const second = b.tree.order[j]!;
			if (boxesMeet(box, b.tree.boxes[second]!) && !visit(first, second)) return false;
		}
	}
	return true;
}

function nodesMeet(a: Node, b: Node): boolean {
	const bounds = a.tree.bounds;
	const otherBounds = b.tree.bounds;
	const p = a.index * 6;
	const q = b.index * 6;
	return (
		bounds[p]! <= otherBounds[q + 3]! &&
		otherBounds[q]! <= bounds[p + 3]! &&
		bounds[p + 1]! <= otherBounds[q + 4]! &&
		otherBounds[q + 1]! <= bounds[p + 4]! &&
		bounds[p + 2]! <= otherBounds[q + 5]! &&
		otherBounds[q + 2]! <= bounds[p + 5]!
	);
}

function boxesMeet(a: Box, b: Box): boolean {
	return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}
