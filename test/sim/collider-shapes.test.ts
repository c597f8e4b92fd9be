/** The table of collider shapes: every shape acts, whatever reads the table. */

import { describe, expect, test } from 'vitest';
import { SHAPES, shapeNamed, sizeOf } from '../../shared/contract/collider-shapes.ts';
import { startEngine } from '../support/engine.ts';

describe.each(SHAPES.map((shape) => [shape.name, shape] as const))('%s', (name, shape) => {
	const keys = Object.keys(shape.sizes);
	const document = { shape: name, ...Object.fromEntries(keys.map((key, i) => [key, 0.25 + i / 8])) };

	test('comes to rest on a floor at the height that its extent says', async () => {
		const { engine, must } = await startEngine();
		const floor = { shape: 'Aabb', hx: 20, hy: 0.5, hz: 20 };
		await must('POST', '/spawn', { physics_body: 'Static', collider: floor, position: [0, -0.5, 0] });
		const [, half] = shapeNamed(name).extent(sizeOf(document));
		const at = { position: [0, half + 0.05, 0] };
		const { id } = await must('POST', '/spawn', { ...at, physics_body: 'Dynamic', collider: document });
		await must('POST', '/step', { ticks: 30 });
		const entity = (await must('GET', `/entities/${id}`)) as unknown as {
			collider: unknown;
			local_transform: { position: number[] };
		};
		expect(entity.collider).toEqual(document);
		expect(entity.local_transform.position[1]).toBeCloseTo(half, 1);
		engine.close();
	});

	test('is carried by a scenario and by an exact save as it is', async () => {
		const { engine, must } = await startEngine();
		await must('POST', '/spawn', { physics_body: 'Dynamic', collider: document, position: [0, 3, 0] });
		await must('POST', '/step', { ticks: 3 });
		const before = (await must('GET', '/digest')).state_digest;
		for (const exact of [true, false]) {
			const { ok: _, ...scenario } = await must('GET', `/scenario?exact=${exact}`);
			await must('POST', '/scenario', scenario);
			if (exact) expect((await must('GET', '/digest')).state_digest).toBe(before);
			const { entities } = (await must('POST', '/observe', {})) as { entities: { collider: unknown }[] };
			expect(entities[0]!.collider).toEqual(document);
		}
		engine.close();
	});

	test('is taken by every word for it, in any case, and refused beyond its sizes', async () => {
		const { engine, must, call } = await startEngine();
		for (const word of [name, ...shape.aliases].flatMap((one) => [
			one,
			one.toLowerCase(),
			one.toUpperCase(),
		])) {
			const { id } = await must('POST', '/spawn', { collider: { ...document, shape: word } });
			expect((await must('GET', `/entities/${id}`)).collider).toEqual(document);
		}
		for (const key of keys)
			for (const value of [0, -1, 1e-4, 1e20]) {
				const { body } = await call('POST', '/spawn', { collider: { ...document, [key]: value } });
				expect(body).toMatchObject({ ok: false, code: 'invalid_body' });
			}
		engine.close();
	});
});

test('a box is what Aabb means: it turns with its entity', async () => {
	const { engine, must } = await startEngine();
	const spin = { linear: [0, 0, 0], angular: [0, 0, 3] };
	const body = { physics_body: 'Dynamic', velocity: spin, position: [0, 50, 0] };
	const { id } = await must('POST', '/spawn', { ...body, collider: { shape: 'Box', hx: 1, hy: 0.1, hz: 1 } });
	await must('POST', '/step', { ticks: 30 });
	const { local_transform } = (await must('GET', `/entities/${id}`)) as unknown as {
		local_transform: { rotation: number[] };
	};
	expect(Math.abs(local_transform.rotation[2]!)).toBeGreaterThan(0.5);
	const schema = JSON.stringify(await must('GET', '/schema?path=/spawn'));
	expect(schema).toContain('it turns with its entity');
	engine.close();
});
