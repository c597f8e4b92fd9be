/** Belongings of an agent on a server that needs sessions, and their limits. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Call, type GatedServer, startGated } from './gated-server.ts';

let server: GatedServer;
let ada: Call;
let bob: Call;
let op: Call;

beforeEach(async () => {
	server = await startGated({ limits: { entities: 3, forks: 2 } });
	({ ada, bob, op } = server);
});
afterEach(() => server.close());

describe('belongings of an agent', () => {
	let id: number;
	beforeEach(async () => {
		id = (await ada('POST', '/spawn', { health: 100, team: 1, player: true })).body.id as number;
	});

	test('are marked as its own, against any field of the body', async () => {
		expect((await bob('GET', `/entities/${id}`)).body.agent_id).toBe(1);
		const { body } = await bob('POST', '/spawn', { agent_id: 1 });
		expect(body.code).toBe('not_owner');
		expect((await op('POST', '/spawn', {})).status).toBe(201);
	});

	test.each<[string, object]>([
		['/despawn', { entity_generation: 0 }],
		['/despawn', { entity_generation: 0, agent_id: 1 }],
		['/entity/damage', { amount: 5 }],
		['/entity/heal', { amount: 5 }],
		['/tag', { add: ['mine'] }],
		['/material/set', { metallic: 1 }],
		['/ai/set', { behavior: 'idle' }],
		['/item/give', { item_id: 1 }],
		['/effect/apply', { tag: 'slow', modifiers: [] }],
		['/input/press', { key: 'ArrowUp' }],
		['/events', { type: 'DamageEvent', target: 0, amount: 5 }],
	])('is not changed by another: POST %s %j', async (path, fields) => {
		await op('POST', '/item/define', { id: 1, name: 'stone' });
		await ada('POST', '/entity/damage', { entity_id: id, amount: 50 });
		await ada('POST', '/step', { ticks: 2 });
		const before = (await ada('GET', '/digest')).body.state_digest;
		const content = path === '/events' ? { ...fields, target: id } : { entity_id: id, ...fields };
		const { body } = await bob('POST', path, content);
		// Another code would mean that the body is wrong.
		expect(body, JSON.stringify(body)).toMatchObject({ ok: false, code: 'not_owner' });
		expect((await ada('GET', '/digest')).body.state_digest).toBe(before);
		const ownCall = await ada('POST', path, content);
		expect(ownCall.body.ok, JSON.stringify(ownCall.body)).toBe(true);
	});

	test.each<[string, object]>([
		[`/reset`, {}],
		['/reset', { fresh: true }],
		['/level/load', { level: { entities: [] } }],
		[
			'/batch',
			{
				requests: [
					{ path: '/spawn', body: {} },
					{ path: '/reset', body: {} },
				],
			},
		],
		['/batch', { atomic: true, requests: [{ path: '/reset', body: {} }] }],
		['/step', { ticks: 1, inputs: [{ at: 0, key: 'ArrowUp' }] }],
	])('does not go with the whole world either: POST %s %j', async (path, body) => {
		await bob('POST', path, body);
		const remaining = await ada('GET', `/entities/${id}`);
		expect(remaining.body).toMatchObject({ id, agent_id: 1, health: [100, 100] });
		expect(remaining.body.local_transform).toMatchObject({ position: [0, 0, 0] });
	});

	test('may be hurt and moved by ticks', async () => {
		await op('POST', '/rule/create', {
			when: { kind: 'tick', every: 1 },
			do: [{ action: 'damage', target: { team: 1 }, amount: 10 }],
		});
		expect((await bob('POST', '/step', { ticks: 3 })).body.ok).toBe(true);
		expect(((await bob('GET', `/entities/${id}`)).body.health as number[])[0]).toBeLessThan(100);
	});

	test('are open to every change by an operator', async () => {
		expect((await op('POST', '/entity/heal', { entity_id: id, amount: 1 })).body.ok).toBe(true);
		expect((await op('POST', '/reset', {})).body.ok).toBe(true);
	});

	test('a scene file is replaced by its owner alone, and the assets of saves have no owner', async () => {
		expect((await ada('POST', '/scene/save', { path: 'scenes/a.json' })).body.ok).toBe(true);
		const before = await readFile(join(server.data, 'scenes/a.json'), 'utf8');
		for (const path of ['scenes/a.json', 'scenes/A.json']) {
			const { body } = await bob('POST', '/scene/save', { path });
			expect(body).toMatchObject({ ok: false, code: 'not_owner' });
		}
		expect(await readFile(join(server.data, 'scenes/a.json'), 'utf8')).toBe(before);
		expect((await ada('POST', '/scene/save', { path: 'scenes/a.json' })).body.ok).toBe(true);
		expect((await bob('POST', '/scene/save', { path: 'scenes/b.json' })).body.ok).toBe(true);
	});

	test('the files of the relay are neither read nor written for a caller', async () => {
		for (const path of ['.orrery-agents.json', '.ORRERY-agents.json', './.orrery-agents.json'])
			for (const call of ['/scene/load', '/scene/save'])
				expect((await op('POST', call, { path })).body).toMatchObject({ ok: false, code: 'file_refused' });
	});

	test('cannot exceed its limit of entities', async () => {
		for (let i = 0; i < 2; i++) expect((await ada('POST', '/spawn', {})).status).toBe(201);
		const { status, body } = await ada('POST', '/spawn', {});
		expect([status, body.code]).toEqual([403, 'agent_limit']);
		const level = { level: { entities: [{}, {}, {}, {}] } };
		expect((await ada('POST', '/level/load', level)).body.code).toBe('agent_limit');
		expect((await bob('POST', '/spawn', {})).status).toBe(201);
		await ada('POST', '/despawn', { entity_id: id, entity_generation: 0 });
		expect((await ada('POST', '/spawn', {})).status).toBe(201);
	});

	test('cannot exceed its limit of forks, and no other agent deletes its forks', async () => {
		for (const fork_id of ['a', 'b']) expect((await ada('POST', '/fork', { fork_id })).body.ok).toBe(true);
		expect((await ada('POST', '/fork', { fork_id: 'c' })).body.code).toBe('agent_limit');
		expect((await bob('DELETE', '/fork/a')).body.code).toBe('not_owner');
		expect((await ada('DELETE', '/fork/a')).body.ok).toBe(true);
		expect((await ada('POST', '/fork', { fork_id: 'c' })).body.ok).toBe(true);
	});
});
