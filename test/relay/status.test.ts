/** What is said of an engine that is at work: after long, also how it is ended. */

import { expect, test } from 'vitest';
import { busyAnswer } from '../../relay/status.ts';

const request = { method: 'POST', path: '/step', query: '', headers: {}, body: new Uint8Array(0) };
const told = (ms: number) =>
	JSON.parse(
		new TextDecoder().decode(
			busyAnswer({ request, ms, behind: 2 }, { movingSince: undefined, lostFor: undefined }).body,
		),
	) as {
		fix: string;
		busy: object;
	};

test('it names the call, and how to end it only once it has taken long', () => {
	expect(told(5000)).toMatchObject({ code: 'busy', busy: { path: '/step', seconds: 5, waiting: 2 } });
	expect(told(5000).fix).not.toContain('DELETE');
	expect(told(61_000).fix).toContain('DELETE /engine/worker/');
});
