/** Limits of a navigation mesh and of finding paths on one tick; equal worlds have equal meshes. */

import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_CELLS } from '../../../../shared/documents/navmesh.ts';
import { tickLimits } from '../../../../web/sim/core/tick-budget.ts';
import { Effort, MAX_PLACES } from '../../../../web/sim/navigation/effort.ts';
import { updateNavigation } from '../../../../web/sim/navigation/navigation.part.ts';
import { findPathBetween } from '../../../../web/sim/navigation/path.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

const counts = vi.hoisted(() => ({ cuts: 0 }));
vi.mock(import('../../../../web/sim/navigation/clip.ts'), async (importOriginal) => {
	const { clipToSquare: original } = await importOriginal();
	return {
		clipToSquare: (...parameters) => {
			counts.cuts++;
			return original(...parameters);
		},
	};
});

const engineWith = async (run: (engine: TestEngine) => Promise<void>): Promise<void> => {
	const engine = await startEngine();
	try {
		await run(engine);
	} finally {
		await engine.engine.close();
	}
};

test('too many floors above each other refuse the tick, and the mesh can be removed', () =>
	engineWith(async (engine) => {
		const area = { min_x: -128, min_z: -128, max_x: 128, max_z: 128, agent_radius: 0 };
		await engine.must('POST', '/navmesh/generate', area);
		const floors = Math.ceil(MAX_PLACES / 256 ** 2) + 1;
		const requests = Array.from({ length: floors }, (_, i) => ({
			path: '/spawn',
			body: {
				position: [0, 3 * i, 0],
				physics_body: 'Static',
				collider: { shape: 'Aabb', hx: 200, hy: 0.5, hz: 200 },
			},
		}));
		await engine.must('POST', '/batch', { requests, atomic: true });
		const before = await engine.get('/digest?future=true');
		expect(await engine.post('/step', {})).toMatchObject({ ok: false, code: 'bad_navmesh' });
		expect(await engine.get('/digest?future=true')).toEqual(before);
		expect(await engine.get('/navmesh')).toMatchObject({ ok: false, code: 'bad_navmesh' });
		await engine.remove('/navmesh');
		await engine.step(1);
		expect(await engine.post('/navmesh/generate', area)).toMatchObject({ ok: false, code: 'bad_navmesh' });
		expect(await engine.get('/navmesh')).toMatchObject({ ok: false, code: 'no_navmesh' });
	}));

test('too many pieces over one tile are refused before they use the memory', () =>
	engineWith(async (engine) => {
		await engine.must('POST', '/navmesh/generate', { min_x: 0, min_z: 0, max_x: 32, max_z: 32 });
		const requests = Array.from({ length: 1000 }, (_, i) => ({
			path: '/spawn',
			body: {
				position: [16, -i, 16],
				physics_body: 'Static',
				collider: { shape: 'Aabb', hx: 60, hy: 0.2, hz: 60 },
			},
		}));
		await engine.must('POST', '/batch', { requests });
		expect(await engine.post('/step', {})).toMatchObject({ ok: false, code: 'bad_navmesh' });
	}));

test('a mesh that takes too long to build is refused before its first triangle', () =>
	engineWith(async (engine) => {
		const collider = { shape: 'Aabb', hx: 600, hy: 0.2, hz: 600 };
		const requests = Array.from({ length: 8 }, (_, i) => ({
			path: '/spawn',
			body: { position: [0, -3 * i, 0], physics_body: 'Static', collider },
		}));
		await engine.must('POST', '/batch', { requests });
		counts.cuts = 0;
		const area = { min_x: -512, min_z: -512, max_x: 512, max_z: 512, agent_radius: 0 };
		expect(await engine.post('/navmesh/generate', area)).toMatchObject({ ok: false, code: 'bad_navmesh' });
		expect(counts.cuts).toBe(0);
		await engine.must('POST', '/navmesh/generate', { ...area, min_x: 500, min_z: 500 });
		expect(counts.cuts).toBeGreaterThan(0);
	}));

test('places near an obstacle are visited less than twice on average', () =>
	engineWith(async (engine) => {
		await engine.spawn({
			position: [16.5, 1, 16.5],
			physics_body: 'Static',
			collider: { shape: 'Aabb', hx: 0.4, hy: 1, hz: 0.4 },
		});
		const spy = vi.spyOn(Effort.prototype, 'countVisits');
		const area = { min_x: 0, min_z: 0, max_x: 32, max_z: 32, agent_radius: 8 };
		await engine.must('POST', '/navmesh/generate', area);
		const visits = spy.mock.calls.reduce((sum, [count]) => sum + count, 0);
		spy.mockRestore();
		const mesh = updateNavigation(engine.engine.worlds.main.world).mesh!;
		const narrowPlaces = 32 * 32 - mesh.y.length;
		expect(narrowPlaces).toBeGreaterThan(200);
		// Places at the edge are visited too, and have enough room.
		expect(visits).toBeLessThan(2 * narrowPlaces);
	}));

