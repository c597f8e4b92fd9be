/** Things stand on a terrain, and worlds go on bit for bit after its heights changed. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startEngine } from '../../../support/engine.ts';
import { SEED } from '../../../support/property.ts';

const ball = (x: number, y: number, z: number) => ({
	position: [x, y, z],
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.5 },
});

test('a ball comes to rest on it, falls when the ground is lowered, and rolls down a slope', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/terrain/create', { width: 41, height: 41, centered: true, position: [0, 2, 0] });
	const id = await spawn(ball(0, 5, 0));
	const place = async () => (await entity(id)).local_transform.position as [number, number, number];
	await must('POST', '/step', { ticks: 240 });
	expect((await place())[1]).toBeCloseTo(2.5, 1);
	await must('POST', '/terrain/edit', { op: 'lower', x: 20, z: 20, radius: 10, amount: 3 });
	await must('POST', '/step', { ticks: 240 });
	expect((await place())[1]).toBeLessThan(0.2);
	await must('POST', '/terrain/edit', { op: 'raise', x: 14, z: 20, radius: 10, amount: 9 });
	const [before] = await place();
	await must('POST', '/step', { ticks: 120 });
	expect((await place())[0]).not.toBeCloseTo(before, 1);
	engine.close();
});

test('boxes lie on hills where the ground says that it is', async () => {
	const { must, spawn, entity, engine } = await startEngine();
	await must('POST', '/terrain/create', {
		width: 65,
		height: 65,
		centered: true,
		noise: { seed: 5, amount: 4, scale: 20 },
	});
	const ids: number[] = [];
	for (let i = 0; i < 12; i++) ids.push(await spawn({ ...ball(i * 4 - 22, 8, (i % 5) * 6 - 12) }));
	await must('POST', '/step', { ticks: 150 });
	for (const id of ids) {
		const [x, y, z] = (await entity(id)).local_transform.position as [number, number, number];
		const { height } = await must('GET', `/terrain/height?space=world&x=${x}&z=${z}`);
		if (height === null) continue;
		expect(y - Number(height)).toBeGreaterThan(0.3);
		expect(y - Number(height)).toBeLessThan(1.5);
	}
	engine.close();
});

const place = fc.integer({ min: 0, max: 40 });
const strokes = fc.array(
	fc.record({
		op: fc.constantFrom('raise', 'lower', 'flatten', 'smooth', 'noise'),
		x: place,
		z: place,
		radius: fc.integer({ min: 1, max: 12 }),
		amount: fc.double({ min: 0, max: 2, noNaN: true }),
		seed: fc.nat(99),
	}),
	{ minLength: 1, maxLength: 4 },
);

test('a fork, a snapshot and an exact copy go on as the world does, whatever was edited and when', async () => {
	await fc.assert(
		fc.asyncProperty(strokes, strokes, fc.nat(20), async (first, second, ticks) => {
			const { must, spawn, engine } = await startEngine();
			await must('POST', '/terrain/create', { width: 41, height: 41, noise: { seed: 3, amount: 2 } });
			for (let i = 0; i < 6; i++) await spawn(ball(8 + i * 4, 3 + (i % 3), 10 + ((i * 7) % 20)));
			for (const stroke of first) {
				await must('POST', '/terrain/edit', stroke);
				await must('POST', '/step', { ticks: 3 });
			}
			for (const stroke of second) await must('POST', '/terrain/edit', stroke);
			await must('POST', '/snapshot', { label: 'a' });
			await must('POST', '/fork', { fork_id: 'plan' });
			const scenario = await must('GET', '/scenario');
			const on = async (world: string) => {
				await must('POST', `/step${world}`, { ticks: 5 + ticks });
				await must('POST', `/terrain/edit${world}`, { op: 'lower', x: 20, z: 20, radius: 6, amount: 1 });
				await must('POST', `/step${world}`, { ticks: 5 });
				return (await must('GET', `/digest${world === '' ? '?' : `${world}&`}future=true`)).future_digest;
			};
			const here = await on('');
			expect(here).toMatch(/^[0-9a-f]{16}$/);
			expect(await on('?world=plan')).toBe(here);
			await must('POST', '/snapshot/a/restore');
			expect(await on('')).toBe(here);
			await must('POST', '/reset', { fresh: true });
			await must('POST', '/scenario', scenario);
			expect(await on('')).toBe(here);
			engine.close();
		}),
		{ seed: SEED, numRuns: 8 },
	);
});
