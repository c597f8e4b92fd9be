/** Sounds over HTTP: what plays, since when and until when, how loud, and what a refused one leaves behind. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { wav } from '../../support/wav.ts';

let engine: TestEngine;
let post: (path: string, body?: unknown) => Promise<Json>;
let get: (path: string) => Promise<Json>;
beforeEach(async () => {
	engine = await startEngine();
	post = (path, body = {}) => engine.must('POST', path, body);
	get = (path) => engine.must('GET', path);
	await post('/asset/upload?name=tone.wav', { data: wav({ seconds: 0.5 }).toString('base64') });
});
afterEach(() => engine.engine.close());

const sources = async (on = ''): Promise<readonly Json[]> =>
	(await get(`/audio/list${on}`)).sources as readonly Json[];

describe('a sound', () => {
	test('ends with its file, counted in ticks, and its entity stays', async () => {
		const { entity_id, seconds } = await post('/audio/play', { path: 'tone.wav', pitch: 2 });
		expect(seconds).toBe(0.5);
		await post('/step', { ticks: 14 });
		expect(await sources()).toMatchObject([{ entity_id, playing: true, ends: 15, gain: 1 }]);
		await post('/step', { ticks: 1 });
		expect(await sources()).toMatchObject([{ entity_id, playing: false, gain: 0 }]);
	});

	test('gets softer with the distance from the listener, as it says', async () => {
		const at = [8, 0, 0];
		for (const falloff of ['square', 'linear', 'none'])
			await post('/audio/play', { path: 'tone.wav', loop: true, position: at, max_distance: 16, falloff });
		const { entity_id } = await post('/spawn', { position: [0, 0, 0] });
		expect(await post('/audio/listener', { entity_id })).toMatchObject({ position: [0, 0, 0] });
		expect((await sources()).map(({ gain }) => gain)).toEqual([0.25, 0.5, 1]);
		await post('/entities/3/components', { transform: { position: [24, 0, 0] } });
		expect((await sources()).map(({ gain }) => gain)).toEqual([0, 0, 0]);
		expect(await post('/audio/listener', { entity_id: null })).toMatchObject({ position: [8, 6, 8] });
	});

	test('has a gain above 0 only with one of the 32 voices', async () => {
		await post('/camera', { eye: [0, 1, 0], target: [0, 1, -1] });
		for (let x = 0; x < 40; x++)
			await post('/audio/play', {
				path: 'tone.wav',
				loop: true,
				position: [39 - x, 1, 0],
				max_distance: 100,
			});
		const listed = await get('/audio/list');
		expect(listed).toMatchObject({ count: 40, voices: 32 });
		const gains = (listed.sources as readonly Json[]).map(({ gain }) => gain as number);
		expect(gains.slice(0, 8)).toEqual(Array(8).fill(0));
		expect(gains.slice(8).every((gain) => gain > 0)).toBe(true);
		await post('/audio/stop', { entity_id: 39 });
		expect((await sources())[7]).toMatchObject({ gain: expect.closeTo(0.4624, 4) });
	});

	test('is as loud as its bus and the master, and silent on a muted bus', async () => {
		await post('/audio/play', { path: 'tone.wav', loop: true, bus: 'music', volume: 2 });
		await post('/audio/bus', { bus: 'music', volume: 0.25 });
		await post('/audio/bus', { bus: 'master', volume: 0.5 });
		expect(await sources()).toMatchObject([{ gain: 0.25 }]);
		await post('/audio/bus', { bus: 'master', muted: true });
		expect(await sources()).toMatchObject([{ gain: 0 }]);
		await post('/audio/bus', { bus: 'master', muted: false });
		expect(await sources()).toMatchObject([{ gain: 0.25 }]);
	});

	test('on an existing entity follows it', async () => {
		const { entity_id } = await post('/spawn', {
			physics_body: 'Kinematic',
			velocity: { linear: [60, 0, 0] },
		});
		await post('/audio/play', { path: 'tone.wav', loop: true, entity_id });
		await post('/step', { ticks: 3 });
		const [source] = await sources();
		expect(source).toMatchObject({ entity_id, spatial: true });
		expect((source!.position as number[])[0]).toBeCloseTo(3, 4);
	});

	test('starts again when it is played again, and a stopped one stays stopped in forks and exports', async () => {
		const { entity_id } = await post('/audio/play', { path: 'tone.wav' });
		await post('/step', { ticks: 60 });
		await post('/audio/play', { path: 'tone.wav', entity_id });
		expect(await sources()).toMatchObject([{ playing: true, started: 60 }]);
		await post('/audio/stop', { entity_id });
		const { fork_id } = await post('/fork', { fork_id: 'other' });
		expect(await sources(`?world=${String(fork_id)}`)).toEqual(await sources());
		const document = await get('/scenario?exact=true');
		await post('/reset', { fresh: true });
		await post('/scenario', document);
		expect(await sources()).toMatchObject([{ entity_id, playing: false, path: 'tone.wav' }]);
	});

	test('changes only the digest of an entity with it', async () => {
		await post('/spawn', {});
		const { state_digest } = await get('/digest');
		await post('/audio/play', { path: 'tone.wav', entity_id: 0 });
		await post('/audio/bus', { bus: 'sfx', volume: 0 });
		expect((await get('/digest')).state_digest).toBe(state_digest);
	});
});

describe('rules', () => {
	test('play a sound once, from each entity, as an event with the hash of the file', async () => {
		await post('/spawn', { position: [3, 0, 0] });
		await post('/rule/create', {
			when: 'tick:1',
			do: ['play_sound tone.wav entity:0', 'play_sound tone.wav'],
		});
		const { events } = await post('/step', { events: ['sound_played'] });
		expect(events).toMatchObject([
			{ position: [3, 0, 0], volume: 1, clip: expect.stringMatching(/^[0-9a-f]{64}$/) },
			{ position: null },
		]);
		expect(await sources()).toEqual([]);
	});

	test('stop the sounds of entities', async () => {
		await post('/audio/play', { path: 'tone.wav', loop: true });
		await post('/rule/create', { when: 'tick:1', do: ['stop_sound entity:0'] });
		await post('/step');
		expect(await sources()).toMatchObject([{ playing: false }]);
	});
});

describe('is refused without a change', () => {
	test.each([
		['a path that is missing', {}, 'asset_missing'],
		['a file that is not there', { path: 'nowhere.wav' }, 'asset_missing'],
		['a file that is no sound', { path: 'no.wav' }, 'asset_refused'],
		['a sound without samples', { path: 'empty.wav' }, 'asset_refused'],
		['an entity that is not there', { path: 'tone.wav', entity_id: 9 }, 'entity_not_found'],
	])('%s', async (_, body, code) => {
		await post('/asset/upload?name=no.wav', { data: Buffer.from('no sound').toString('base64') });
		await post('/asset/upload?name=empty.wav', { data: wav({ seconds: 0 }).toString('base64') });
		const before = await get('/digest?future=true');
		const { status, body: answer } = await engine.call('POST', '/audio/play', body);
		expect({ status, ...answer }).toMatchObject({
			status: code === 'entity_not_found' ? 404 : 200,
			ok: false,
			code,
			error: expect.any(String),
		});
		expect(await get('/digest?future=true')).toEqual(before);
	});

	test('stopping an entity without a sound', async () => {
		await post('/spawn', {});
		expect((await engine.call('POST', '/audio/stop', { entity_id: 0 })).body).toMatchObject({
			code: 'no_sound',
		});
	});
});
