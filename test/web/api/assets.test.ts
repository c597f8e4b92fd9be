/** Uploading bytes as they are, and reading them back. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonOf, startEngine, type TestEngine } from '../../support/engine.ts';
import { boxModel } from '../../support/glb.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const glb = boxModel([1, 0.4, 0]);

const send = (mediaType: string, body: Uint8Array, query = '') =>
	started.engine.handle({
		method: 'POST',
		path: '/asset/upload',
		query,
		headers: { 'content-type': mediaType },
		body,
	});

const get = (path: string, accept: string) =>
	started.engine.handle({ method: 'GET', path, query: '', headers: { accept }, body: new Uint8Array(0) });

test('bytes are returned as sent, under their own media type', async () => {
	const answer = jsonOf(await send('model/gltf-binary', glb, 'name=fox.glb'));
	expect(answer).toMatchObject({
		ok: true,
		media_type: 'model/gltf-binary',
		names: ['fox.glb'],
		added: true,
	});
	expect((await get(`/asset/${answer.hash}`, '*/*')).headers['content-type']).toBe('application/json');
	for (const accept of ['model/*', 'model/gltf-binary']) {
		const { headers, body } = await get(`/asset/${answer.hash}`, accept);
		expect(headers['content-type']).toBe('model/gltf-binary');
		expect(body).toEqual(glb);
	}
	expect(jsonOf(await send('application/octet-stream', glb))).toMatchObject({
		added: false,
		hash: answer.hash,
	});
	const base64 = Buffer.from(glb).toString('base64');
	expect(await started.must('POST', '/asset/upload', { data: base64 })).toMatchObject({ hash: answer.hash });
});

test('bytes of another type than declared are refused and not stored', async () => {
	const answer = jsonOf(await send('image/png', glb));
	expect(answer).toMatchObject({ ok: false, code: 'asset_refused' });
	expect(answer.fix).toContain('model/gltf-binary');
	expect(await started.must('GET', '/asset/list')).toMatchObject({ assets: [], bytes: 0 });
});

test('a glTF of JSON is accepted under its media type, with a warning if it cannot be drawn', async () => {
	const sendModel = (document: object) => send('model/gltf+json', Buffer.from(JSON.stringify(document)));
	const asset = { version: '2.0' };
	expect(jsonOf(await sendModel({ asset }))).toMatchObject({
		ok: true,
		media_type: 'model/gltf+json',
		warnings: [expect.stringContaining('it has no scene')],
	});
	const box = boxModel([1, 0, 0]);
	const [jsonLength] = new Uint32Array(box.buffer, 12, 1);
	const document = JSON.parse(Buffer.from(box).toString('utf8', 20, 20 + jsonLength!));
	const binary = Buffer.from(box).subarray(28 + jsonLength!);
	const [buffer] = document.buffers;
	const uri = `data:application/octet-stream;base64,${binary.toString('base64')}`;
	const whole = jsonOf(await sendModel({ ...document, buffers: [{ ...buffer, uri }] }));
	expect(whole.warnings).toBeUndefined();
	const parted = jsonOf(await sendModel({ ...document, buffers: [{ ...buffer, uri: 'box.bin' }] }));
	expect(parted.warnings).toEqual([expect.stringContaining('"box.bin"')]);
});

test('an unknown media type is refused with the list of accepted ones', async () => {
	const response = await send('text/plain', glb);
	expect(response.status).toBe(415);
	expect(jsonOf(response).error).toContain('model/gltf-binary');
});

test('forks share the bytes, which belong to no world', async () => {
	const { hash } = jsonOf(await send('model/gltf-binary', glb));
	await started.must('POST', '/fork', { fork_id: 'plan' });
	await started.must('POST', '/fork/plan/promote', {});
	expect(await started.must('GET', `/asset/${hash}`)).toMatchObject({ bytes: glb.length });
});

test('a missing model file is warned of, and an existing one is not', async () => {
	const { must, engine } = started;
	const missing = await must('POST', '/spawn', { mesh: 'models/fox.glb' });
	expect(missing.warnings).toEqual([expect.stringContaining('models/fox.glb')]);
	await send('model/gltf-binary', glb, 'name=models/fox.glb');
	expect((await must('POST', '/spawn', { mesh: 'models/fox.glb' })).warnings).toBeUndefined();
	const changed = await must('POST', '/entities/0/components', { mesh: 'models/cat.glb' });
	expect(changed.warnings).toEqual([expect.stringContaining('models/cat.glb')]);
	expect(engine.worlds.main.world.entities.count).toBe(2);
});

test('every place of a shape warns: templates, prefabs, scenarios, levels', async () => {
	const { must } = started;
	const nowhere = { warnings: [expect.stringContaining('models/none.glb')] };
	const document = { mesh: 'models/none.glb' };
	expect(await must('POST', '/template/create', { name: 't', ...document })).toMatchObject(nowhere);
	expect(await must('POST', '/template/spawn', { name: 't' })).toMatchObject(nowhere);
	expect(await must('POST', '/prefab/register', { name: 'p', ...document })).toMatchObject(nowhere);
	expect(await must('POST', '/prefab/spawn', { name: 'p' })).toMatchObject(nowhere);
	const entities = [document, document, { mesh: 'cube' }];
	expect(await must('POST', '/scenario', { entities })).toMatchObject(nowhere);
	expect(await must('POST', '/level/load', { level: { entities } })).toMatchObject(nowhere);
	await must('POST', '/fork', { fork_id: 'f' });
	expect(await must('POST', '/fork/f/scenario', { entities })).toMatchObject(nowhere);
	const spawn = { action: 'spawn', position: [0, 0, 0] };
	const rule = (more: object) => ({ when: 'tick:9', do: [{ ...spawn, ...more }] });
	const loot = [{ label: 'x', weight: 1, spawn: document }];
	expect(await must('POST', '/rule/create', rule(document))).toMatchObject(nowhere);
	const documents = [
		{ templates: { t: document } },
		{ templates: { t: { mesh: 'cube', health: 1, loot } } },
		{ resources: { prefabs: { p: { summary: '', document } } } },
		{ rules: [rule(document)] },
		{ rules: [rule({ mesh: 'cube', health: 1, loot })] },
		{ rules: [{ when: 'tick:9', do: ['spawn models/none.glb 0,0,0'] }] },
	];
	for (const sent of documents) {
		const level = { entities: [{ health: 1 }], ...sent };
		expect(await must('POST', '/scenario', level)).toMatchObject(nowhere);
		expect(await must('POST', '/level/load', { level })).toMatchObject(nowhere);
	}
	await send('model/gltf-binary', glb, 'name=models/none.glb');
	for (const sent of documents)
		expect((await must('POST', '/scenario', { entities, ...sent })).warnings).toBeUndefined();
});

test('an asset is sent whole for any range, because ranges are not offered', async () => {
	const { hash } = jsonOf(await send('model/gltf-binary', glb));
	for (const method of ['GET', 'HEAD'])
		for (const headers of [
			{ range: 'bytes=-99999999999' },
			{ range: 'bytes=0-3', 'if-range': `W/"${hash}"` },
			{ range: 'bytes=9999-' },
		] as readonly Record<string, string>[]) {
			const answer = await started.engine.handle({
				method,
				path: `/asset/${hash}`,
				query: '',
				headers: { accept: 'application/octet-stream', ...headers },
				body: new Uint8Array(0),
			});
			expect(answer.status).toBe(200);
			expect(answer.headers['content-range']).toBeUndefined();
			expect(answer.body).toEqual(method === 'GET' ? glb : new Uint8Array(0));
		}
});
