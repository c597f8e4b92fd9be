/** Parents and children: each step composes poses, cycles are refused, and orphans have their local pose. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksOf } from '../../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

interface Pose {
	readonly position: number[];
	readonly rotation: number[];
	readonly scale: number[];
}

const spawn = (body: object) => engine.must('POST', '/spawn', body);
const step = () => engine.must('POST', '/step', {});
const poseOf = async (id: number, key = 'transform') =>
	(await engine.must('GET', `/entities/${id}`))[key] as Pose;
const HALF = Math.SQRT1_2;
/** A quarter turn about y, which turns x to -z. */
const QUARTER = [0, HALF, 0, HALF];

function expectNear(actual: readonly number[], expected: readonly number[]): void {
	expect(actual).toHaveLength(expected.length);
	actual.forEach((part, i) => {
		expect(part).toBeCloseTo(expected[i]!, 5);
	});
}

describe('the pose in the world', () => {
	test('is composed down chains of any length, in any order of spawns', async () => {
		const length = 12_000;
		// Each entity is a child of the next one.
		const entities = Array.from({ length }, (_, id) => ({
			position: [1, 0, 0],
			mesh: 'cube',
			...(id < length - 1 ? { parent: id + 1 } : {}),
		}));
		await engine.must('POST', '/scenario', { entities });
		await step();
		expect((await poseOf(0)).position).toEqual([length, 0, 0]);
		const { poses } = blocksOf(engine.engine.worlds.main.world);
		expect(poses[0]).toBe(length);
	});

	test('is that of the last step, and zero before the first step, while the local pose is current', async () => {
		await spawn({ position: [1, 2, 3] });
		expect((await poseOf(0)).position).toEqual([0, 0, 0]);
		expect((await poseOf(0, 'local_transform')).position).toEqual([1, 2, 3]);
		await step();
		expect((await poseOf(0)).position).toEqual([1, 2, 3]);
		await engine.must('POST', '/entities/0/components', { transform: { position: [9, 9, 9] } });
		expect((await poseOf(0)).position).toEqual([1, 2, 3]);
		expect((await poseOf(0, 'local_transform')).position).toEqual([9, 9, 9]);
	});

	test('of a child is moved, turned and scaled by the parent', async () => {
		await spawn({ position: [10, 0, 0], rotation: QUARTER, scale: [2, 3, 4] });
		await spawn({ position: [1, 1, 1], parent: 0 });
		await step();
		const child = await poseOf(1);
		expectNear(child.position, [14, 3, -2]);
		expectNear(child.rotation, QUARTER);
		expectNear(child.scale, [2, 3, 4]);
	});

	test('equals the local pose if the parent has no position, such as a rule', async () => {
		await engine.must('POST', '/rule/create', { when: 'death', actions: ['despawn this'] });
		await spawn({ position: [1, 2, 3], rotation: QUARTER, parent: 0 });
		await spawn({ position: [1, 0, 0], parent: 1 });
		await step();
		expect(await poseOf(1)).toMatchObject({ position: [1, 2, 3], scale: [1, 1, 1] });
		expectNear((await poseOf(1)).rotation, QUARTER);
		expectNear((await poseOf(2)).position, [1, 2, 2]);
	});

	test('follows all ancestors, in any order of ids', async () => {
		for (let i = 0; i < 4; i++) await spawn({ position: [1, 0, 0], mesh: 'cube' });
		for (const [child, parent] of [
			[0, 3],
			[3, 1],
			[1, 2],
		])
			await engine.must('POST', `/entities/${child}/components`, { parent });
		await step();
		const x = async (id: number) => (await poseOf(id)).position[0];
		expect([await x(2), await x(1), await x(3), await x(0)]).toEqual([1, 2, 3, 4]);
		await engine.must('POST', '/entities/2/components', { transform: { position: [5, 0, 0] } });
		await step();
		expect([await x(2), await x(1), await x(3), await x(0)]).toEqual([5, 6, 7, 8]);
	});

	test('of an orphan is its local pose, and a reused slot is not its parent', async () => {
		await spawn({ position: [10, 0, 0] });
		await spawn({ position: [1, 0, 0], parent: 0 });
		await step();
		expect((await poseOf(1)).position).toEqual([11, 0, 0]);
		await engine.must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
		await spawn({ position: [20, 0, 0] });
		await step();
		expect((await poseOf(0)).position).toEqual([20, 0, 0]);
		expect((await poseOf(1)).position).toEqual([1, 0, 0]);
	});

	test('of a child falls with its parent', async () => {
		await spawn({ position: [0, 10, 0], physics_body: 'Dynamic' });
		await spawn({ position: [0, 1, 0], parent: 0 });
		await engine.must('POST', '/step', { ticks: 30 });
		expectNear([(await poseOf(1)).position[1]!], [(await poseOf(0)).position[1]! + 1]);
		expect((await poseOf(0)).position[1]).toBeLessThan(9);
	});
});

