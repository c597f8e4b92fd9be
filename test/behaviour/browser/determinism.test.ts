/**
 * Node and Chromium run the same worlds: every answer of a long list of calls is the same in both.
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
import { SEED } from '../../support/property.ts';
import { type Stage, startStage } from './stage.ts';

const PORT = 4402;
let stage: Stage;

beforeAll(async () => {
	stage = await startStage(PORT);
}, 120_000);
afterAll(() => stage?.close());

interface Said {
	readonly request: WireRequest;
	readonly body: Json;
}

/** Does `work` on an engine in this process; all that was asked of it, with the answers. */
async function inNode(work: (engine: TestEngine) => Promise<void>): Promise<Said[]> {
	const { engine } = await startEngine();
	const said: Said[] = [];
	const recorded = async (request: WireRequest) => {
		const response = await engine.handle(request);
		said.push({ request, body: jsonOf(response) });
		return response;
	};
	await work({ ...testEngine(engine), ...clientOf(recorded) });
	engine.close();
	return said;
}

/** Asks the world in the tab the same, in the same order. */
async function inTab(said: readonly Said[]): Promise<void> {
	await stage.fresh();
	for (const [number, { request, body }] of said.entries()) {
		const answer = jsonOf(await stage.handle(request));
		expect(answer, `call ${number}: ${request.method} ${request.path}`).toEqual(body);
	}
}

test(`a history of random calls (seed ${SEED})`, async () => {
	const said = await inNode(async (engine) => {
		for (const command of fc.sample(commands, { seed: SEED, numRuns: 250 })) {
			await perform(engine, command);
			await engine.call('GET', '/digest');
		}
		await engine.call('POST', '/observe', {});
		await engine.call('GET', '/events');
		await engine.call('GET', '/diagnose');
	});
	const digests = new Set(said.map(({ body }) => body.state_digest));
	expect(digests.size).toBeGreaterThan(60);
	await inTab(said);
});

test(`a pile of mixed bodies, 300 ticks, and its fork (seed ${SEED})`, async () => {
	const said = await inNode(async (engine) => {
		const floor = { shape: 'Aabb', hx: 8, hy: 0.5, hz: 8 };
		await engine.must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
		// What bodies need and no more: belongings would have to be registered first.
		for (const sampled of fc.sample(bodyDocuments, { seed: SEED + 1, numRuns: 120 })) {
			const { position, rotation, scale, velocity, collider, physics_body } = sampled as Json;
			await engine.must('POST', '/spawn', { position, rotation, scale, velocity, collider, physics_body });
		}
		for (let tick = 0; tick < 300; tick += 5) await engine.must('POST', '/step', { ticks: 5 });
		await engine.must('POST', '/fork', { fork_id: 'plan' });
		await engine.must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
		await engine.must('POST', '/step', { ticks: 60 });
		await engine.must('POST', '/fork/plan/step', { ticks: 60 });
		await engine.must('POST', '/observe', {});
		await engine.must('GET', '/fork/plan/observe');
	});
	expect(said.every(({ body }) => body.ok)).toBe(true);
	await inTab(said);
});
