/** Limits of bodies and pairs of bodies for the physics library: more are refused before it fails. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { futureDigest } from '../../../../web/sim/core/digest.ts';
import { partState } from '../../../../web/sim/core/world.ts';
import type { Box } from '../../../../web/sim/physics/box-tree.ts';
import { countPairs, requireFewPairs } from '../../../../web/sim/physics/new-pairs.ts';
import { Physics } from '../../../../web/sim/physics/physics.part.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../../../web/sim/step.ts';
import { freshWorld, startEngine } from '../../../support/engine.ts';
import { check } from '../../../support/property.ts';

const box = (x: number, y: number, z: number, half: number): Box => [
	x - half,
	y - half,
	z - half,
	x + half,
	y + half,
	z + half,
];

/** Returns the number of pairs that meet, by a test of every pair. */
function countAllPairs(boxes: readonly Box[]): number {
	let found = 0;
	for (let i = 0; i < boxes.length; i++)
		for (let j = 0; j < i; j++) {
			const [a, b] = [boxes[i]!, boxes[j]!];
			if ([0, 1, 2].every((axis) => a[axis]! <= b[axis + 3]! && b[axis]! <= a[axis + 3]!)) found++;
		}
	return found;
}

describe('pairs of boxes', () => {
	test('are counted as by a test of every pair, for any sizes', () => {
		const place = fc.integer({ min: -64, max: 64 }).map((n) => n / 8);
		const boxes = fc.array(
			fc
				.tuple(place, place, place, fc.constantFrom(1e-3, 0.06, 0.5, 0.5, 3, 40))
				.map(([x, y, z, half]) => box(x, y, z, half)),
			{ maxLength: 60 },
		);
		return check(200, [boxes], (all) => {
			expect(countPairs(all, Number.POSITIVE_INFINITY)).toBe(countAllPairs(all));
		});
	});

	test('are counted up to a limit', () => {
		const heap = Array.from({ length: 1000 }, () => box(0, 0, 0, 1));
		expect(countPairs(heap, 5000)).toBe(5000);
	});
});

describe('obstacles', () => {
	const SPHERE = { shape: 'Sphere', radius: 0.5 } as const;

	test('thousands in one place are refused with a clear error, and the world does not change', async () => {
		const world = await freshWorld();
		spawnEntity(world, { physics_body: 'Dynamic', collider: SPHERE, position: [100, 50, 0] });
		for (let i = 0; i < 10; i++) step(world);
		for (let i = 0; i < 5000; i++) spawnEntity(world, { physics_body: 'Static', collider: SPHERE });
		const before = futureDigest(world);
		expect(() => step(world)).toThrow(
			expect.objectContaining({ code: 'too_crowded', message: expect.stringContaining('5001 bodies') }),
		);
		expect(futureDigest(world)).toBe(before);
	});

	test('more bodies than the limit are refused; entities without a body in the library do not count', async () => {
		const world = await freshWorld();
		for (let i = 0; i < 10; i++)
			spawnEntity(world, { physics_body: 'Static', collider: SPHERE, position: [i * 2, 0, 0] });
		for (let i = 0; i < 10; i++) spawnEntity(world, { physics_body: 'Static' });
		const withLimit = (bodies: number) => () =>
			requireFewPairs(partState(world, Physics), world, { bodies, pairs: 1e6 });
		expect(withLimit(10)).not.toThrow();
		expect(withLimit(9)).toThrow(expect.objectContaining({ code: 'world_full' }));
	});

	test('thousands side by side are accepted', async () => {
		const world = await freshWorld();
		for (let i = 0; i < 5000; i++)
			spawnEntity(world, { physics_body: 'Static', collider: SPHERE, position: [i * 0.9, 0, 0] });
		expect(() => step(world)).not.toThrow();
	});

	test('a step over HTTP is refused with a fix, and succeeds after they are removed', async () => {
		const { engine, must, call } = await startEngine();
		const heap = Array.from({ length: 5000 }, () => ({ physics_body: 'Static', collider: SPHERE }));
		await must('POST', '/scenario', { entities: heap });
		const { body } = await call('POST', '/step', { ticks: 1 });
		expect(body).toMatchObject({ ok: false, code: 'too_crowded', fix: expect.stringContaining('despawn') });
		await must('POST', '/reset', {});
		await must('POST', '/step', { ticks: 1 });
		engine.close();
	});
});
