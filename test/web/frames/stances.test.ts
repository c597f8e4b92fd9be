/** Poses of drawn meshes that differ from the poses of their entities. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksOf } from '../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

/** Returns the position and direction of a drawn mesh. `row`: row of the entity. */
const drawn = (row: number) => {
	const { poses } = blocksOf(started.engine.worlds.main.world);
	const [x, y, z, , qy, , qw] = poses.subarray(row * 10);
	// -z, turned about y.
	return { at: [x, y, z], looks: [-2 * qy! * qw!, 2 * qy! * qy! - 1] };
};
const near = (found: readonly (number | undefined)[], wanted: readonly number[]) =>
	wanted.forEach((part, i) => {
		expect(found[i]).toBeCloseTo(part, 4);
	});
const step = (ticks: number) => started.must('POST', '/step', { ticks });

test('a mesh has an offset and a rotation from its entity, and neither state nor digest changes', async () => {
	const { spawn, must, digest } = started;
	const quarter = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
	const body = { mesh: 'cube', position: [1, 2, 3], rotation: quarter };
	const id = await spawn(body);
	const before = await digest();
	await must('POST', `/entities/${id}/components`, { stance: { offset: [1, -0.5, 0] } });
	expect(await digest()).toBe(before);
	near(drawn(0).at, [1, 1.5, 2]);
	const { entities } = await must('POST', '/observe');
	expect(entities).toMatchObject([{ stance: { offset: [1, -0.5, 0], looks: 'own' } }]);
	const scenario = await must('GET', '/scenario?exact=false');
	await must('POST', '/scenario', scenario as object);
	near(drawn(0).at, [1, 1.5, 2]);
});

test('a heading mesh faces its path, then its target, and keeps its direction when it is dead', async () => {
	const { spawn, must } = started;
	const stance = { looks: 'heading' };
	const fighter = { mesh: 'cone', health: 50, combat: true, combat_speed: 3, combat_damage: 0, stance };
	const id = await spawn({ ...fighter, team: 1, position: [0, 0, 0] });
	near(drawn(0).looks, [1, 0]);
	await spawn({ mesh: 'cube', health: 500, team: 2, position: [0, 0, 5] });
	await step(20);
	near(drawn(0).looks, [0, 1]);
	await must('POST', '/entity/damage', { entity_id: id, amount: 99 });
	await step(2);
	near(drawn(0).looks, [1, 0]);
	await spawn({ mesh: 'cube', stance, physics_body: 'Kinematic', velocity: { linear: [-2, 0, 0] } });
	near(drawn(2).looks, [-1, 0]);
});

test('the dead lie on the ground with their children, buildings and the living stand, and no digest changes', async () => {
	const { spawn, must } = started;
	const figure = { mesh: 'cylinder', health: 10, respawns: false, scale: [0.5, 2, 0.5] };
	const id = await spawn({ ...figure, position: [3, 1, 0] });
	await spawn({ mesh: 'cube', scale: [0.2, 0.2, 0.2], position: [0, 0.5, 0], parent: id });
	await spawn({ ...figure, position: [6, 1, 0] });
	await spawn({ ...figure, position: [9, 1, 0], role: 'tower', team: 1 });
	const lying = async (ids: readonly number[]) => {
		for (const entityId of ids) await must('POST', '/entity/damage', { entity_id: entityId, amount: 99 });
		await step(2);
	};
	await lying([id, id + 3]);
	const { poses, dead } = blocksOf(started.engine.worlds.main.world);
	expect([...dead]).toEqual([1, 0, 0, 1]);
	const at = (row: number) => [...poses.subarray(row * 10, row * 10 + 3)];
	const up = (row: number) => {
		const [x, , z] = poses.subarray(row * 10 + 3);
		return 1 - 2 * (x! * x! + z! * z!);
	};
	// It lies half of its thickness above the ground, with its upper end behind its former position.
	near(at(0), [3, 0.25, 0]);
	near([up(0), up(1), up(2), up(3)], [0, 0, 1, 1]);
	near(at(1), [3, 0.25, 1]);
	near(at(3), [9, 1, 0]);
	expect((await must('POST', '/observe')).entities).toMatchObject([
		{ transform: { position: [3, 1, 0] } },
		{},
		{},
		{},
	]);
});

test('an invalid stance is refused', async () => {
	for (const stance of [{ offset: [1] }, { looks: 'up' }, { turn: 1 }])
		expect(await started.post('/spawn', { mesh: 'cube', stance })).toMatchObject({
			code: 'invalid_body',
			fix: expect.any(String),
		});
});
