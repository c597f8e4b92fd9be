/**
 * Node and Chromium run the same worlds: each call of a long list gets the same answer in both.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WireRequest } from '../../../shared/contract/wire.ts';
import { bodyDocuments, commands, perform } from '../../support/arbitraries.ts';
import {
	clientOf,
	type Json,
	jsonOf,
	startEngine,
	type TestEngine,
	testEngine,
} from '../../support/engine.ts';
import { SEED, times } from '../../support/seed.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});
afterAll(() => stage?.close());

interface RecordedAnswer {
	readonly request: WireRequest;
	readonly body: Json;
}

/** Runs `work` on an engine in this process. Returns its calls with the answers. */
async function recordInNode(work: (engine: TestEngine) => Promise<void>): Promise<RecordedAnswer[]> {
	const { engine } = await startEngine();
	const answers: RecordedAnswer[] = [];
	const recorded = async (request: WireRequest) => {
		const response = await engine.handle(request);
		answers.push({ request, body: jsonOf(response) });
		return response;
	};
	await work({ ...testEngine(engine), ...clientOf(recorded) });
	engine.close();
	return answers;
}

/** Removes the number of the journal entry, because the journal in the tab has earlier entries. */
const withoutEntry = ({ entry: _, ...rest }: Json): Json => rest;

/** Sends the same calls to the world in the tab, and expects the same answers. */
async function replayInTab(answers: readonly RecordedAnswer[]): Promise<void> {
	await stage.fresh();
	for (const [number, { request, body }] of answers.entries()) {
		const answer = jsonOf(await stage.handle(request));
		expect(withoutEntry(answer), `call ${number}: ${request.method} ${request.path}`).toEqual(
			withoutEntry(body),
		);
	}
}

test(`a history of random calls (seed ${SEED})`, async () => {
	const answers = await recordInNode(async (engine) => {
		for (const command of fc.sample(commands, { seed: SEED, numRuns: times(120) })) {
			await perform(engine, command);
			await engine.call('GET', '/digest');
		}
		await engine.call('POST', '/observe', {});
		await engine.call('GET', '/events');
		await engine.call('GET', '/diagnose');
	});
	const digests = new Set(answers.map(({ body }) => body.state_digest));
	expect(digests.size).toBeGreaterThan(30);
	await replayInTab(answers);
});

test('futures: several workers of the tab give the answers of one thread in Node', async () => {
	const answers = await recordInNode(async (engine) => {
		const collider = { shape: 'Sphere', radius: 0.5 };
		for (let i = 0; i < 16; i++)
			await engine.spawn({ position: [i % 4, 1 + i, i % 3], physics_body: 'Dynamic', collider, gold: 0 });
		const outcomes = [
			{ label: 'win', weight: 1, do: ['add_field all:any gold 1'] },
			{ label: 'lose', weight: 1 },
		];
		await engine.rule({ when: 'tick:3', outcomes });
		const fields = { gold: { field: 'gold', of: 0 } };
		for (let round = 0; round < 2; round++) {
			await engine.must('POST', '/sweep', { seeds: 40, ticks: 60, fields });
			await engine.must('POST', '/peek', { ticks: 24, limit: 20 });
		}
	});
	/** Resolves when a worker of the pool has a task. */
	const worked = new Promise<void>((resolve, reject) =>
		stage.host.on('workercreated', (worker) => {
			const untilTask = () =>
				new Promise<void>((done) =>
					self.addEventListener('message', ({ data }) => data.task?.kind === 'jobs' && done()),
				);
			worker.evaluate(untilTask).then(resolve, reject);
		}),
	);
	await replayInTab(answers);
	await worked;
});

test('scripts: closures, coroutines, tables in order, random numbers and chance', async () => {
	const answers = await recordInNode(async (engine) => {
		await engine.must('POST', '/spawn', { position: [0, 0, 0], tags: ['a'] });
		await engine.must('POST', '/spawn', { position: [3, 0, 0], tags: ['b'] });
		const source = `
			local known, n = {}, 0
			local walk = coroutine.wrap(function() local a = 1 while true do a = a * 1.7 % 31 coroutine.yield(a) end end)
			engine.every(0.2, function() known["k" .. engine.tick()] = math.sin(engine.tick()) end)
			function on_event(e) known[e.type] = (known[e.type] or 0) + 1 end
			function on_update(me)
				n = n + 1
				local sum = 0
				for k, v in pairs(known) do sum = sum + #k * v end
				local side = engine.chance("side", { left = 1, right = 2 }) == "left" and -1 or 1
				engine.set_position(me, side * walk(), sum, math.random(100) + n ^ 0.5)
				if n % 7 == 0 then engine.emit("n", n) end
				print(n, sum, tostring(known))
			end`;
		await engine.must('POST', '/script/load', { script_name: 's', source, entity_id: 0 });
		await engine.must('POST', '/step', { ticks: 40 });
		await engine.must('POST', '/fork', { fork_id: 'plan' });
		for (const world of ['main', 'plan']) {
			await engine.must('POST', `/peek?world=${world}`, {});
			await engine.must('POST', `/step?world=${world}`, { ticks: 40 });
			await engine.must('GET', `/script/list?world=${world}`);
			await engine.must('GET', `/digest?world=${world}`);
		}
	});
	expect(answers.every(({ body }) => body.ok)).toBe(true);
	await replayInTab(answers);
});

