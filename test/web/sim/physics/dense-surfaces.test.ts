/** The number of contacts of moving bodies with meshes and heights is limited before the physics library runs. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

const ball = (position: readonly number[], radius = 0.5) =>
	engine.spawn({ position, physics_body: 'Dynamic', collider: { shape: 'Sphere', radius } });

const rows = (count: number) =>
	Array.from({ length: count }, (_, i) => Array.from({ length: count }, (_, j) => ((i + j) % 2) * 0.1));

const field = (size: number) =>
	engine.spawn({
		physics_body: 'Static',
		collider: { shape: 'HeightField', heights: rows(128), size: [size, size] },
	});

/** Returns a mesh of adjacent squares on the ground, of two triangles each. */
function squares(count: number, edge: number) {
	const points: number[][] = [];
	const triangles: number[][] = [];
	for (let i = 0; i < count; i++) {
		const [x, z] = [(i % 64) * edge, Math.floor(i / 64) * edge];
		const corner = points.length;
		points.push([x, 0, z], [x + edge, 0, z], [x, 0, z + edge], [x + edge, 0, z + edge]);
		triangles.push([corner, corner + 2, corner + 1], [corner + 1, corner + 2, corner + 3]);
	}
	return { shape: 'TriMesh', points, triangles };
}

describe('a tick is refused, and succeeds after bodies are removed', () => {
	test('with heights that are finer than the bodies', async () => {
		await field(0.5);
		const balls = await Promise.all(Array.from({ length: 20 }, (_, i) => ball([i * 0.01, 0.6, 0])));
		expect(await engine.post('/step')).toMatchObject({ ok: false, code: 'too_crowded', ticks_advanced: 0 });
		for (const entity_id of balls.slice(2)) await engine.post('/despawn', { entity_id });
		expect(await engine.post('/step')).toMatchObject({ ok: true, new_tick: 1 });
	});
	test('with a mesh that is finer than the bodies', async () => {
		await engine.spawn({ physics_body: 'Static', collider: squares(1020, 0.001) });
		for (let i = 0; i < 200; i++) await ball([(i % 10) * 0.01, 0.6, Math.floor(i / 10) * 0.01]);
		expect(await engine.post('/step')).toMatchObject({ ok: false, code: 'too_crowded' });
	});
});

describe('a tick succeeds with triangles as large as the bodies', () => {
	test('for a thousand on heights', async () => {
		await field(128);
		for (let i = 0; i < 1000; i++) await ball([(i % 32) * 2 - 32, 1, Math.floor(i / 32) * 2 - 32]);
		expect(await engine.post('/step')).toMatchObject({ ok: true });
	});
	test('for a thousand on a rotated mesh', async () => {
		const rotation = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
		await engine.spawn({ rotation, physics_body: 'Static', collider: squares(1000, 1) });
		for (let i = 0; i < 1000; i++) await ball([(i % 32) * 2 - 32, 1, Math.floor(i / 32) * 2 - 32]);
		expect(await engine.post('/step')).toMatchObject({ ok: true });
	});
});