test('the search for the nearest point to a goal counts, once for all searches of a tick', () =>
	engineWith(async (engine) => {
		expect(512 ** 2).toBeLessThan(MAX_CELLS);
		for (let z = -250; z <= 250; z += 50)
			await engine.spawn({
				position: [0, 1, z],
				physics_body: 'Static',
				collider: { shape: 'Aabb', hx: 1, hy: 1.5, hz: 30 },
			});
		await engine.must('POST', '/navmesh/generate', { min_x: -256, min_z: -256, max_x: 256, max_z: 256 });
		const mesh = updateNavigation(engine.engine.worlds.main.world).mesh!;
		const nearest = new Map<string, number>();
		const first = findPathBetween(mesh, [-40, 0, 0], [40, 0, 0], true, nearest);
		const second = findPathBetween(mesh, [-40, 0, 1], [40, 0, 0], true, nearest);
		expect([first, second]).toMatchObject([{ near: true }, { near: true }]);
		expect(first.path!.visits).toBeGreaterThan(mesh.y.length / 8);
		expect(second.path!.visits).toBeLessThan(mesh.y.length / 8);
		// No walker waits for ever.
		for (let i = 0; i < 20; i++)
			await engine.spawn({ position: [-40, 0, i / 10], path: { goal: [40, 0, i / 10], partial: true } });
		await engine.step(1);
		const states = async () =>
			((await engine.get('/path/list')).paths as { readonly state: string }[]).map(({ state }) => state);
		expect((await states()).filter((state) => state === 'walking')).toHaveLength(1);
		await engine.step(19);
		expect((await states()).filter((state) => state === 'waiting')).toHaveLength(0);
	}));

test('the mesh over sloped grounds does not depend on the order of edits', () =>
	engineWith(async (engine) => {
		// Two grounds that lean towards each other and cross in the middle of a row of cells, at equal heights.
		const half = Math.fround(Math.sqrt(3) / 2);
		const grounds: number[] = [];
		for (const [y, z] of [
			[0, 0.5],
			[8 * half, -0.5],
		] as const) {
			const result = await engine.must('POST', '/terrain/create', {
				width: 9,
				height: 3,
				cell_size: 1,
				position: [0, y, 0],
			});
			grounds.push(result.entity_id as number);
			await engine.must('POST', `/entities/${grounds.at(-1)}/components`, { rotation: [0, 0, z, half] });
		}
		const settings = { min_x: -9.5, max_x: 9.5, min_z: -10, max_z: 10, agent_radius: 0, max_slope: 85 };
		await engine.must('POST', '/navmesh/generate', { ...settings, floor: null, step_height: 0.8 });
		await engine.spawn({ position: [2, 4 * half, 0.5], path: { goal: [2.2, 4 * half, 0.6], speed: 0.01 } });
		for (let i = 0; i < 24; i++) {
			for (const amount of [1, -1])
				await engine.must('POST', '/terrain/edit', {
					entity_id: grounds[i % 2],
					op: 'raise',
					x: 4,
					z: 1,
					radius: 1,
					amount,
				});
			const { error: _, ...scenario } = await engine.get('/scenario?exact=true');
			await engine.must('POST', '/fork', { fork_id: 'f' });
			await engine.must('POST', '/fork/f/scenario', scenario);
			await engine.step(2);
			await engine.must('POST', '/fork/f/step', { ticks: 2 });
			expect((await engine.get('/digest?world=f')).state_digest).toBe(await engine.digest());
			await engine.remove('/fork/f');
		}
	}));

test('straightening a long path reads each place at most a few hundred times', () =>
	engineWith(async (engine) => {
		// A cheaper area elsewhere keeps the search from returning the straight line immediately.
		const areas = [{ min_x: 0, min_z: 0, max_x: 1, max_z: 1, cost: 0.5 }];
		const area = { min_x: 0, min_z: 0, max_x: 5000, max_z: 1, cell_size: 1, agent_radius: 0, areas };
		await engine.must('POST', '/navmesh/generate', area);
		const mesh = updateNavigation(engine.engine.worlds.main.world).mesh!;
		let reads = 0;
		const cell = new Proxy(mesh.cellOfPlace, {
			get(cells, place) {
				reads++;
				return Reflect.get(cells, place);
			},
		});
		const { path } = findPathBetween({ ...mesh, cellOfPlace: cell }, [2, 0, 0.5], [4990, 0, 0.5], false);
		expect(path!.points).toHaveLength(2);
		expect(path!.length).toBe(4988);
		expect(reads).toBeLessThan(400 * mesh.y.length);
	}));

test('a straight path over a long mesh counts towards the searches of a tick', () =>
	engineWith(async (engine) => {
		const area = { min_x: 0, min_z: 0, max_x: 100_000, max_z: 0.1, cell_size: 0.1, agent_radius: 0 };
		await engine.must('POST', '/navmesh/generate', area);
		for (let i = 0; i < 30; i++)
			await engine.spawn({ position: [1, 0, 0.05], path: { goal: [90_000, 0, 0.05] } });
		await engine.step(1);
		const { paths } = await engine.get('/path/list');
		const states = (paths as { readonly state: string }[]).map(({ state }) => state);
		expect(states.filter((state) => state === 'walking').length).toBeGreaterThan(0);
		expect(states.filter((state) => state === 'waiting').length).toBeGreaterThan(15);
	}));

test('fast entities on a mesh of small cells can exceed the limit of a tick', () =>
	engineWith(async (engine) => {
		const area = { min_x: 0, min_z: 0, max_x: 200, max_z: 1, cell_size: 0.05, agent_radius: 0 };
		await engine.must('POST', '/navmesh/generate', area);
		const body = {
			position: [1, 0, 0.5],
			grounded: 0,
			physics_body: 'Kinematic',
			velocity: { linear: [10_000, 0, 0] },
		};
		for (let i = 0; i < 40; i++) await engine.spawn(body);
		const { searched } = tickLimits;
		onTestFinished(() => void Object.assign(tickLimits, { searched }));
		tickLimits.searched = searched / 100;
		const before = await engine.get('/digest?future=true');
		expect(await engine.post('/step', {})).toMatchObject({ ok: false, code: 'too_many_actions' });
		expect(await engine.get('/digest?future=true')).toEqual(before);
		tickLimits.searched = searched;
		await engine.step(1);
	}));
