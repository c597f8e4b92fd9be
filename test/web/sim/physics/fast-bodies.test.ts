/** Bodies do not pass through each other at any speed, awake or asleep. */

import { expect, test } from 'vitest';
import { startEngine } from '../../../support/engine.ts';

const SHAPES = [
	{ shape: 'Sphere', radius: 0.05 },
	{ shape: 'Sphere', radius: 0.3 },
	{ shape: 'Aabb', hx: 0.1, hy: 0.1, hz: 0.1 },
	{ shape: 'Capsule', radius: 0.1, half_height: 0.2 },
	{ shape: 'Cylinder', radius: 0.2, half_height: 0.2 },
];

async function weightless() {
	const started = await startEngine();
	await started.must('POST', '/tuning', { physics: { gravity: [0, 0, 0] } });
	const xOf = async (id: number) => (await started.entity(id)).local_transform.position[0] as number;
	return { ...started, xOf };
}

test.for([5, 10, 20, 40, 120])(
	'a Kinematic plate at %d m/s pushes sleeping bodies in its way',
	async (speed) => {
		const { must, spawn, xOf, engine } = await weightless();
		const pairs: (readonly [plate: number, body: number])[] = [];
		for (const [lane, collider] of SHAPES.entries()) {
			const z = lane * 10;
			const plate = await spawn({
				physics_body: 'Kinematic',
				position: [speed * 2.1 + lane / 7, 0, z],
				velocity: { linear: [-speed, 0, 0] },
				collider: { shape: 'Aabb', hx: 0.05, hy: 3, hz: 3 },
			});
			pairs.push([plate, await spawn({ physics_body: 'Dynamic', position: [0, 0, z], collider })]);
		}
		await must('POST', '/step', { ticks: 160 });
		for (const [plate, body] of pairs) expect(await xOf(body)).toBeLessThan(await xOf(plate));
		engine.close();
	},
);

test.for([20, 120, 400])(
	'balls that meet head on at %d m/s do not pass through each other',
	async (speed) => {
		const { must, spawn, xOf, engine } = await weightless();
		const pairs: (readonly [left: number, right: number])[] = [];
		for (const [lane, collider] of SHAPES.slice(0, 2).entries()) {
			const body = (position: number, velocity: number) =>
				spawn({
					physics_body: 'Dynamic',
					position: [position - lane / 9, 0, lane * 10],
					velocity: { linear: [velocity, 0, 0] },
					collider,
				});
			pairs.push([await body(-15.37, speed), await body(15.21, -speed)]);
		}
		await must('POST', '/step', { ticks: 60 });
		for (const [left, right] of pairs) expect(await xOf(left)).toBeLessThan(await xOf(right));
		engine.close();
	},
);

test.for([20, 120, 400])('nothing passes through a Static body at %d m/s', async (speed) => {
	const { must, spawn, xOf, engine } = await weightless();
	await spawn({ physics_body: 'Static', collider: { shape: 'Aabb', hx: 0.05, hy: 80, hz: 80 } });
	const ids: number[] = [];
	for (const [lane, collider] of SHAPES.entries())
		ids.push(
			await spawn({
				physics_body: 'Dynamic',
				position: [14.3 + lane / 7, lane * 10, 0],
				velocity: { linear: [-speed, speed / 9, 0] },
				collider,
			}),
		);
	await must('POST', '/step', { ticks: 60 });
	for (const id of ids) expect(await xOf(id)).toBeGreaterThan(0);
	engine.close();
});
