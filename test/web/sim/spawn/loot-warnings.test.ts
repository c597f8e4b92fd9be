/** Every call that accepts loot warns of loot that cannot be spawned. */

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
	'a moving surface': {
		collider: { shape: 'TriMesh', points, triangles: [[0, 1, 2]] },
		physics_body: 'Dynamic',
	},
	'an unknown asset': { collider: { shape: 'ConvexHull', asset: HASH }, physics_body: 'Dynamic' },
	'an unknown texture': { material: { texture: HASH } },
};

describe.for(Object.entries(NEVER))('%s', ([, spawn]) => {
	const document = { health: 1, loot: [{ label: 'x', weight: 1, spawn: { mesh: 'cube', ...spawn } }] };
	const warned = [expect.stringContaining('loot[0].spawn: currently this spawns nothing')];

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

test('valid loot has no warning', async () => {
	const loot = [{ label: 'x', weight: 1, spawn: { mesh: 'cube', health: 1 } }];
	expect(await started.must('POST', '/spawn', { health: 1, loot })).not.toHaveProperty('warnings');
});
