/**
 * Exact parts: their size, and edited or forged ones. No call fails internally, and no state is adopted that cannot
 * continue.
 * Owns: forging a world's bytes, with every checksum, digest and hash around them repaired.
 */

import { deflateSync, inflateSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { Rule } from '../../../shared/components/rule.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { MAX_BODY_BYTES } from '../../../shared/contract/wire.ts';
import { type ExactPart, scenarioDocument } from '../../../shared/rules/scenario.ts';
import type { RelayServiceName, RelayServices } from '../../../shared/transport/errand.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import { fnv1a } from '../../../web/sim/core/fnv.ts';
import { add, partState, type World } from '../../../web/sim/core/world.ts';
import { createWorld, loadWorld } from '../../../web/sim/create-world.ts';
import { createExactPart, documentHash, loadExactWorld } from '../../../web/sim/documents/exact-part.ts';
import { scenarioOf } from '../../../web/sim/documents/scenario.ts';
import { Physics } from '../../../web/sim/physics/physics.part.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { SEED, times } from '../../support/property.ts';
import { scatter } from '../../support/scatter.ts';

let source: TestEngine;
let good: Uint8Array;
beforeAll(async () => {
	source = await startEngine();
	const { must } = source;
	const floor = { shape: 'Aabb', hx: 9, hy: 0.5, hz: 9 };
	await must('POST', '/spawn', { position: [0, -1, 0], physics_body: 'Static', collider: floor });
	for (let i = 0; i < 4; i++)
		await must('POST', '/spawn', {
			position: [0, 1.1 * i, 0],
			physics_body: 'Dynamic',
			collider: { shape: 'Sphere', radius: 0.5 },
			health: 50,
			team: i % 2,
			combat: true,
			tags: ['ball'],
		});
	await must('POST', '/spawn', { parent: 1, position: [1, 0, 0], mesh: 'cube', color: 'red' });
	await must('POST', '/despawn', { entity_id: 4, entity_generation: 0 });
	await must('POST', '/rule/create', {
		when: { kind: 'tick', every: 2 },
		outcomes: [
			{ label: 'hit', weight: 1, do: ['damage tag:ball 1'] },
			{ label: 'miss', weight: 2 },
		],
	});
	await must('POST', '/assert/create', {
		name: 'alive',
		condition: { type: 'entity_count', filter: 'tag:ball', min: 1 },
	});
	await must('POST', '/step', { ticks: 30 });
	good = encodeWorld(source.engine.worlds.main.world);
});
afterAll(() => source.engine.close());

const hex = (hash: bigint) => hash.toString(16).padStart(16, '0');

/**
 * Returns a scenario whose exact part contains these bytes, with matching checksum, digest and document if possible.
 */
function forgeScenario(bytes: Uint8Array): Json {
	const plain = scenarioDocument.parse(scenarioOf(source.engine.worlds.main.world));
	const part = createExactPart(source.engine.worlds.main.world, plain);
	const exact = { ...part, size: bytes.length, checksum: hex(fnv1a(bytes)) };
	const packed = { ...exact, world: Buffer.from(deflateSync(bytes)).toString('base64') };
	try {
		const world = loadWorld(bytes);
		const document = JSON.parse(JSON.stringify(scenarioDocument.parse(scenarioOf(world)))) as Json;
		return {
			...document,
			exact: { ...packed, state_digest: digest(world), document: documentHash(document) },
		};
	} catch {
		return { ...JSON.parse(JSON.stringify(plain)), exact: packed };
	}
}

/** Posts a scenario to a new engine, and makes some more calls. Returns the answer to the scenario. */
async function postAndContinue(sent: Json): Promise<Json> {
	const failures: string[] = [];
	const target = await startEngine({
		report: (message, error) => failures.push(`${message} ${(error as Error).stack}`),
	});
	await target.must('POST', '/spawn', { mesh: 'cube' });
	const before = encodeWorld(target.engine.worlds.main.world);
	const { body } = await target.call('POST', '/scenario', sent);
	if (body.ok === false) expect(encodeWorld(target.engine.worlds.main.world)).toEqual(before);
	for (const [method, path, more] of [
		['POST', '/step', { ticks: 20 }],
		['GET', '/digest?future=true', undefined],
		['GET', '/scenario', undefined],
		['POST', '/observe', {}],
		['POST', '/peek', {}],
	] as const) {
		const { status } = await target.call(method, path, more);
		expect(status, `${path} ${failures.join('\n')}`).toBeLessThan(500);
	}
	expect(failures).toEqual([]);
	target.engine.close();
	return body;
}

/** Returns a forged scenario of the good world with a change. */
function forgeChange(change: (world: World) => void): Json {
	const world = loadWorld(good);
	change(world);
	return forgeScenario(encodeWorld(world));
}

test('unchanged bytes are accepted', async () => {
	expect(await postAndContinue(forgeScenario(good))).toMatchObject({ ok: true, exact: true });
});

/** Returns the length of the last array of the physics part: the snapshot of the physics library, in its own format. */
function libraryBytes(world: World): number {
	const bytes = Physics.encode(partState(world, Physics));
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let length = 0;
	for (let at = 0; at < bytes.length; at += 4 + length) length = view.getUint32(at, true);
	return length;
}

test(`bytes flipped outside the physics library's own (seed ${SEED})`, async () => {
	let state = SEED >>> 0;
	const below = (limit: number) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state % limit;
	};
	const flippable = good.length - libraryBytes(source.engine.worlds.main.world);
	let adopted = 0;
	for (let round = 0; round < times(6); round++) {
		const bytes = good.slice();
		for (let flips = 1 + below(3); flips > 0; flips--) {
			const at = below(flippable);
			bytes[at] = bytes[at]! ^ (1 << below(8));
		}
		const { ok, exact } = await postAndContinue(forgeScenario(bytes));
		if (ok === true && exact === true) adopted++;
	}
	expect(adopted).toBeGreaterThan(0);
});

