/** Ground in frames: all chunks once, and after an edit only the changed chunks. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksOf, frameOf } from '../../../web/frames/frame.ts';
import { decodeFrame, encodeFrame } from '../../../web/frames/frame-bytes.ts';
import type { Frame } from '../../../web/frames/frames.ts';
import { KnownWorld } from '../../../web/render/known-world.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const hills = { width: 512, height: 512, noise: { seed: 3, amount: 20 } };
const numbersIn = ({ blocks }: Frame) => blocks.terrains!.chunks.map(({ number }) => number);

test('an edit of 512 x 512 points with a brush of 16 m sends the touched chunks', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	await must('POST', '/terrain/create', hills);
	const knownWorld = new KnownWorld();
	const first = frameOf(main);
	expect(numbersIn(first)).toHaveLength(256);
	knownWorld.addFrame(first);
	// In the middle of a chunk, and at a corner of four chunks.
	for (const [x, z, touched] of [
		[80, 80, 1],
		[256, 256, 4],
	] as const) {
		const brush = { x, z, radius: 16, amount: 2 };
		expect(await must('POST', '/terrain/edit', brush)).toMatchObject({ chunks: touched });
		const next = frameOf(main, knownWorld.versions('main'));
		expect(Object.keys(next.blocks)).toEqual(['terrains']);
		expect(numbersIn(next)).toHaveLength(touched);
		// 4 KiB of heights per chunk, no paint, and the numbers of all chunks.
		expect(encodeFrame(next).length).toBeLessThan(touched * 4096 + 8192);
		const { frame } = decodeFrame(encodeFrame(next));
		expect(knownWorld.addFrame(frame)?.changed).toEqual(new Set(['terrains']));
		const whole = blocksOf(main.world).terrains;
		const sorted = (chunks: typeof whole.chunks) => [...chunks].sort((a, b) => a.number - b.number);
		expect(sorted(knownWorld.shown!.blocks.terrains.chunks)).toEqual(sorted(whole.chunks));
		expect(knownWorld.shown!.blocks.terrains.terrains).toEqual(whole.terrains);
	}
	await must('POST', '/terrain/edit', { op: 'paint', x: 80, z: 80, radius: 4, amount: 1, layer: 'sand' });
	const painted = frameOf(main, knownWorld.versions('main')).blocks.terrains!;
	expect(painted.chunks.map(({ paint }) => paint.length)).toEqual([32 * 32 * 4]);
});

test('a view with an old version, or one of another tab, is sent the missing chunks', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	await must('POST', '/terrain/create', { width: 128, height: 128, noise: {} });
	const old = frameOf(main).versions;
	await must('POST', '/terrain/edit', { x: 16, z: 16, radius: 4 });
	frameOf(main);
	await must('POST', '/terrain/edit', { x: 80, z: 80, radius: 4 });
	expect(numbersIn(frameOf(main, old))).toHaveLength(2);
	expect(numbersIn(frameOf(main, { ...old, terrains: 12345 }))).toHaveLength(16);
});

test('a promoted fork sends its own chunks, although newer ones of main are known', async () => {
	const { engine, must } = started;
	await must('POST', '/terrain/create', { width: 64, height: 64, noise: {} });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/terrain/edit?world=plan', { x: 10, z: 10, radius: 4, amount: 9 });
	const fork = engine.worlds.find('plan')!;
	expect(numbersIn(frameOf(fork))).toHaveLength(4);
	await must('POST', '/terrain/edit', { x: 50, z: 50, radius: 4, amount: 9 });
	const knownWorld = new KnownWorld();
	knownWorld.addFrame(frameOf(engine.worlds.main));
	await must('POST', '/fork/plan/promote', {});
	const taken = knownWorld.addFrame(frameOf(engine.worlds.main, knownWorld.versions('main')));
	const whole = blocksOf(engine.worlds.main.world).terrains;
	const numbers = (all: typeof whole.chunks) => all.map(({ number }) => number).sort();
	expect(numbers(taken!.shown.blocks.terrains.chunks)).toEqual(numbers(whole.chunks));
});

test('a move of other entities keeps the ground, and a move of the terrain sends no points', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	const { entity_id } = await must('POST', '/terrain/create', { width: 64, height: 64, noise: {} });
	const { id } = await must('POST', '/spawn', { mesh: 'cube' });
	const { versions } = frameOf(main);
	await must('POST', `/entities/${id}/components`, { transform: { position: [5, 0, 0] } });
	const moved = frameOf(main, versions);
	expect(moved.versions.terrains).toBe(versions.terrains);
	await must('POST', `/entities/${entity_id}/components`, { transform: { position: [5, 1, 0] } });
	const { terrains } = frameOf(main, moved.versions).blocks;
	expect(terrains).toMatchObject({ terrains: [{ position: [5, 1, 0] }], chunks: [] });
	await must('POST', '/despawn', { entity_id });
	expect(frameOf(main, moved.versions).blocks.terrains).toEqual({ terrains: [], chunks: [] });
});

test('flat ground is sent without points', async () => {
	const { engine, must } = started;
	await must('POST', '/terrain/create', { width: 512, height: 512 });
	const { terrains } = frameOf(engine.worlds.main).blocks;
	expect(terrains!.chunks).toEqual([]);
	expect(new Set(terrains!.terrains[0]!.chunks)).toEqual(new Set([0]));
});
