/** Conditions find the same entities with lists of ordered values as with a full scan. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Health } from '../../../../shared/components/health.ts';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { add, remove, spawn, type World, write } from '../../../../web/sim/core/world.ts';
import { ConditionLook } from '../../../../web/sim/rules/conditions/evaluate-condition.ts';
import { parseFilter } from '../../../../web/sim/rules/conditions/filter.ts';
import { slotsWithin } from '../../../../web/sim/rules/conditions/ordered-values.ts';
import { freshWorld } from '../../../support/engine.ts';
import { check } from '../../../support/property.ts';

const ENTITIES = 40;
/** Number of evaluations after which the lists exist. */
const WARM_UP_COUNT = 9;

async function createRow(): Promise<World> {
	const world = await freshWorld();
	for (let i = 0; i < ENTITIES; i++) {
		const { id } = spawn(world);
		if (i % 5 > 0) add(world, id, Health, { current: i % 8, max: 10 });
		if (i % 7 > 0) add(world, id, LocalTransform, { position: [i * 0.3, 0, -i] });
	}
	return world;
}

const number = fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constantFrom(0.3, 2.1, -3.3, 7.5));
const sign = fc.constantFrom('<', '<=', '==', '>=', '>', '!=');
const condition = fc.oneof(
	fc
		.tuple(fc.constantFrom('health', 'x', 'z', 'health.max'), sign, number)
		.map((parts) => `field:${parts.join('')}`),
	number.map((threshold) => `health-below:${threshold}`),
	fc.tuple(number, number).map(([x, z]) => `enter:${x},0,${-z}:2.5`),
	fc.tuple(number, number).map(([x, z]) => `enter:${x},0,${-z}:1,1,3`),
);

const matchingEntities = (world: World, text: string) =>
	new ConditionLook(world).holds(parseFilter(text), '');

test('results match a full scan while values change', async () => {
	const start = await createRow();
	const change = fc.tuple(fc.nat(ENTITIES - 1), number, fc.boolean());
	await check(100, [fc.array(condition, { minLength: 1 }), fc.array(change)], (conditions, changes) => {
		const world = clone(start);
		for (const text of conditions) {
			const first = matchingEntities(world, text);
			for (let i = 0; i < WARM_UP_COUNT; i++) matchingEntities(world, text);
			expect(matchingEntities(world, text), text).toEqual(first);
			const [slot, value, isRemoved] = changes.shift() ?? [0, 1, false];
			if (isRemoved) remove(world, slot, Health);
			else write(world, Health, 'current')[slot] = value;
			write(world, LocalTransform, 'position')[slot * 3] = value;
			const copy = clone(world);
			expect(matchingEntities(world, text), text).toEqual(matchingEntities(copy, text));
			dispose(copy);
		}
		dispose(world);
	});
});

test('a list is shared by forks until one of them writes, and is not built for a single read', async () => {
	const world = await createRow();
	const bounds = [{ component: Health, field: 'current', lane: 0, low: 6, high: 6 }];
	const full = bounds as unknown as Parameters<typeof slotsWithin>[1];
	expect(slotsWithin(world, full)).toBeNull();
	for (let i = 0; i < WARM_UP_COUNT; i++) slotsWithin(world, full);
	const fork = clone(world);
	expect([...slotsWithin(fork, full)!]).toEqual([6, 14, 22, 38]);
	write(fork, Health, 'current')[6] = 1;
	expect(slotsWithin(fork, full)).toBeNull();
	expect([...slotsWithin(world, full)!]).toEqual([6, 14, 22, 38]);
});
