/** Materials in pictures: colour, metal, emitted light, glass, cut-outs and textures. */

import { encode } from 'fast-png';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { GlbWriter } from '../../../relay/generate/procedural/glb.ts';
import { base64 } from '../../support/glb.ts';
import { type Lab, openLab, type Picture, type Rgb } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	// The camera looks straight at the wall.
	await lab.must('POST', '/camera', { eye: [0, 2, 6], target: [0, 2, 0] });
});

const wall = { mesh: 'cube', color: 'white', position: [0, 2, 0], scale: [3, 3, 0.2] };
const middle = [0.4, 0.3, 0.6, 0.7] as const;
const bright = ([red, green, blue]: Rgb) => red + green + blue;

/** Returns a texture of four squares: red and green above, blue and transparent below. */
function squares(): string {
	const [red, green, blue, clear] = [
		[255, 0, 0, 255],
		[0, 255, 0, 255],
		[0, 0, 255, 255],
		[255, 255, 255, 0],
	];
	const rows = Array.from({ length: 8 }, (_, y) =>
		Array.from({ length: 8 }, (_, x) => (y < 4 ? (x < 4 ? red : green) : x < 4 ? blue : clear)!),
	);
	return Buffer.from(
		encode({ width: 8, height: 8, channels: 4, depth: 8, data: new Uint8Array(rows.flat(2)) }),
	).toString('base64');
}

test('albedo, emitted light, glass, and taking it all away again', async () => {
	const { id } = await lab.must('POST', '/spawn', wall);
	const plain = await lab.picture('material-plain');
	const before = plain.mean(...middle);

	await lab.must('POST', '/material/set', { entity_id: id, albedo: [0.9, 0.1, 0.1, 1] });
	const [red, green] = (await lab.picture('material-red')).mean(...middle);
	expect(red).toBeGreaterThan(2 * green);

	await lab.must('POST', '/material/set', { entity_id: id, albedo: [0, 0, 0, 1], emissive: [0, 3, 0] });
	const glow = (await lab.picture('material-glow')).mean(...middle);
	expect(glow[1]).toBeGreaterThan(150);
	expect(glow[0]).toBeLessThan(glow[1] / 2);

	await lab.must('POST', '/spawn', {
		mesh: 'cube',
		color: 'red',
		position: [0, 2, -3],
		scale: [1.5, 1.5, 0.2],
	});
	const set = { entity_id: id, replace: true, albedo: [1, 1, 1, 0.2], alpha_mode: 'blend' };
	await lab.must('POST', '/material/set', set);
	const glass = (await lab.picture('material-glass')).mean(0.48, 0.45, 0.52, 0.55);
	expect(glass[0]).toBeGreaterThan(glass[2] * 1.3);

	await lab.must('POST', `/entities/${id}/components`, { remove: ['material'] });
	const again = (await lab.picture('material-removed')).mean(...middle);
	for (const part of [0, 1, 2]) expect(again[part]).toBeCloseTo(before[part]!, 0);
});

test('a metal mirrors the sky, and a named material changes every entity that uses it', async () => {
	const ball = { mesh: 'sphere', position: [0, 2, 0], scale: [3, 3, 3], material: 'brass' };
	const spawned = await lab.must('POST', '/spawn', ball);
	expect(spawned.warnings).toEqual([expect.stringContaining('"brass" is not defined yet')]);
	const brass = { name: 'brass', albedo: [0.85, 0.65, 0.3, 1], metallic: 1, roughness: 0.25 };
	await lab.must('POST', '/material/define', brass);
	const metal = await lab.picture('material-brass');
	expect(bright(metal.mean(0.45, 0.25, 0.55, 0.35))).toBeGreaterThan(
		bright(metal.mean(0.45, 0.6, 0.55, 0.7)),
	);
	await lab.must('POST', '/material/define', { ...brass, albedo: [0.1, 0.2, 0.9, 1], metallic: 0 });
	const [red, , blue] = (await lab.picture('material-blue')).mean(...middle);
	expect(blue).toBeGreaterThan(1.5 * red);
});

