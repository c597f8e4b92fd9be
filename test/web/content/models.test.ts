/** Shipped models: the files equal the output of their generator, and the models stand as scenes expect. */

import { readdirSync, readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { Sculpture } from '../../../relay/generate/procedural/sculpture.ts';
import { box, mirror, move, plate, type Solid, turn } from '../../../relay/generate/procedural/solid.ts';
import { ICONS } from '../../../web/content/icons.ts';
import { MODELS } from '../../../web/content/models/index.ts';
import { FIGHTER_CLIPS } from '../../../web/content/models/movements.ts';
import { VILLAGE } from '../../../web/content/models/village.ts';
import { gltfOf } from '../../../web/sim/models/gltf.ts';
import { modelOf } from '../../../web/sim/models/model.ts';

const folder = new URL('../../../public/models/', import.meta.url);
/** Models whose base is not at their origin. Other models of a village may reach 1 m below it, because the ground may slope. */
const LOW = new Set(['chest_lid', 'wrecking_ball', 'mill_sails']);

test('npm run models makes exactly these files, and they are small together', () => {
	const names = Object.keys(MODELS);
	expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.glb`).sort());
	let bytes = 0;
	for (const name of names) {
		const file = readFileSync(new URL(`${name}.glb`, folder));
		expect(file.equals(MODELS[name]!().glb()), `${name}: run npm run models`).toBe(true);
		bytes += file.length;
	}
	expect(bytes).toBeLessThan(400_000);
});

test('every icon of goods shows its model on a clear ground', () => {
	const icons = new URL('../../../public/pictures/items/', import.meta.url);
	expect(readdirSync(icons).sort()).toEqual(
		Object.keys(ICONS)
			.map((name) => `${name}.png`)
			.sort(),
	);
	for (const name of Object.keys(ICONS)) {
		const { width, height, channels, data } = decode(readFileSync(new URL(`${name}.png`, icons)));
		expect([width, height, channels], `${name}: run npm run models`).toEqual([64, 64, 4]);
		const covered = data.filter((value, at) => at % 4 === 3 && value > 0).length / (64 * 64);
		expect([name, covered > 0.05 && covered < 0.9]).toEqual([name, true]);
	}
});

test.each(Object.keys(MODELS))('%s is a model with its base at the origin', (name) => {
	const file = MODELS[name]!().glb();
	const { low, high } = modelOf(file, name);
	for (const axis of [0, 1, 2]) expect(high[axis]! - low[axis]!).toBeGreaterThan(0.1);
	for (const axis of [0, 2]) {
		expect(low[axis]).toBeLessThan(0);
		expect(high[axis]).toBeGreaterThan(0);
	}
	if (!LOW.has(name)) {
		expect(low[1]).toBeGreaterThan(name in VILLAGE ? -1 : -0.05);
		expect(low[1]).toBeLessThan(0.05);
	}
	const { primitives } = gltfOf(file, name).json.meshes[0]!;
	expect(primitives.length).toBeLessThanOrEqual(4);
	// Reading and writing a model keeps its bytes.
	expect(Buffer.from(file).equals(Sculpture.read(file).glb())).toBe(true);
});

/** Returns six times the volume inside faces. They are counterclockwise seen from outside. */
const volume = (solid: Solid): number =>
	solid.reduce((sum, [a, ...rest]) => {
		for (let i = 0; i + 1 < rest.length; i++) {
			const [b, c] = [rest[i]!, rest[i + 1]!];
			sum +=
				a![0] * (b[1] * c[2] - b[2] * c[1]) -
				a![1] * (b[0] * c[2] - b[2] * c[0]) +
				a![2] * (b[0] * c[1] - b[1] * c[0]);
		}
		return sum;
	}, 0);

test('solids are closed and face outwards, also turned or mirrored', () => {
	const cube = move(box(1, 1, 1), 3, -0.5, 2);
	expect(volume(cube)).toBeCloseTo(6);
	expect(volume(mirror(turn(cube, 'y', 30)))).toBeCloseTo(6);
	for (const outline of [
		[
			[0, 0],
			[2, 0],
			[0, 1],
		],
		[
			[0, 1],
			[2, 0],
			[0, 0],
		],
	] as const)
		expect(volume(move(plate(0.5, ...outline), 0, 4, 7))).toBeCloseTo(3);
});

test('three fighters have the clips of a fight, and all but the last begin and end upright', () => {
	for (const name of ['knight', 'soldier', 'goblin']) {
		const { clips } = modelOf(MODELS[name]!().glb(), name);
		expect(clips.map((clip) => clip.name)).toEqual(['idle', 'walk', 'attack', 'die']);
		for (const { duration } of clips) expect(duration).toBeGreaterThan(0.4);
	}
	for (const { name, turns } of FIGHTER_CLIPS) {
		expect(turns.slice(0, 4)).toEqual([0, 0, 0, 1]);
		if (name !== 'die') expect(turns.slice(-4)).toEqual([0, 0, 0, 1]);
		for (let at = 0; at < turns.length; at += 4)
			expect(turns.slice(at, at + 4).reduce((sum, part) => sum + part * part, 0)).toBeCloseTo(1, 3);
	}
});
