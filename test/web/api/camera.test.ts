/** Cameras: near and far, and those that move by themselves, whose pose follows from state and tick alone. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksOf, frameOf } from '../../../web/frames/frame.ts';
import type { CaptureRequest } from '../../../web/frames/frames.ts';
import type { ViewLink } from '../../../web/host/view-link.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const step = (ticks: number, world = 'main') => started.must('POST', `/step?world=${world}`, { ticks });
const pose = async (world = 'main') => {
	const { eye, target, mode } = await started.must('GET', `/camera?world=${world}`);
	return { eye, target, mode } as { eye: number[]; target: number[]; mode: string };
};
const near = (found: readonly number[], wanted: readonly number[]) => {
	for (const [axis, part] of wanted.entries()) expect(found[axis], `${found}`).toBeCloseTo(part, 4);
};

test('near and far are set and read, and near stays below far', async () => {
	const { must, post, bytes } = started;
	expect(await must('GET', '/camera')).toMatchObject({ near: 0.1, far: 1000, mode: 'free', move: null });
	await must('POST', '/camera', { near: 1, far: 50 });
	expect(await must('GET', '/camera')).toMatchObject({ near: 1, far: 50 });
	const before = bytes();
	for (const body of [{ near: 50 }, { far: 1 }, { near: 0 }, { far: -1 }])
		expect(await post('/camera', body)).toMatchObject({ code: 'invalid_body', fix: expect.any(String) });
	expect(bytes()).toBe(before);
});

test('a camera follows an entity, and stays in place after its removal', async () => {
	const { must, spawn } = started;
	const id = await spawn({ position: [1, 0, 0], physics_body: 'Kinematic', velocity: { linear: [6, 0, 0] } });
	await must('POST', '/camera', { eye: [9, 9, 9], target: [0, 0, 0] });
	await must('POST', '/camera/follow', { entity_id: id, offset: [0, 2, 5], look: [0, 1, 0] });
	near((await pose()).eye, [1, 2, 5]);
	await step(60);
	near((await pose()).eye, [7, 2, 5]);
	near((await pose()).target, [7, 1, 0]);
	// A quarter to the left: what was behind is now to the right.
	await must('POST', `/entities/${id}/components`, {
		position: [0, 0, 0],
		rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
	});
	await must('POST', '/camera/follow', { entity_id: id, offset: [0, 2, 5], turn: true });
	near((await pose()).eye, [5, 2, 0]);
	await must('POST', '/despawn', { entity_id: id });
	near((await pose()).eye, [9, 9, 9]);
});

test('an orbit takes its ticks in either direction, and a fork has the same position', async () => {
	const { must, digest } = started;
	await must('POST', '/camera/orbit', { center: [1, 0, 0], distance: 4, height: 2, turn_ticks: 40 });
	near((await pose()).eye, [1, 2, 4]);
	await step(10);
	near((await pose()).eye, [5, 2, 0]);
	await must('POST', '/fork', { fork_id: 'plan' });
	await step(7);
	await step(7, 'plan');
	expect(await pose('plan')).toEqual(await pose());
	await step(23);
	near((await pose()).eye, [1, 2, 4]);
	const before = await digest();
	await must('POST', '/camera/orbit', { turn_ticks: -40, angle: 90, distance: 1, height: 0 });
	near((await pose()).eye, [1, 0, 0]);
	expect(await digest()).toBe(before);
	await must('POST', '/camera/stop');
	expect(await pose()).toMatchObject({ mode: 'free' });
	await step(10);
	near((await pose()).eye, [1, 0, 0]);
	expect(await started.post('/camera/stop')).toMatchObject({ ok: false, code: 'not_moving' });
});

test.each([true, false])(
	'a path is at its points on their ticks, smooth %s, and stays or repeats',
	async (smooth) => {
		const { must } = started;
		const points = [
			{ tick: 0, eye: [0, 0, 0], target: [0, 0, 1] },
			{ tick: 10, eye: [10, 0, 0], target: [0, 1, 1] },
			{ tick: 30, eye: [10, 8, 0], target: [0, 0, 9] },
		];
		await step(5);
		await must('POST', '/camera/path', { points, smooth });
		await step(5);
		const [x] = (await pose()).eye;
		if (smooth) expect(x).not.toBeCloseTo(5, 2);
		else expect(x).toBeCloseTo(5, 4);
		await step(5);
		near((await pose()).eye, [10, 0, 0]);
		await step(100);
		near((await pose()).eye, [10, 8, 0]);
		near((await pose()).target, [0, 0, 9]);
		await must('POST', '/camera/path', { points, smooth, loop: true });
		await step(40);
		near((await pose()).eye, [10, 0, 0]);
		await must('POST', '/camera', { fov: 30 });
		expect(await pose()).toMatchObject({ mode: 'path' });
		await must('POST', '/camera', { target: [1, 2, 3] });
		expect(await pose()).toEqual({ mode: 'free', eye: [10, 0, 0], target: [1, 2, 3] });
	},
);

test('a scenario and a snapshot keep the movement of a camera, with ids and ticks of their own world', async () => {
	const { must, get, spawn } = started;
	await spawn({});
	await must('POST', '/despawn', { entity_id: await spawn({}) });
	const id = await spawn({ position: [3, 0, 0] });
	await step(100);
	await must('POST', '/camera/orbit', { entity_id: id, distance: 2, height: 0, turn_ticks: 40 });
	await step(10);
	near((await pose()).eye, [5, 0, 0]);
	await must('POST', '/snapshot', { label: 'a' });
	const scenario = await must('GET', '/scenario?exact=false');
	await must('POST', '/reset', { fresh: true });
	expect(await pose()).toMatchObject({ mode: 'free' });
	await must('POST', '/scenario', scenario);
	near((await pose()).eye, [5, 0, 0]);
	await step(20);
	near((await pose()).eye, [1, 0, 0]);
	const plain = { ...scenario, resources: undefined, camera: { eye: [1, 1, 1] } };
	await must('POST', '/scenario', JSON.parse(JSON.stringify(plain)));
	expect(await pose()).toMatchObject({ mode: 'free', eye: [1, 1, 1] });
	await must('POST', '/snapshot/a/restore');
	near(((await get('/camera')) as { eye: number[] }).eye, [5, 0, 0]);
});

test('a frame has the camera only after a change', async () => {
	const { must, engine } = started;
	const { main } = engine.worlds;
	await must('POST', '/camera/orbit', { turn_ticks: 40 });
	const { versions, blocks } = frameOf(main);
	expect(blocks.camera!.moving).toBe(true);
	expect(frameOf(main, versions).blocks.camera).toBeUndefined();
	await step(1);
	expect(frameOf(main, versions).blocks.camera!.revision).toBe(blocks.camera!.revision);
});

test('a shake moves pictures and not the camera, less and less, on a fork as in the world', async () => {
	const { must, engine, digest } = started;
	const shaken = (world = 'main') =>
		frameOf(world === 'main' ? engine.worlds.main : engine.worlds.fork(world)).blocks.camera!.shaken;
	const before = [await must('GET', '/camera'), await digest()];
	expect(shaken()).toEqual([0, 0]);
	await must('POST', '/camera/shake', { strength: 2, ticks: 30 });
	expect([await must('GET', '/camera'), await digest()]).toEqual(before);
	await must('POST', '/fork', { fork_id: 'plan' });
	const far: number[] = [];
	for (let tick = 1; tick <= 31; tick++) {
		await step(1);
		await step(1, 'plan');
		expect(shaken('plan')).toEqual(shaken());
		far.push(Math.hypot(...shaken()));
	}
	expect(Math.max(...far.slice(0, 10))).toBeGreaterThan(0.2);
	expect(Math.max(...far)).toBeLessThan(2 * Math.SQRT2);
	expect(Math.max(...far.slice(24))).toBeLessThan(Math.max(...far.slice(0, 10)) / 2);
	expect(far.at(-1)).toBe(0);
});

test('a rule shakes the picture, in short or typed form, and warns of numbers out of range', async () => {
	const { must, engine, post } = started;
	const shaken = () => frameOf(engine.worlds.main).blocks.camera!.shaken;
	await must('POST', '/rule/create', { when: 'tick:1', once: true, do: ['camera_shake 1.5 20'] });
	await must('POST', '/rule/create', { when: 'tick:30', once: true, do: [{ action: 'camera_shake' }] });
	await step(6);
	expect(Math.hypot(...shaken())).toBeGreaterThan(0);
	await step(20);
	expect(shaken()).toEqual([0, 0]);
	await step(8);
	expect(Math.hypot(...shaken())).toBeGreaterThan(0);
	expect((await must('GET', '/scenario?exact=false')).resources).toBeUndefined();
	for (const action of ['camera_shake -1', 'camera_shake 1 0', 'camera_shake much'])
		expect(await post('/rule/create', { when: 'tick:1', do: [action] })).toMatchObject({ ok: false });
	expect(await post('/camera/shake', { ticks: 0 })).toMatchObject({ code: 'invalid_body' });
});

test('invalid values are refused and change nothing', async () => {
	const { post, bytes, spawn } = started;
	await spawn({});
	const before = bytes();
	const here = { eye: [0, 0, 0], target: [0, 0, 1] };
	for (const [path, body, code] of [
		['/camera/follow', {}, 'invalid_body'],
		['/camera/follow', { entity_id: 77 }, 'entity_not_found'],
		['/camera/follow', { entity_id: 0, generation: 9 }, 'stale_handle'],
		['/camera/orbit', { entity_id: 77 }, 'entity_not_found'],
		['/camera/orbit', { distance: 0 }, 'invalid_body'],
		['/camera/path', { points: [{ tick: 0, ...here }] }, 'invalid_body'],
		[
			'/camera/path',
			{
				points: [
					{ tick: 9, ...here },
					{ tick: 9, ...here },
				],
			},
			'invalid_body',
		],
	] as const)
		expect(await post(path, body), path).toMatchObject({ ok: false, code, fix: expect.any(String) });
	expect(bytes()).toBe(before);
});

test('ghosts are entities that another world has elsewhere or alone, in a copy for the picture only', async () => {
	const { must, spawn, digest, engine } = started;
	let drawn: Float32Array = new Float32Array();
	let materials: Float32Array = new Float32Array();
	engine.setView({
		gpu: null,
		capture: async ({ world }: Parameters<ViewLink['capture']>[0], { cameras = [] }: CaptureRequest) => {
			const blocks = blocksOf(world);
			drawn = blocks.poses;
			materials = blocks.materials.values;
			const album = cameras.map(() => ({ type: 'image/png', data: '', size_bytes: 0 }));
			const bytes = new TextEncoder().encode(JSON.stringify(album));
			return { bytes, tick: world.tick, digest: '0'.repeat(16) };
		},
	} as unknown as ViewLink);
	const wall = await spawn({ mesh: 'cube', position: [5, 0, 0] });
	await spawn({
		mesh: 'cube',
		position: [1, 2, 3],
		physics_body: 'Kinematic',
		velocity: { linear: [3, 0, 0] },
	});
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/fork/plan/step', { ticks: 60 });
	await must('POST', '/despawn?world=plan', { entity_id: wall });
	const before = await digest('plan');
	const answer = await must('GET', '/screenshot?world=plan&ghosts=main&ghost_color=1,0,0&width=32&height=16');
	expect(answer).toMatchObject({ pictures: [{ type: 'image/png' }], state_digest: before, tick: 60 });
	const places = Array.from({ length: drawn.length / 10 }, (_, row) => [
		...drawn.slice(row * 10, row * 10 + 3).map(Math.round),
	]);
	expect(places.sort()).toEqual([
		[1, 2, 3],
		[4, 2, 3],
		[5, 0, 0],
	]);
	// Red, and let through: of two rows.
	const size = materials.length / places.length;
	const paints = places.map((_, row) => materials.slice(row * size, row * size + 4));
	expect(paints.filter(([red, green, , alpha]) => red === 1 && green === 0 && alpha! < 0.6)).toHaveLength(2);
	expect(await digest('plan')).toBe(before);
	for (const [query, code] of [
		['ghosts=main&annotate=true', 'bad_query'],
		['ghosts=main&ghost_color=puce', 'bad_query'],
		['ghosts=nowhere', 'unknown_world'],
	])
		expect((await started.call('GET', `/screenshot?world=plan&${query}`)).body).toMatchObject({
			code,
			fix: expect.any(String),
		});
});

test('future entities are shown alone, from a view that has them in full', async () => {
	const { must, spawn, bytes, engine } = started;
	let picture: { meshes: readonly string[]; camera: CaptureRequest['cameras'] } = { meshes: [], camera: [] };
	engine.setView({
		gpu: null,
		capture: async ({ world }: Parameters<ViewLink['capture']>[0], { cameras }: CaptureRequest) => {
			picture = { meshes: blocksOf(world).rows.meshes, camera: cameras };
			const album = [{ type: 'image/png', data: '', size_bytes: 0 }];
			return { bytes: new TextEncoder().encode(JSON.stringify(album)), tick: 0, digest: '0'.repeat(16) };
		},
	} as unknown as ViewLink);
	await spawn({ mesh: 'sphere' });
	const before = bytes();
	const taken = await must('POST', '/screenshot?width=32&height=32', {
		spawn: [{ mesh: 'cone', position: [0, 3, 0], scale: [2, 2, 2] }],
	});
	expect(taken.pictures).toHaveLength(1);
	expect(bytes()).toBe(before);
	expect(picture).toMatchObject({ meshes: ['cone'], camera: [{ target: [0, 3, 0] }] });
	const { eye, fov_y } = picture.camera![0]!;
	const distance = Math.hypot(eye[0], eye[1] - 3, eye[2]);
	expect(Math.sin(fov_y / 2) * distance).toBeGreaterThan(Math.sqrt(3) * 0.95);
	expect(await started.post('/screenshot', { spawn: [{ mesh: 'cone', loot: [{ item: 7 }] }] })).toMatchObject(
		{
			ok: false,
			fix: expect.any(String),
		},
	);
});
