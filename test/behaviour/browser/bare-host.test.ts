/** Runs the table of the bare host in a browser: `npm start -- --bare --headless`. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDENTITY_HEADER } from '../../../shared/contract/wire.ts';
import { httpHandle } from '../../../shared/transport/client.ts';
import { clientOf } from '../../support/engine.ts';
import { describeBareHost } from '../bare-host.ts';
import { type Started, startOrrery } from './start.ts';

let orrery: Started;

beforeAll(async () => {
	orrery = await startOrrery(['--bare', '--headless']);
});

afterAll(() => orrery?.stop());

describeBareHost('npm start -- --bare --headless', async () => {
	const client = clientOf(httpHandle(orrery.url));
	const { snapshots } = (await client.get('/snapshot/list')) as { snapshots: { label: string }[] };
	for (const { label } of snapshots) await client.remove(`/snapshot/${label}`);
	await client.post('/reset', { fresh: true, seed: 0 });
	return client;
});

test('another engine resumes a bare world', async () => {
	const { call, must } = clientOf(httpHandle(orrery.url));
	await must('POST', '/reset', { fresh: true });
	await must('POST', '/spawn', { health: 9 });
	const { state_digest, new_tick } = await must('POST', '/step', { ticks: 2 });
	const { headers } = await call('GET', '/');
	await must('DELETE', `/engine/worker/${headers[IDENTITY_HEADER]}`);
	// The call waits until another engine has resumed the world.
	expect(await must('GET', '/digest')).toMatchObject({ state_digest, tick: new_tick });
	expect(await must('GET', '/')).toMatchObject({ profile: 'bare', entity_count: 1 });
	expect(await must('POST', '/history/fork', { fork_id: 'then', tick: new_tick })).toMatchObject({
		state_digest,
	});
});
