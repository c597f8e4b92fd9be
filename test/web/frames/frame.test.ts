/** Contents of a frame: current poses, and the texts over the picture whenever they change. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksOf, frameOf } from '../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const show = (text: string, when: unknown) => ({
	when,
	do: [{ action: 'show_text', text, x: 0.5, y: 0.86 }],
});

test('texts are sent once, and again after a rule shows another', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	const first = frameOf(main);
	expect(first.blocks.hud).toEqual([]);
	expect(frameOf(main, first.versions).blocks).toEqual({});

	await must('POST', '/rule/create', { ...show('Treasure!', { kind: 'tick', every: 1 }), once: true });
	await must('POST', '/step');
	const second = frameOf(main, first.versions);
	expect(second.versions.hud).not.toBe(first.versions.hud);
	expect(second.blocks.hud).toEqual([
		expect.objectContaining({ type: 'text', text: 'Treasure!', x: 0.5, y: 0.86, size: 20, color: 'white' }),
	]);
	await must('POST', '/step', { ticks: 3 });
	const third = frameOf(main, second.versions);
	expect(third.versions.hud).toBe(second.versions.hud);
	expect(third.blocks.hud).toBeUndefined();
});

test('a fork has the texts of its parent with the same version, until it shows others', async () => {
	const { engine, must } = started;
	await must('POST', '/rule/create', { ...show('Treasure!', { kind: 'tick', every: 1 }), once: true });
	await must('POST', '/step');
	const versions = frameOf(engine.worlds.main).versions;
	await must('POST', '/fork', { fork_id: 'plan' });
	const fork = engine.worlds.find('plan')!;
	expect(frameOf(fork).versions).toMatchObject({ hud: versions.hud });
	expect(frameOf(fork, { hud: versions.hud }).blocks.hud).toBeUndefined();

	await must('POST', '/rule/create?world=plan', show('Spikes!', { kind: 'tick', every: 1 }));
	await must('POST', '/step?world=plan');
	expect(
		frameOf(fork, versions).blocks.hud?.map((element) => element.type === 'text' && element.text),
	).toEqual(['Spikes!']);
	expect(frameOf(engine.worlds.main, versions).blocks.hud).toBeUndefined();
});

test('a child is at its parent before the first tick, and after a move while time is paused', async () => {
	const { engine, must } = started;
	const tower = (await must('POST', '/spawn', { mesh: 'cylinder', position: [5, 2, 0], scale: [2, 4, 2] }))
		.id;
	const roof = { mesh: 'cone', position: [0, 0.5, 0], parent: tower };
	const { id } = await must('POST', '/spawn', roof);
	await must('POST', '/spawn', { mesh: 'sphere', position: [1, 0, 0], parent: id });
	const readPositions = () => {
		const { poses, rows } = blocksOf(engine.worlds.main.world);
		return Array.from(rows.ids, (_, row) => [...poses.subarray(row * 10, row * 10 + 3)]);
	};
	expect(readPositions()).toEqual([
		[5, 2, 0],
		[5, 4, 0],
		[7, 4, 0],
	]);
	await must('POST', `/entities/${tower}/components`, { transform: { position: [-5, 2, 0] } });
	expect(readPositions()).toEqual([
		[-5, 2, 0],
		[-5, 4, 0],
		[-3, 4, 0],
	]);
	const before = readPositions();
	await must('POST', '/step');
	expect(readPositions()).toEqual(before);
});

test('a frame has only the changed blocks', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	const { id } = await must('POST', '/spawn', { mesh: 'cube', health: 50, position: [1, 0, 0] });
	await must('POST', '/spawn', { mesh: 'sphere' });
	const first = frameOf(main);
	await must('POST', '/entity/damage', { entity_id: id, amount: 5 });
	await must('POST', '/step');
	const hurt = frameOf(main, first.versions);
	expect(hurt.blocks.health).toEqual(new Float32Array([45, 50, 0, 0]));
	expect(hurt.blocks.rows).toBeUndefined();
	await must('POST', `/entities/${id}/components`, { transform: { position: [2, 0, 0] } });
	expect(Object.keys(frameOf(main, hurt.versions).blocks)).toEqual(['poses']);
	await must('POST', '/despawn', { entity_id: id, entity_generation: 0 });
	const { blocks } = frameOf(main, hurt.versions);
	expect(Object.keys(blocks)).toEqual(['rows', 'poses', 'health', 'dead', 'materials']);
	expect(blocks.rows?.ids.length).toBe(1);
});

test('a promoted fork is distinguished from the former main, also with equal histories', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	const { id } = await must('POST', '/spawn', { mesh: 'cube' });
	await must('POST', '/fork', { fork_id: 'plan' });
	const poseAt = (x: number) => ({ transform: { position: [x, 0, 0] } });
	await must('POST', `/entities/${id}/components`, poseAt(1));
	await must('POST', `/entities/${id}/components?world=plan`, poseAt(2));
	const versions = frameOf(main).versions;
	await must('POST', '/fork/plan/promote', {});
	expect(frameOf(main, versions).blocks.poses?.[0]).toBe(2);
});

test('no call turns a shape inside out, and a negative scale of a rule is drawn by its size', async () => {
	const { engine, call, must } = started;
	const sent = await call('POST', '/spawn', { mesh: 'cube', scale: [1, -3, 1] });
	expect([sent.status, sent.body.code]).toEqual([422, 'invalid_body']);
	await must('POST', '/spawn', { mesh: 'cube', tags: ['box'] });
	await must('POST', '/rule/create', {
		when: { kind: 'tick', every: 1 },
		do: [{ action: 'set_field', target: { tag: 'box' }, field: 'local_transform.scale.y', value: -3 }],
	});
	await must('POST', '/step');
	expect([...blocksOf(engine.worlds.main.world).poses.slice(7)]).toEqual([1, 3, 1]);
});
