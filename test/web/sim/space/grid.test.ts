/** The grid: a search omits no entry. */

import { expect, test } from 'vitest';
import { philox } from '../../../../web/sim/core/random.ts';
import { buildGrid, eachIn } from '../../../../web/sim/space/grid.ts';

/** Returns random points. */
function points(count: number, seed: number, span: number): Float32Array {
	const positions = new Float32Array(count * 3);
	for (let i = 0; i < positions.length; i++)
		positions[i] = (philox([i, seed, 0, 0], [1, 2])[0] % span) - span / 2;
	return positions;
}

test('eachIn visits every entry in a rectangle', () => {
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
