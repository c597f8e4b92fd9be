/** Frames bring only what is new; put together they are whole. */

import { expect, test } from 'vitest';
import type { BlockName, Frame, FrameBlocks } from '../../../web/frames/frames.ts';
import { KnownWorld } from '../../../web/render/known-world.ts';
import { blocksOf, cameraOf, shapes } from './page/scenes.ts';

const scene = shapes();
const blocks = blocksOf(scene, 0, cameraOf(scene, 1));
const names = Object.keys(blocks) as BlockName[];

function frame(
	world: string,
	version: number,
	sent: readonly BlockName[],
	from: FrameBlocks = blocks,
): Frame {
	const versions = Object.fromEntries(names.map((name) => [name, sent.includes(name) ? version : 1]));
	const given = Object.fromEntries(sent.map((name) => [name, from[name]]));
	return {
		world,
		line: 1,
		tick: version,
		playing: false,
		speed: 1,
		versions: versions as Frame['versions'],
		blocks: given,
		events: [{ tick: version, kind: 'death', data: {} }],
	};
}

test('parts that a frame leaves out stay unchanged', () => {
	const knownWorld = new KnownWorld();
	expect(knownWorld.addFrame(frame('main', 1, names))?.previous).toBeNull();
	const moved = { ...blocks, poses: blocks.poses.slice().fill(3) };
	const taken = knownWorld.addFrame(frame('main', 2, ['poses'], moved));
	expect([...taken!.changed]).toEqual(['poses']);
	expect(taken!.shown.blocks).toEqual(moved);
	expect(taken!.previous?.blocks).toEqual(blocks);
	expect(taken!.events.map(({ tick }) => tick)).toEqual([2]);
	expect(knownWorld.versions('main')).toMatchObject({ poses: 2, rows: 1 });
});

test('data of one world do not apply to another', () => {
	const knownWorld = new KnownWorld();
	knownWorld.addFrame(frame('main', 1, names));
	expect(knownWorld.versions('plan')).toEqual({});
	const taken = knownWorld.addFrame(frame('plan', 1, names));
	expect(taken?.previous).toBeNull();
	// What happened there is not what brought the picture from one world to the other.
	expect(taken?.events).toEqual([]);
	expect(knownWorld.versions('main')).toEqual({});
});

test('a frame that lacks unknown parts is not shown, and the view asks for everything', () => {
	const knownWorld = new KnownWorld();
	expect(knownWorld.addFrame(frame('main', 1, ['poses']))).toBeNull();
	knownWorld.addFrame(frame('main', 1, names));
	const stale = { ...frame('main', 2, ['poses']), versions: { ...frame('main', 2, names).versions } };
	expect(knownWorld.addFrame(stale)).toBeNull();
	expect(knownWorld.shown).toBeNull();
	expect(knownWorld.versions('main')).toEqual({});
});
