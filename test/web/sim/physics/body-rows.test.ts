/** Values read from the physics library's memory are those of its calls, for every body, at all times. */

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { callReader, findLayout, rowReader } from '../../../../web/sim/physics/body-rows.ts';
import { loadPhysics, RAPIER } from '../../../../web/sim/physics/rapier.ts';
import { check } from '../../../support/property.ts';

beforeAll(loadPhysics);

test('the bodies are found in the memory of this version of the library', () => {
	expect(findLayout()).toBeDefined();
});

const emptyRows = () => ({
	position: new Float32Array(3),
	rotation: new Float32Array(4),
	linear: new Float32Array(3),
	angular: new Float32Array(3),
});

const number = fc.double({ min: -50, max: 50, noNaN: true }).map(Math.fround);
const vector = fc.tuple(number, number, number);
const body = fc.record({
	type: fc.constantFrom('dynamic', 'fixed', 'kinematicVelocityBased', 'kinematicPositionBased'),
	position: vector,
	linear: vector,
	angular: vector,
});
const change = fc.oneof(
	fc.record({ kind: fc.constant('step' as const), ticks: fc.integer({ min: 1, max: 5 }) }),
	fc.record({ kind: fc.constant('add' as const), body }),
	fc.record({ kind: fc.constantFrom('remove' as const, 'sleep' as const), index: fc.nat(30) }),
	fc.record({ kind: fc.constant('restore' as const) }),
);

test('rows of bodies that came, went, moved, slept and were restored', () =>
	check(
		200,
		[fc.array(body, { minLength: 1, maxLength: 20 }), fc.array(change, { maxLength: 12 })],
		(bodies, changes) => {
			let world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
			const add = ({ type, position, linear, angular }: (typeof bodies)[number]) => {
				const [x, y, z] = angular;
				const rigidBody = world.createRigidBody(
					RAPIER.RigidBodyDesc[type]()
						.setTranslation(...position)
						.setLinvel(...linear)
						.setAngvel({ x, y, z }),
				);
				world.createCollider(RAPIER.ColliderDesc.ball(0.5), rigidBody);
			};
			for (const each of bodies) add(each);
			const compare = () => {
				const [read, call] = [rowReader(world), callReader(world)];
				const [rows, expectedRows] = [emptyRows(), emptyRows()];
				world.forEachRigidBody(({ handle }) => {
					expect(read(handle, 0, rows)).toBe(call(handle, 0, expectedRows));
					expect(rows).toEqual(expectedRows);
				});
			};
			compare();
			for (const change of changes) {
				if (change.kind === 'step') for (let i = 0; i < change.ticks; i++) world.step();
				if (change.kind === 'add') add(change.body);
				const all = world.bodies.getAll();
				const rigidBody = 'index' in change ? all[change.index % Math.max(1, all.length)] : undefined;
				if (rigidBody !== undefined && change.kind === 'remove') world.removeRigidBody(rigidBody);
				if (rigidBody !== undefined && change.kind === 'sleep') rigidBody.sleep();
				if (change.kind === 'restore') {
					const snapshot = world.takeSnapshot();
					world.free();
					world = RAPIER.World.restoreSnapshot(snapshot);
				}
				compare();
			}
			world.free();
		},
	));
