/** Animation of models: refusals without effect, counting of ticks, and equal continuation of forks and saves. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { advanceAnimations } from '../../../../web/sim/animation/advance-animations.system.ts';
import { LOOK_COST, maxLookCost } from '../../../../web/sim/animation/animation.ts';
import { findClip } from '../../../../web/sim/animation/library.ts';
import { sample, startChance } from '../../../../web/sim/core/chance.ts';
import { runSystem } from '../../../../web/sim/step.ts';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';
import { base64, postModel } from '../../../support/glb.ts';

let testEngine: TestEngine;
beforeEach(async () => {
	testEngine = await startEngine();
	const { must } = testEngine;
	await must('POST', '/asset/upload?name=models/post.glb', { data: base64(postModel()) });
	expect(await must('POST', '/animation/load', { path: 'models/post.glb' })).toMatchObject({
		meshes: 1,
		skeleton: true,
		animations: ['bow', 'sink', 'spin'],
		clips: [0, 1, 2],
		joints: ['lower', 'upper'],
	});
	await must('POST', '/spawn', { mesh: 'models/post.glb', health: 100 });
});
afterEach(() => testEngine.engine.close());

const digest = async () => (await testEngine.must('GET', '/digest')).state_digest;
const readAnimation = async (query = '') =>
	(await testEngine.must('GET', `/entities/0${query}`)).animation as Json | undefined;

test('a second load adds nothing, and clips are listed by index', async () => {
	const { must } = testEngine;
	const secondLoad = await must('POST', '/animation/load', { path: 'models/post.glb' });
	expect(secondLoad.clips).toEqual([0, 1, 2]);
	const list = await must('GET', '/animation/list');
	expect(list).toMatchObject({ count: 3 });
	expect((list.clips as Json[])[1]).toEqual({
		index: 1,
		name: 'sink',
		duration: 2,
		channels: 1,
		model: 'models/post.glb',
		joints: 2,
	});
});

const machineOf = (overrides: object) => ({ entity_id: 0, states: [{ name: 'a', clip: 0 }], ...overrides });
const INVALID_CALLS: readonly (readonly [path: string, body: object, code: string, fix: string])[] = [
	['play', { entity_id: 0, clip: 3 }, 'unknown_clip', '0 to 2'],
	['play', { entity_id: 0, clip: 'bov' }, 'unknown_clip', 'bow'],
	['play', { entity_id: 9, clip: 0 }, 'entity_not_found', ''],
	['play', { entity_id: 0, clip: -1 }, 'invalid_body', ''],
	['stop', { entity_id: 0 }, 'not_playing', '/animation/play'],
	['montage', { entity_id: 0, clip: 7, clip_duration: 1 }, 'unknown_clip', '0 to 2'],
	['montage', { entity_id: 0, clip: 0, clip_duration: 1, bone_mask: [0, 2] }, 'bad_animation', '0 to 1'],
	['state-machine', { entity_id: 0 }, 'bad_animation', 'at least one state'],
	['state-machine', machineOf({ initial_state: 1 }), 'bad_animation', '0 to 0'],
	['state-machine', machineOf({ states: [{ name: 'a', clip: 9 }] }), 'unknown_clip', '0 to 2'],
	['state-machine', machineOf({ transitions: [{ to: 'b' }] }), 'bad_animation', 'Use one of: a'],
	[
		'state-machine',
		machineOf({ transitions: [{ to: 'a', when: [{ parameter: 'p', value: 1 }] }] }),
		'bad_animation',
		'parameters',
	],
	['state-machine', machineOf({ parameters: { p: 'heath.current' } }), 'bad_animation', 'health.current'],
	['parameter', { entity_id: 0, name: 'wind', value: 1 }, 'bad_animation', '/animation/state-machine'],
];

test.each(INVALID_CALLS)(
	'/animation/%s %j is refused as %s, and nothing changes',
	async (path, body, code, fix) => {
		const before = await digest();
		const answer = await testEngine.post(`/animation/${path}`, body);
		expect(answer).toMatchObject({ ok: false, code });
		expect(answer.fix).toContain(fix);
		expect(await digest()).toBe(before);
	},
);

test('an animation counts the ticks of its world, so forks and saves continue equally', async () => {
	const { must } = testEngine;
	await must('POST', '/animation/play', { entity_id: 0, clip: 'bow' });
	await must('POST', '/step', { ticks: 20 });
	await must('POST', '/animation/play', { entity_id: 0, clip: 1, fade: 0.5, loop: false });
	await must('POST', '/animation/montage', { entity_id: 0, clip: 'spin', clip_duration: 1, bone_mask: [1] });
	await must('POST', '/fork', { fork_id: 'f' });
	await must('POST', '/scene/save', { path: 'it.json' });
	await must('POST', '/step', { ticks: 25 });
	const digestAfter = await digest();
	expect(await readAnimation()).toEqual({
		clip: 1,
		speed: 1,
		loop: false,
		playing: true,
		elapsed: 25,
		montage: { clip: 'spin', elapsed: 25 },
	});
	await must('POST', '/step?world=f', { ticks: 25 });
	expect((await must('GET', '/digest?world=f')).state_digest).toBe(digestAfter);
	await must('POST', '/scene/load', { path: 'it.json' });
	await must('POST', '/step', { ticks: 25 });
	expect(await digest()).toBe(digestAfter);
	await must('POST', '/step', { ticks: 40 });
	expect(await readAnimation()).not.toHaveProperty('montage');
	expect(await digest()).not.toBe(digestAfter);
});

test('a state machine changes state at the end of a clip and by a parameter, and a rule plays a clip', async () => {
	const { must } = testEngine;
	await must('POST', '/animation/state-machine', {
		entity_id: 0,
		states: [
			{ name: 'first', clip: 'bow', looping: false, speed: 2 },
			{ name: 'second', clip: 'sink' },
			{ name: 'hurt', clip: 'spin' },
		],
		parameters: { life: 'health.current', least: 1 },
		transitions: [
			{ to: 'hurt', when: [{ parameter: 'life', op: '<', value: 50 }] },
			{ from: 'first', to: 'second', at_end: true },
		],
	});
	await must('POST', '/step', { ticks: 29 });
	expect(await readAnimation()).toMatchObject({ state: 'first' });
	await must('POST', '/step', { ticks: 1 });
	expect(await readAnimation()).toMatchObject({ state: 'second', clip: 'sink', elapsed: 0 });
	await must('POST', '/entities/0/components', { health: 10 });
	await must('POST', '/step', { ticks: 1 });
	expect(await readAnimation()).toMatchObject({ state: 'hurt' });

	await must('POST', '/rule/create', {
		when: 'tick:1',
		once: true,
		do: ['play_animation entity:0 bow 1 once'],
	});
	await must('POST', '/step', { ticks: 5 });
	expect(await readAnimation()).toMatchObject({ clip: 'bow', loop: false });
	expect(await readAnimation()).not.toHaveProperty('state');
	await must('POST', '/animation/stop', { entity_id: 0 });
	expect(await readAnimation()).toMatchObject({ playing: false });
});

test('a spawn document starts an animation, which a change of the entity can remove', async () => {
	const { must } = testEngine;
	const { id } = await must('POST', '/spawn', {
		mesh: 'models/post.glb',
		animation: { clip: 'spin', speed: 0.5 },
	});
	await must('POST', '/step', { ticks: 3 });
	const animation = (await must('GET', `/entities/${id}`)).animation;
	expect(animation).toMatchObject({ clip: 'spin', speed: 0.5, elapsed: 3 });
	await must('POST', `/entities/${id}/components`, { remove: ['animation'] });
	expect((await must('GET', `/entities/${id}`)).animation).toBeUndefined();
});

const machine = {
	states: [
		{ name: 'a', clip: 'bow' },
		{ name: 'b', clip: 'sink' },
	],
	transitions: [
		{ from: 'a', to: 'b', when: [{ field: 'health.current', op: 'less', value: 30 }] },
		{ to: 'a', at_end: true },
	],
	parameters: { life: 'health.current' },
};
/** Invalid values in a document of the entity's machine, each with its path in the animation. */
const INVALID_VALUES: readonly (readonly [path: string, value: unknown])[] = [
	['machine.transitions.0.to', 'c'],
	['machine.transitions.1.from', 'c'],
	['machine.transitions.0.when.0', { parameter: 'speed', op: 'less', value: 1 }],
	['machine.transitions.0.when.0', { parameter: 'constructor', op: 'less', value: 1 }],
	['machine.transitions.0.when.0.field', 'no such field'],
	['machine.parameters.life', 'no such field'],
	['machine.parameters', Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`p${i}`, i]))],
	['machine.states', []],
	['machine.states.1.name', 'a'],
	['state', 'c'],
	['clip', null],
];

