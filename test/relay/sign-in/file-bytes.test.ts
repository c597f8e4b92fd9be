/** Limits on the file sizes of signed-in agents, for single calls and batches, also after a restart. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRelay } from '../../../relay/server.ts';
import { httpHandle } from '../../../shared/transport/client.ts';
import { type Call, caller } from '../../support/engine.ts';
import { openJournalTab } from '../journal-tab.ts';
import { listAgents, newAgent } from './keys.ts';

const ada = newAgent('ada');
const bob = newAgent('bob');
const NOW = 1_800_000_000;
const PAGE = { html: async () => '<html><head></head></html>', serve: () => false };

let data: string;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-file-bytes-'));
	await listAgents(data, [
		[ada, { number: 1, limits: { file_bytes: 25_000 } }],
		[bob, { number: 2 }],
	]);
});
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

/** Returns a server with an engine, and calls to it as each agent. */
async function serve(time: number): Promise<{ asAda: Call; asBob: Call; close: () => Promise<void> }> {
	const relay = await startRelay({ port: 0, data, page: PAGE, auth: true, clock: () => time });
	const tab = await openJournalTab(relay.url);
	await tab.engine;
	const close = async () => {
		tab.kill();
		await relay.close();
	};
	cleanups.push(close);
	const call = caller(httpHandle(relay.url));
	const as = async (agent: typeof ada): Promise<Call> => {
		const { session_token } = (await call('POST', '/auth/login', agent.login(time))).body;
		return (method, path, body) =>
			call(method, path, body, {
				'content-type': 'application/json',
				authorization: `Bearer ${session_token}`,
			});
	};
	return { asAda: await as(ada), asBob: await as(bob), close };
}

const save = (path: string) => ({ method: 'POST', path: '/scene/save', body: { path } });

test('an agent cannot exceed its own room or use that of others, in single calls or in a batch', async () => {
	const { asAda, asBob, close } = await serve(NOW);
	expect((await asAda('POST', '/scene/save', { path: 'a0' })).body).toMatchObject({ ok: true });
	const requests = Array.from({ length: 9 }, (_, i) => save(`a${i + 1}`));
	for (const atomic of [true, false]) await asAda('POST', '/batch', { requests, atomic });
	const countFiles = async () => (await readdir(data)).filter((name) => /^a\d$/.test(name)).length;
	expect(await countFiles()).toBeLessThan(7);
	expect(await countFiles()).toBeGreaterThan(1);
	const refused = (await asAda('POST', '/scene/save', { path: 'more' })).body;
	expect(refused).toMatchObject({ ok: false, code: 'out_of_room', fix: expect.stringContaining('operator') });
	expect(refused.error).toBe('The files of "ada" may have 25000 bytes, and this file would exceed that.');
	expect((await asBob('POST', '/scene/save', { path: 'b0' })).body).toMatchObject({ ok: true });
	await close();
	const next = await serve(NOW + 1);
	expect((await next.asAda('POST', '/scene/save', { path: 'more' })).body).toMatchObject({
		code: 'out_of_room',
	});
	expect((await next.asAda('POST', '/scene/save', { path: 'a0' })).body).toMatchObject({ ok: true });
	expect((await next.asBob('POST', '/scene/save', { path: 'b1' })).body).toMatchObject({ ok: true });
});
