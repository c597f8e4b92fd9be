/** Boxes that meet are found as by a test of every pair, but without testing every pair. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	type Box,
	buildBoxTree,
	type ComparisonCount,
	visitPairsAcross,
	visitPairsWithin,
} from '../../../../web/sim/physics/box-tree.ts';
import { check } from '../../../support/property.ts';

const place = fc.integer({ min: -64, max: 64 }).map((n) => n / 8);
const half = fc.constantFrom(0, 1e-3, 0.06, 0.5, 0.5, 3, 40);
const box = fc
	.tuple(place, place, place, half, half, half)
	.map(([x, y, z, hx, hy, hz]): Box => [x - hx, y - hy, z - hz, x + hx, y + hy, z + hz]);
const boxes = fc.array(box, { maxLength: 60, size: 'max' });

function areMeeting(a: Box, b: Box): boolean {
	return [0, 1, 2].every((axis) => a[axis]! <= b[axis + 3]! && b[axis]! <= a[axis + 3]!);
}

describe('boxes that meet', () => {
	test('are found once in each pair of one group', () =>
		check(200, [boxes], (all) => {
			const found = new Set<string>();
			let visits = 0;
			expect(
				visitPairsWithin(buildBoxTree(all), (a, b) => {
					found.add(`${Math.max(a, b)},${Math.min(a, b)}`);
					return ++visits > 0;
				}),
			).toBe(true);
			const expectedPairs = all.flatMap((a, i) =>
				all.slice(0, i).flatMap((b, j) => (areMeeting(a, b) ? [`${i},${j}`] : [])),
			);
			expect([...found].sort()).toEqual(expectedPairs.sort());
			expect(visits).toBe(expectedPairs.length);
		}));

	test('are found once in each pair of two groups', () =>
		check(200, [boxes, boxes], (boxesA, boxesB) => {
			const found: string[] = [];
			visitPairsAcross(buildBoxTree(boxesA), buildBoxTree(boxesB), (a, b) => found.push(`${a},${b}`) > 0);
			const expectedPairs = boxesA.flatMap((a, i) =>
				boxesB.flatMap((b, j) => (areMeeting(a, b) ? [`${i},${j}`] : [])),
			);
			expect(found.sort()).toEqual(expectedPairs.sort());
		}));

	test('are not searched any further after the visitor returns false', () => {
		const heap = buildBoxTree(Array.from({ length: 1000 }, (): Box => [0, 0, 0, 1, 1, 1]));
		let visits = 0;
		expect(visitPairsWithin(heap, () => ++visits < 5)).toBe(false);
		expect(visitPairsAcross(heap, heap, () => ++visits < 10)).toBe(false);
		expect(visits).toBe(10);
	});

	test('are searched quickly if many are close and none meet: a stack of 20,000 sheets', () => {
		const sheets = Array.from({ length: 20_000 }, (_, i): Box => [0, i * 1e-4, 0, 1, i * 1e-4 + 5e-5, 1]);
		const tally: ComparisonCount = { comparisons: 0 };
		let visits = 0;
		visitPairsWithin(buildBoxTree(sheets), () => ++visits > 0, tally);
		expect(visits).toBe(0);
		// There are 200 million pairs.
		expect(tally.comparisons).toBeLessThan(1_000_000);
	});
});
