/** Sky, fog and lights as data: set, read back, forked, saved, exported, taken away, and what is refused. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_FOG, DEFAULT_SKY, sunAt } from '../../../shared/documents/sky.ts';
import { blocksOf, frameOf } from '../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

test('only given fields change, null removes an hour, and no digest changes', async () => {
	const { must, digest } = started;
	const before = await digest();
	expect(await must('GET', '/sky/settings')).toMatchObject({ ...DEFAULT_SKY, sun_direction: null });
	const dusk = await must('POST', '/sky/settings', {
		time_of_day: 18,
		turbidity: null,
		zenith_color: [0, 0, 1],
	});
	expect(dusk).toMatchObject({ ...DEFAULT_SKY, time_of_day: 18, zenith_color: [0, 0, 1] });
	expect((dusk.sun_direction as number[])[0]).toBeCloseTo(-1);
	expect(await must('POST', '/sky/settings', { time_of_day: null })).toMatchObject({
		time_of_day: null,
		zenith_color: [0, 0, 1],
	});
	expect(await must('GET', '/fog/settings')).toMatchObject({ ...DEFAULT_FOG, enabled: false });
	expect(await must('POST', '/fog/settings', { density: 0.5, color: null })).toMatchObject({
		...DEFAULT_FOG,
		density: 0.5,
	});
	expect(await digest()).toBe(before);
});

test('a world of an older version stores no clouds, has the default ones, and is exported unchanged', async () => {
	const { must, get } = started;
	const { clouds, stars, moon_phase, cloud_height, cloud_seed, wind_speed, wind_direction, ...older } =
		DEFAULT_SKY;
	const sky = { ...older, time_of_day: 12 };
	await must('POST', '/scenario', { version: 2, resources: { sky } });
	const known = { clouds, stars, moon_phase, cloud_height, cloud_seed, wind_speed, wind_direction };
	expect(await get('/sky/settings')).toMatchObject({ ...sky, ...known });
	expect((await must('GET', '/scenario?exact=false')).resources).toMatchObject({ sky });
	await must('POST', '/sky/settings', { clouds: 0.8 });
	expect((await must('GET', '/scenario?exact=false')).resources).toMatchObject({
		sky: { ...sky, clouds: 0.8 },
	});
	expect(await get('/sky/settings')).toMatchObject({ clouds: 0.8, stars, wind_speed });
});

test('settings that have no effect are stored, with a warning for each', async () => {
	const { must } = started;
	const warningsOf = async (path: string, body: object) => (await must('POST', path, body)).warnings;
	const table = await warningsOf('/sky/settings', { turbidity: 4, stars: 2, sun_intensity: 1 });
	expect(table).toEqual(
		['turbidity', 'stars'].map((name) => `${name} has no effect while time_of_day is null`),
	);
	expect(await warningsOf('/sky/settings', { time_of_day: 9, stars: 1, cloud_seed: 3 })).toBeUndefined();
	expect(await warningsOf('/sky/settings', { clouds: 0, cloud_height: 500 })).toEqual([
		'cloud_height has no effect while clouds is 0',
	]);
	expect(await warningsOf('/sky/settings', { clouds: 0.5, wind_speed: 0, wind_direction: 9 })).toEqual([
		'wind_direction has no effect while wind_speed is 0',
	]);
	expect(await warningsOf('/fog/settings', { enabled: false, density: 1 })).toEqual([
		'density has no effect while enabled is false',
	]);
	expect(await warningsOf('/fog/settings', { enabled: true, density: 1 })).toBeUndefined();
});

test('the sun rises in the east, stands highest at noon and is below at night', () => {
	expect(sunAt(6)[0]).toBeCloseTo(1);
	expect(sunAt(12)[1]).toBeGreaterThan(sunAt(9)[1]);
	expect(sunAt(0)[1]).toBeLessThan(-0.5);
	for (const hour of [0, 3.3, 11, 24]) expect(Math.hypot(...sunAt(hour))).toBeCloseTo(1);
});

test('a fork, a snapshot, a scenario and a fresh world each have their own', async () => {
	const { must, get, spawn, entity } = started;
	const lamp = {
		kind: 'spot',
		color: [1, 0.5, 0.25],
		intensity: 3,
		range: 7,
		angle: 40,
		direction: [0, -1, 1],
	};
	const id = await spawn({ light: { ...lamp, shadows: false } });
	await must('POST', '/sky/settings', { time_of_day: 18 });
	await must('POST', '/fog/settings', { density: 0.5 });
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/sky/settings?world=plan', { time_of_day: 6 });
	await must('POST', '/fog/settings?world=plan', { enabled: false });
	expect(await get('/sky/settings')).toMatchObject({ time_of_day: 18 });
	expect(await get('/sky/settings?world=plan')).toMatchObject({ time_of_day: 6 });
	expect(await get('/fog/settings')).toMatchObject({ enabled: true });
	const scenario = await must('GET', '/scenario?exact=false');
	await must('POST', '/reset', { fresh: true });
	expect(await get('/sky/settings')).toMatchObject(DEFAULT_SKY);
	expect(await get('/fog/settings')).toMatchObject({ enabled: false });
	await must('POST', '/scenario', scenario);
	expect(await get('/sky/settings')).toMatchObject({ time_of_day: 18 });
	expect(await get('/fog/settings')).toMatchObject({ density: 0.5 });
	expect((await entity(id)).light).toEqual({ ...lamp, shadows: 0 });
	await must('POST', `/entities/${id}/components`, { remove: ['light'] });
	expect((await entity(id)).light).toBeUndefined();
	await must('POST', '/snapshot/a/restore');
	expect((await entity(id)).light).toMatchObject({ kind: 'spot', intensity: 3 });
});

test('a light accepts colours by name, and white with a warning for an unknown one', async () => {
	const { must, spawn, entity } = started;
	const shares = (bytes: readonly number[]) => bytes.map((part) => Math.fround(part / 255));
	const id = await spawn({ light: { color: 'Gold' } });
	expect(((await entity(id)).light as { color: number[] }).color.map(Math.fround)).toEqual(
		shares([210, 166, 80]),
	);
	const answer = await must('POST', '/spawn', { light: { color: 'goldish' } });
	expect(answer.warnings).toEqual([expect.stringContaining('"goldish" is unknown')]);
	const mixed = await spawn({ light: { color: '1,0.5,0' } });
	expect(((await entity(mixed)).light as { color: number[] }).color[1]).toBeCloseTo(0.5, 2);
});

test('frames have each light at its pose once, and again only after a change', async () => {
	const { engine, must, spawn } = started;
	const { main } = engine.worlds;
	const { versions } = frameOf(main);
	const post = await spawn({ position: [5, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
	await spawn({ position: [0, 2, 0], parent: post, light: { kind: 'spot', direction: [0, -1, 0] } });
	const lit = frameOf(main, versions);
	const [light] = lit.blocks.lights!;
	for (const [axis, part] of [3, 0, 0].entries()) expect(light!.position[axis]).toBeCloseTo(part);
	for (const [axis, part] of [1, 0, 0].entries()) expect(light!.direction[axis]).toBeCloseTo(part);
	expect(frameOf(main, lit.versions).blocks.lights).toBeUndefined();
	await must('POST', `/entities/${post}/components`, { position: [9, 0, 0] });
	expect(frameOf(main, lit.versions).blocks.lights![0]!.position[0]).toBeCloseTo(7);
	expect(blocksOf(main.world).rows.ids).toHaveLength(0);
});

test('invalid values are refused and change nothing', async () => {
	const { post, bytes } = started;
	const before = bytes();
	for (const [path, body] of [
		['/sky/settings', { time_of_day: 25 }],
		['/sky/settings', { time_of_day: 12, hour: 3 }],
		['/sky/settings', { clouds: 1.1 }],
		['/sky/settings', { cloud_seed: 0.5 }],
		['/fog/settings', { density: -1 }],
		['/fog/settings', { color: [1, 1] }],
		['/spawn', { light: { kind: 'laser' } }],
		['/spawn', { light: { kind: 'spot', direction: [0, 0, 0] } }],
		['/spawn', { light: { kind: 'spot', angle: 0 } }],
	] as const)
		expect(await post(path, body), path).toMatchObject({
			ok: false,
			code: 'invalid_body',
			fix: expect.any(String),
		});
	expect(bytes()).toBe(before);
});
