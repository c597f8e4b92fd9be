/** The table of the bare host, over HTTP: `npm start -- --bare`. */

import { afterAll, beforeAll } from 'vitest';
import { httpHandle } from '../../../shared/contract/client.ts';
import { clientOf } from '../../support/engine.ts';
import { describeBareHost } from '../bare-host.ts';
import { type Started, startOrrery } from './start.ts';

const PORT = 4404;
let orrery: Started;

beforeAll(async () => {
	orrery = await startOrrery(PORT, ['--bare', '--headless']);
});

afterAll(() => orrery?.stop());

describeBareHost('npm start -- --bare', async () => {
	const client = clientOf(httpHandle(orrery.url));
	const { snapshots } = (await client.get('/snapshot/list')) as { snapshots: { label: string }[] };
	for (const { label } of snapshots) await client.remove(`/snapshot/${label}`);
	await client.post('/reset', { fresh: true, seed: 0 });
	return client;
});
