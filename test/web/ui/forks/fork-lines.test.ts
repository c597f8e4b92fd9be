/**
 * The worlds as lines along the ticks.
 * Owns: the cases of fork-lines.ts.
 */

import { describe, expect, it } from 'vitest';
import { worldLines } from '../../../../web/ui/forks/fork-lines.ts';
import type { WorldInfo } from '../../../../web/ui/worlds/fork-list.ts';

const world = (id: string, more: Partial<WorldInfo> = {}): WorldInfo => ({
	id,
	parent: 'main',
	parentTick: 100,
	tick: 100,
	digest: '0000000000000000',
	entityCount: 1,
	playing: false,
	mark: 0,
	...more,
});

describe('worldLines', () => {
	const main = world('main', { parent: null, tick: 400 });
	it('places forks between their branching and their tick', () => {
		const { lines, marks } = worldLines(main, [
			world('a', { tick: 500 }),
			world('b', { parent: 'a', parentTick: 300, tick: 300 }),
		]);
		expect(lines.map(({ row, parentRow }) => [row, parentRow])).toEqual([
			[0, null],
			[1, 0],
			[2, 1],
		]);
		expect(lines[1]!.to).toBe(1);
		for (const { from, to } of lines) {
			expect(from).toBeGreaterThanOrEqual(0);
			expect(to).toBeGreaterThanOrEqual(from);
			expect(to).toBeLessThanOrEqual(1);
		}
		expect(marks.length).toBeGreaterThan(1);
		expect(marks.length).toBeLessThan(12);
	});
	it('draws a world at tick 0 without dividing by nothing', () => {
		const { lines, marks } = worldLines(world('main', { parent: null, tick: 0 }), []);
		expect(lines[0]!.to).toBe(0);
		expect(marks).toEqual([{ tick: 0, at: 0 }]);
	});
	it('hangs a fork whose parent was dropped on main', () =>
		expect(worldLines(main, [world('b', { parent: 'gone' })]).lines[1]!.parentRow).toBe(0));
});