test.each(INVALID_VALUES)(
	'a document with an invalid %s (%j) is refused and changes nothing',
	async (path, value) => {
		const { must, call } = testEngine;
		await must('POST', '/animation/state-machine', { entity_id: 0, ...machine });
		const { exact: _, ok: __, ...document } = await must('GET', '/scenario');
		const invalidDocument = structuredClone(document);
		let target = (invalidDocument.entities as { components: Json }[])[0]!.components.animation as Json;
		const keys = path.split('.');
		for (const key of keys.slice(0, -1)) target = target[key] as Json;
		target[keys.at(-1)!] = value;
		const before = await digest();
		const answer = (await call('POST', '/scenario', invalidDocument)).body;
		expect(answer).toMatchObject({ ok: false, path: expect.stringContaining('entities[0]') });
		expect(await digest()).toBe(before);
		await must('POST', '/scenario', document);
		await must('POST', '/step', { ticks: 60 });
	},
);

test.each([
	['duration', -1],
	['duration', 1e308],
	['hash', 'it'],
	['joints', -1],
	['place', 256],
])('a library with the %s %s in a clip is refused', async (key, value) => {
	const { must, call } = testEngine;
	const { exact: _, ok: __, ...document } = await must('GET', '/scenario');
	const invalidDocument = structuredClone(document);
	(invalidDocument.resources as { animation_library: Json[] }).animation_library[0]![key] = value;
	const answer = (await call('POST', '/scenario', invalidDocument)).body;
	expect(answer).toMatchObject({ ok: false, code: 'invalid_scenario' });
});