test('a texture is upright, is cut out by its alpha, repeats, and can be deleted when no entity uses it', async () => {
	const { hash } = await lab.must('POST', '/asset/upload?name=textures/squares.png', { data: squares() });
	const { id } = await lab.must('POST', '/spawn', wall);
	await lab.must('POST', '/material/set', {
		entity_id: id,
		texture: 'textures/squares.png',
		alpha_mode: 'mask',
	});
	expect((await lab.must('GET', `/entities/${id}`)).material).toEqual({ texture: hash, alpha_mode: 'mask' });
	const picture = await lab.picture('material-texture');
	const [topLeft, topRight, lowLeft, lowRight] = [
		picture.mean(0.4, 0.3, 0.46, 0.42),
		picture.mean(0.54, 0.3, 0.6, 0.42),
		picture.mean(0.4, 0.58, 0.46, 0.7),
		picture.mean(0.54, 0.58, 0.6, 0.7),
	] as const;
	expect(topLeft[0]).toBeGreaterThan(2 * Math.max(topLeft[1], topLeft[2]));
	expect(topRight[1]).toBeGreaterThan(2 * Math.max(topRight[0], topRight[2]));
	expect(lowLeft[2]).toBeGreaterThan(2 * Math.max(lowLeft[0], lowLeft[1]));
	// The white corner is transparent and shows the grass.
	expect(lowRight[1]).toBeGreaterThan(lowRight[2] * 1.1);
	// The cut-out part has no entity in the segmentation, either.
	const ids = await lab.picture('material-texture-ids', 160, 90, '&channel=segmentation');
	expect(ids.at(70, 35)).not.toEqual([0, 0, 0]);
	expect(ids.at(91, 58)).toEqual([0, 0, 0]);

	await lab.must('POST', '/material/set', { entity_id: id, repeat: [2, 2] });
	const four = await lab.picture('material-repeat');
	expect(four.mean(0.53, 0.55, 0.55, 0.6)[0]).toBeGreaterThan(2 * four.mean(0.53, 0.55, 0.55, 0.6)[1]);

	expect(await lab.call('DELETE', `/asset/${hash}`)).toMatchObject({ code: 'asset_in_use' });
	await lab.must('POST', '/despawn', { entity_id: id });
	await lab.must('DELETE', `/asset/${hash}`);
});

/** Returns a texture of one colour. */
const plainTexture = (...color: readonly number[]): Uint8Array =>
	encode({
		width: 2,
		height: 2,
		channels: 3,
		depth: 8,
		data: Uint8Array.from({ length: 12 }, (_, i) => color[i % 3]!),
	});

/** Normal textures whose normals all lean up, or down. */
const UP = plainTexture(128, 218, 218);
const DOWN = plainTexture(128, 38, 218);
const BLACK = plainTexture(0, 0, 0);

/** Surfaces as materials of entities, each with the same surface in glTF. They use the textures above. */
const SURFACES = [
	[{ normal_texture: 'up.png' }, { normalTexture: { index: 0 } }],
	[{ normal_texture: 'down.png' }, { normalTexture: { index: 1 } }],
	[{ occlusion_texture: 'black.png' }, { occlusionTexture: { index: 2 } }],
	[
		{ occlusion_texture: 'black.png', occlusion_strength: 0 },
		{ occlusionTexture: { index: 2, strength: 0 } },
	],
	[{ transmission: 1 }, { extensions: { KHR_materials_transmission: { transmissionFactor: 1 } } }],
	[
		{ transmission: 1, metallic: 1 },
		{
			pbrMetallicRoughness: { metallicFactor: 1, roughnessFactor: 0.5 },
			extensions: { KHR_materials_transmission: { transmissionFactor: 1 } },
		},
	],
] as const;

const PLACES = SURFACES.map((_, i) => (i - (SURFACES.length - 1) / 2) * 1.1);

