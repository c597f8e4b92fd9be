/** GET /catalog lists what comes with the engine and what is in the data folder, and every scene opens by its name. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { SHIPPED } from '../../../shared/documents/shipped.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { readPublic } from '../../support/public-files.ts';

let engine: TestEngine;
let folder: ReturnType<typeof createMemoryFiles>;
beforeEach(async () => {
	folder = createMemoryFiles();
	engine = await startEngine({ readPublic, files: folder.files });
});
afterEach(() => engine.engine.close());

interface Entry {
	name: string;
	from: string;
	open?: { body: unknown };
}

test('lists every shipped scene, model and sound with its details', async () => {
	const { scenes, models, sounds } = await engine.get('/catalog');
	expect(scenes.map(({ name }: Entry) => name)).toEqual(SHIPPED.scenes.names);
	expect(scenes[0]).toMatchObject({
		from: 'server',
		title: expect.any(String),
		entities: expect.any(Number),
	});
	expect(models).toHaveLength(SHIPPED.models.names.length);
	for (const model of models)
		expect(model, model.name).toMatchObject({
			from: 'server',
			low: [expect.any(Number), expect.any(Number), expect.any(Number)],
			size: [expect.any(Number), expect.any(Number), expect.any(Number)],
		});
	expect(models.find(({ name }: Entry) => name === 'models/knight.glb')).toMatchObject({
		clips: [{ name: 'idle', seconds: 2 }, { name: 'walk' }, { name: 'attack' }, { name: 'die' }],
		materials: expect.arrayContaining(['tint']),
	});
	for (const sound of sounds) expect(sound.seconds, sound.name).toBeGreaterThan(0);
	expect(sounds).toHaveLength(SHIPPED.sounds.names.length);
});

test('lists files of the data folder, uploads, templates, prefabs and presets', async () => {
	folder.bytesByPath.set('mine/knight.glb', (await readPublic('models/knight.glb'))!);
	folder.bytesByPath.set('mine/broken.glb', Uint8Array.of(1, 2, 3));
	folder.writeJson('levels/forest.json', { entities: [] });
	await engine.must('POST', '/template/create', { name: 'orc', mesh: 'cube' });
	const { scenes, models, templates, prefabs, presets } = await engine.get('/catalog');
	expect(scenes).toContainEqual(expect.objectContaining({ name: 'levels/forest.json', from: 'data' }));
	const knight = models.find(({ name }: Entry) => name === 'models/knight.glb');
	// Files of the data folder are found by their names alone.
	const { words, ...details } = knight;
	expect(words).toEqual(['person', 'unit']);
	expect(models).toContainEqual({ ...details, name: 'mine/knight.glb', from: 'data' });
	const people = (await engine.get('/catalog?kind=models&q=person')).models;
	expect(people.map(({ name }: Entry) => name)).toContain('models/mage.glb');
	expect(models).toContainEqual(
		expect.objectContaining({ name: 'mine/broken.glb', problem: expect.any(String) }),
	);
	expect(templates).toEqual(['orc']);
	expect(prefabs.length).toBeGreaterThan(0);
	expect(presets).toContainEqual(
		expect.objectContaining({
			route: 'POST /particle/create',
			field: 'preset',
			names: expect.arrayContaining(['fire']),
		}),
	);
	const some = await engine.get('/catalog?kind=models&q=KNIGHT');
	expect(Object.keys(some)).toEqual(['ok', 'models']);
	expect(some.models.map(({ name }: Entry) => name)).toEqual(['models/knight.glb', 'mine/knight.glb']);
});

test('every listed scene opens with its listed call', async () => {
	await engine.spawn({ health: 5, tags: ['kept'] });
	for (const path of ['saved.json', 'deep/er/saved.json']) await engine.must('POST', '/scene/save', { path });
	await engine.must('POST', '/level/save', { path: 'scenes/level.json' });
	folder.writeJson('scenario.json', await engine.must('GET', '/scenario'));
	const saved = await engine.digest();
	const { scenes } = await engine.get('/catalog?kind=scenes');
	expect(scenes).toHaveLength(SHIPPED.scenes.names.length + 4);
	for (const { name, from, open } of scenes as Entry[]) {
		await engine.spawn({});
		expect(await engine.post('/scene/open', open!.body), name).toMatchObject({ ok: true });
		if (from === 'data' && name !== 'scenes/level.json') expect(await engine.digest(), name).toBe(saved);
	}
	for (const name of ['saved', 'level', 'scenario', 'scenes/level.json'])
		expect(await engine.post('/scene/open', { name }), name).toMatchObject({ ok: true, entities_spawned: 1 });
});

test('files that are no scene are refused, and the world stays', async () => {
	await engine.spawn({ health: 5 });
	const before = await engine.digest();
	folder.bytesByPath.set('notes.json', new TextEncoder().encode('no json'));
	folder.writeJson('odd.json', { entities: 5 });
	expect(await engine.post('/scene/open', { name: 'notes' })).toMatchObject({ code: 'invalid_scene' });
	expect(await engine.post('/scene/open', { name: 'odd' })).toMatchObject({ code: 'invalid_scenario' });
	expect(await engine.post('/scene/open', { name: '../odd' })).toMatchObject({ code: 'file_missing' });
	expect(await engine.digest()).toBe(before);
});

test('asset_missing suggests files of the data folder', async () => {
	folder.bytesByPath.set('mine/zeppelin.glb', (await readPublic('models/knight.glb'))!);
	const { code, fix } = await engine.post('/animation/load', { path: 'mine/zepelin.glb' });
	expect({ code, fix }).toEqual({ code: 'asset_missing', fix: 'Did you mean "mine/zeppelin.glb"?' });
});
