/** The status without an answer of the engine: while it works, and while there is none. */

import { expect, test } from 'vitest';
import { busyAnswer, vacantAnswer } from '../../relay/status.ts';

const request = { method: 'POST', path: '/step', query: '', headers: {}, body: new Uint8Array(0) };
const statusAfter = (ms: number, othersWaiting = 2) =>
	JSON.parse(
		new TextDecoder().decode(
			busyAnswer({ request, ms, othersWaiting }, { movingSince: undefined, lostFor: undefined }).body,
		),
	) as {
		error: string;
		fix: string;
		busy: object;
	};

test('the status of a busy engine names the call, and after a long time the call that ends the engine', () => {
	expect(statusAfter(5000)).toMatchObject({ code: 'busy', busy: { path: '/step', seconds: 5, waiting: 2 } });
	expect(statusAfter(5000).error).toContain('for 5 s; 2 other calls wait. ');
	expect(statusAfter(5000, 1).error).toContain('for 5 s; 1 other call waits. ');
	expect(statusAfter(5000).fix).not.toContain('DELETE');
	expect(statusAfter(61_000).fix).toContain('DELETE /engine/worker/');
});

test('while the browser crashes repeatedly, the status has the cause and the time of the next start', () => {
	const next = Date.now() + 8000;
	const vacancy = { identity: '', hasOwnEngine: true };
	const { headers, body } = vacantAnswer({
		...vacancy,
		trouble: { why: 'It ended repeatedly.', next },
	});
	const answer = JSON.parse(new TextDecoder().decode(body)) as { error: string };
	expect(answer.error).toContain(`It ended repeatedly. The next start is at ${new Date(next).toISOString()}`);
	expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(7);
	const overdue = vacantAnswer({
		...vacancy,
		trouble: { why: 'It ended repeatedly.', next: Date.now() - 1 },
	});
	expect(new TextDecoder().decode(overdue.body)).toContain('A restart is in progress.');
	expect(overdue.headers['retry-after']).toBe('1');
});
