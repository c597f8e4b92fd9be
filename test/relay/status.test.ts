/** Status of an engine that is at work, after long also how it is ended, and of one that is not there. */

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

test('it names the call, and the way to end it only after a long time', () => {
	expect(statusAfter(5000)).toMatchObject({ code: 'busy', busy: { path: '/step', seconds: 5, waiting: 2 } });
	expect(statusAfter(5000).error).toContain('for 5 s; 2 other calls wait. ');
	expect(statusAfter(5000, 1).error).toContain('for 5 s; 1 other call waits. ');
	expect(statusAfter(5000).fix).not.toContain('DELETE');
	expect(statusAfter(61_000).fix).toContain('DELETE /engine/worker/');
});

test('while its browser crashes repeatedly, it reports the cause and the time of the next try', () => {
	const next = Date.now() + 8000;
	const vacancy = { identity: '', hasOwnEngine: true };
	const { headers, body } = vacantAnswer({
		...vacancy,
		trouble: { why: 'It ended repeatedly.', next },
	});
	const answer = JSON.parse(new TextDecoder().decode(body)) as { error: string };
	expect(answer.error).toContain(`It ended repeatedly. The next start is at ${new Date(next).toISOString()}`);
	expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(7);
	const late = vacantAnswer({
		...vacancy,
		trouble: { why: 'It ended repeatedly.', next: Date.now() - 1 },
	});
	expect(new TextDecoder().decode(late.body)).toContain('A restart is in progress.');
	expect(late.headers['retry-after']).toBe('1');
});
