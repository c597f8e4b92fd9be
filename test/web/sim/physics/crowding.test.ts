/** Overlapping bodies are counted, for any size and any kind of change, and too many are refused. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColliderShapeName, ShapeSize } from '../../../../shared/media/collider-shapes.ts';
import { despawn, type World } from '../../../../web/sim/core/world.ts';
import type { ComparisonCount } from '../../../../web/sim/physics/box-tree.ts';
import {
	type CrowdBody,
	countOverlaps,
	hasRoom,
	MAX_CROWD,
	MAX_OVERLAPS,
} from '../../../../web/sim/physics/crowding.ts';
import { overlapDeeply, placeShape } from '../../../../web/sim/physics/overlap.ts';
import { teleport } from '../../../../web/sim/physics/teleport.ts';
import { changeEntity } from '../../../../web/sim/spawn/change-entity.ts';
import { spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { freshWorld, startEngine } from '../../../support/engine.ts';
import { check } from '../../../support/property.ts';

const SPHERE = { shape: 'Sphere', radius: 1 } as const;
const line = (i: number): [number, number, number] => [i * 0.011, 0, 0];

const upright = [0, 0, 0, 1] as const;
const lying = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
const askew = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)] as const;
const shapeAt = (
	shape: ColliderShapeName,
	size: ShapeSize,
	x: number,
	y = 0,
	rotation: readonly [number, number, number, number] = upright,
) => placeShape(shape, size, [x, y, 0], rotation);

describe('two colliders', () => {
	const ball = shapeAt('Sphere', [1, 0, 0], 0);
	const cube = shapeAt('Aabb', [1, 1, 1], 0);
	const stick = (x: number, y = 0) => shapeAt('Aabb', [0.1, 5, 0.1], x, y);

	test.each([
		['balls that touch', ball, shapeAt('Sphere', [1, 0, 0], 1.9), false],
		['balls in each other', ball, shapeAt('Sphere', [1, 0, 0], 1.7), true],
		['a ball at the corner of a cube', shapeAt('Sphere', [1, 0, 0], 1.8, 1.8), cube, false],
		['a ball in the side of a cube', shapeAt('Sphere', [1, 0, 0], 1.7), cube, true],
		['cubes that touch', cube, shapeAt('Aabb', [1, 1, 1], 1.9), false],
		['cubes in each other', cube, shapeAt('Aabb', [1, 1, 1], 1.7), true],
		['a cube turned into another', cube, shapeAt('Aabb', [1, 1, 1], 2, 0, askew), true],
		['sticks side by side', stick(0), stick(0.3), false],
		['a stick that lies across another', stick(0), shapeAt('Aabb', [0.1, 5, 0.1], 3, 3, lying), true],
		['a stick that lies above another', stick(0), shapeAt('Aabb', [0.1, 5, 0.1], 3, 5.2, lying), false],
		['capsules end to end', shapeAt('Capsule', [1, 1, 0], 0), shapeAt('Capsule', [1, 1, 0], 0, 3.9), false],
	])('%s', (_, a, b, deep) => {
		expect(overlapDeeply(a, b)).toBe(deep);
		expect(overlapDeeply(b, a)).toBe(deep);
	});
});

interface Spec {
	readonly kind: 'Dynamic' | 'Static';
	readonly size: number;
	readonly at: readonly [number, number, number];
}

/**
 * Returns the number of overlapping pairs of bodies with a Dynamic one, by a test of every pair. `from`: index of the first
 * body that is compared with those before it.
 */
function countPairs(bodies: Iterable<Spec>, from = 0): number {
	const all = [...bodies].map(({ kind, size, at }) => ({
		kind,
		solid: placeShape('Aabb', [size, size, size], at.map(Math.fround) as [number, number, number], upright),
	}));
	let count = 0;
	for (let i = from; i < all.length; i++)
		for (const b of all.slice(0, i)) {
			const a = all[i]!;
			if ((a.kind === 'Dynamic' || b.kind === 'Dynamic') && overlapDeeply(a.solid, b.solid)) count++;
		}
	return count;
}

