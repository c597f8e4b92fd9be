/**
 * The ring of logged calls: its contents, the senders, and filters.
 * Owns: the cases of call-ring.ts.
 */

import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../../web/frames/frames.ts';
import {
	appendCalls,
	emptyRing,
	filterCalls,
	isRefused,
	medianMs,
	senderOf,
} from '../../../../web/ui/calls/call-ring.ts';

function call(number: number, more: Partial<CallRecord> = {}): CallRecord {
	return {
		number,
		tick: number,
		door: 'relay',
		sender: 'agent-1',
		method: 'POST',
		path: '/step',
		world: 'main',
		status: 200,
		ms: number,
		...more,
	};
}

describe('appendCalls', () => {
	it('keeps the newest calls, and counts all except those of the panels', () => {
		let ring = emptyRing(4);
		ring = appendCalls(ring, [call(1), call(2, { status: 422, fix: 'Send 2.' })]);
		ring = appendCalls(ring, [call(3), call(4), call(5, { sender: 'panels', status: 404 })]);
		expect(ring.calls.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
		expect(ring.seen).toBe(4);
		expect(ring.refused).toBe(1);
	});

	it('ignores a repeated status', () => {
		const ring = appendCalls(emptyRing(), [call(1), call(2)]);
		expect(appendCalls(ring, [call(1), call(2)])).toBe(ring);
		expect(appendCalls(ring, [call(2), call(3)]).seen).toBe(3);
	});

	it('continues with an engine that restarts its count', () => {
		const ring = appendCalls(emptyRing(10), [call(500)]);
		expect(appendCalls(ring, [call(1)]).calls.map(({ number }) => number)).toEqual([500, 1]);
	});
});

describe('senderOf', () => {
	it.each([
		[{ door: 'page', sender: 'you' }, 'you', 'you'],
		[{ door: 'page', sender: '' }, 'you', 'you'],
		[{ door: 'page', sender: 'panels' }, 'panels', 'panels'],
		[{ door: 'relay', sender: 'curl/8.5.0' }, 'agent', 'curl'],
		[{ door: 'relay', sender: '' }, 'agent', 'relay'],
		[{ door: 'worker', sender: 'Mozilla/5.0 (X11)' }, 'agent', 'browser'],
		[{ door: 'process', sender: '' }, 'agent', 'in process'],
	] as const)('%o', (more, kind, name) => expect(senderOf(call(1, more))).toEqual({ kind, name }));
});

describe('filterCalls', () => {
	const calls = [
		call(1),
		call(2, { door: 'page', sender: 'you', path: '/spawn' }),
		call(3, { door: 'page', sender: 'panels', path: '/observe' }),
		call(4, { status: 404, path: '/nowhere' }),
		call(5, { status: 200, fix: 'GET /fork/list names the forks.' }),
	];
	const all = { text: '', from: 'everyone', refusedOnly: false, panels: false } as const;
	const numbers = (filter: Parameters<typeof filterCalls>[1]) =>
		filterCalls(calls, filter).map(({ number }) => number);

	it('shows the newest first, without calls of the panels', () => expect(numbers(all)).toEqual([5, 4, 2, 1]));
	it('shows calls of the panels on request', () => expect(numbers({ ...all, panels: true })).toContain(3));
	it('distinguishes you from agents', () => {
		expect(numbers({ ...all, from: 'you' })).toEqual([2]);
		expect(numbers({ ...all, from: 'agents' })).toEqual([5, 4, 1]);
	});
	it('finds refused calls, also those with status 200', () => {
		expect(numbers({ ...all, refusedOnly: true })).toEqual([5, 4]);
		expect(isRefused(calls[4]!)).toBe(true);
	});
	it('searches path, sender and status', () => {
		expect(numbers({ ...all, text: '404' })).toEqual([4]);
		expect(numbers({ ...all, text: 'SPAWN' })).toEqual([2]);
		expect(numbers({ ...all, text: 'agent-1' })).toEqual([5, 4, 1]);
	});
});

it('computes the median of the milliseconds', () => {
	expect(medianMs([])).toBeNull();
	expect(medianMs([call(9), call(1), call(5)])).toBe(5);
});
