/** Entity handles: the slot freed last is reused first, and every call refuses a stale handle. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Team } from '../../../../shared/components/team.ts';
import { entityAt, isAlive, slotOf } from '../../../../web/sim/core/entities.ts';
import { add, despawn, get, has, spawn } from '../../../../web/sim/core/world.ts';
import { freshWorld, startEngine, type TestEngine } from '../../../support/engine.ts';

describe('slots', () => {
	test('are assigned in order, and the last freed is reused first with the next generation', async () => {
		const world = await freshWorld();
		expect([spawn(world), spawn(world), spawn(world)]).toEqual([
			{ id: 0, generation: 0 },
			{ id: 1, generation: 0 },
			{ id: 2, generation: 0 },
		]);
		despawn(world, 0);
		despawn(world, 2);
		expect(spawn(world)).toEqual({ id: 2, generation: 1 });
		expect(spawn(world)).toEqual({ id: 0, generation: 1 });
		expect(spawn(world)).toEqual({ id: 3, generation: 0 });
		expect(world.entities.count).toBe(4);
	});

	test('are reused without components', async () => {
		const world = await freshWorld();
		const { id } = spawn(world);
		add(world, id, Team, { team: 4 });
		despawn(world, id);
		expect(has(world, id, Team)).toBe(false);
		spawn(world);
		expect(get(world, id, Team)).toBeUndefined();
	});

	test('a handle is valid for its own generation only', async () => {
		const world = await freshWorld();
		const first = spawn(world);
		despawn(world, first.id);
		expect(slotOf(world, first)).toBe(-1);
		expect(isAlive(world, first.id)).toBe(false);
		const second = spawn(world);
		expect(slotOf(world, first)).toBe(-1);
		expect(slotOf(world, second)).toBe(second.id);
		expect(() => entityAt(world, 0, 0)).toThrow(
			'generation 0 no longer exists; the entity with this id now has generation 1',
		);
		expect(() => entityAt(world, 99)).toThrow('There is no entity 99');
		expect(slotOf(world, null)).toBe(-1);
	});

	test('a slot at its last generation is never reused', async () => {
		const world = await freshWorld();
		const { id } = spawn(world);
		world.entities.generations.data[id] = 0xffffffff;
		despawn(world, id);
		expect(spawn(world)).toEqual({ id: 1, generation: 0 });
	});

	test('a thousand entities, every third despawned, are counted and found', async () => {
		const world = await freshWorld();
		for (let i = 0; i < 1000; i++) spawn(world);
		for (let i = 0; i < 1000; i += 3) despawn(world, i);
		expect(world.entities.count).toBe(666);
		expect(isAlive(world, 998)).toBe(true);
		expect(isAlive(world, 999)).toBe(false);
		expect(isAlive(world, 1000)).toBe(false);
	});
});

describe('a stale handle in a call', () => {
	let testEngine: TestEngine;
	beforeEach(async () => {
		testEngine = await startEngine();
		await testEngine.must('POST', '/spawn', { health: 10 });
		await testEngine.must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
		await testEngine.must('POST', '/spawn', { health: 20 });
	});
	afterEach(() => testEngine.engine.close());

	test.each([
		['POST', '/despawn', { entity_id: 0, entity_generation: 0 }, 200],
		['POST', '/entity/damage', { entity_id: 0, generation: 0, amount: 1 }, 404],
		['POST', '/entity/heal', { entity_id: 0, generation: 0, amount: 1 }, 200],
		['POST', '/tag', { entity_id: 0, generation: 0, add: ['x'] }, 200],
		['POST', '/camera/focus', { entity_id: 0, generation: 0 }, 200],
		['GET', '/entities/0?generation=0', undefined, 404],
		['POST', '/entities/0/components', { generation: 0, team: 1 }, 404],
	])('%s %s is refused and changes nothing', async (method, path, body, status) => {
		const before = await testEngine.must('POST', '/observe', {});
		const reply = await testEngine.call(method, path, body);
		expect(reply.status).toBe(status);
		expect(reply.body).toMatchObject({ ok: false, code: 'stale_handle' });
		expect(await testEngine.must('POST', '/observe', {})).toEqual(before);
	});
});