describe('the count of overlapping pairs', () => {
	const coordinate = fc.constantFrom(0, 0.3, 0.6, 1, 1.5, 5, -7, 300, -1e6);
	const spec = fc.record({
		kind: fc.constantFrom('Dynamic' as const, 'Static' as const),
		size: fc.constantFrom(0.001, 0.3, 0.5, 2, 40),
		at: fc.tuple(coordinate, coordinate, coordinate),
	});
	const changes = fc.array(
		fc.oneof(
			{ weight: 4, arbitrary: spec.map((body) => ({ deed: 'spawn' as const, body })) },
			{ weight: 1, arbitrary: fc.record({ deed: fc.constant('despawn' as const), whom: fc.nat(40) }) },
			{
				weight: 2,
				arbitrary: fc.record({ deed: fc.constant('change' as const), whom: fc.nat(40), body: spec }),
			},
			{
				weight: 2,
				arbitrary: fc.record({ deed: fc.constant('teleport' as const), whom: fc.nat(40), body: spec }),
			},
		),
		{ minLength: 5, maxLength: 30, size: 'max' },
	);

	test('equals a test of every pair after spawns, despawns, changes and teleports', () =>
		check(3, [changes], async (history) => {
			const world = await freshWorld();
			// Nearly as many bodies as fit, so that the last pairs decide. They are far from all later bodies.
			const crowd = Array.from(
				{ length: MAX_CROWD },
				(): Spec => ({ kind: 'Dynamic', size: 0.5, at: [999, 0, 0] }),
			);
			const specById = new Map<number, Spec>();
			const documentOf = ({ kind, size, at }: Spec) => ({
				position: [...at] as [number, number, number],
				physics_body: kind,
				collider: { shape: 'Aabb' as const, hx: size, hy: size, hz: size },
			});
			for (const body of crowd.slice(1)) specById.set(spawnEntity(world, documentOf(body)).handle.id, body);
			// The crowd does not change, so its own pairs are counted once.
			const inCrowd = countPairs(specById.values());
			const allOf = (bodies: Iterable<Spec>) => inCrowd + countPairs(bodies, MAX_CROWD - 1);
			const countWith = (slot: number | null, body: Spec) => {
				const others = [...specById].filter(([id]) => id !== slot).map(([, other]) => other);
				return allOf([...others, body]);
			};
			for (const step of history) {
				const living = [...specById.keys()].filter((id) => id >= MAX_CROWD - 1);
				const whom = 'whom' in step ? living[step.whom % Math.max(1, living.length)] : undefined;
				if (step.deed !== 'spawn' && whom === undefined) continue;
				if (step.deed === 'despawn') {
					despawn(world, whom!);
					specById.delete(whom!);
				} else {
					const body = step.deed === 'teleport' ? { ...specById.get(whom!)!, at: step.body.at } : step.body;
					const fits = body.kind === 'Static' || countWith(whom ?? null, body) <= MAX_OVERLAPS;
					if (step.deed === 'teleport') {
						expect(teleport(world, { id: whom!, generation: generationOf(world, whom!) }, body.at)).toBe(
							fits,
						);
						if (fits) specById.set(whom!, body);
					} else {
						let isDone = true;
						try {
							const document = documentOf(body);
							if (step.deed === 'spawn') specById.set(spawnEntity(world, document).handle.id, body);
							else {
								const { position, ...rest } = document;
								changeEntity(world, { id: whom!, generation: generationOf(world, whom!) }, {
									...rest,
									transform: { position },
								} as never);
								specById.set(whom!, body);
							}
						} catch {
							isDone = false;
						}
						expect(isDone).toBe(fits);
					}
				}
			}
			const remaining = MAX_OVERLAPS - allOf(specById.values());
			// Another body in the crowd would overlap all of its bodies.
			const probe = {
				shape: 'Aabb',
				size: [0.5, 0.5, 0.5],
				geometry: null,
				position: [999, 0, 0],
				rotation: upright,
			} as const;
			expect(hasRoom(world, probe)).toBe(remaining >= MAX_CROWD - 1);
		}));
});

function generationOf(world: World, slot: number): number {
	return world.entities.generations.data[slot]!;
}

