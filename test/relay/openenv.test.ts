/** OpenEnv under /openenv: episodes over a socket and over HTTP, and their exact continuation on the same or another server. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startRelay } from '../../relay/server.ts';
import { taskWith } from '../../relay/suite/numbers.ts';
import { referenceSolver } from '../../relay/suite/run-task.ts';
import type { CallHandler } from '../../shared/contract/wire.ts';
import { tasks } from '../../shared/suite/index.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import { clientOf, type Json, startEngine } from '../support/engine.ts';
import { readPublic } from '../support/public-files.ts';
import { openTab } from './fake-tab.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
});

async function startServer() {
	const data = await mkdtemp(join(tmpdir(), 'orrery-openenv-'));
	cleanups.push(() => rm(data, { recursive: true, force: true }));
	const page = { html: async () => '<html><head></head></html>', serve: () => false };
	const relay = await startRelay({ port: 0, data, page });
	cleanups.push(() => relay.close());
	const { engine } = await startEngine({ readPublic });
	cleanups.push(() => engine.close());
	const tab = await openTab(relay.url, engine.handleFrom('relay'), { world: () => engine.identity });
	cleanups.push(() => tab.close());
	return { url: `${relay.url}/openenv`, ...clientOf(httpHandle(relay.url)) };
}

/** Returns a client of an episode that works like OpenEnv's generic client: it sends a message and waits for the answer. */
async function play(url: string) {
	const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
	await new Promise((resolve) => socket.addEventListener('open', resolve));
	const ask = (message: object): Promise<Json> =>
		new Promise((resolve) => {
			socket.addEventListener('message', ({ data }) => resolve(JSON.parse(data as string) as Json), {
				once: true,
			});
			socket.send(JSON.stringify(message));
		});
	const must = async (message: object): Promise<Json> => {
		const { type, data } = await ask(message);
		if (type === 'error') throw new Error((data as Json).message as string);
		return data as Json;
	};
	const player = {
		ask,
		reset: (data: object = {}) => must({ type: 'reset', data }),
		step: (data: object = {}) => must({ type: 'step', data }),
		state: () => must({ type: 'state' }),
		close: () => {
			socket.send(JSON.stringify({ type: 'close' }));
			return new Promise((resolve) => socket.addEventListener('close', resolve));
		},
	};
	cleanups.push(() => socket.close());
	return player;
}

const digestOf = ({ observation }: Json): string => (observation as Json).state_digest as string;
const market = { scene: 'market', seed: 7, ticks: 30 };

async function digestsAfter(player: Awaited<ReturnType<typeof play>>, steps: number): Promise<string[]> {
	const digests: string[] = [];
	for (let i = 0; i < steps; i++) digests.push(digestOf(await player.step()));
	return digests;
}

test('a rollout that is stopped, moved to another server and continued has the digests of an undisturbed one', async () => {
	const [firstServer, secondServer] = [await startServer(), await startServer()];
	const steady = await play(firstServer.url);
	await steady.reset(market);
	const expected = await digestsAfter(steady, 6);
	const first = await play(firstServer.url);
	await first.reset({ ...market, episode_id: 'rollout' });
	expect(await digestsAfter(first, 3)).toEqual(expected.slice(0, 3));
	const { handle, step_count, state_digest } = await first.state();
	expect([step_count, state_digest]).toEqual([3, expected[2]]);
	const checkpoint = await firstServer.must('POST', '/openenv/export', { handle, move: true });
	const second = await play(secondServer.url);
	const continued = await second.reset({ checkpoint });
	expect(continued).toMatchObject({ metadata: { episode_id: 'rollout', attempt: 2, step_count: 3 } });
	expect(await digestsAfter(second, 3)).toEqual(expected.slice(3));
	expect(await second.state()).toMatchObject({ step_count: 6, state_digest: expected[5], attempt: 2 });
	for (const message of [
		{ type: 'step', data: {} },
		{ type: 'reset', data: { handle } },
	])
		expect(await first.ask(message)).toMatchObject({
			type: 'error',
			data: { code: 'SESSION_ERROR', fix: expect.any(String) },
		});
	const forged = { ...checkpoint, scenario: await secondServer.must('GET', '/scenario') };
	expect(await second.ask({ type: 'reset', data: { checkpoint: forged } })).toMatchObject({
		data: { code: 'SESSION_ERROR', message: expect.stringContaining('digests differ') },
	});
	expect(await second.step()).toMatchObject({ metadata: { step_count: 7 } });
});