test('a navigation mesh of every shape and a terrain gives the same paths, and a crowd walks them', async () => {
	const answers = await recordInNode(async (engine) => {
		const spawnObstacle = (position: number[], collider: Json, more: Json = {}) =>
			engine.must('POST', '/spawn', { position, physics_body: 'Static', collider, ...more });
		await engine.must('POST', '/terrain/create', {
			width: 65,
			height: 65,
			centered: true,
			noise: { amount: 3, seed: 4 },
		});
		await spawnObstacle([6, 1, 0], { shape: 'Aabb', hx: 1, hy: 4, hz: 8 }, { rotation: [0, 0.3, 0, 1] });
		await spawnObstacle([-8, 0, 6], { shape: 'Sphere', radius: 3 });
		await spawnObstacle([-8, 2, -8], { shape: 'Cylinder', radius: 2, half_height: 4 });
		await spawnObstacle(
			[0, 1, 10],
			{ shape: 'Capsule', radius: 1, half_height: 3 },
			{ rotation: [0.5, 0, 0.2, 1] },
		);
		const points = [
			[-2, 0, -2],
			[-2, 0, 2],
			[3, 0, -2],
			[3, 0, 2],
			[3, 2, -2],
			[3, 2, 2],
		];
		await spawnObstacle([0, 0, -9], { shape: 'ConvexHull', points });
		const areas = [{ min_x: -4, min_z: -4, max_x: 4, max_z: 4, cost: 2.5 }];
		const settings = { cell_size: 0.5, min_x: -30, max_x: 30, min_z: -30, max_z: 30, areas };
		await engine.must('POST', '/navmesh/generate', settings);
		await engine.must('GET', '/navmesh?map=true');
		for (let i = 0; i < 12; i++)
			await engine.call('POST', '/path/compute', {
				from: [-28 + 4 * i, 0, -27],
				to: [25 - 4 * i, 0, 27],
				partial: true,
			});
		for (let i = 0; i < 16; i++) {
			const { id } = await engine.must('POST', '/spawn', { position: [-20 + 2.5 * i, 2, -24] });
			await engine.must('POST', '/path/set', {
				entity_id: id,
				target: [20 - 2.5 * i, 0, 24],
				speed: 4,
				partial: true,
			});
		}
		for (let tick = 0; tick < 600; tick += 20) await engine.must('POST', '/step', { ticks: 20 });
		await spawnObstacle([0, 2, 15], { shape: 'Aabb', hx: 20, hy: 8, hz: 0.5 });
		await engine.must('POST', '/step', { ticks: 60 });
		await engine.must('GET', '/path/list');
	});
	await replayInTab(answers);
});

test(`a pile of mixed bodies and its fork (seed ${SEED})`, async () => {
	const answers = await recordInNode(async (engine) => {
		const floor = { shape: 'Aabb', hx: 8, hy: 0.5, hz: 8 };
		await engine.must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
		// Only the fields of bodies: other generated components would have to be registered first.
		for (const sampled of fc.sample(bodyDocuments, { seed: SEED + 1, numRuns: times(60) })) {
			const { position, rotation, scale, velocity, collider, physics_body } = sampled as Json;
			await engine.must('POST', '/spawn', { position, rotation, scale, velocity, collider, physics_body });
		}
		for (let tick = 0; tick < 200; tick += 5) await engine.must('POST', '/step', { ticks: 5 });
		await engine.must('POST', '/fork', { fork_id: 'plan' });
		await engine.must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
		await engine.must('POST', '/step', { ticks: 60 });
		await engine.must('POST', '/fork/plan/step', { ticks: 60 });
		await engine.must('POST', '/observe', {});
		await engine.must('GET', '/fork/plan/observe');
	});
	expect(answers.every(({ body }) => body.ok)).toBe(true);
	await replayInTab(answers);
});
