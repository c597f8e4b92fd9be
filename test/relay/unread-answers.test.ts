/**
 * Unread answers share a limit. Beyond it, the relay disconnects the clients that have left their answers unread for longest.
 */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { UnreadAnswers } from '../../relay/unread-answers.ts';

const MIB = 1024 * 1024;
afterEach(() => vi.useRealTimers());

const answer = () => new ServerResponse(new IncomingMessage(new Socket()));

test('beyond the limit the oldest are disconnected, after a minimum time', () => {
	vi.useFakeTimers();
	const unread = new UnreadAnswers({ unread: 10 * MIB, readWait: 1000 });
	const [first, second, third, small] = [answer(), answer(), answer(), answer()];
	unread.add(first, 6 * MIB);
	unread.add(second, 6 * MIB);
	unread.add(small, 100);
	unread.closeOverdue();
	expect(first.destroyed).toBe(false);
	vi.advanceTimersByTime(1001);
	unread.add(third, 3 * MIB);
	unread.closeOverdue();
	expect([first, second, third, small].map(({ destroyed }) => destroyed)).toEqual([
		true,
		false,
		false,
		false,
	]);
	first.emit('close');
	expect(unread.bytes).toBe(9 * MIB);
	unread.closeOverdue();
	expect(second.destroyed).toBe(false);
});

test('callers without a session share a part of the limit, and other callers keep their answers', () => {
	vi.useFakeTimers();
	const unread = new UnreadAnswers({ unread: 12 * MIB, readWait: 1000 });
	const [agents, ...anonymous] = [answer(), answer(), answer(), answer()];
	unread.add(agents, 5 * MIB, 'agent 1');
	for (const response of anonymous) unread.add(response, 2 * MIB, 'anonymous');
	vi.advanceTimersByTime(1001);
	unread.closeOverdue();
	expect([agents, ...anonymous].map(({ destroyed }) => destroyed)).toEqual([false, true, true, false]);
});
