/** Over HTTP, the server generates a model from words, and an entity of the engine shows it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ModelProvider } from '../../../relay/generate/provider.ts';
import { type RelayOptions, startRelay } from '../../../relay/server.ts';
import { httpHandle } from '../../../shared/transport/client.ts';
import { clientOf, startEngine, type TestClient } from '../../support/engine.ts';
import { openJournalTab } from '../journal-tab.ts';

const PAGE = { html: async () => '<html><head></head></html>', serve: () => false };

let data: string;
const cleanups: (() => unknown)[] = [];
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-flow-'));
});
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

async function serve(options: Partial<RelayOptions> = {}): Promise<TestClient> {
	const relay = await startRelay({ port: 0, data, page: PAGE, ...options });
	cleanups.push(() => relay.close());
	const tab = await openJournalTab(relay.url);
	cleanups.push(() => tab.kill());
	await tab.engine;
	return clientOf(httpHandle(relay.url));
}

test('a prompt becomes a model of an entity', async () => {
	const { get, post, must } = await serve();
	expect((await get('/asset/providers')).providers).toContainEqual({ name: 'procedural', available: true });
	const task = await post('/asset/generate', { prompt: 'a big golden crystal', provider: 'procedural' });
	expect(task).toMatchObject({ ok: true, task_id: 'gen_0', status: 'pending', quality: 'medium' });
	await vi.waitFor(async () => expect((await get('/asset/status/gen_0')).status).toBe('complete'), 60_000);
	const { file_path } = await get('/asset/status/gen_0');
	const spawned = await must('POST', '/spawn', { mesh: file_path });
	expect(spawned).not.toHaveProperty('warnings');
	expect((await get(`/entities/${spawned.id}`)).mesh).toBe('generated/gen_0.glb');
	expect(await get('/asset/generated')).toEqual([
		expect.objectContaining({ task_id: 'gen_0', provider: 'procedural', prompt: 'a big golden crystal' }),
	]);
});

test('a generated model remains for the next server', async () => {
	const first = await serve();
	await first.post('/asset/generate', { prompt: 'a robot', provider: 'procedural' });
	await vi.waitFor(
		async () => expect((await first.get('/asset/status/gen_0')).status).toBe('complete'),
		60_000,
	);
	for (const end of cleanups.splice(0).reverse()) await end();
	const second = await serve();
	expect((await second.get('/asset/status/gen_0')).file_path).toBe('generated/gen_0.glb');
	expect((await second.post('/asset/generate', { prompt: 'a robot', provider: 'procedural' })).task_id).toBe(
		'gen_1',
	);
});

test('a server orders no paid model without explicit permission', async () => {
	let submits = 0;
	const paid: ModelProvider = {
		name: 'paid',
		missing: undefined,
		submit: async () => `remote-${submits++}`,
		poll: async () => ({ state: 'pending', progress: 0 }),
	};
	const { call } = await serve({ providers: [paid] });
	const order = { prompt: 'a castle', provider: 'paid' };
	expect(await call('POST', '/asset/generate', order)).toMatchObject({
		status: 403,
		body: { code: 'not_allowed', fix: expect.stringContaining('--paid-models') },
	});
	expect(submits).toBe(0);
	for (const end of cleanups.splice(0).reverse()) await end();
	const budget = await serve({ providers: [paid], paidModels: 1 });
	expect(await budget.post('/asset/generate', order)).toMatchObject({ ok: true });
	expect(await budget.call('POST', '/asset/generate', order)).toMatchObject({
		status: 429,
		body: { code: 'budget_spent' },
	});
});

test('refusals have clear errors', async () => {
	const { get, post, remove, call } = await serve();
	expect(await post('/asset/generate', { prompt: 'x', provider: 'proceduralx' })).toMatchObject({
		ok: false,
		code: 'unknown_provider',
		fix: 'Did you mean "procedural"?',
	});
	expect((await get('/asset/status/gen_7')).code).toBe('unknown_task');
	expect((await remove('/asset/generated/gen_7')).code).toBe('unknown_task');
	for (const body of [
		{},
		{ prompt: '' },
		{ prompt: '  ' },
		{ prompt: 'x', quality: 'best' },
		{ prompt: 'x', style: 1 },
	])
		expect(await call('POST', '/asset/generate', body), JSON.stringify(body)).toMatchObject({ status: 422 });
});

test('an engine without a server names the fix', async () => {
	const { call, engine } = await startEngine();
	cleanups.push(() => engine.close());
	for (const [method, path, body] of [
		['POST', '/asset/generate', { prompt: 'a house' }],
		['GET', '/asset/status/gen_0'],
		['GET', '/asset/generated'],
		['GET', '/asset/providers'],
		['DELETE', '/asset/generated/gen_0'],
	] as const) {
		const answer = await call(method, path, body);
		expect([answer.status, answer.body.code]).toEqual([503, 'no_relay']);
		expect(answer.body.fix).toContain('npx orrery start');
	}
});