test('a handle continues on the same server, and the earlier attempt is fenced', async () => {
	const { url, get } = await startServer();
	const first = await play(url);
	await first.reset(market);
	await first.step();
	const { handle } = await first.state();
	const expected = await digestsAfter(first, 2);
	const second = await play(url);
	await second.reset({ handle });
	expect(await digestsAfter(second, 2)).toEqual(expected);
	expect(await first.ask({ type: 'step', data: {} })).toMatchObject({
		data: { code: 'SESSION_ERROR', message: expect.stringContaining('Attempt 1') },
	});
	await second.close();
	const third = await play(url);
	expect(await third.ask({ type: 'step', data: {} })).toMatchObject({ data: { code: 'SESSION_ERROR' } });
	expect(await third.reset({ handle })).toMatchObject({ metadata: { step_count: 1 } });
	expect((await get('/fork/list')).forks).toHaveLength(1);
	const { forks } = (await get('/fork/list?all=true')) as { forks: string[] };
	expect(forks.filter((fork) => fork.startsWith('.'))).toHaveLength(1);
});

test('actions, rewards and the end of an episode, over HTTP', async () => {
	const { post, get, must, spawn } = await startServer();
	const hero = await spawn({ health: 100, gold: 0, tags: ['hero'] });
	const worldBefore = await get('/digest');
	const reward = { field: 'gold', filter: 'tag:hero' };
	const start = await post('/openenv/reset', {
		seed: 1,
		ticks: 2,
		reward,
		done: 'any tag:hero & field:gold>=50',
	});
	expect(start).toMatchObject({
		reward: null,
		done: false,
		observation: { tick: 0, columns: ['id', 'tags', 'team', 'health', 'position'] },
	});
	const earn = (amount: number) => ({
		action: { requests: [{ path: `/entities/${hero}/components`, body: { gold: amount } }] },
	});
	expect(await post('/openenv/step', earn(20))).toMatchObject({
		reward: 20,
		done: false,
		observation: { tick: 2 },
	});
	const refused = [
		{ action: { requests: [{ path: '/spawn?world=main', body: {} }] } },
		{ action: { requests: [{ path: '/fork', body: { fork_id: 'mine' } }] } },
		{ action: { requests: [{ path: '/entities/99/components', body: { gold: 1 } }] } },
		{ action: { name: 'fly' } },
		{ action: { hop: true } },
	];
	for (const body of refused)
		expect(await post('/openenv/step', body)).toMatchObject({
			ok: false,
			detail: expect.any(String),
			fix: expect.any(String),
		});
	expect(await post('/openenv/step', earn(50))).toMatchObject({
		reward: 30,
		done: true,
		metadata: { step_count: 2 },
	});
	expect(await post('/openenv/step', earn(1))).toMatchObject({ code: 'EXECUTION_ERROR' });
	expect(await get('/openenv/state')).toMatchObject({ step_count: 2, total_reward: 50, done: true });
	expect(await get('/digest')).toEqual(worldBefore);
	for (const [path, part] of [
		['health', { status: 'healthy' }],
		['metadata', { name: 'orrery', description: expect.any(String) }],
		['schema', { action: { title: 'OrreryAction' }, observation: {}, state: {} }],
		[
			'openapi.json',
			{ info: { version: expect.any(String) }, paths: { '/reset': {}, '/step': {}, '/state': {} } },
		],
	] as const)
		expect(await get(`/openenv/${path}`)).toMatchObject(part);
	expect(await must('POST', '/openenv/mcp')).toMatchObject({ jsonrpc: '2.0' });
});

test('an action of the scenario has parameters, and a refused step changes nothing', async () => {
	const player = await play((await startServer()).url);
	await player.reset(market);
	const tickOf = async () => ((await player.state()).tick ?? (await player.state()).state_digest) as unknown;
	const before = await tickOf();
	const damage = { path: '/entity/damage', body: { entity_id: 1, amount: 1 } };
	expect(
		await player.ask({ type: 'step', data: { name: 'cry_wares', parameters: {}, requests: [damage] } }),
	).toMatchObject({ type: 'error', data: { code: 'VALIDATION_ERROR' } });
	expect(await tickOf()).toEqual(before);
	const waits: number[] = [];
	for (const ticks of [5, 20]) {
		const { observation } = await player.step({ name: 'wait', parameters: { ticks }, ticks: 0 });
		waits.push((observation as Json).tick as number);
	}
	expect(waits[1]! - waits[0]!).toBe(20);
	await player.step({ ticks: 0 });
	expect(await player.state()).toMatchObject({ step_count: 3 });
});

const taskOf = (id: string) => taskWith(tasks.find((task) => task.id === id)!, 1);

/** Returns a handle that makes each call as a step of a player. */
const throughSteps =
	(step: (action: object) => Promise<Json>): CallHandler =>
	async ({ method, path, query, body }) => {
		const text = new TextDecoder().decode(body);
		const content = text === '' ? {} : { body: JSON.parse(text) };
		const { observation } = await step({
			requests: [{ method, path: query === '' ? path : `${path}?${query}`, ...content }],
		});
		const [result] = (observation as Json).results as [{ status: number; body: unknown }];
		return {
			status: result.status,
			headers: {},
			body: new TextEncoder().encode(JSON.stringify(result.body)),
		};
	};

