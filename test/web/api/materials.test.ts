/** Materials as data: set, named, read back, forked, saved, exported, taken away, and what is refused. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

/** Returns the header of a PNG of this size: enough to be told what it is. */
function png(width: number, height: number): string {
	const bytes = Buffer.alloc(64);
	bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
	bytes.write('IHDR', 12, 'latin1');
	bytes.writeUInt32BE(width, 16);
	bytes.writeUInt32BE(height, 20);
	return bytes.toString('base64');
}

const usual = {
	albedo: null,
	metallic: 0,
	roughness: 0.5,
	emissive: [0, 0, 0],
	alpha_mode: 'opaque',
	unlit: false,
	transmission: 0,
	texture: null,
	normal_texture: null,
	normal_scale: 1,
	occlusion_texture: null,
	occlusion_strength: 1,
	repeat: [1, 1],
	tile: null,
};

test('omitted fields keep their values, own fields override a named material, and no digest changes', async () => {
	const { must, spawn, digest, entity } = started;
	const id = await spawn({ mesh: 'cube' });
	const before = await digest();
	expect(await must('GET', `/material/entity/${id}`)).toMatchObject({ own: false, material: usual });
	await must('POST', '/material/set', { entity_id: id, metallic: 1, alpha_mode: 'MASK : 0.25' });
	await must('POST', '/material/set', { entity_id: id, roughness: 0.1, metallic: null });
	expect((await entity(id)).material).toEqual({ metallic: 1, alpha_mode: 'mask:0.25', roughness: 0.1 });
	await must('POST', '/material/define', { name: 'ice', roughness: 0.05, emissive: [0, 0.1, 0.2] });
	await must('POST', '/material/set', { entity_id: id, name: 'ice' });
	expect(await must('GET', `/material/entity/${id}`)).toMatchObject({
		own: true,
		name: 'ice',
		material: { ...usual, metallic: 1, alpha_mode: 'mask:0.25', roughness: 0.1, emissive: [0, 0.1, 0.2] },
	});
	await must('POST', '/material/set', { entity_id: id, replace: true });
	expect((await entity(id)).material).toEqual({});
	expect(await digest()).toBe(before);
});

test('a fork has its own, a snapshot restores it, and a fresh world has none', async () => {
	const { must, spawn, get, entity } = started;
	const id = await spawn({ mesh: 'cube', material: { metallic: 1 } });
	await must('POST', '/material/define', { name: 'ice', roughness: 0.05 });
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/material/set?world=plan', { entity_id: id, metallic: 0.5 });
	await must('DELETE', '/material/ice?world=plan');
	expect((await entity(id)).material).toEqual({ metallic: 1 });
	expect((await get(`/entities/${id}?world=plan`)).material).toEqual({ metallic: 0.5 });
	expect(await get('/material/ice')).toMatchObject({ ok: true });
	await must('DELETE', '/material/ice');
	await must('POST', `/entities/${id}/components`, { remove: ['material'] });
	expect((await entity(id)).material).toBeUndefined();
	await must('POST', '/snapshot/a/restore');
	expect((await entity(id)).material).toEqual({ metallic: 1 });
	expect(await must('GET', '/material/list')).toMatchObject({ count: 1, materials: [{ name: 'ice' }] });
	expect(await must('POST', '/reset')).toMatchObject({ kept: expect.arrayContaining(['materials']) });
	await must('POST', '/reset', { fresh: true });
	expect(await must('GET', '/material/list')).toMatchObject({ count: 0 });
});

test('a scenario carries names, overrides and pictures, with and without its exact part', async () => {
	const { must, spawn, entity } = started;
	const { hash } = await must('POST', '/asset/upload?name=a.png', { data: png(4, 4) });
	const pictures = { texture: 'a.png', normal_texture: 'a.png', occlusion_texture: 'a.png' };
	await must('POST', '/material/define', { name: 'wood', ...pictures, repeat: [2, 3] });
	await spawn({ mesh: 'cube', material: 'wood' });
	await spawn({ mesh: 'cube', material: { name: 'wood', metallic: 0.5 } });
	const scenario = await must('GET', '/scenario');
	for (const document of [scenario, { ...scenario, exact: undefined }]) {
		await must('POST', '/reset', { fresh: true });
		await must('POST', '/scenario', document);
		expect((await entity(0)).material).toEqual({ name: 'wood' });
		expect((await entity(1)).material).toEqual({ name: 'wood', metallic: 0.5 });
		expect(await must('GET', '/material/entity/1')).toMatchObject({
			material: {
				texture: hash,
				normal_texture: hash,
				occlusion_texture: hash,
				repeat: [2, 3],
				metallic: 0.5,
			},
		});
	}
});

test('invalid fields are refused with a fix, and change nothing', async () => {
	const { must, post, spawn, bytes } = started;
	const id = await spawn({ mesh: 'cube' });
	await must('POST', '/material/define', { name: 'brass', metallic: 1 });
	const { hash: wide } = await must('POST', '/asset/upload?name=wide.png', { data: png(20_000, 4) });
	await must('POST', '/asset/upload?name=notes.txt', { data: Buffer.from('no picture').toString('base64') });
	const before = bytes();
	const set = (more: object) => post('/material/set', { entity_id: id, ...more });
	expect(await set({ name: 'bras' })).toMatchObject({
		code: 'unknown_material',
		fix: expect.stringContaining('brass'),
	});
	expect(await set({ texture: 'wid.png' })).toMatchObject({
		code: 'asset_missing',
		fix: expect.stringContaining('wide.png'),
	});
	expect(await set({ texture: 'wide.png' })).toMatchObject({
		code: 'asset_refused',
		message: expect.stringContaining('8192'),
	});
	expect(await set({ texture: 'notes.txt' })).toMatchObject({
		code: 'asset_refused',
		fix: expect.stringContaining('PNG'),
	});
	expect(await set({ normal_texture: 'notes.txt' })).toMatchObject({ code: 'asset_refused' });
	expect(await set({ occlusion_texture: wide })).toMatchObject({
		code: 'asset_refused',
		path: 'occlusion_texture',
	});
	expect(await post('/spawn', { material: { normal_texture: '0'.repeat(64) } })).toMatchObject({
		code: 'asset_missing',
		path: 'material.normal_texture',
	});
	expect(await set({ transmission: 1.5 })).toMatchObject({ code: 'invalid_body' });
	expect(await set({ alpha_mode: 'glass' })).toMatchObject({ code: 'invalid_body' });
	expect(await set({ metallic: 2 })).toMatchObject({ code: 'invalid_body' });
	expect(await post('/material/set', { entity_id: 99, metallic: 1 })).toMatchObject({
		code: 'entity_not_found',
	});
	expect(await post('/material/define', { name: 'x', texture: wide })).toMatchObject({
		code: 'asset_refused',
	});
	expect(await post('/spawn', { material: { texture: wide } })).toMatchObject({ code: 'asset_refused' });
	expect(await post('/spawn', { material: { texture: 'wid.png' } })).toMatchObject({
		code: 'asset_missing',
		fix: expect.stringContaining('wide.png'),
	});
	const resources = { materials: { none: { metallic: null } } };
	expect(await post('/level/load', { level: { resources } })).toMatchObject({ code: 'invalid_level' });
	expect(await post(`/entities/${id}/components`, { material: { texture: wide } })).toMatchObject({
		code: 'asset_refused',
	});
	expect(bytes()).toBe(before);
});
