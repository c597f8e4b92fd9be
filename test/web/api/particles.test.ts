/** Emitters of particles as data: made, started, burst, stopped, forked, saved, and what is refused. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	DEFAULT_EMITTER,
	EMITTER_PRESETS,
	type EmitterPreset,
	emitterOf,
	MAX_EMITTERS,
	visitParticles,
} from '../../../shared/media/particles.ts';
import { frameOf } from '../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const step = (ticks: number, world = 'main') => started.must('POST', `/step?world=${world}`, { ticks });
interface ListedEmitter {
	readonly entity_id: number;
	readonly active: boolean;
	readonly particle_count: number;
	readonly rate: number;
}
const list = async (world = 'main') =>
	((await started.must('GET', `/particle/list?world=${world}`)) as unknown as { emitters: ListedEmitter[] })
		.emitters;
const only = async () => (await list())[0]!;
const SURE = { rate: 60, lifetime: 1, lifetime_spread: 0 };

test('particles have their rate and lifetime, and end', async () => {
	const { must, digest } = started;
	const { entity_id } = await must('POST', '/particle/create', { ...SURE, position: [1, 2, 3] });
	expect(await only()).toMatchObject({ entity_id, active: true, rate: 60, particle_count: 1 });
	await step(30);
	expect((await only()).particle_count).toBe(31);
	await step(100);
	expect((await only()).particle_count).toBe(60);
	await must('POST', '/particle/stop', { entity_id });
	expect(await only()).toMatchObject({ active: false, particle_count: 60 });
	await step(30);
	expect((await only()).particle_count).toBe(30);
	await step(30);
	expect((await only()).particle_count).toBe(0);
	await must('POST', '/particle/emit', { entity_id, count: 40 });
	expect(await only()).toMatchObject({ active: false, particle_count: 40 });
	await must('POST', '/particle/emit', { entity_id });
	await step(10);
	expect(await only()).toMatchObject({ active: true, particle_count: 51 });
	await must('POST', '/particle/stop', { entity_id, clear: true });
	expect((await only()).particle_count).toBe(0);
	const before = await digest();
	await must('POST', '/particle/emit', { entity_id, count: 5 });
	expect(await digest()).toBe(before);
});

test('at most max together, and a duration ends by itself', async () => {
	const { must } = started;
	await must('POST', '/particle/create', { ...SURE, rate: 6000, max: 100, duration: 0.5 });
	await step(20);
	expect(await only()).toMatchObject({ active: true, particle_count: 100 });
	await step(10);
	expect(await only()).toMatchObject({ active: false });
	await step(60);
	expect((await only()).particle_count).toBe(0);
});

test('particles depend on emitter, seed and tick alone: forks and replays have the same', async () => {
	const { must, engine } = started;
	const taken = (world: string) => {
		const { tick, emitters } = frameOf(engine.worlds.find(world)!).blocks.particles!;
		return emitters.map(({ emitter, run }) => {
			const found: number[][] = [];
			visitParticles(emitter, run, tick, (...one) => found.push(one));
			return found;
		});
	};
	await must('POST', '/particle/create', { preset: 'fire' });
	await must('POST', '/particle/create', { preset: 'fire' });
	await step(50);
	await must('POST', '/fork', { fork_id: 'plan' });
	await step(37);
	for (const part of [1, 36]) await step(part, 'plan');
	const [first, second] = taken('main');
	expect(taken('plan')).toEqual([first, second]);
	expect(first!.length).toBeGreaterThan(40);
	expect(second).not.toEqual(first);
	await must('POST', '/particle/emit?world=plan', { entity_id: 0, count: 7 });
	expect(taken('plan')[0]!.length).toBeGreaterThan(first!.length);
	expect(taken('main')).toEqual([first, second]);
});

test('an emitter follows its entity, and is kept in scenarios and snapshots', async () => {
	const { must, spawn, engine } = started;
	await spawn({});
	const id = await spawn({
		mesh: 'cube',
		position: [0, 0, 0],
		physics_body: 'Kinematic',
		velocity: { linear: [60, 0, 0] },
	});
	await must('POST', '/particle/create', { ...SURE, entity_id: id, trail: true });
	await step(30);
	const [frameEmitter] = frameOf(engine.worlds.main).blocks.particles!.emitters;
	expect(frameEmitter!.position[0]).toBeCloseTo(30, 3);
	expect(frameEmitter!.velocity).toEqual([60, 0, 0]);
	await must('POST', '/snapshot', { label: 'a' });
	const scenario = await must('GET', '/scenario?exact=false');
	await must('POST', '/despawn', { entity_id: id });
	expect(await list()).toEqual([]);
	expect(frameOf(engine.worlds.main).blocks.particles!.emitters).toEqual([]);
	await must('POST', '/reset', { fresh: true });
	await must('POST', '/scenario', scenario);
	expect(await only()).toMatchObject({ active: true, particle_count: 31 });
	await must('POST', '/snapshot/a/restore');
	expect(await only()).toMatchObject({ entity_id: id, particle_count: 31 });
	await must('POST', `/entities/${id}/components`, { remove: ['particles'] });
	expect(await list()).toEqual([]);
});

test.each(Object.keys(EMITTER_PRESETS) as EmitterPreset[])(
	'the preset %s is valid, and fields override it',
	async (preset) => {
		const answer = await started.must('POST', '/particle/create', {
			preset: preset.toUpperCase(),
			rate: 3,
			texture: null,
		});
		expect(answer.emitter).toEqual(emitterOf(preset, { rate: 3 }));
		expect((await started.must('POST', '/particle/create', {})).emitter).toEqual(DEFAULT_EMITTER);
	},
);

test('rules start, burst and stop emitters, and add missing ones', async () => {
	const { must, spawn } = started;
	const id = await spawn({ tags: ['a'] });
	await must('POST', '/rule/create', { when: 'tick:2', once: true, do: ['emit_particles tag:a 12 sparks'] });
	await must('POST', '/rule/create', { when: 'tick:4', once: true, do: ['emit_particles tag:a'] });
	await must('POST', '/rule/create', { when: 'tick:6', once: true, do: ['stop_particles tag:a'] });
	expect(await list()).toEqual([]);
	await step(2);
	expect(await only()).toMatchObject({ entity_id: id, active: false, particle_count: 12 });
	await step(2);
	expect(await only()).toMatchObject({ active: true });
	await step(2);
	expect(await only()).toMatchObject({ active: false });
});

test('invalid values are refused and change nothing', async () => {
	const { post, bytes, spawn } = started;
	await spawn({});
	const before = bytes();
	for (const [path, body, code] of [
		['/particle/create', { preset: 'lava' }, 'invalid_body'],
		['/particle/create', { rate: -1 }, 'invalid_body'],
		['/particle/create', { max: 1e6 }, 'invalid_body'],
		['/particle/create', { lifetime: 0 }, 'invalid_body'],
		['/particle/create', { direction: [0, 0, 0] }, 'invalid_body'],
		['/particle/create', { colors: [] }, 'invalid_body'],
		['/particle/create', { colour: [[1, 1, 1, 1]] }, 'invalid_body'],
		['/particle/create', { entity_id: 9 }, 'entity_not_found'],
		['/particle/emit', { entity_id: 0 }, 'no_emitter'],
		['/particle/emit', { entity_id: 0, count: 0 }, 'invalid_body'],
		['/particle/stop', { entity_id: 0 }, 'no_emitter'],
		['/particle/stop', {}, 'invalid_body'],
	] as const)
		expect(await post(path, body), `${path} ${JSON.stringify(body)}`).toMatchObject({
			ok: false,
			code,
			fix: expect.any(String),
		});
	expect(bytes()).toBe(before);
});

test('the emitters of a world are limited, in calls and in rules', async () => {
	const { must, post, spawn } = started;
	const requests = Array.from({ length: MAX_EMITTERS }, () => ({
		method: 'POST',
		path: '/particle/create',
		body: { rate: 1 },
	}));
	await must('POST', '/batch', { requests });
	expect(await list()).toHaveLength(MAX_EMITTERS);
	const { bytes } = started;
	const before = bytes();
	expect(await post('/particle/create', {})).toMatchObject({ ok: false, code: 'too_many_emitters' });
	expect(bytes()).toBe(before);
	await spawn({ tags: ['late'] });
	await must('POST', '/rule/create', { when: 'tick:1', once: true, do: ['emit_particles tag:late'] });
	await step(1);
	expect(await list()).toHaveLength(MAX_EMITTERS);
});

test('a document has no more emitters, and no larger bursts, than calls permit', async () => {
	const { must, call } = started;
	await must('POST', '/particle/create', { preset: 'fire' });
	await must('POST', '/particle/emit', { entity_id: 0, count: 5 });
	const { exact: _, ok: __, ...document } = await must('GET', '/scenario');
	const [entry] = document.entities as { components: { particles: { run: Record<string, unknown> } } }[];
	const entities = (count: number) => Array.from({ length: count }, (___, id) => ({ ...entry, id }));
	await must('POST', '/scenario', { ...document, entities: entities(MAX_EMITTERS) });
	const before = (await must('GET', '/digest')).state_digest;
	const many = await call('POST', '/scenario', { ...document, entities: entities(MAX_EMITTERS + 1) });
	expect(many.body).toMatchObject({
		ok: false,
		path: 'entities[1000]',
		error: expect.stringContaining('emitters'),
	});
	for (const more of [
		{ bursts: [{ tick: 0, count: 4_294_967_295, number: 1 }] },
		{ bursts: [{ tick: 0, count: 5, number: 4_294_967_295 }] },
		{ burst_count: 4_294_967_295 },
	]) {
		const spoiled = structuredClone(entry)!;
		Object.assign(spoiled.components.particles.run, more);
		const { body } = await call('POST', '/scenario', { ...document, entities: [spoiled] });
		expect(body, JSON.stringify(more)).toMatchObject({ ok: false, code: 'invalid_scenario' });
	}
	expect((await must('GET', '/digest')).state_digest).toBe(before);
	expect(await list()).toHaveLength(MAX_EMITTERS);
});

test('an entity is spawned with its emitter, gets another with its components, and is saved with it', async () => {
	const { must, post } = started;
	const torch = { mesh: 'cylinder', particles: { preset: 'fire', ...SURE } };
	const { id } = await must('POST', '/spawn', torch);
	await step(9);
	expect(await only()).toMatchObject({ entity_id: id, active: true, particle_count: 10 });
	const { entities } = (await must('GET', '/scenario')) as unknown as { entities: { particles: object }[] };
	expect(entities[0]!.particles).toEqual({ ...emitterOf('fire', SURE) });

	await must('POST', `/entities/${id}/components`, { particles: { rate: 10, start: false } });
	expect(await only()).toMatchObject({ active: false, rate: 10, particle_count: 0 });
	await must('POST', '/template/create', { name: 'torch', ...torch });
	await must('POST', '/rule/create', {
		when: 'tick:20',
		do: [{ action: 'spawn', template: 'torch', position: [3, 0, 0] }],
	});
	await step(30);
	expect(await list()).toHaveLength(2);
	expect((await list())[1]).toMatchObject({ active: true, rate: 60 });
	await must('POST', `/entities/${id}/components`, { remove: ['particles'] });
	expect(await list()).toHaveLength(1);

	const before = await started.digest();
	expect(await post('/spawn', { particles: { preset: 'fier' } })).toMatchObject({ code: 'invalid_body' });
	const missing = { texture: 'a'.repeat(64) };
	expect(await post('/spawn', { particles: missing })).toMatchObject({ code: 'asset_missing' });
	expect(await started.digest()).toBe(before);
});

test('a tick does not depend on looks: without room for its emitter an entity is spawned without one', async () => {
	const { must, post } = started;
	const requests = Array.from({ length: MAX_EMITTERS - 1 }, () => ({ path: '/particle/create', body: {} }));
	await must('POST', '/batch', { requests });
	const spark = {
		action: 'spawn',
		mesh: 'cube',
		position: [0, 0, 0],
		particles: { preset: 'sparks' },
		count: 3,
	};
	await must('POST', '/rule/create', { when: 'tick:2', do: [spark] });
	await step(3);
	expect(await list()).toHaveLength(MAX_EMITTERS);
	// The rule is one too.
	expect((await must('GET', '/')).entity_count).toBe(MAX_EMITTERS - 1 + 3 + 1);
	expect(await post('/spawn', { particles: {} })).toMatchObject({ code: 'too_many_emitters' });
});

test('two equal emitters flicker differently', async () => {
	const { must } = started;
	for (let i = 0; i < 3; i++) await must('POST', '/spawn', { particles: { preset: 'magic' } });
	const { emitters } = frameOf(started.engine.worlds.main).blocks.particles!;
	expect(new Set(emitters.map(({ run }) => run.seed)).size).toBe(3);
});
