/** Work that is asked for more often than it may be done, with time held by the test. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_REST_MS, paced } from '../../../../web/ui/state/paced.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const lasting = (ms: number) =>
	vi.fn(async () => {
		await new Promise((done) => setTimeout(done, ms));
	});

test('requests during a run and its pause are answered once, after both', async () => {
	const work = lasting(100);
	const pace = paced({ least: 50, factor: 2 }, work);
	for (let asked = 0; asked < 3; asked++) pace.ask();
	await vi.advanceTimersByTimeAsync(299);
	expect(work).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(work).toHaveBeenCalledTimes(2);
	await vi.advanceTimersByTimeAsync(10_000);
	expect(work).toHaveBeenCalledTimes(2);
});

test('one slow run does not delay the next', async () => {
	const work = lasting(5000);
	const pace = paced({ factor: 8 }, work);
	pace.ask();
	await vi.advanceTimersByTimeAsync(5000);
	pace.ask();
	await vi.advanceTimersByTimeAsync(MAX_REST_MS);
	expect(work).toHaveBeenCalledTimes(2);
});

test('after a stop no run begins', async () => {
	const work = lasting(10);
	const pace = paced({ least: 10 }, work);
	pace.ask();
	pace.ask();
	pace.stop();
	await vi.advanceTimersByTimeAsync(1000);
	pace.ask();
	expect(work).toHaveBeenCalledTimes(1);
});