describe('1800 balls of radius 1 at 1.1 cm distance', () => {
	const body = (i: number) => ({ position: line(i), physics_body: 'Dynamic', collider: SPHERE });

	test('are refused when they are spawned, in a scenario and by a rule, long before a step', async () => {
		const { engine, must, call } = await startEngine();
		const { body: batch } = await call('POST', '/scenario', {
			entities: Array.from({ length: 1800 }, (_, i) => body(i)),
		});
		expect(batch).toMatchObject({
			ok: false,
			message: expect.stringMatching(
				/Too many bodies overlap at \[.*\]\. At most 19900 pairs of bodies may overlap deeply, and the bounding boxes of at most 10 million pairs may overlap\.$/,
			),
		});
		let refused = -1;
		for (let i = 0; i < 1800 && refused < 0; i++)
			if ((await call('POST', '/spawn', body(i))).body.code === 'too_crowded') refused = i;
		expect(refused).toBeGreaterThan(100);
		expect(refused).toBeLessThan(500);
		await must('POST', '/reset', {});
		for (let i = 0; i < 9; i++)
			await must('POST', '/rule/create', {
				when: 'tick:1',
				do: Array.from({ length: 200 }, (_, j) => ({
					action: 'spawn',
					mesh: 'sphere',
					...body(i * 200 + j),
				})),
			});
		await must('POST', '/step', { ticks: 1 });
		expect(engine.worlds.main.world.entities.count).toBeLessThan(9 + 500);
		engine.close();
	});

	test('that a rule moves together are refused by the step, which changes nothing', async () => {
		const { engine, must, call } = await startEngine();
		const far = (i: number) => ({ ...body(i), position: [i * 3, 50, 0] });
		await must('POST', '/scenario', { entities: Array.from({ length: 600 }, (_, i) => far(i)) });
		await must('POST', '/step', { ticks: 1 });
		await must('POST', '/rule/create', {
			when: 'tick:1',
			once: true,
			do: [{ action: 'set_field', target: { all: 'component:collider' }, field: 'position.x', value: 0 }],
		});
		await must('POST', '/step', { ticks: 1 });
		const { state_digest } = await must('GET', '/digest');
		expect(await call('POST', '/step', { ticks: 1 })).toMatchObject({
			body: { ok: false, code: 'too_crowded' },
		});
		expect(await must('GET', '/digest')).toMatchObject({ state_digest });
		engine.close();
	});

	test('a thousand are accepted if they only touch', async () => {
		const { engine, must } = await startEngine();
		const entities = Array.from({ length: 1000 }, (_, i) => ({
			...body(i),
			position: [(i % 10) * 1.95, Math.floor(i / 100) * 1.95, (Math.floor(i / 10) % 10) * 1.95],
		}));
		await must('POST', '/scenario', { entities });
		await must('POST', '/step', { ticks: 2 });
		engine.close();
	});
});

describe('70,000 bodies in one place', () => {
	const MANY = 70_000;
	const bodies = (dynamic: boolean, length = MANY, turned = false): CrowdBody[] =>
		Array.from({ length }, (_, i) => {
			// With `turned`, rods are side by side, and their boxes are almost equal.
			const center = [turned ? i * 1e-4 : 0, 0, 0] as const;
			const half: [number, number, number] = turned ? [1e-6, 10, 1e-6] : [0.5, 0.5, 0.5];
			const rotation = turned ? ([0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] as const) : upright;
			return {
				isDynamic: dynamic,
				center,
				boxHalf: turned ? [7.1, 7.1, 1e-6] : half,
				solid: () => placeShape(turned ? 'Aabb' : 'Sphere', half, center, rotation),
			};
		});
	const count = (all: readonly CrowdBody[]) => {
		const tally: ComparisonCount = { comparisons: 0 };
		return { ...countOverlaps(all, tally), ...tally };
	};

	test('that do not move have no pairs, and none is tested', () => {
		expect(count(bodies(false))).toEqual({ boxes: 0, deep: 0, comparisons: 0 });
	});

	test('have at most one pair each with a moving body', () => {
		const { deep, comparisons: compared } = count([...bodies(false), ...bodies(true, 1)]);
		expect(deep).toBe(MAX_OVERLAPS + 1);
		expect(compared).toBeLessThan(2 * MANY);
	});

	test('that move are counted up to the limit', () => {
		const { deep, comparisons: compared } = count(bodies(true));
		expect(deep).toBe(MAX_OVERLAPS + 1);
		expect(compared).toBeLessThan(2 * MANY);
	});

	test('are tested up to a limit if only their boxes overlap', () => {
		const { deep, boxes: boxPairs, comparisons: compared } = count(bodies(true, MANY, true));
		expect(deep).toBe(0);
		expect(boxPairs).toBe(10_000_001);
		expect(compared).toBeLessThan(2 * boxPairs);
	});
});