test('a task of the suite is an episode with its verdict as reward, and its handle continues it on another server', async () => {
	const [firstServer, secondServer] = [await startServer(), await startServer()];
	const first = await play(firstServer.url);
	const start = await first.reset({ task: 'broken-chain', seed: 1 });
	const { task, results, verdict } = start.observation as Json;
	const { prompt, budget, moves } = taskOf('broken-chain');
	expect(task).toMatchObject({ id: 'broken-chain', prompt, budget, moves, used: { calls: 0, bytes: 0 } });
	expect([start.reward, start.done, results, verdict]).toEqual([null, false, [], null]);
	const refused = await first.step({ requests: [{ path: '/step', body: {} }, { path: '/spawn' }] });
	expect(refused).toMatchObject({
		reward: 0,
		done: false,
		observation: { results: [{ status: 403, body: { code: 'not_allowed' } }] },
	});
	await referenceSolver(taskOf('broken-chain'), throughSteps(first.step));
	const { handle, state_digest } = await first.state();
	const exported = await firstServer.must('POST', '/openenv/export', { handle, move: true });
	expect(await first.ask({ type: 'step', data: {} })).toMatchObject({ data: { code: 'SESSION_ERROR' } });
	const second = await play(secondServer.url);
	const continued = await second.reset({ checkpoint: exported });
	expect(continued).toMatchObject({
		observation: { state_digest, task: { used: { calls: 2 } } },
		metadata: { task: 'broken-chain', attempt: 2, seed: 1 },
	});
	expect(await second.step({ answer: null })).toMatchObject({
		reward: 1,
		done: true,
		observation: { verdict: { passed: true, failure: null, spent: false } },
	});
	expect(await second.state()).toMatchObject({ done: true, total_reward: 1 });
	expect(await second.ask({ type: 'step', data: {} })).toMatchObject({ data: { code: 'EXECUTION_ERROR' } });
	expect((await firstServer.get('/')).tick).toBe(0);
});

test('tasks are listed by the standard over HTTP, and a wrong answer or a spent budget ends one', async () => {
	const { get, post } = await startServer();
	expect(await get('/openenv/list_environments')).toEqual(['orrery']);
	const splits = await get('/openenv/orrery/splits');
	expect(splits).toContainEqual({ name: 'understand', type: 'test' });
	expect(await post('/openenv/orrery/num_tasks', { split: 'understand' })).toEqual({ num_tasks: 8 });
	const list = await post('/openenv/orrery/tasks', { split: 'understand' });
	const groupIds = tasks.filter(({ group }) => group === 'understand').map(({ id }) => id);
	expect((list.tasks as Json[]).map(({ id }) => id)).toEqual(groupIds);
	expect(await post('/openenv/orrery/task', { split: 'understand', index: 1 })).toMatchObject({
		task: { id: 'ruin', index: 1 },
	});
	expect(await post('/openenv/orrery/task_range', { split: 'prove', start: 2, stop: 4 })).toMatchObject({
		tasks: [{ index: 2 }, { index: 3 }],
	});
	for (const [path, body, fix] of [
		['orrery/tasks', { split: 'test' }, 'understand'],
		['orrery/task', { split: 'prove', index: 8 }, '0 to 7'],
		['reset', { task: 'ruine' }, 'Did you mean "ruin"?'],
		['reset', { split: 'prove' }, 'Send both'],
		['reset', { split: 'test', index: 0 }, 'understand'],
		['reset', { task: 'ruin', scene: 'arena' }, 'one of'],
		['reset', { task: 'ruin', done: 'any dead' }, 'Omit "done"'],
	] as const)
		expect(await post(`/openenv/${path}`, body), path).toMatchObject({
			ok: false,
			fix: expect.stringContaining(fix),
		});
	await post('/openenv/reset', { split: 'understand', index: 0, seed: 1, episode_id: 'dice' });
	expect(await post('/openenv/step', { action: { answer: '1/7' }, episode_id: 'dice' })).toMatchObject({
		reward: 0,
		done: true,
		observation: { verdict: { passed: false, failure: expect.stringContaining('not 1/7') } },
	});
	await post('/openenv/reset', { task: 'one-hero', seed: 1 });
	const reads = Array.from({ length: 13 }, () => ({ method: 'GET', path: '/digest' }));
	expect(await post('/openenv/step', { action: { requests: reads } })).toMatchObject({
		done: true,
		observation: { task: { used: { calls: 12 } }, verdict: { passed: false, spent: true } },
	});
	await post('/openenv/reset', { episode_id: 'plain' });
	expect(await post('/openenv/step', { action: { answer: 1 } })).toMatchObject({ code: 'VALIDATION_ERROR' });
	const once = { action: { ticks: 5 }, request_id: 'r1' };
	const result = await post('/openenv/step', once);
	expect(await post('/openenv/step', once)).toEqual(result);
	expect(await get('/openenv/state')).toMatchObject({ step_count: 1, tick: 5 });
	expect(await post('/openenv/close', { episode_id: 'plain' })).toMatchObject({ closed: 'plain' });
	expect(await post('/openenv/step', { action: {}, episode_id: 'plain' })).toMatchObject({
		code: 'SESSION_ERROR',
	});
});