describe('a parent', () => {
	test.each([
		[0, 0],
		[0, 1],
		[0, 2],
	])('that would make %i its own descendant through %i is refused', async (id, parent) => {
		await spawn({});
		await spawn({ parent: 0 });
		await spawn({ parent: 1 });
		const before = await engine.must('GET', '/digest');
		const { body, status } = await engine.call('POST', `/entities/${id}/components`, { parent, team: 3 });
		expect({ status, code: body.code }).toEqual({ status: 422, code: 'cycle' });
		expect(await engine.must('GET', '/digest')).toEqual(before);
	});

	test('is removed with remove, and the entity stays at its local pose', async () => {
		await spawn({ position: [10, 0, 0] });
		await spawn({ position: [1, 0, 0], parent: 0 });
		await engine.must('POST', '/entities/1/components', { remove: ['parent'] });
		await step();
		expect((await poseOf(1)).position).toEqual([1, 0, 0]);
	});

	test('excludes its child from physics', async () => {
		await spawn({ position: [0, 5, 0] });
		await spawn({ position: [0, 1, 0], parent: 0, physics_body: 'Dynamic' });
		await engine.must('POST', '/step', { ticks: 30 });
		expect((await poseOf(1)).position).toEqual([0, 6, 0]);
		await engine.must('POST', '/entities/1/components', { remove: ['parent'] });
		await engine.must('POST', '/step', { ticks: 30 });
		expect((await poseOf(1)).position[1]).toBeLessThan(1);
	});
});

test('an entity whose parent is removed moves by physics from the next tick on, for any parent', async () => {
	await spawn({ position: [0, 5, 0], physics_body: 'Dynamic' });
	// A rule has no pose, so only its removal changes the hierarchy.
	const { rule_id } = await engine.must('POST', '/rule/create', { when: 'death', actions: ['heal this 1'] });
	await engine.must('POST', '/entities/0/components', { parent: rule_id });
	await engine.must('POST', '/step', { ticks: 2 });
	const before = (await poseOf(0, 'local_transform')).position[1]!;
	await engine.must('DELETE', `/rule/${rule_id}`);
	await step();
	expect((await poseOf(0, 'local_transform')).position[1]).toBeLessThan(before);
});

test('a rotation of any length becomes a unit quaternion', async () => {
	await spawn({ rotation: [0, 3, 0, 3] });
	expectNear((await poseOf(0, 'local_transform')).rotation, QUARTER);
	const { status } = await engine.call('POST', '/spawn', { rotation: [0, 0, 0, 0] });
	expect(status).toBe(422);
});

test('the last child has its local pose after its parent is removed', async () => {
	await spawn({ position: [10, 0, 0] });
	await spawn({ position: [1, 0, 0], parent: 0 });
	await step();
	await engine.must('POST', '/entities/1/components', { remove: ['parent'] });
	await step();
	expect((await poseOf(1)).position).toEqual([1, 0, 0]);
});
