/** Post-processing as data: set, read back, forked, saved, exported, taken away, and what is refused. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	DEFAULT_POSTPROCESS,
	DEPENDENT_FIELDS,
	INITIAL_POSTPROCESS,
	PRESETS,
} from '../../../shared/documents/postprocess.ts';
import { frameOf } from '../../../web/frames/frame.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const PATH = '/postprocess/settings';

test('only given fields change, null keeps, enabled: null resets, and no digest changes', async () => {
	const { must, digest, engine } = started;
	const before = await digest();
	expect(await must('GET', PATH)).toEqual({ ok: true, ...DEFAULT_POSTPROCESS, enabled: false });
	const { versions } = frameOf(engine.worlds.main);
	const brighter = { ...DEFAULT_POSTPROCESS, exposure: 1, contrast: 1.5 };
	expect(await must('POST', PATH, { exposure: 1, contrast: 1.5 })).toEqual({ ok: true, ...brighter });
	expect(frameOf(engine.worlds.main, versions).blocks.post).toEqual(brighter);
	expect(await must('POST', PATH, { exposure: null, bloom_enabled: false })).toEqual({
		ok: true,
		...brighter,
		bloom_enabled: false,
	});
	expect(await must('POST', PATH, { enabled: false })).toMatchObject({ enabled: false, exposure: 1 });
	expect(await must('POST', PATH, { enabled: null })).toEqual(await must('GET', PATH));
	expect(await must('GET', PATH)).toEqual({ ok: true, ...DEFAULT_POSTPROCESS, enabled: false });
	expect(await digest()).toBe(before);
});

test('a preset replaces all settings, in any letter case', async () => {
	const { must } = started;
	await must('POST', PATH, { exposure: 3 });
	for (const [sent, name] of [
		['low', 'low'],
		['MED', 'medium'],
		['medium', 'medium'],
		['High', 'high'],
		['ultra', 'ultra'],
	] as const)
		expect(await must('POST', '/postprocess/preset', { quality: sent })).toEqual({
			ok: true,
			...DEFAULT_POSTPROCESS,
			...PRESETS[name],
		});
});

test('a fork, a snapshot, a scenario and a fresh world each have their own', async () => {
	const { must, get } = started;
	await must('POST', PATH, { exposure: 2 });
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', `${PATH}?world=plan`, { exposure: -1 });
	expect(await get(PATH)).toMatchObject({ exposure: 2 });
	expect(await get(`${PATH}?world=plan`)).toMatchObject({ exposure: -1 });
	const scenario = await must('GET', '/scenario?exact=false');
	await must('POST', '/reset', { fresh: true });
	expect(await get(PATH)).toMatchObject({ enabled: false, exposure: 0 });
	await must('POST', '/scenario', scenario);
	expect(await get(PATH)).toMatchObject({ enabled: true, exposure: 2 });
	await must('POST', PATH, { enabled: null });
	await must('POST', '/snapshot/a/restore');
	expect(await get(PATH)).toMatchObject({ enabled: true, exposure: 2 });
});

test('a world of an older version has none of the later effects and is exported unchanged', async () => {
	const { must, get } = started;
	const postprocess = { ...INITIAL_POSTPROCESS, exposure: 1 };
	await must('POST', '/scenario', { version: 2, resources: { postprocess } });
	expect(await get(PATH)).toMatchObject({ ...DEFAULT_POSTPROCESS, exposure: 1, light_shafts_enabled: false });
	expect((await must('GET', '/scenario?exact=false')).resources).toMatchObject({ postprocess });
});

test('settings of an effect that is off are stored, with a warning', async () => {
	const { must } = started;
	const warningsOf = async (body: object) => (await must('POST', PATH, body)).warnings;
	expect(await warningsOf({ exposure: 1, ssao_radius: 1 })).toBeUndefined();
	for (const [flag, fields] of Object.entries(DEPENDENT_FIELDS))
		for (const field of fields)
			expect(await warningsOf({ [flag]: false, [field]: DEFAULT_POSTPROCESS[field] })).toEqual([
				`${field} has no effect while ${flag} is false`,
			]);
	expect(await warningsOf({ light_shafts_enabled: true })).toEqual([
		expect.stringContaining('time_of_day of the sky is null'),
	]);
	await must('POST', '/sky/settings', { time_of_day: 9 });
	expect(await warningsOf({ light_shafts_enabled: true, light_shafts_intensity: 2 })).toBeUndefined();
	expect(await warningsOf({ enabled: false, exposure: 2 })).toEqual([
		'exposure has no effect while enabled is false',
	]);
});

test('invalid values are refused and change nothing', async () => {
	const { post, bytes } = started;
	const before = bytes();
	for (const [path, body] of [
		[PATH, { exposure: 99 }],
		[PATH, { bloom: true }],
		[PATH, { shadow_cascades: 5 }],
		[PATH, { focus_range: 0 }],
		[PATH, { ssao_radius: 0 }],
		[PATH, { fxaa_enabled: 1 }],
		[PATH, { temperature: 6500 }],
		['/postprocess/preset', { quality: 'best' }],
		['/postprocess/preset', {}],
	] as const)
		expect(await post(path, body), path).toMatchObject({
			ok: false,
			code: 'invalid_body',
			fix: expect.any(String),
		});
	expect(bytes()).toBe(before);
});
