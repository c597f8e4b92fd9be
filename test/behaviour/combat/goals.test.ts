/** Rules of goals, and of moving by a velocity. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, spawn, step, change, entity, position } = playing();

describe('goals', () => {
	test('a patrol reaches waypoints at another height, faces its direction, and loops', async () => {
		const id = await spawn({});
		await post('/ai/set', {
			entity_id: id,
			behavior: 'patrol',
			speed: 3,
			waypoints: [
				[3, 1, 0],
				[0, 0, 0],
			],
		});
		expect(await entity(id)).toMatchObject({ ai: 'patrol (2 waypoints)', ai_goal: { next: 0, speed: 3 } });
		await step(2);
		const { rotation } = (await entity(id)).local_transform;
		expect(rotation[1]).toBeCloseTo(-Math.SQRT1_2, 5);
		expect(rotation[3]).toBeCloseTo(Math.SQRT1_2, 5);
		await step(75);
		expect((await entity(id)).ai_goal.next).toBe(1);
		await step(75);
		expect((await entity(id)).ai_goal.next).toBe(0);
	});

	test('chase stops a metre away, flee gets ten metres away', async () => {
		const target = await spawn({ position: [6, 0, 0] });
		const hunter = await spawn({});
		const prey = await spawn({ position: [8, 0, 0] });
		await post('/ai/set', { entity_id: hunter, behavior: 'chase', target });
		await post('/ai/set', { entity_id: prey, behavior: 'flee', target });
		expect((await entity(hunter)).ai).toBe(`chase (target: ${target})`);
		await step(300);
		expect((await position(hunter))[0]).toBeCloseTo(5, 1);
		expect((await position(prey))[0]).toBeCloseTo(16, 1);
		expect((await entity(prey)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('idle stands: only the velocity along the ground is removed', async () => {
		const id = await spawn({ physics_body: 'Kinematic', velocity: { linear: [1, 2, 3] } });
		await post('/ai/set', { entity_id: id });
		expect((await entity(id)).ai).toBe('idle');
		await step();
		expect((await entity(id)).velocity.linear).toEqual([0, 2, 0]);
	});

	test('a waypoint is reached within 0.5 m on the ground: one tick of standing, then the next', async () => {
		const id = await spawn({ position: [0.51, 7, 0] });
		await post('/ai/set', {
			entity_id: id,
			behavior: 'patrol',
			waypoints: [
				[0, 0, 0],
				[0, 0, 50],
			],
		});
		await step();
		expect((await entity(id)).ai_goal.next).toBe(0);
		expect((await entity(id)).velocity.linear[0]).toBeLessThan(0);
		await change(id, { transform: { position: [0.49, 7, 0] } });
		await step();
		expect((await entity(id)).ai_goal.next).toBe(1);
		expect((await entity(id)).velocity.linear).toEqual([0, 0, 0]);
		await step();
		expect((await entity(id)).velocity.linear[2]).toBeGreaterThan(2.9);
	});

	test('a path follows the ground with the rest of the speed, and height keeps its velocity', async () => {
		const target = await spawn({ position: [3, 4, 0] });
		const id = await spawn({ physics_body: 'Kinematic', velocity: { linear: [0, 0.5, 0] } });
		await post('/ai/set', { entity_id: id, behavior: 'chase', target, speed: 10 });
		await step();
		expect((await entity(id)).velocity.linear[0]).toBeCloseTo(6, 1);
		expect((await entity(id)).velocity.linear[1]).toBe(0.5);
	});

	test('a chase stops a metre away on the ground, at any height of the target', async () => {
		const target = await spawn({ position: [4, 9, 0] });
		const id = await spawn();
		await post('/ai/set', { entity_id: id, behavior: 'chase', target });
		await step(300);
		expect((await position(id))[0]).toBeCloseTo(3, 1);
		expect((await entity(id)).velocity.linear).toEqual([0, 0, 0]);
	});

	test.each([
		[
			[9, 0, 0],
			[0, -Math.SQRT1_2, 0, Math.SQRT1_2],
		],
		[
			[-9, 0, 0],
			[0, Math.SQRT1_2, 0, Math.SQRT1_2],
		],
		[
			[0, 0, -9],
			[0, 0, 0, 1],
		],
		[
			[0, 0, 9],
			[0, 1, 0, 0],
		],
	])('a walk to %j faces its direction, -z forward', async (waypoint, rotation) => {
		const id = await spawn({ ai_patrol: [waypoint] });
		await step();
		const actual = (await entity(id)).local_transform.rotation;
		for (const [i, part] of rotation.entries()) expect(Math.abs(actual[i])).toBeCloseTo(Math.abs(part), 5);
		const forward = [
			-2 * (actual[0] * actual[2] + actual[3] * actual[1]),
			2 * (actual[0] ** 2 + actual[1] ** 2) - 1,
		];
		expect(forward[0]).toBeCloseTo(waypoint[0]! / 9, 5);
		expect(forward[1]).toBeCloseTo(waypoint[2]! / 9, 5);
	});

	test('ai_patrol without waypoints stands still, and the answer warns of it', async () => {
		const { id, warnings } = await post('/spawn', { ai_patrol: [] });
		expect(warnings).toEqual(['ai_patrol has no waypoints; the entity stands still']);
		await step(5);
		expect(await entity(id)).toMatchObject({ ai: 'patrol (0 waypoints)' });
		expect(await position(id)).toEqual([0, 0, 0]);
	});

	test('ai_patrol of a spawn document walks, at combat_speed or 3 m/s, with a body of its own', async () => {
		const [slow, usual] = [
			await spawn({ ai_patrol: [[9, 0, 0]], combat_speed: 1 }),
			await spawn({ ai_patrol: [[9, 0, 50]], position: [0, 0, 50] }),
		];
		expect((await entity(slow)).physics_body).toBe('Kinematic');
		await step(61);
		expect((await position(slow))[0]).toBeCloseTo(1, 3);
		expect((await position(usual))[0]).toBeCloseTo(3, 3);
	});

	test('changes of walking speed apply to goals too', async () => {
		const id = await spawn({ ai_patrol: [[99, 0, 0]] });
		await post('/effect/apply', { entity_id: id, modifiers: ['move_speed:multiply:2'], duration: 60 });
		await step();
		expect((await entity(id)).velocity.linear[0]).toBe(6);
	});

	test('a flight from the exact same position moves away, and a chase of oneself stands', async () => {
		const target = await spawn();
		const id = await spawn();
		await post('/ai/set', { entity_id: id, behavior: 'flee', target });
		await post('/ai/set', { entity_id: target, behavior: 'chase', target });
		await step();
		expect((await entity(id)).velocity.linear[0]).toBe(3);
		expect((await entity(target)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('a goal without its target stands, its words are checked, and it can be removed', async () => {
		const id = await spawn({ velocity: { linear: [1, 0, 1] } });
		const { warnings, ai } = await post('/ai/set', { entity_id: id, behavior: 'chase' });
		expect([warnings.length, ai]).toEqual([1, 'chase (target: none)']);
		await step();
		expect((await entity(id)).velocity.linear).toEqual([0, 0, 0]);
		expect((await call('POST', '/ai/set', { entity_id: id, behavior: 'run' })).status).toBe(422);
		expect((await call('POST', '/ai/set', { behavior: 'idle' })).status).toBe(422);
		await post(`/entities/${id}/components`, { remove: ['ai'] });
		expect((await entity(id)).ai).toBeUndefined();
	});
});

describe('Kinematic bodies without a collider', () => {
	test('move exactly by their velocity and turn by their spin', async () => {
		const id = await spawn({
			physics_body: 'Kinematic',
			velocity: { linear: [6, 0.6, -3], angular: [0, Math.PI / 2, 0] },
		});
		await step(60);
		const { position, rotation } = (await entity(id)).transform;
		expect(position[0]).toBeCloseTo(6, 3);
		expect(position[1]).toBeCloseTo(0.6, 3);
		expect(position[2]).toBeCloseTo(-3, 3);
		expect(rotation[1]).toBeCloseTo(Math.SQRT1_2, 4);
		expect(rotation[3]).toBeCloseTo(Math.SQRT1_2, 4);
	});
});
