/** The log of calls: which calls it keeps, and which it reports only once. */

import { expect, test } from 'vitest';
import { CallLog } from '../../../web/host/call-log.ts';

const call = (number: number) => ({
	number,
	tick: 0,
	door: 'relay' as const,
	sender: '',
	method: 'POST',
	path: '/step',
	world: 'main',
	status: 200,
	ms: 1,
});
const logOf = (numbers: readonly number[]): CallLog => {
	const log = new CallLog();
	for (const number of numbers) log.add(call(number));
	return log;
};
const numbersOf = (calls: readonly { readonly number: number }[]) => calls.map(({ number }) => number);

test('calls after a call are those answered after it, regardless of their numbers', () => {
	const log = logOf([1, 4, 2, 3]);
	expect(numbersOf(log.callsAfter(4))).toEqual([2, 3]);
	expect(numbersOf(log.callsAfter(-1))).toEqual([1, 4, 2, 3]);
});

test('reported calls are not reported again, and at least the newest 200 calls are kept', () => {
	const log = logOf([1, 2]);
	expect(numbersOf(log.takeUnreported())).toEqual([1, 2]);
	expect(log.takeUnreported()).toEqual([]);
	for (let number = 3; number <= 1000; number++) log.add(call(number));
	expect([log.takeUnreported().length, log.takeUnreported().length]).toEqual([200, 0]);
	expect(log.callsAfter(-1).length).toBeGreaterThanOrEqual(200);
	expect(log.callsAfter(-1).length).toBeLessThanOrEqual(400);
});