/** Returns a model with a plate for each glTF surface of `SURFACES`. The plates face the camera. */
function plates(): Uint8Array {
	const writer = new GlbWriter();
	const attributes = {
		POSITION: writer.addAccessor(
			'VEC3',
			new Float32Array([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]),
		),
		NORMAL: writer.addAccessor('VEC3', new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])),
		TEXCOORD_0: writer.addAccessor('VEC2', new Float32Array([0, 1, 1, 1, 1, 0, 0, 0])),
	};
	const indices = writer.addAccessor('SCALAR', new Uint16Array([0, 1, 2, 0, 2, 3]));
	const images = [UP, DOWN, BLACK].map((bytes) => ({
		bufferView: writer.addView(bytes),
		mimeType: 'image/png',
	}));
	return writer.glb({
		scenes: [{ nodes: SURFACES.map((_, i) => i) }],
		nodes: PLACES.map((x, mesh) => ({ mesh, translation: [x, 0, 0] })),
		meshes: SURFACES.map((_, material) => ({ primitives: [{ attributes, indices, material }] })),
		materials: SURFACES.map(([, look]) => ({
			pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.5 },
			...look,
		})),
		images,
		textures: images.map((_, source) => ({ source })),
		extensionsUsed: ['KHR_materials_transmission'],
	});
}

test('bumps, hollows and glass of a material, and of a model, are as glTF defines them; unlit paint needs no light', async () => {
	for (const [name, bytes] of Object.entries({ 'up.png': UP, 'down.png': DOWN, 'black.png': BLACK }))
		await lab.must('POST', `/asset/upload?name=${name}`, { data: base64(bytes) });
	await lab.must('POST', '/asset/upload?name=models/plates.glb', { data: base64(plates()) });
	for (const kind of ['material', 'model']) {
		await lab.must('POST', '/reset', { fresh: true });
		await lab.must('POST', '/camera', {
			eye: [0, 2, 6],
			target: [0, 2, 0],
			orthographic: true,
			ortho_size: 2,
		});
		await lab.must('POST', '/spawn', {
			mesh: 'cube',
			color: 'red',
			position: [0, 2, -2],
			scale: [8, 2, 0.2],
		});
		if (kind === 'model')
			await lab.must('POST', '/spawn', { mesh: 'models/plates.glb', position: [0, 2, 0] });
		else
			for (const [i, [material]] of SURFACES.entries())
				await lab.must('POST', '/spawn', {
					mesh: 'cube',
					color: 'white',
					position: [PLACES[i], 2, 0],
					scale: [1, 1, 0.1],
					material,
				});
		const picture = await lab.picture(`material-relief-${kind}`);
		const [up, down, shut, open, glass, metal] = PLACES.map((x) => {
			const middle = 0.5 + (x * 45) / 2 / 160;
			return picture.mean(middle - 0.03, 0.45, middle + 0.03, 0.55);
		}) as [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb];
		expect(bright(up), `${kind}: the sun is above`).toBeGreaterThan(1.3 * bright(down));
		expect(bright(open), kind).toBeGreaterThan(1.1 * bright(shut));
		expect(glass[0], `${kind}: red behind`).toBeGreaterThan(1.5 * glass[2]);
		expect(metal[0], `${kind}: nothing behind`).toBeLessThan(1.3 * metal[2]);
	}
	await lab.must('POST', '/sky/settings', { time_of_day: 0, sun_intensity: 0, ambient_intensity: 0 });
	const material = { albedo: [0.9, 0.1, 0.1, 1], unlit: true };
	await lab.must('POST', '/spawn', { mesh: 'cube', position: [0, 2, 1], scale: [9, 9, 0.1], material });
	expect((await lab.picture('material-unlit')).mean(...middle)[0]).toBeGreaterThan(100);
});

