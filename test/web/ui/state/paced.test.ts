/** Pacing of work that is requested more often than it may run, with fake timers. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_REST_MS, paced } from '../../../../web/ui/state/paced.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const workOf = (ms: number) =>
	vi.fn(async () => {
		await new Promise((done) => setTimeout(done, ms));
	});

test('requests during a run and its pause are answered once, after both', async () => {
	const work = workOf(100);
	const pace = paced({ minRest: 50, factor: 2 }, work);
	for (let i = 0; i < 3; i++) pace.ask();
	await vi.advanceTimersByTimeAsync(299);
	expect(work).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(work).toHaveBeenCalledTimes(2);
	await vi.advanceTimersByTimeAsync(10_000);
	expect(work).toHaveBeenCalledTimes(2);
});

test('one slow run does not delay the next', async () => {
	const work = workOf(5000);
	const pace = paced({ factor: 8 }, work);
	pace.ask();
	await vi.advanceTimersByTimeAsync(5000);
	pace.ask();
	await vi.advanceTimersByTimeAsync(MAX_REST_MS);
	expect(work).toHaveBeenCalledTimes(2);
});

test('after a stop no run begins', async () => {
	const work = workOf(10);
	const pace = paced({ minRest: 10 }, work);
	pace.ask();
	pace.ask();
	pace.stop();
	await vi.advanceTimersByTimeAsync(1000);
	pace.ask();
	expect(work).toHaveBeenCalledTimes(1);
});