describe('worlds that no call could have made', () => {
	const parent = (slot: number, of: number) => (world: World) =>
		add(world, slot, Parent, { entity: { id: of, generation: 0 } });
	test.each<[string, (world: World) => void, string]>([
		[
			'a position that is not a number',
			(world) => add(world, 1, LocalTransform, { position: [0, Number.NaN, 0] }),
			'local_transform.position is NaN',
		],
		[
			'an infinite position',
			(world) => add(world, 1, LocalTransform, { position: [0, Number.POSITIVE_INFINITY, 0] }),
			'local_transform.position is Infinity',
		],
		[
			'health that is not a number',
			(world) => add(world, 1, Health, { current: Number.NaN }),
			'health.current is NaN',
		],
		[
			'tags that are not a list',
			(world) => add(world, 1, Tags, { tags: 7 as never }),
			'tags.tags has an invalid value',
		],
		[
			'an invalid rule',
			(world) => add(world, 6, Rule, { document: { when: 'x' } }),
			'the condition "x" is not understood',
		],
		['an entity that is its own parent', parent(5, 5), 'is its own ancestor'],
	])('%s', async (_, change, why) => {
		const sent = forgeChange(change);
		expect((await postAndContinue(sent)).exact ?? false).toBe(false);
		const { exact, ...plain } = sent;
		const describe = (world: World) => scenarioDocument.parse(scenarioOf(world));
		expect(() => loadExactWorld(exact as ExactPart, plain, describe, createWorld())).toThrow(why);
	});
});

test('bytes that are cut off, too long, or describe more than they contain', async () => {
	for (const bytes of [good.slice(0, good.length - 1), Uint8Array.of(...good, 0), new Uint8Array(0)])
		expect((await postAndContinue(forgeScenario(bytes))).exact ?? false).toBe(false);
	const sent = forgeScenario(good);
	const exact = sent.exact as { world: string; size: number };
	const inflated = inflateSync(Buffer.from(exact.world, 'base64'));
	// The end is damaged, but never read, because the size is refused before.
	const bomb = deflateSync(new Uint8Array(50_000_000));
	bomb.fill(0xff, bomb.length - 1000);
	const answer = await postAndContinue({
		...sent,
		exact: { ...exact, world: Buffer.from(bomb).toString('base64') },
	});
	expect(answer).toMatchObject({ exact: false });
	expect(JSON.stringify(answer)).toContain(`has more than ${exact.size} bytes after decompression`);
	expect(await postAndContinue({ ...sent, exact: { ...exact, size: inflated.length - 1 } })).toMatchObject({
		exact: false,
	});
});

test('a physics part has as many bodies as rows, and no number in it is NaN', async () => {
	const damaged = forgeChange((world) => {
		partState(world, Physics).mirror.count = 3;
	});
	expect(await postAndContinue(damaged)).toMatchObject({ exact: false });
	const nothing = forgeChange((world) => {
		partState(world, Physics).mirror.size.fill(Number.NaN);
	});
	expect(await postAndContinue(nothing)).toMatchObject({ exact: false });
});

test('an exact part with an edited or damaged document is ignored with a warning', async () => {
	const engine = await startEngine();
	await scatter(engine.engine, 2);
	const document = await engine.get('/scenario');
	const edited = { ...document, entities: [...document.entities, { health: 7 }] };
	const answer = await engine.post('/scenario', edited);
	expect(answer).toMatchObject({ ok: true, exact: false, entities_spawned: document.entities.length + 1 });
	expect(answer.warnings[0]).toContain('edited');
	const { world, size } = document.exact;
	const damaged = [
		{ world: `${world.slice(0, 400)}AAAA${world.slice(404)}` },
		{ world: world.slice(0, 400) },
		{ world: `AAAA${world}` },
		{ size: size - 1 },
	];
	for (const other of damaged) {
		const answered = await engine.post('/scenario', { ...document, exact: { ...document.exact, ...other } });
		expect(answered).toMatchObject({ ok: true, exact: false });
		expect(answered.warnings[0]).toContain('damaged');
	}
});

