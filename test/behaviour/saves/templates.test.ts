/** Templates and prefabs. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../../web/host/engine.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';

let client: TestEngine;
beforeEach(async () => {
	client = testEngine(await createEngine({ seed: 3 }));
});

describe('templates', () => {
	test('are stored, listed, spawned, replaced and removed', async () => {
		const soldier = { name: 'soldier', health: 100, team: 1, combat: true, combat_damage: null };
		expect(await client.post('/template/create', soldier)).toEqual({
			ok: true,
			template: 'soldier',
			stored: true,
			replaced: false,
		});
		expect(await client.get('/template/list')).toMatchObject({ templates: ['soldier'], count: 1 });
		expect((await client.get('/template/soldier')).template).toEqual({ health: 100, team: 1, combat: true });
		const result = await client.post('/template/spawn', { name: 'soldier', position: [1, 2, 3] });
		expect(result).toMatchObject({ id: result.entity_id, generation: result.entity_generation });
		expect(await client.get(`/entities/${result.id}`)).toMatchObject({
			health: [100, 100],
			team: 1,
			physics_body: 'Kinematic',
		});
		expect((await client.post('/template/create', { name: 'soldier', health: 7 })).replaced).toBe(true);
		const { id } = await client.post('/template/spawn', {
			name: 'soldier',
			position: [1, 0, 0],
			overrides: { position: [2, 0, 0], team: 9 },
		});
		expect(await client.get(`/entities/${id}`)).toMatchObject({
			health: [7, 7],
			team: 9,
			local_transform: { position: [2, 0, 0] },
		});
		expect(await client.remove('/template/soldier')).toMatchObject({ deleted: 'soldier' });
		expect(await client.post('/template/spawn', { name: 'soldier' })).toMatchObject({
			code: 'unknown_template',
		});
	});

	test('a new template warns of ignored fields and future refusals, and spawns nothing', async () => {
		const before = (await client.get('/')).entity_count;
		const odd = { name: 'odd', mesh: 'cubee', combat_damage: 5 };
		expect((await client.post('/template/create', odd)).warnings).toEqual([
			expect.stringContaining('mesh "cubee" is unknown'),
			'combat_damage does nothing without combat: true',
		]);
		const rich = { name: 'rich', inventory: [{ item_id: 4 }] };
		expect((await client.post('/template/create', rich)).warnings).toEqual([
			'currently it cannot be spawned: There is no item 4.',
		]);
		expect((await client.post('/prefab/register', { ...rich, color: 'blurple' })).warnings).toHaveLength(1);
		expect((await client.get('/')).entity_count).toBe(before);
		await client.post('/item/define', { id: 4, name: 'Coin' });
		expect(await client.post('/template/spawn', { name: 'rich' })).toMatchObject({ ok: true });
	});
});

describe('prefabs', () => {
	test('every built-in prefab spawns without a warning, can be varied, replaced and restored', async () => {
		const { details, prefabs } = await client.get('/prefab/list');
		expect(details.length).toBeGreaterThan(8);
		expect(prefabs).toEqual([...prefabs].sort());
		for (const { name } of details) {
			const spawned = await client.post('/prefab/spawn', { name });
			expect(spawned.warnings ?? []).toEqual([]);
		}
		await client.post('/step', { ticks: 30 });
		const tower = await client.post('/prefab/spawn', { name: 'tower', overrides: { team: 2, color: 'red' } });
		expect(await client.get(`/entities/${tower.id}`)).toMatchObject({ team: 2, color: 'red', role: 'Tower' });
		expect(await client.remove('/prefab/crate')).toMatchObject({ code: 'built_in_prefab' });
		const built_in = await client.get('/prefab/crate');
		expect(built_in).toMatchObject({ built_in: true, document: { mesh: 'cube' } });
		expect((await client.post('/prefab/register', { name: 'crate', health: 5 })).replaced).toBe(true);
		expect(await client.get('/prefab/crate')).toMatchObject({ built_in: false, document: { health: 5 } });
		const { entity_id } = await client.post('/prefab/spawn', { name: 'crate', position: [50, 0, 0] });
		expect((await client.get(`/entities/${entity_id}`)).health).toEqual([5, 5]);
		expect(await client.remove('/prefab/crate')).toMatchObject({ ok: true });
		expect(await client.get('/prefab/crate')).toEqual(built_in);
		expect(await client.post('/prefab/spawn', { name: 'crat' })).toMatchObject({
			fix: 'Did you mean "crate"?',
		});
		expect((await client.post('/prefab/spawn', { name: 'spaceship' })).fix).toContain(
			'Use one of: ancient, ball',
		);
	});
});