test('among clips with the same name, an entity uses the clip of its model, or else the first', async () => {
	const { must } = testEngine;
	const second = postModel([0, 1, 0]);
	const { hash } = await must('POST', '/asset/upload?name=models/second.glb', { data: base64(second) });
	await must('POST', '/animation/load', { path: 'models/second.glb' });
	const world = testEngine.engine.worlds.main.world;
	for (const [mesh, model] of [
		['models/post.glb', 'models/post.glb'],
		['models/second.glb', 'models/second.glb'],
		[hash, 'models/second.glb'],
		['cube', 'models/post.glb'],
	]) {
		const { id } = await must('POST', '/spawn', { mesh });
		expect(findClip(world, id as number, 'sink'), String(mesh)).toMatchObject({ model, place: 1 });
	}
	expect(findClip(world, 0, 'constructor')).toBeUndefined();
});

test('transitions and comparisons count towards the search limit of a tick', async () => {
	const { must } = testEngine;
	const checks = Array.from({ length: 16 }, () => ({ field: 'health.current', op: 'greater', value: 1 }));
	await must('POST', '/animation/state-machine', {
		entity_id: 0,
		states: machine.states,
		transitions: [
			...Array.from({ length: 10 }, () => ({
				to: 'b',
				when: [...checks.slice(1), { field: 'gold', value: 1 }],
			})),
			{ to: 'b', at_end: true },
		],
	});
	const { world } = testEngine.engine.worlds.main;
	const run = startChance(sample);
	runSystem(world, advanceAnimations, run);
	expect(run.spent.searched).toBe(LOOK_COST * (10 * 17 + 1));
	expect(maxLookCost(world)).toBe(LOOK_COST * (10 * 17 + 1));
	expect(await must('GET', '/')).toMatchObject({ ok: true });
});