test('many surfaces of different colours stay one draw for each mesh', async () => {
	const mesh = 'cube';
	const plain = Array.from({ length: 60 }, (_, i) => ({
		path: '/spawn',
		body: { mesh, position: [i, 1, 0] },
	}));
	await lab.must('POST', '/batch', { requests: plain });
	const draws = await lab.drawCalls(60);
	await lab.must('POST', '/reset', { fresh: true });
	const requests = Array.from({ length: 60 }, (_, i) => ({
		path: '/spawn',
		body: {
			mesh,
			position: [(i % 10) - 4.5, 0.5, -Math.floor(i / 10)],
			scale: [0.6, 0.6, 0.6],
			material: { albedo: [i / 60, 1 - i / 60, 0.5, 1], metallic: (i % 7) / 7, roughness: (i % 5) / 5 },
		},
	}));
	await lab.must('POST', '/batch', { requests });
	expect(await lab.drawCalls(60)).toBe(draws);
	await lab.must('POST', '/camera', { eye: [0, 7, 9], target: [0, 0, -2] });
	const picture = await lab.picture('material-many', 320, 180);
	const colors = new Set<string>();
	for (let x = 0; x < 320; x += 2) for (let y = 60; y < 150; y += 2) colors.add(picture.at(x, y).join());
	expect(colors.size).toBeGreaterThan(100);
});

/** Returns the standard deviation of the brightness in the middle of a picture. */
function spread(picture: Picture): number {
	const values: number[] = [];
	for (let x = 55; x < 105; x++) for (let y = 35; y < 65; y++) values.push(bright(picture.at(x, y)));
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

test('a wide rough floor has slabs; a smooth half-transparent one is water, which depends on the tick', async () => {
	await lab.must('POST', '/sky/settings', { time_of_day: 12, plate: false });
	await lab.must('POST', '/camera', { eye: [0, 6, 5], target: [0, 0, 0] });
	const floor = { mesh: 'cube', color: 'white', scale: [12, 0.1, 12], material: { roughness: 0.95 } };
	const { id } = await lab.must('POST', '/spawn', floor);
	const paved = spread(await lab.picture('material-floor'));
	await lab.must('POST', '/material/set', { entity_id: id, roughness: 0.8 });
	expect(paved).toBeGreaterThan(1.5 * spread(await lab.picture('material-wall')));

	const look = async (alpha: number): Promise<[Picture, Picture, Picture]> => {
		const set = { entity_id: id, replace: true, roughness: 0.1, alpha_mode: 'blend' };
		await lab.must('POST', '/material/set', { ...set, albedo: [0.1, 0.4, 0.6, alpha] });
		const pictures = [
			await lab.picture('material-sheet'),
			await lab.picture('material-sheet-again'),
		] as const;
		await lab.must('POST', '/step', { ticks: 30 });
		return [...pictures, await lab.picture('material-sheet-later')];
	};
	const [water, again, later] = await look(0.85);
	expect(again.bytes).toEqual(water.bytes);
	expect(later.bytes).not.toEqual(water.bytes);
	const [glass, , still] = await look(0.3);
	expect(still.bytes).toEqual(glass.bytes);
});

test('a shape that emits light has a halo if it is a point light, also without effects', async () => {
	await lab.must('POST', '/sky/settings', { time_of_day: 0, plate: false });
	const lamp = { mesh: 'sphere', position: [0, 2, 0], material: { emissive: [3, 2, 1] } };
	const { id } = await lab.must('POST', '/spawn', lamp);
	const beside = [0.56, 0.45, 0.6, 0.55] as const;
	const dark = (await lab.picture('material-globe')).mean(...beside);
	const light = { kind: 'point', intensity: 1, range: 1 };
	await lab.must('POST', `/entities/${id}/components`, { light });
	const [red, green, blue] = (await lab.picture('material-lamp')).mean(...beside);
	expect(bright([red, green, blue])).toBeGreaterThan(bright(dark) + 30);
	expect(red - dark[0]).toBeGreaterThan(blue - dark[2]);
});
