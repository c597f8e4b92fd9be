/** Frames for views in other tabs: they decode to the same frame, and are encoded once for all readers. */

import { expect, test } from 'vitest';
import { frameOf } from '../../../web/frames/frame.ts';
import { decodeFrame, encodeFrame, FRAME_TYPE } from '../../../web/frames/frame-bytes.ts';
import { createFrameMaker } from '../../../web/frames/frame-maker.ts';
import { finishWork } from '../../../web/sim/core/sliced-work.ts';
import { startEngine } from '../../support/engine.ts';

test('a frame reads back from its bytes unchanged, with any arrays', async () => {
	const { engine, must } = await startEngine();
	await must('POST', '/spawn', { mesh: 'cube', team: 1, health: 20, position: [1, 2, 3] });
	await must('POST', '/spawn', { mesh: 'sphere', color: 'gold', tags: ['a'] });
	const frame = frameOf(engine.worlds.main);
	const { frame: again, buffers } = decodeFrame(encodeFrame(frame));
	expect(again).toEqual(frame);
	expect(buffers.length).toBeGreaterThan(3);
	expect(() => decodeFrame(encodeFrame(frame).subarray(0, -4))).toThrow(RangeError);
});

test('known parts are left out, and a frame is made once until something changes', async () => {
	const { engine, must, call } = await startEngine();
	await must('POST', '/spawn', { mesh: 'cube' });
	const maker = createFrameMaker(engine.happened);
	const make = () => finishWork(maker(engine.worlds.main.world, engine.worlds.main, {}, undefined));
	const first = make();
	expect(make()).toBe(first);
	await must('POST', '/step', { ticks: 1 });
	expect(make()).not.toBe(first);
	const all = (await must('GET', '/frame')) as { blocks: string[]; versions: Record<string, number> };
	const versions = Object.entries(all.versions).map(([name, version]) => `${name}:${version}`);
	expect((await must('GET', `/frame?known=${versions.join()}`)).blocks).toEqual([]);
	const bytes = await engine.handle({
		method: 'GET',
		path: '/frame',
		query: '',
		headers: { accept: FRAME_TYPE },
		body: new Uint8Array(0),
	});
	expect(bytes.headers['content-type']).toBe(FRAME_TYPE);
	expect(decodeFrame(bytes.body).frame.tick).toBe(1);
	expect((await call('GET', '/watch')).body).toMatchObject({ tick: 1, entity_count: 1 });
	// Visiting pages ask very often, so the log has no entries of these calls.
	const { calls } = (await must('GET', '/watch?after=1')) as { calls: { path: string; number: number }[] };
	expect(calls.map(({ path }) => path)).toEqual(['/step']);
});

test('events since the last frame are included', async () => {
	const { must } = await startEngine();
	const { id } = await must('POST', '/spawn', { mesh: 'cube', health: 20 });
	expect(await must('GET', '/frame?since=0')).toMatchObject({ event_count: 0 });
	await must('POST', '/entity/damage', { entity_id: id, amount: 50 });
	await must('POST', '/step', { ticks: 5 });
	expect((await must('GET', '/frame?since=0')).event_count).toBeGreaterThan(0);
	expect(await must('GET', '/frame?since=5')).toMatchObject({ event_count: 0 });
	expect(await must('GET', '/frame')).toMatchObject({ event_count: 0 });
});