test('the memory of a world includes its machines and masks, and forks share the machines', async () => {
	const { must } = testEngine;
	const readMemory = async () => ((await must('GET', '/')).memory as { bytes: number }).bytes;
	const initialBytes = await readMemory();
	const transitions = Array.from({ length: 256 }, () => ({
		to: 'a',
		when: [{ field: 'health.current', value: 1 }],
	}));
	await must('POST', '/animation/state-machine', { entity_id: 0, ...machine, transitions });
	const bytesWithMachine = await readMemory();
	expect(bytesWithMachine - initialBytes).toBeGreaterThan(256 * 60);
	await must('POST', '/fork', { fork_id: 'same' });
	await must('POST', '/animation/montage', {
		entity_id: 0,
		clip: 0,
		clip_duration: 5,
		bone_mask: Array.from({ length: 500 }, () => 1),
	});
	const bytesWithMask = await readMemory();
	expect(bytesWithMask - bytesWithMachine).toBeGreaterThan(500 * 8);
	expect(bytesWithMask - bytesWithMachine).toBeLessThan(256 * 60);
});

test('a parameter of a running machine can be set to a number or to a field', async () => {
	const { must, post } = testEngine;
	await must('POST', '/animation/state-machine', {
		entity_id: 0,
		states: [
			{ name: 'calm', clip: 'bow' },
			{ name: 'wild', clip: 'spin' },
		],
		parameters: { wind: 0, unused: 'mana.current' },
		transitions: [
			{ from: 'calm', to: 'wild', when: [{ parameter: 'wind', op: '>', value: 5 }] },
			{ from: 'wild', to: 'calm', when: [{ parameter: 'wind', op: '<=', value: 5 }] },
		],
	});
	await must('POST', '/step', { ticks: 3 });
	await must('POST', '/fork', { fork_id: 'still' });
	await must('POST', '/animation/parameter', { entity_id: 0, name: 'wind', value: 9 });
	expect(await readAnimation()).toMatchObject({ state: 'calm', elapsed: 3 });
	await must('POST', '/step');
	expect(await readAnimation()).toMatchObject({ state: 'wild', elapsed: 0 });
	await must('POST', '/step?world=still');
	expect(await readAnimation('?world=still')).toMatchObject({ state: 'calm', elapsed: 4 });

	await must('POST', '/animation/parameter', { entity_id: 0, name: 'wind', value: 'health.current' });
	await must('POST', '/step');
	expect(await readAnimation()).toMatchObject({ state: 'wild' });
	await must('POST', '/entities/0/components', { health: 2 });
	await must('POST', '/step');
	expect(await readAnimation()).toMatchObject({ state: 'calm' });

	const before = await digest();
	const misspelledName = await post('/animation/parameter', { entity_id: 0, name: 'winds', value: 1 });
	expect(misspelledName).toMatchObject({
		ok: false,
		code: 'bad_animation',
		fix: expect.stringContaining('wind'),
	});
	const misspelledField = await post('/animation/parameter', {
		entity_id: 0,
		name: 'wind',
		value: 'heath.current',
	});
	expect(misspelledField).toMatchObject({
		code: 'bad_animation',
		fix: expect.stringContaining('health.current'),
	});
	expect(await digest()).toBe(before);
});
