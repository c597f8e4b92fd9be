/** Taking, comparing and restoring snapshots. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestEngine, testEngine } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let client: TestEngine;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	client = testEngine(engine);
});

describe('snapshots', () => {
	test.each([1, 2, 3])('restoring is bit-exact: digest and the next 300 ticks (world %i)', async (seed) => {
		await scatter(engine, seed);
		await client.post('/snapshot', { label: 'here' });
		const before = await client.digest();
		const saved = client.bytes();
		const first = await client.future(300);
		await client.post('/spawn', { health: 1 });
		const restored = await client.post('/snapshot/here/restore');
		expect(restored.state_digest).toBe(before);
		expect(client.bytes()).toBe(saved);
		expect(await client.future(300)).toEqual(first);
		await client.post('/snapshot/here/restore');
		expect(await client.future(20)).toEqual(first.slice(0, 20));
	});

	test('the newest 50 are kept, and a snapshot has the tick of the world', async () => {
		for (let i = 0; i < 52; i++) {
			await client.post('/step');
			await client.post('/snapshot', { label: `s${i}` });
		}
		const { snapshots, count } = await client.get('/snapshot/list');
		expect(count).toBe(50);
		expect(snapshots[0]).toMatchObject({ label: 's2', tick: 3 });
		expect((await client.get('/snapshot/latest')).snapshot).toMatchObject({ label: 's51', tick: 52 });
		expect(await client.post('/snapshot/s0/restore')).toMatchObject({ ok: false, code: 'snapshot_missing' });
		expect(await client.remove('/snapshot/s2')).toMatchObject({ ok: true, deleted: 1 });
		expect((await client.get('/snapshot/list')).count).toBe(49);
	});

	test('a diff names spawned, removed and changed entities, field by field', async () => {
		const { id } = await client.post('/spawn', { health: 100, team: 1, role: 'hero' });
		const gone = await client.post('/spawn', { role: 'tower' });
		await client.post('/snapshot', { label: 'a' });
		await client.post('/despawn', { entity_id: gone.id, entity_generation: gone.generation });
		await client.post('/entity/damage', { entity_id: id, amount: 30 });
		await client.post('/step');
		const fresh = await client.post('/spawn', { role: 'hero' });
		await client.post('/snapshot', { label: 'b' });
		const diff = await client.get('/snapshot/diff?from=a&to=b');
		expect(diff).toMatchObject({
			entity_delta: 0,
			from_tick: 0,
			to_tick: 1,
			equal: false,
			spawned: [{ id: fresh.id, generation: fresh.generation, role: 'Hero' }],
			despawned: [{ id: gone.id, generation: gone.generation, role: 'Tower' }],
			role_changes: [
				{ role: 'Hero', from: 1, to: 2, delta: 1 },
				{ role: 'Tower', from: 1, to: 0, delta: -1 },
			],
		});
		const { fields } = diff.changed.find((entity: { id: number }) => entity.id === id);
		expect(fields).toContainEqual({ field: 'health.current', from: 100, to: 70 });
		expect(await client.get('/snapshot/diff?from=a&to=c')).toMatchObject({
			ok: false,
			code: 'snapshot_missing',
		});
	});

	test('a diff names new and changed verdicts, also of assertions with one name', async () => {
		const at = async (label: string) => {
			await client.post('/assert/evaluate');
			await client.post('/snapshot', { label });
		};
		const few = (max: number) =>
			client.post('/assert/create', { name: 'few', condition: `count team:1 max=${max}` });
		await few(0);
		const { id } = await few(9);
		await client.post('/spawn', { team: 1 });
		await at('one');
		await at('same');
		expect((await client.get('/snapshot/diff?from=one&to=same')).assertion_changes).toEqual([]);
		await client.remove(`/assert/${id}`);
		await few(0);
		for (let i = 0; i < 2; i++) await client.post('/spawn', { team: 1 });
		await few(2);
		await at('other');
		const { assertion_changes } = await client.get('/snapshot/diff?from=one&to=other');
		expect(
			assertion_changes.map((change: { from_passed: unknown; to_passed: unknown }) => [
				change.from_passed,
				change.to_passed,
			]),
		).toEqual([
			[true, false],
			[null, false],
		]);
	});

	test('a diff of different worlds always names a cause, even if only the next id differs', async () => {
		await client.post('/snapshot', { label: 'a' });
		const { id, generation } = await client.post('/spawn', {});
		await client.post('/despawn', { entity_id: id, entity_generation: generation });
		await client.post('/snapshot', { label: 'b' });
		const diff = await client.get('/snapshot/diff?from=a&to=b');
		expect(diff).toMatchObject({ equal: false, spawned: [], despawned: [], changed: [], parts: ['slots'] });
		expect(await client.get('/snapshot/diff?from=a&to=a')).toMatchObject({ equal: true, parts: [] });
	});

	test('each can be read in full by its label, the newest first', async () => {
		await client.post('/snapshot', { label: 'x/ y' });
		await client.post('/step');
		await client.post('/snapshot', { label: 'x/ y' });
		const { snapshot } = await client.get('/snapshot/x%2F%20y');
		expect(snapshot).toMatchObject({ label: 'x/ y', tick: 1, state_digest: await client.digest() });
		expect(await clientOf(engine.handle).call('GET', '/snapshot/z')).toMatchObject({
			status: 404,
			body: { code: 'snapshot_missing', fix: 'Use one of: x/ y.' },
		});
	});

	test('a fork begins with those of its parent, and either side may delete them', async () => {
		await scatter(engine, 4);
		await client.post('/snapshot', { label: 'start' });
		const start = await client.digest();
		const first = await client.future(20);
		await client.post('/fork', { fork_id: 'f' });
		await client.post('/fork', { fork_id: 'g', from: 'f' });
		await client.post('/snapshot?world=f', { label: 'own' });
		expect((await client.get('/snapshot/list')).count).toBe(1);
		expect((await client.get('/snapshot/list?world=f')).count).toBe(2);
		await client.remove('/snapshot/start');
		await client.remove('/fork/g');
		expect(await client.post('/snapshot/start/restore?world=f')).toMatchObject({ state_digest: start });
		expect(await client.future(20, 'f')).toEqual(first);
		await client.post('/snapshot/start/restore?world=f');
		await client.post('/fork/f/promote');
		expect(
			(await client.get('/snapshot/list')).snapshots.map((snapshot: { label: string }) => snapshot.label),
		).toEqual(['start', 'own']);
		expect(await client.post('/snapshot/start/restore')).toMatchObject({ state_digest: start });
		expect(await client.future(20)).toEqual(first);
	});

	test('promoting without a name for main keeps the snapshots of both, each once', async () => {
		await client.post('/snapshot', { label: 'before' });
		await client.post('/fork', { fork_id: 'f' });
		await client.post('/snapshot', { label: 'of main' });
		await client.post('/snapshot?world=f', { label: 'of f' });
		await client.post('/fork/f/promote');
		const { snapshots } = await client.get('/snapshot/list');
		expect(snapshots.map((snapshot: { label: string }) => snapshot.label)).toEqual([
			'before',
			'of main',
			'of f',
		]);
	});
});
