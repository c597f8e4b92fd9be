/** Loot that can never appear is warned of wherever it is sent. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const HASH = 'ab'.repeat(32);
const points = [
	[0, 0, 0],
	[1, 0, 0],
	[0, 0, 1],
];
const NEVER = {
	'a surface that falls': {
		collider: { shape: 'TriMesh', points, triangles: [[0, 1, 2]] },
		physics_body: 'Dynamic',
	},
	'an unknown asset': { collider: { shape: 'ConvexHull', asset: HASH }, physics_body: 'Dynamic' },
	'an unknown texture': { material: { texture: HASH } },
	'a texture by a name': { material: { texture: 'nowhere.png' } },
};

describe.for(Object.entries(NEVER))('%s', ([, spawn]) => {
	const document = { health: 1, loot: [{ label: 'x', weight: 1, spawn: { mesh: 'cube', ...spawn } }] };
	const warned = [expect.stringContaining('loot[0].spawn: as things are nothing appears')];

	test.for([
		['/spawn', document],
		['/entities/0/components', document],
		['/template/create', { name: 't', ...document }],
		['/prefab/register', { name: 'p', ...document }],
		[
			'/rule/create',
			{ when: 'tick:9', do: [{ action: 'spawn', mesh: 'cube', position: [0, 0, 0], ...document }] },
		],
		['/scenario', { entities: [document] }],
		['/level/load', { level: { entities: [document] } }],
	] as const)('in %s', async ([path, body]) => {
		await started.spawn({ health: 1 });
		expect((await started.must('POST', path, body)).warnings).toEqual(warned);
	});
});

test('loot that appears is not warned of', async () => {
	const loot = [{ label: 'x', weight: 1, spawn: { mesh: 'cube', health: 1 } }];
	expect(await started.must('POST', '/spawn', { health: 1, loot })).not.toHaveProperty('warnings');
});

test('a texture by the name of an asset: the hash to send is told', async () => {
	const png =
		'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
	const { must, post } = started;
	const { hash } = await must('POST', '/asset/upload?name=t.png', { data: png });
	const spawn = { mesh: 'cube', material: { texture: 't.png' } };
	const told = { warnings: [expect.stringContaining(hash as string)] };
	const loot = [{ label: 'x', weight: 1, spawn }];
	const action = { action: 'spawn', position: [0, 0, 0], ...spawn };
	expect(await post('/spawn', { health: 1, loot })).toMatchObject(told);
	expect(await post('/template/create', { name: 't', ...spawn })).toMatchObject(told);
	expect(await post('/rule/create', { when: 'tick:1', do: [action] })).toMatchObject(told);
	expect((await post('/spawn', spawn)).fix).toContain(hash);
});
