/** Small models for tests, as bytes. */

import { GlbWriter } from '../../relay/generate/procedural/glb.ts';

type Json = Record<string, unknown>;

/** Returns the eight corners and twelve triangles of a box, in metres. */
export function box(
	low: readonly number[],
	high: readonly number[],
): { points: number[]; corners: number[] } {
	const points = Array.from({ length: 8 }, (_, i) =>
		[0, 1, 2].map((axis) => ((i >> axis) & 1 ? high : low)[axis]!),
	).flat();
	const faces = [
		[0, 2, 3, 1],
		[4, 5, 7, 6],
		[0, 1, 5, 4],
		[2, 6, 7, 3],
		[0, 4, 6, 2],
		[1, 3, 7, 5],
	];
	const corners = faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]);
	return { points, corners };
}

/** Returns a model of a box in one colour, by default on the ground. `color` is linear red, green, blue. */
export function boxModel(
	color: readonly number[],
	{ low = [-0.5, 0, -0.5], high = [0.5, 1, 0.5], more = {} as Json, node = {} as Json } = {},
): Uint8Array {
	const writer = new GlbWriter();
	const { points, corners } = box(low, high);
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(points)) };
	const indices = writer.addAccessor('SCALAR', new Uint16Array(corners));
	return writer.glb({
		scene: 0,
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0, ...node }],
		meshes: [{ primitives: [{ attributes, indices, material: 0 }] }],
		materials: [{ pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0 } }],
		...more,
	});
}

const translation = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/**
 * Returns a skinned post of two joints, 2 m high. The lower half is bound to the first joint, the upper half to the second,
 * at half height. Clips: `bow` tips the upper half to +x within a second, `sink` moves the post 1 m down within two seconds,
 * `spin` turns it once in a second.
 */
export function postModel(color: readonly number[] = [0.8, 0.1, 0.1]): Uint8Array {
	const writer = new GlbWriter();
	const parts = [box([-0.3, 0, -0.3], [0.3, 1, 0.3]), box([-0.3, 1, -0.3], [0.3, 2, 0.3])];
	const points = parts.flatMap((part) => part.points);
	const corners = parts.flatMap((part, at) => part.corners.map((corner) => corner + at * 8));
	const joints = Array.from({ length: 16 }, (_, i) => [i < 8 ? 0 : 1, 0, 0, 0]).flat();
	const weights = Array.from({ length: 16 }, () => [1, 0, 0, 0]).flat();
	const attributes = {
		POSITION: writer.addAccessor('VEC3', new Float32Array(points)),
		JOINTS_0: writer.addAccessor('VEC4', new Uint8Array(joints)),
		WEIGHTS_0: writer.addAccessor('VEC4', new Float32Array(weights)),
	};
	const indices = writer.addAccessor('SCALAR', new Uint16Array(corners));
	const inverse = writer.addAccessor(
		'MAT4',
		new Float32Array([...translation(0, 0, 0), ...translation(0, -1, 0)]),
	);
	const clip = (name: string, node: number, path: string, times: number[], values: number[]) => ({
		name,
		samplers: [
			{
				input: writer.addAccessor('SCALAR', new Float32Array(times)),
				output: writer.addAccessor(path === 'rotation' ? 'VEC4' : 'VEC3', new Float32Array(values)),
				interpolation: 'LINEAR',
			},
		],
		channels: [{ sampler: 0, target: { node, path } }],
	});
	const half = Math.SQRT1_2;
	const animations = [
		clip('bow', 2, 'rotation', [0, 1], [0, 0, 0, 1, 0, 0, -half, half]),
		clip('sink', 1, 'translation', [0, 2], [0, 0, 0, 0, -1, 0]),
		clip('spin', 1, 'rotation', [0, 0.5, 1], [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, -1]),
	];
	return writer.glb({
		scene: 0,
		scenes: [{ nodes: [0, 1] }],
		nodes: [
			{ name: 'post', mesh: 0, skin: 0 },
			{ name: 'lower', children: [2] },
			{ name: 'upper', translation: [0, 1, 0] },
		],
		meshes: [{ primitives: [{ attributes, indices, material: 0 }] }],
		skins: [{ joints: [1, 2], inverseBindMatrices: inverse }],
		animations,
		materials: [{ pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0 } }],
	});
}

/**
 * Returns a box 1 m high with two morph targets: `tall` lifts its top by 1 m and `wide` moves its right side by 1 m.
 * At rest, `wide` has the weight 0.5. The clip `grow` makes the box tall within a second and keeps that weight. Without
 * `clips`, the model has no clip.
 */
export function morphModel({ clips = true } = {}): Uint8Array {
	const writer = new GlbWriter();
	const { points, corners } = box([-0.5, 0, -0.5], [0.5, 1, 0.5]);
	const offsetsAlong = (axis: number, from: number) =>
		writer.addAccessor(
			'VEC3',
			new Float32Array(points.map((value, i) => (i % 3 === axis && value > from ? 1 : 0))),
		);
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(points)) };
	const targets = [{ POSITION: offsetsAlong(1, 0.5) }, { POSITION: offsetsAlong(0, 0) }];
	const indices = writer.addAccessor('SCALAR', new Uint16Array(corners));
	const grow = {
		name: 'grow',
		samplers: [
			{
				input: writer.addAccessor('SCALAR', new Float32Array([0, 1])),
				output: writer.addAccessor('SCALAR', new Float32Array([0, 0.5, 1, 0.5])),
				interpolation: 'LINEAR',
			},
		],
		channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }],
	};
	return writer.glb({
		scene: 0,
		scenes: [{ nodes: [0] }],
		nodes: [{ name: 'box', mesh: 0 }],
		meshes: [{ primitives: [{ attributes, targets, indices, material: 0 }], weights: [0, 0.5] }],
		materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.8, 0.1, 0.1, 1], metallicFactor: 0 } }],
		...(clips ? { animations: [grow] } : {}),
	});
}

/** Encodes bytes for the body of /asset/upload. */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
