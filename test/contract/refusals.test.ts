/** What a refusal says: the place of the fault, and what to send instead. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearest } from '../../shared/contract/nearest.ts';
import { type Json, startEngine, type TestEngine } from '../support/engine.ts';

let world: TestEngine;
beforeAll(async () => {
	world = await startEngine();
	await world.must('POST', '/spawn', { health: 10, agent_id: 7 });
	await world.must('POST', '/fork', { fork_id: 'plan' });
});
afterAll(() => world.engine.close());

async function refusal(method: string, path: string, body?: unknown): Promise<Json> {
	const reply = await world.call(method, path, body);
	expect(reply.body.ok).toBe(false);
	expect(reply.body.error).toBe(reply.body.message);
	return { status: reply.status, ...reply.body };
}

describe('did you mean', () => {
	test.each([
		['/spawn', { posision: [1, 2, 3] }, 'Did you mean "position"?'],
		['/spawn', { helth: 3 }, 'Did you mean "health"?'],
		['/spawn', { velocity: { liner: [1, 2, 3], linear: [0, 0, 0] } }, 'Did you mean "linear"?'],
		['/spawn', { role: 'heero' }, 'Did you mean "hero"?'],
		['/spawn', { physics_body: 'dinamic' }, 'Did you mean "Dynamic"?'],
		['/spawn', { collider: { shape: 'Spere', radius: 1 } }, 'Did you mean "Sphere"?'],
		['/spawn', { building_type: 'tier1tower' }, 'Did you mean "tier1_tower"?'],
		['/level/load', { level: { entities: [{}, { helth: 3 }] } }, 'Did you mean "health"?'],
		['/camera/view', { view: 'tpo' }, 'Did you mean "top"?'],
		['/step', { tick: 3 }, 'Did you mean "ticks"?'],
		['/stepp', {}, 'Did you mean /step?'],
		['/fork/plam/step', {}, 'Did you mean "plan"?'],
		['/step?world=plam', {}, 'Did you mean "plan"?'],
		['/observe?vewer=1', {}, 'Did you mean "viewer"?'],
	])('%s %j', async (path, body, fix) => {
		expect((await refusal('POST', path, body)).fix).toContain(fix);
	});

	test('a word that is near to nothing gets the list instead', async () => {
		expect((await refusal('POST', '/spawn', { role: 'zebra' })).fix).toBe(
			'Send "role" as one of: hero, minion, tower, structure.',
		);
		expect((await refusal('POST', '/step', { zzzzzzzz: 3 })).fix).toBe('Known keys: ticks, trace.');
		expect(nearest('zebra', ['hero', 'minion'])).toBeUndefined();
		expect(nearest('HERO', ['minion', 'hero'])).toBe('hero');
	});
});

describe('where the fault lies', () => {
	test.each([
		[{ position: [1, 2] }, 'position'],
		[{ position: [1, 'x', 2] }, 'position[1]'],
		[{ team: 256 }, 'team'],
		[{ collider: { shape: 'Aabb', hx: 1 } }, 'collider.hy'],
		[{ velocity: {} }, 'velocity.linear'],
		[{ tags: ['a', 5] }, 'tags[1]'],
		[{ ai_patrol: [[0, 0, 0], [1]] }, 'ai_patrol[1]'],
		[{ health: 1e300 }, 'health'],
		[{ rotation: [0, 0, 0, 0] }, 'rotation'],
	])('%j', async (body, path) => {
		expect(await refusal('POST', '/spawn', body)).toMatchObject({ status: 422, code: 'invalid_body', path });
		const level = { level: { entities: [{}, body] } };
		expect(await refusal('POST', '/level/load', level)).toMatchObject({ path: `level.entities[1].${path}` });
	});

	test('a body that is no object at all', async () => {
		for (const body of [[1], 'x', 5, true])
			expect(await refusal('POST', '/spawn', body)).toMatchObject({ status: 422, code: 'invalid_body' });
	});
});

describe('what the interface reports inside a 200 stays there', () => {
	test.each([
		['POST', '/despawn', { entity_id: 99, entity_generation: 0 }, 'entity_not_found'],
		['POST', '/despawn', { entity_id: 0, entity_generation: 0 }, 'not_owner'],
		['POST', '/fork', { fork_id: 'plan' }, 'fork_exists'],
		['POST', '/fork', { fork_id: 'other', from: 'nowhere' }, 'unknown_fork'],
		['DELETE', '/fork/main', undefined, 'unknown_fork'],
		['POST', '/level/load', { path: 'levels/none.json' }, 'file_missing'],
		['POST', '/level/load', { path: '../secrets' }, 'file_refused'],
		['POST', '/level/load', { level: { entities: [{ parent: 77 }] } }, 'invalid_level'],
		['GET', '/engine/gpu', undefined, 'no_gpu'],
	])('%s %s %j is %s', async (method, path, body, code) => {
		expect(await refusal(method, path, body)).toMatchObject({ status: 200, code });
	});

	test.each(['main', 'list'])('a fork called %s is refused', async (fork_id) => {
		expect(await refusal('POST', '/fork', { fork_id })).toMatchObject({ status: 422, path: 'fork_id' });
	});
});

test('HTTP is read as it may be written', async () => {
	const say = (headers: Record<string, string>, method = 'POST') =>
		world.call(method, '/observe', {}, headers).then(({ status }) => status);
	expect(await say({ 'content-type': 'application/json; charset=utf-8' })).toBe(200);
	expect(await say({ 'content-type': 'Application/JSON' })).toBe(200);
	expect(await say({ 'content-type': 'application/vnd.orrery+json' })).toBe(200);
	expect(await say({ 'content-type': 'application/jsonp' })).toBe(415);
	expect((await world.call('GET', '/%65ntities/0')).status).toBe(404);
	expect((await world.call('GET', '/entities/%30')).status).toBe(200);
	expect((await world.call('GET', '/entities/0?world=%70lan')).status).toBe(200);
	expect((await world.call('GET', '/fork/pl%61n/observe')).status).toBe(200);
});
