/** The grid finds what a search of everything finds. */

import { expect, test } from 'vitest';
import { philox } from '../../web/sim/core/random.ts';
import { AS_FAR, buildGrid, eachIn, type Found, NEARER, nearest } from '../../web/sim/space/grid.ts';

/** Points from a counter; on a coarse lattice, so that equal distances are common. */
function points(count: number, seed: number, span: number): Float32Array {
	const positions = new Float32Array(count * 3);
	for (let i = 0; i < positions.length; i++)
		positions[i] = (philox([i, seed, 0, 0], [1, 2])[0] % span) - span / 2;
	return positions;
}

function search(
	positions: Float32Array,
	count: number,
	[x, y, z]: readonly number[],
	reach: number,
	inclusive: boolean,
	accepts: (slot: number) => boolean,
): number {
	let best = -1;
	let least = Number.POSITIVE_INFINITY;
	for (let slot = 0; slot < count; slot++) {
		const square =
			(positions[slot * 3]! - x!) ** 2 +
			(positions[slot * 3 + 1]! - y!) ** 2 +
			(positions[slot * 3 + 2]! - z!) ** 2;
		const near = inclusive ? square <= reach * reach : square < reach * reach;
		if (near && square < least && accepts(slot)) [best, least] = [slot, square];
	}
	return best;
}

test('nearest: the same as a search of everything, wherever one stands', () => {
	for (let seed = 0; seed < 300; seed++) {
		const count = 1 + (seed % 60);
		const span = [4, 30, 400][seed % 3]!;
		const positions = points(count, seed, span);
		const slots = Array.from({ length: count }, (_, slot) => slot);
		const grid = buildGrid(slots, count, positions);
		const accepts = (slot: number) => slot % 5 !== seed % 7;
		for (const [i, reach] of [0, 1, 5, 40, 1e4].entries()) {
			const from = points(1, seed * 10 + i + 5000, span * 3);
			const inclusive = seed % 2 === 0;
			const found: Found = { slot: inclusive ? AS_FAR : NEARER, square: reach * reach };
			nearest(grid, from[0]!, from[1]!, from[2]!, found, accepts);
			const got = found.slot === AS_FAR ? -1 : found.slot;
			expect(got, `seed ${seed}, reach ${reach}`).toBe(
				search(positions, count, [...from], reach, inclusive, accepts),
			);
		}
	}
});

test('eachIn visits everything in a rectangle', () => {
	for (let seed = 0; seed < 100; seed++) {
		const positions = points(50, seed, 60);
		const grid = buildGrid(
			Array.from({ length: 50 }, (_, slot) => slot),
			50,
			positions,
		);
		const [x, , z] = points(1, seed + 900, 100);
		const visited = new Set<number>();
		eachIn(grid, x! - 9, z! - 4, x! + 9, z! + 4, (entry) => visited.add(grid.slots[entry]!));
		for (let slot = 0; slot < 50; slot++) {
			const inside = Math.abs(positions[slot * 3]! - x!) <= 9 && Math.abs(positions[slot * 3 + 2]! - z!) <= 4;
			if (inside) expect(visited.has(slot)).toBe(true);
		}
	}
});