test('an exact part is small, and a document is accepted where another body would be too large', async () => {
	const engine = await startEngine();
	await engine.post('/spawn', { mesh: 'cube', health: 10 });
	await engine.post('/step');
	expect((await engine.get('/scenario')).exact.world.length).toBeLessThan(2000);
	const entities = Array.from({ length: 300 }, (_, i) => ({
		mesh: 'cube',
		position: [(i % 71) * 1.5 - 50, 0.5, Math.floor(i / 71) * 1.5 - 50],
		health: 100,
		team: 1 + (i % 2),
		combat: true,
		collider: { shape: 'Sphere', radius: 0.4 },
		tags: [`fighter-${i}`, ...Array.from({ length: 90 }, (_, j) => `${j}${'x'.repeat(80)}`)],
	}));
	expect(await engine.post('/scenario', { entities })).toMatchObject({ ok: true, entities_spawned: 300 });
	await engine.post('/step', { ticks: 3 });
	const exact = await engine.get('/scenario');
	const size = JSON.stringify(exact).length;
	expect(size).toBeGreaterThan(MAX_BODY_BYTES);
	expect(exact.exact.world.length).toBeLessThan(size / 2);
	const { state_digest } = exact.exact;
	expect(await engine.post('/scenario', exact)).toMatchObject({ ok: true, exact: true, state_digest });
	const long = { entity_id: 0, add: ['x'.repeat(MAX_BODY_BYTES)] };
	expect(await engine.call('POST', '/tag', long)).toMatchObject({
		status: 413,
		body: { code: 'too_large' },
	});
});

test('a body may contain a text of its own length', async () => {
	const { engine, call, must } = await startEngine();
	await must('POST', '/spawn', { health: 5 });
	const document = await must('GET', '/scenario?exact=true');
	const world = Buffer.alloc(20 * 1024 * 1024, 'orrery').toString('base64');
	const sent = { ...document, exact: { ...(document.exact as object), world } };
	const { status, body } = await call('POST', '/scenario', sent);
	expect(status).toBe(200);
	expect(body).toMatchObject({ exact: false, entities_spawned: 1 });
	expect(body.warnings).toEqual([expect.stringContaining('the exact part was ignored: it is damaged')]);
	engine.close();
});

describe('with sign-in', () => {
	/** Fake relay services. The token of a session is its access. */
	const relayServices = {
		ask: async (errand: RelayServiceName, sent: { readonly session_token?: string }) =>
			errand !== 'session'
				? {}
				: {
						agent_id: sent.session_token,
						number: 1,
						access: sent.session_token,
						limits: {
							calls_per_second: 1000,
							entities: 100,
							forks: 2,
							file_bytes: 1e6,
							asset_bytes: 1e6,
							journal_bytes: 1e9,
							paid_models: 10,
						},
						seconds_left: 60,
					},
	} as unknown as RelayServices;

	test('only an operator sends bytes of the physics library, in a call, in a batch, or in a file', async () => {
		const { files, writeJson } = createMemoryFiles();
		const { engine, call } = await startEngine({ gated: true, files });
		engine.setRelayServices(relayServices);
		const as = (access: 'write' | 'admin') => async (method: string, path: string, body?: unknown) =>
			call(method, path, body, { 'content-type': 'application/json', authorization: `Bearer ${access}` });
		const [agent, admin] = [as('write'), as('admin')];
		const { ok: _, ...document } = await source.get('/scenario');
		await agent('POST', '/fork', { fork_id: 'own' });
		for (const [path, body] of [
			['/scenario', document],
			['/fork/own/scenario', document],
			['/scenario?world=own', document],
		] as const) {
			const refused = await agent('POST', path, body);
			expect([refused.status, refused.body], path).toMatchObject([
				403,
				{ code: 'not_allowed', fix: expect.stringContaining('"exact"') },
			]);
		}
		const requests = [{ method: 'POST', path: '/scenario?world=own', body: document }];
		const { body } = await agent('POST', '/batch', { requests, atomic: false });
		expect(body.results[0]).toMatchObject({ ok: false, status: 403 });
		// Uploads of agents are stored in this folder.
		writeJson('assets/forged', { tick: 0, entities: [] });
		expect((await agent('POST', '/scene/load?world=own', { path: 'assets/forged' })).body).toMatchObject({
			code: 'file_refused',
		});
		const { exact: __, ...plain } = document;
		expect((await agent('POST', '/fork/own/scenario', plain)).body).toMatchObject({ ok: true, exact: false });
		expect((await admin('POST', '/scenario', document)).body).toMatchObject({ ok: true, exact: true });
		await engine.close();
	});
});
