/** The profile: mean times of the systems over the last 60 ticks, on a given clock. */

import { expect, test } from 'vitest';
import { schedule } from '../../../web/sim/schedule.ts';
import { Profiler } from '../../../web/store/profiler.ts';

/** Returns a profiler after ticks in which each system took this many milliseconds. */
function profiled(ticks: readonly number[]): Profiler {
	let time = 0;
	const profiler = new Profiler(() => time);
	for (const ms of ticks) {
		time += 1000;
		profiler.beginTick();
		for (const index of schedule.keys()) {
			time += ms;
			profiler.endSystem(index);
		}
	}
	return profiler;
}

test('before any tick all means are 0', () => {
	expect(profiled([]).profile()).toMatchObject({ ticks: 0, fps: 0, frame_ms: 0 });
});

test('the mean is over ticks, without the time between them', () => {
	const { ticks, sections, frame_ms, fps } = profiled([1, 3]).profile();
	expect(ticks).toBe(2);
	expect(sections.map(({ name, us }) => [name, us])).toEqual(schedule.map(({ name }) => [name, 2000]));
	expect(frame_ms).toBe(2 * schedule.length);
	expect(fps).toBeCloseTo(1000 / (2 * schedule.length), 0);
});

test('only the last 60 ticks count', () => {
	const { ticks, sections } = profiled([500, ...Array<number>(60).fill(2)]).profile();
	expect(ticks).toBe(60);
	expect(sections[0]!.us).toBe(2000);
});
