/** Snapshots: taking, comparing and going back to them, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestEngine, testEngine } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let t: TestEngine;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	t = testEngine(engine);
});

describe('snapshots', () => {
	test.each([1, 2, 3])('restoring is bit-exact: digest and the next 300 ticks (world %i)', async (seed) => {
		await scatter(engine, seed);
		await t.post('/snapshot', { label: 'here' });
		const before = await t.digest();
		const saved = t.bytes();
		const first = await t.future(300);
		await t.post('/spawn', { health: 1 });
		const restored = await t.post('/snapshot/here/restore');
		expect(restored.state_digest).toBe(before);
		expect(t.bytes()).toBe(saved);
		expect(await t.future(300)).toEqual(first);
		await t.post('/snapshot/here/restore');
		expect(await t.future(20)).toEqual(first.slice(0, 20));
	});

	test('the newest 50 are kept, and a snapshot has the tick of the world', async () => {
		for (let i = 0; i < 52; i++) {
			await t.post('/step');
			await t.post('/snapshot', { label: `s${i}` });
		}
		const { snapshots, count } = await t.get('/snapshot/list');
		expect(count).toBe(50);
		expect(snapshots[0]).toMatchObject({ label: 's2', tick: 3 });
		expect((await t.get('/snapshot/latest')).snapshot).toMatchObject({ label: 's51', tick: 52 });
		expect(await t.post('/snapshot/s0/restore')).toMatchObject({ ok: false, code: 'snapshot_missing' });
		expect(await t.remove('/snapshot/s2')).toMatchObject({ ok: true, deleted: 1 });
		expect((await t.get('/snapshot/list')).count).toBe(49);
	});

	test('a diff names spawned, removed and changed entities, field by field', async () => {
		const { id } = await t.post('/spawn', { health: 100, team: 1, role: 'hero' });
		const gone = await t.post('/spawn', { role: 'tower' });
		await t.post('/snapshot', { label: 'a' });
		await t.post('/despawn', { entity_id: gone.id, entity_generation: gone.generation });
		await t.post('/entity/damage', { entity_id: id, amount: 30 });
		await t.post('/step');
		const fresh = await t.post('/spawn', { role: 'hero' });
		await t.post('/snapshot', { label: 'b' });
		const diff = await t.get('/snapshot/diff?from=a&to=b');
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
		expect(await t.get('/snapshot/diff?from=a&to=c')).toMatchObject({ ok: false, code: 'snapshot_missing' });
	});

	test('a diff names new and changed verdicts, also of assertions with one name', async () => {
		const at = async (label: string) => {
			await t.post('/assert/evaluate');
			await t.post('/snapshot', { label });
		};
		const few = (max: number) =>
			t.post('/assert/create', { name: 'few', condition: `count team:1 max=${max}` });
		await few(0);
		const { id } = await few(9);
		await t.post('/spawn', { team: 1 });
		await at('one');
		await at('same');
		expect((await t.get('/snapshot/diff?from=one&to=same')).assertion_changes).toEqual([]);
		await t.remove(`/assert/${id}`);
		await few(0);
		for (let i = 0; i < 2; i++) await t.post('/spawn', { team: 1 });
		await few(2);
		await at('other');
		const { assertion_changes } = await t.get('/snapshot/diff?from=one&to=other');
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

	test('a diff of worlds with other digests always names a cause, even the next id alone', async () => {
		await t.post('/snapshot', { label: 'a' });
		const { id, generation } = await t.post('/spawn', {});
		await t.post('/despawn', { entity_id: id, entity_generation: generation });
		await t.post('/snapshot', { label: 'b' });
		const diff = await t.get('/snapshot/diff?from=a&to=b');
		expect(diff).toMatchObject({ equal: false, spawned: [], despawned: [], changed: [], parts: ['slots'] });
		expect(await t.get('/snapshot/diff?from=a&to=a')).toMatchObject({ equal: true, parts: [] });
	});

	test('each can be read in full by its label, the newest first', async () => {
		await t.post('/snapshot', { label: 'x/ y' });
		await t.post('/step');
		await t.post('/snapshot', { label: 'x/ y' });
		const { snapshot } = await t.get('/snapshot/x%2F%20y');
		expect(snapshot).toMatchObject({ label: 'x/ y', tick: 1, state_digest: await t.digest() });
		expect(await clientOf(engine.handle).call('GET', '/snapshot/z')).toMatchObject({
			status: 404,
			body: { code: 'snapshot_missing', fix: 'Use one of: x/ y.' },
		});
	});

	test('a fork begins with those of its parent, and either side may delete them', async () => {
		await scatter(engine, 4);
		await t.post('/snapshot', { label: 'start' });
		const start = await t.digest();
		const first = await t.future(20);
		await t.post('/fork', { fork_id: 'f' });
		await t.post('/fork', { fork_id: 'g', from: 'f' });
		await t.post('/snapshot?world=f', { label: 'own' });
		expect((await t.get('/snapshot/list')).count).toBe(1);
		expect((await t.get('/snapshot/list?world=f')).count).toBe(2);
		await t.remove('/snapshot/start');
		await t.remove('/fork/g');
		expect(await t.post('/snapshot/start/restore?world=f')).toMatchObject({ state_digest: start });
		expect(await t.future(20, 'f')).toEqual(first);
		await t.post('/snapshot/start/restore?world=f');
		await t.post('/fork/f/promote');
		expect(
			(await t.get('/snapshot/list')).snapshots.map((snapshot: { label: string }) => snapshot.label),
		).toEqual(['start', 'own']);
		expect(await t.post('/snapshot/start/restore')).toMatchObject({ state_digest: start });
		expect(await t.future(20)).toEqual(first);
	});

	test('promoting without a name for main keeps the snapshots of both, each once', async () => {
		await t.post('/snapshot', { label: 'before' });
		await t.post('/fork', { fork_id: 'f' });
		await t.post('/snapshot', { label: 'of main' });
		await t.post('/snapshot?world=f', { label: 'of f' });
		await t.post('/fork/f/promote');
		const { snapshots } = await t.get('/snapshot/list');
		expect(snapshots.map((snapshot: { label: string }) => snapshot.label)).toEqual([
			'before',
			'of main',
			'of f',
		]);
	});
});
