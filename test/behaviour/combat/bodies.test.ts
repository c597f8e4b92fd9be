/** Moving entities: velocity, body and collider together (contract 5.13). */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, spawn, step, change, entity, position } = playing();

const sphere = { shape: 'Sphere', radius: 0.5 };
const velocity = { linear: [3, 0, 0] };

describe('velocity, body and collider', () => {
	test.each([
		['nothing', {}, 'rests'],
		['velocity', { velocity }, 'rests'],
		['velocity and collider', { velocity, collider: sphere }, 'rests'],
		['Static', { physics_body: 'Static', collider: sphere }, 'rests'],
		['Static with velocity', { physics_body: 'Static', collider: sphere, velocity }, 'rests'],
		['Kinematic', { physics_body: 'Kinematic', velocity }, 'glides'],
		['Kinematic with collider', { physics_body: 'Kinematic', collider: sphere, velocity }, 'glides'],
		['Kinematic without velocity', { physics_body: 'Kinematic' }, 'rests'],
		['Dynamic', { physics_body: 'Dynamic', velocity }, 'falls'],
		['Dynamic with collider', { physics_body: 'Dynamic', collider: sphere, velocity }, 'falls'],
		['Dynamic without velocity', { physics_body: 'Dynamic' }, 'drops'],
	])('%s %j: it %s', async (_, document, motion) => {
		const id = await spawn({ position: [0, 50, 0], ...document });
		await step(60);
		const [x, y] = await position(id);
		expect(x).toBeCloseTo(motion === 'glides' || motion === 'falls' ? 3 : 0, 3);
		if (motion === 'falls' || motion === 'drops') expect(y).toBeCloseTo(50 - 9.81 / 2, 0);
		else expect(y).toBe(50);
	});

	test('a body without velocity neither moves nor falls', async () => {
		const id = await spawn({ position: [0, 50, 0], physics_body: 'Dynamic', collider: sphere });
		await change(id, { remove: ['velocity'] });
		await step(60);
		expect(await position(id)).toEqual([0, 50, 0]);
	});

	test('a body gets a zero velocity, unless it is Static', async () => {
		const readVelocity = async (kind: string) => (await entity(await spawn({ physics_body: kind }))).velocity;
		const zero = { linear: [0, 0, 0], angular: [0, 0, 0] };
		expect([
			await readVelocity('Dynamic'),
			await readVelocity('kinematic'),
			await readVelocity('STATIC'),
		]).toEqual([zero, zero, undefined]);
	});

	test('a Kinematic body passes through walls and pushes Dynamic bodies away', async () => {
		await spawn({
			position: [2, 0, 0],
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx: 0.2, hy: 5, hz: 5 },
		});
		await post('/tuning', { physics: { gravity: [0, 0, 0] } });
		const ball = await spawn({ position: [5, 0, 0], physics_body: 'Dynamic', collider: sphere });
		const ram = await spawn({ physics_body: 'Kinematic', collider: sphere, velocity: { linear: [6, 0, 0] } });
		await step(60);
		expect((await position(ram))[0]).toBeCloseTo(6, 3);
		expect((await position(ball))[0]).toBeGreaterThan(6.9);
	});

	test('scale affects drawing only, not the collider', async () => {
		await spawn({
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx: 9, hy: 0.5, hz: 9 },
			scale: [1, 9, 1],
		});
		const ball = await spawn({
			position: [0, 3, 0],
			scale: [5, 5, 5],
			physics_body: 'Dynamic',
			collider: sphere,
		});
		await step(240);
		expect((await position(ball))[1]).toBeCloseTo(1, 1);
	});
});

test('a fast spin keeps the rotation valid', async () => {
	const id = await spawn({ physics_body: 'Kinematic' });
	await post('/rule/create', {
		when: 'tick:1',
		once: true,
		do: [`set_field entity:${id} velocity.angular.y 1e9`],
	});
	await step(3);
	const [x, y, z, w] = (await entity(id)).local_transform.rotation;
	expect(x * x + y * y + z * z + w * w).toBeCloseTo(1, 5);
});
