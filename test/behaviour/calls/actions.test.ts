/** Actions: named moves of a game, which its scenario declares. */

import { beforeEach, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const HIT = {
	name: 'hit',
	description: 'The hero strikes an enemy.',
	parameters: {
		target: { type: 'entity', description: 'Enemy', filter: 'team:2+alive' },
		amount: { type: 'number', description: 'Damage (HP)', min: 1, max: 50, default: 10 },
		word: { type: 'string', description: 'Battle cry', enum: ['ho', 'ha'], optional: true },
	},
	requests: [
		{ path: '/tag', body: { entity_id: '$target', add: ['hit', 'cry ${word}'] }, as: 'tagged' },
		{ path: '/entity/damage', body: { entity_id: '$target', amount: '$amount' } },
	],
	ticks: 2,
};
const READ = {
	name: 'look',
	description: 'Reads an entity.',
	parameters: { id: { type: 'entity', description: 'Entity' } },
	requests: [{ method: 'GET', path: '/entities/$id', answer: ['health'] }],
};
const HALF = {
	name: 'half',
	description: 'Fails after its first call.',
	requests: [
		{ path: '/spawn', body: { tags: ['stray'] } },
		{ path: '/entity/damage', body: { entity_id: 99, amount: 1 } },
	],
};
const GAME = {
	entities: [
		{ health: 100, team: 1 },
		{ health: 100, team: 2 },
		{ health: 100, team: 2 },
	],
	actions: [HIT, READ, HALF],
};

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
	await engine.must('POST', '/scenario', GAME);
});

const hit = (parameters: object, world = 'main') => engine.post(`/action/hit?world=${world}`, { parameters });

test('an action fills in its parameters, makes its calls and advances, as one call', async () => {
	const done = await hit({ target: 1, amount: 30, word: 'ho' });
	expect(done).toMatchObject({ ok: true, action: 'hit', count: 3, committed: true, tick: 2 });
	expect(done.state_digest).toBe(await engine.digest());
	expect(await engine.entity(1)).toMatchObject({ health: [70, 100], tags: ['cry ho', 'hit'] });
	expect((await engine.post('/action/look', { parameters: { id: 1 } })).results[0].body).toEqual([[70, 100]]);
});

test('a batch can load a scenario with actions, whose references are not those of the batch', async () => {
	const requests = [{ path: '/reset' }, { path: '/scenario', body: GAME }];
	await engine.must('POST', '/batch', { requests, atomic: true });
	const { entities } = (await engine.must('POST', '/observe', {})) as {
		entities: { id: number; team: number }[];
	};
	const target = entities.find(({ team }) => team === 2)!.id;
	expect(await hit({ target, word: 'ho' })).toMatchObject({ ok: true });
});

test.each([
	[{ target: 0, word: 'ho' }, 'entity_not_found', 'parameters.target', 'one of 1, 2'],
	[{ target: 1, amount: 51 }, 'invalid_body', 'parameters.amount', '50'],
	[{ target: 1, word: 'hi' }, 'invalid_body', 'parameters.word', 'ho'],
	[{ target: 1, amuont: 5 }, 'invalid_body', 'parameters', 'amount'],
	[{}, 'invalid_body', 'parameters.target', 'target'],
	[{ target: 1 }, 'batch_failed', 'requests[0]', ''],
])('%j is refused and changes nothing', async (parameters, code, path, fix) => {
	const before = await engine.digest();
	const { body } = await engine.call('POST', '/action/hit', { parameters });
	expect(body).toMatchObject({ ok: false, code, fix: expect.stringContaining(fix) });
	expect(body.path).toBe(path);
	expect(await engine.digest()).toBe(before);
});

test('an action whose second call is refused keeps nothing of the first', async () => {
	const before = engine.bytes();
	expect(await engine.post('/action/half')).toMatchObject({
		code: 'batch_failed',
		failed_at: 1,
		committed: false,
		error: expect.stringContaining('No change of the action was kept'),
	});
	expect(engine.bytes()).toBe(before);
});

test('a match that has ended refuses its moves, and a new match accepts them', async () => {
	await engine.must('POST', '/game/create', { mode: 'duel' });
	await engine.must('POST', '/game/end', {});
	const before = await engine.digest();
	expect(await hit({ target: 1 })).toMatchObject({ ok: false, code: 'match_over', fix: expect.any(String) });
	expect(await engine.digest()).toBe(before);
	await engine.must('POST', '/game/create', { mode: 'duel' });
	await engine.must('POST', '/action/hit', { parameters: { target: 1, word: 'ho' } });
});

test('actions are part of forks, scenarios, snapshots and exact saves, and not of the digest', async () => {
	const names = async (world = 'main') =>
		(await engine.get(`/action/list?world=${world}`)).actions.map(({ name }: { name: string }) => name);
	expect(await names()).toEqual(['half', 'hit', 'look']);
	await engine.post('/fork', { fork_id: 'plan' });
	await hit({ target: 2, word: 'ha' }, 'plan');
	expect(await engine.entity(2)).toMatchObject({ health: [100, 100] });
	const saved = await engine.get('/scenario');
	const bytes = engine.bytes();
	const { actions: _, ...without } = GAME;
	await engine.must('POST', '/scenario', without);
	expect(await names()).toEqual([]);
	expect(await names('plan')).toEqual(['half', 'hit', 'look']);
	expect(await engine.must('POST', '/scenario', saved)).toMatchObject({ exact: true });
	expect(engine.bytes()).toBe(bytes);
	const digest = await engine.digest();
	await engine.must('POST', '/level/load', { level: { actions: [{ ...READ, description: 'Other.' }] } });
	expect(await engine.digest()).toBe(digest);
	expect((await engine.get('/action/list')).actions[2].description).toBe('Other.');
	expect(await engine.post('/action/hti')).toMatchObject({
		code: 'unknown_action',
		fix: expect.stringContaining('hit'),
	});
});

describe('a scenario is refused with', () => {
	test.each([
		['a reference to nothing', { ...READ, parameters: {} }, 'actions[0].requests[0]', '"id"'],
		[
			'a call without a route',
			{ ...READ, requests: [{ path: '/entity/dmage' }] },
			'actions[0].requests[0]',
			'/entity/damage',
		],
		['a batch', { ...READ, requests: [{ path: '/batch' }] }, 'actions[0].requests[0]', 'another call'],
		['the name of a tool', { ...READ, name: 'step' }, 'actions[0].name', ''],
		['nothing to do', { ...READ, requests: [] }, 'actions[0].requests', ''],
		[
			'a default that its parameter does not take',
			{ ...READ, parameters: { id: { type: 'integer', description: 'x', max: 3, default: 4 } } },
			'actions[0].parameters.id.default',
			'',
		],
	])('%s', async (_, action, path, fix) => {
		const before = engine.bytes();
		const { body } = await engine.call('POST', '/scenario', { actions: [action] });
		expect(body).toMatchObject({ ok: false, fix: expect.stringContaining(fix) });
		expect(body.path).toBe(path);
		expect(engine.bytes()).toBe(before);
	});
});
