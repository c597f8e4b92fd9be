/**
 * Worlds as lines over the ticks.
 * Owns: the cases of fork-lines.ts.
 */

import { describe, expect, it } from 'vitest';
import { worldLines } from '../../../../web/ui/forks/fork-lines.ts';
import { worldInfo } from '../../../support/world-info.ts';

describe('worldLines', () => {
	const main = worldInfo('main', { parent: null, tick: 400 });
	it('places forks between their branching and their tick', () => {
		const { lines, marks } = worldLines(main, [
			worldInfo('a', { tick: 500 }),
			worldInfo('b', { parent: 'a', parentTick: 300, tick: 300 }),
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
	it('draws a world at tick 0 without a division by zero', () => {
		const { lines, marks } = worldLines(worldInfo('main', { parent: null, tick: 0 }), []);
		expect(lines[0]!.to).toBe(0);
		expect(marks).toEqual([{ tick: 0, at: 0 }]);
	});
	it('connects a fork to the line that existed when it was created', () => {
		// `was-main` is the old main, which a fork replaced at tick 100. `early` was created before, and `late` after.
		const { lines } = worldLines(main, [
			worldInfo('was-main', { parentTick: 100, tick: 300 }),
			worldInfo('early', { parent: 'was-main', parentTick: 50, tick: 80 }),
			worldInfo('late', { parent: 'was-main', parentTick: 200, tick: 250 }),
		]);
		expect(lines.map(({ parentRow }) => parentRow)).toEqual([null, 0, 0, 1]);
	});
	it('does not connect a fork whose parent is now at an earlier tick', () => {
		const { lines } = worldLines(worldInfo('main', { parent: null, tick: 10 }), [
			worldInfo('ahead', { parentTick: 200, tick: 260 }),
		]);
		expect(lines[1]!.parentRow).toBeNull();
		expect(lines[1]!.from).toBeGreaterThan(0);
	});
	it('connects a fork to main if its parent was deleted', () =>
		expect(worldLines(main, [worldInfo('b', { parent: 'gone' })]).lines[1]!.parentRow).toBe(0));
});
