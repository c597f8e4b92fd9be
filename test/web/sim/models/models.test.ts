/** Models: reading of their bytes, refusal of invalid bytes, and their bodies. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GlbWriter, glbOf } from '../../../../relay/generate/procedural/glb.ts';
import { modelOf } from '../../../../web/sim/models/model.ts';
import { hullPointsOf, trianglesOf } from '../../../../web/sim/models/solid.ts';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';
import { base64, box, boxModel, postModel } from '../../../support/glb.ts';

const turnedBox = boxModel([1, 1, 1], {
	low: [-1, 0, -2],
	high: [1, 1, 2],
	// A quarter turn about y, twice as large, 3 m up.
	node: { translation: [0, 3, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: [2, 2, 2] },
});

const closeTo = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 5));

test('bounds, joints and clips are read from the bytes', () => {
	const box = modelOf(turnedBox, 'it');
	expect([box.low, box.high]).toEqual([closeTo([-4, 3, -2]), closeTo([4, 5, 2])]);
	const post = modelOf(postModel(), 'it');
	expect([post.low, post.high]).toEqual([closeTo([-0.3, 0, -0.3]), closeTo([0.3, 2, 0.3])]);
	expect(post.joints).toEqual(['lower', 'upper']);
	expect(post.clips).toEqual([
		{ name: 'bow', duration: 1, channels: 1 },
		{ name: 'sink', duration: 2, channels: 1 },
		{ name: 'spin', duration: 1, channels: 1 },
	]);
});

test('a body has each corner once, at its position', () => {
	const { points, triangles } = trianglesOf(turnedBox, 'it');
	expect([points!.length, triangles!.length]).toEqual([8, 12]);
	expect(Math.max(...points!.map(([x]) => x))).toBeCloseTo(4, 5);
	expect(hullPointsOf(turnedBox, 'it')).toHaveLength(8);
	expect(trianglesOf(turnedBox, 'it')).toEqual({ points, triangles });
});

test('a hull of many points uses the outermost ones', () => {
	const writer = new GlbWriter();
	const ball: number[] = [];
	for (let i = 0; i < 3000; i++) {
		const [turn, up] = [i * 2.4, 1 - (2 * i) / 2999];
		const wide = Math.sqrt(1 - up * up);
		ball.push(Math.cos(turn) * wide, up, Math.sin(turn) * wide);
	}
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(ball)) };
	const bytes = writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }],
	});
	const points = hullPointsOf(bytes, 'it');
	expect(points.length).toBeGreaterThan(100);
	expect(points.length).toBeLessThanOrEqual(256);
	for (const axis of [0, 1, 2]) {
		expect(Math.max(...points.map((point) => point[axis]!))).toBeGreaterThan(0.99);
		expect(Math.min(...points.map((point) => point[axis]!))).toBeLessThan(-0.99);
	}
});

test('a mesh and a hull have each position once', () => {
	const writer = new GlbWriter();
	// Each position occurs six times, in no order, and sometimes with -0 for 0.
	const positions = Array.from({ length: 6000 }, (_, i) => {
		const cell = (i * 7919) % 1000;
		return [
			cell % 10 === 0 && i % 2 === 0 ? -0 : cell % 10,
			Math.floor(cell / 10) % 10,
			Math.floor(cell / 100),
		];
	});
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(positions.flat())) };
	const bytes = writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }],
	});
	const { points, triangles } = trianglesOf(bytes, 'it');
	const distinct = [...new Set(positions.map((position) => position.join()))];
	expect(points!.map((point) => point.join())).toEqual(distinct);
	expect(triangles).toHaveLength(2000);
	for (const [i, corners] of triangles!.entries())
		expect(corners.map((corner) => points![corner]!.join())).toEqual(
			[0, 1, 2].map((corner) => positions[i * 3 + corner]!.join()),
		);
	const hull = hullPointsOf(bytes, 'it').map((point) => point.join());
	expect(new Set(hull).size).toBe(hull.length);
	for (const corner of ['0,0,0', '9,0,0', '0,9,9', '9,9,9']) expect(hull).toContain(corner);
});

test('an accessor shared by many parts of a model is read once', () => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(9)) };
	const indices = writer.addAccessor('SCALAR', new Uint16Array(300));
	const input = writer.addAccessor('SCALAR', new Float32Array(300).fill(1));
	const output = writer.addAccessor('VEC3', new Float32Array(900));
	const bytes = writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }, { primitives: Array(500).fill({ attributes, indices }) }],
		animations: [
			{
				samplers: Array(500).fill({ input, output }),
				channels: [{ sampler: 0, target: { node: 0, path: 'scale' } }],
			},
		],
	});
	const readUint16 = vi.spyOn(DataView.prototype, 'getUint16');
	const readFloat32 = vi.spyOn(DataView.prototype, 'getFloat32');
	expect(modelOf(bytes, 'it').clips).toEqual([{ name: 'clip 0', duration: 1, channels: 1 }]);
	expect(readUint16.mock.calls.length).toBe(300);
	expect(readFloat32.mock.calls.length).toBeLessThan(1000);
	vi.restoreAllMocks();
});

const asset = { version: '2.0' };
/** Returns a model of one triangle. */
const triangle = (more: Json = {}, primitive: Json = {}, nodes: Json[] = [{ mesh: 0 }]): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(9)) };
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes,
		meshes: [{ primitives: [{ attributes, ...primitive }] }],
		...more,
	});
};

/** Returns a triangle with a clip that moves it. */
const animatedTriangle = (
	path: string,
	times: readonly number[],
	type: 'VEC3' | 'VEC4',
	values: readonly number[],
	sampler: Json = {},
): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(9)) };
	const input = writer.addAccessor('SCALAR', new Float32Array(times));
	const output = writer.addAccessor(type, new Float32Array(values));
	Object.assign(writer.accessors[input]!, { min: undefined, max: undefined });
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }],
		animations: [
			{
				samplers: [{ input, output, ...sampler }],
				channels: [{ sampler: 0, target: { node: 0, path } }],
			},
		],
	});
};
const NO_ROTATION = [0, 0, 0, 1];

/** Returns the header of a picture, which contains only its size. */
const pngHeader = (side: number): Uint8Array => {
	const bytes = Buffer.alloc(33);
	bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
	bytes.writeUInt32BE(side, 16);
	bytes.writeUInt32BE(side, 20);
	return bytes;
};
/** Returns a triangle with `times` materials, each with a picture of `side` pixels. */
const withPictures = (side: number, times: number): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(9)) };
	const bufferView = writer.addView(pngHeader(side));
	const each = <T>(make: (index: number) => T) => Array.from({ length: times }, (_, index) => make(index));
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }],
		images: each(() => ({ bufferView, mimeType: 'image/png' })),
		textures: each((source) => ({ source })),
		materials: each((index) => ({ emissiveTexture: { index } })),
	});
};

/** Returns a triangle whose material has one texture; `images` are the bytes of the pictures. */
const withTexture = (texture: Json, images: readonly Uint8Array[], more: Json = {}): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(9)) };
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes, material: 0 }] }],
		images: images.map((bytes) => ({ bufferView: writer.addView(bytes), mimeType: 'image/png' })),
		textures: [texture],
		materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
		...more,
	});
};

test.each(['KHR_texture_basisu', 'EXT_texture_avif', 'MSFT_texture_dds'])(
	'a texture with %s is drawn with the PNG that it also names, or not at all',
	(extension) => {
		const other = new Uint8Array(Buffer.from('another encoding'));
		const texture = { source: 0, extensions: { [extension]: { source: 1 } } };
		const more = { extensionsUsed: [extension] };
		expect(modelOf(withTexture(texture, [pngHeader(4), other], more), 'it').undrawn).toEqual([]);
		const bare = { extensions: { [extension]: { source: 0 } } };
		expect(modelOf(withTexture(bare, [other], more), 'it').undrawn).toEqual([
			'texture 0, which is not a PNG, JPEG or WebP',
		]);
		const required = withTexture(texture, [pngHeader(4), other], { extensionsRequired: [extension] });
		expect(() => modelOf(required, 'it')).toThrow(`requires ${extension}`);
	},
);

test('a texture with a WebP is checked by that picture, and not by its fallback', () => {
	const texture = { source: 0, extensions: { EXT_texture_webp: { source: 1 } } };
	const text = new Uint8Array(Buffer.from('no picture'));
	expect(modelOf(withTexture(texture, [text, pngHeader(4)]), 'it').undrawn).toEqual([]);
	expect(() => modelOf(withTexture(texture, [pngHeader(4), text]), 'it')).toThrow('picture 1 is not a PNG');
});

test('undrawn parts are listed: lines, further joints, directional lights, optional extensions', () => {
	const writer = new GlbWriter();
	const POSITION = writer.addAccessor('VEC3', new Float32Array(9));
	const JOINTS_1 = writer.addAccessor('VEC4', new Uint8Array(12));
	const lights = ['point', 'directional'].map((type) => ({ type }));
	const scene = {
		scenes: [{ nodes: [0, 1] }],
		nodes: [{ mesh: 0 }, { extensions: { KHR_lights_punctual: { light: 1 } } }],
		meshes: [{ primitives: [{ attributes: { POSITION }, mode: 1 }, { attributes: { POSITION, JOINTS_1 } }] }],
		extensions: { KHR_lights_punctual: { lights } },
		extensionsUsed: ['KHR_lights_punctual', 'KHR_materials_variants', 'KHR_materials_unlit'],
	};
	expect(modelOf(writer.glb(scene), 'it')).toMatchObject({
		drawable: true,
		undrawn: [
			'its lines and points (1 of 2 parts)',
			'joints after the fourth of each vertex',
			'its directional lights',
			'KHR_materials_variants',
		],
	});
	expect(modelOf(triangle({}, { mode: 0 }), 'it').drawable).toBe(false);
	const required = { ...scene, extensionsRequired: ['KHR_lights_punctual'] };
	expect(() => modelOf(writer.glb(required), 'it')).toThrow('directional lights');
});

test('a spot light of a model is at its node', () => {
	const light = { type: 'spot', color: [1, 0.5, 0], intensity: 20, range: 9, spot: { outerConeAngle: 0.5 } };
	const lit = triangle({ extensions: { KHR_lights_punctual: { lights: [light] } } }, {}, [
		{ mesh: 0, translation: [0, 2, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], children: [1] },
		{ translation: [0, 0, 3], extensions: { KHR_lights_punctual: { light: 0 } } },
	]);
	expect(modelOf(lit, 'it').lights).toEqual([
		{
			kind: 'spot',
			position: closeTo([3, 2, 0]),
			direction: closeTo([-1, 0, 0]),
			color: [1, 0.5, 0],
			intensity: 20,
			range: 9,
			angle: 0.5,
		},
	]);
});

/**
 * Returns a box whose sparse accessor raises its upper corners to 2 m. With `base`, the other values are in a buffer view;
 * otherwise they are zeros.
 */
const sparseBox = (base: boolean, indexType: 5121 | 5123 | 5125): Uint8Array => {
	const writer = new GlbWriter();
	const { points, corners } = box([-0.5, 0, -0.5], [0.5, 1, 0.5]);
	const position = writer.addAccessor('VEC3', new Float32Array(points));
	const raised = base ? [2, 3, 6, 7] : [0, 1, 2, 3, 4, 5, 6, 7];
	const values = raised.flatMap((corner) => [
		points[corner * 3]!,
		points[corner * 3 + 1]! * 2,
		points[corner * 3 + 2]!,
	]);
	const IndexArray = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array }[indexType];
	const bytesOf = ({ buffer }: { readonly buffer: ArrayBufferLike }) => new Uint8Array(buffer);
	Object.assign(writer.accessors[position]!, {
		...(base ? {} : { bufferView: undefined }),
		min: undefined,
		max: undefined,
		sparse: {
			count: raised.length,
			indices: { bufferView: writer.addView(bytesOf(new IndexArray(raised))), componentType: indexType },
			values: { bufferView: writer.addView(bytesOf(new Float32Array(values))) },
		},
	});
	const indices = writer.addAccessor('SCALAR', new Uint16Array(corners));
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes: { POSITION: position }, indices }] }],
	});
};

test.each([
	[true, 5121],
	[true, 5123],
	[false, 5125],
] as const)('sparse numbers are read over others (%s) and over zeros', (base, indexType) => {
	const bytes = sparseBox(base, indexType);
	const { low, high } = modelOf(bytes, 'it');
	expect([low, high]).toEqual([
		[-0.5, 0, -0.5],
		[0.5, 2, 0.5],
	]);
	expect(trianglesOf(bytes, 'it').triangles).toHaveLength(12);
	expect(Math.max(...hullPointsOf(bytes, 'it').map(([, y]) => y))).toBe(2);
});

test('an accessor without a buffer view has zeros, and one with Draco compression is refused', () => {
	const writer = new GlbWriter();
	const index = writer.accessors.push({ componentType: 5126, count: 3, type: 'VEC3' }) - 1;
	const model = (extensions: Json) =>
		writer.glb({
			scenes: [{ nodes: [0] }],
			nodes: [{ mesh: 0 }],
			meshes: [{ primitives: [{ attributes: { POSITION: index }, extensions }] }],
			bufferViews: undefined,
			buffers: undefined,
		});
	expect(hullPointsOf(model({}), 'it')).toEqual([[0, 0, 0]]);
	const draco = model({ KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } });
	expect(() => hullPointsOf(draco, 'it')).toThrow('it is compressed');
});

test('triangles of a part face outwards after one or two mirrorings', () => {
	const outward = (bytes: Uint8Array): boolean => {
		const { points, triangles } = trianglesOf(bytes, 'it');
		return triangles!.every((corners) => {
			const [a, b, c] = corners.map((corner) => points![corner]!);
			const [u, v] = [b!, c!].map((point) => point.map((part, axis) => part - a![axis]!));
			const normal = [0, 1, 2].map((x) => {
				const [y, z] = [(x + 1) % 3, (x + 2) % 3];
				return u![y]! * v![z]! - u![z]! * v![y]!;
			});
			return normal.reduce((sum, part, axis) => sum + part * a![axis]!, 0) > 0;
		});
	};
	const ball = { low: [-1, -1, -1], high: [1, 1, 1] };
	const boxes = [{}, { scale: [-1, 1, 1] }, { scale: [-1, -2, -1] }, { scale: [1, -1, -1] }];
	for (const node of boxes) expect(outward(boxModel([1, 1, 1], { ...ball, node }))).toBe(true);
	const nodes = [
		{ children: [1], scale: [1, 1, -1] },
		{ mesh: 0, matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
	];
	expect(outward(boxModel([1, 1, 1], { ...ball, more: { nodes } }))).toBe(true);
});

const INVALID_MODELS: Readonly<Record<string, readonly [bytes: Uint8Array, why: string]>> = {
	'a file that is cut off': [boxModel([1, 1, 1]).subarray(0, 200), 'cut off'],
	'a file without JSON': [new Uint8Array(Buffer.from('glTF\x02\0\0\0\x0c\0\0\0', 'latin1')), 'no JSON'],
	'invalid JSON': [glbOf('{' as unknown as Json), 'expected object'],
	'version 1': [glbOf({ asset: { version: '1.0' } }), 'version 2'],
	'an empty scene': [glbOf({ asset, scenes: [{ nodes: [] }] }), 'it has nothing to draw'],
	'an unknown required extension': [triangle({ extensionsRequired: ['ACME_magic'] }), 'ACME_magic'],
	'a node that is its own child': [triangle({}, {}, [{ mesh: 0, children: [0] }]), 'is its own ancestor'],
	'a node with two parents': [
		triangle({}, {}, [{ mesh: 0 }, { children: [3] }, { children: [3] }, {}]),
		'more than one',
	],
	'nodes in a circle in a scene that is not shown': [
		triangle({ scenes: [{ nodes: [0] }, { nodes: [1] }] }, {}, [
			{ mesh: 0 },
			{ children: [2] },
			{ children: [1] },
		]),
		'is its own ancestor',
	],
	'a scene that names a node twice': [triangle({ scenes: [{ nodes: [0, 0] }] }), 'occurs twice'],
	'no scene': [triangle({ scenes: [] }), 'no scene'],
	'a missing mesh': [triangle({}, {}, [{ mesh: 7 }]), 'mesh 7, but has only 1'],
	'a buffer in another file': [
		triangle({ buffers: [{ byteLength: 36, uri: 'fox.bin' }] }),
		'in another file',
	],
	'a billion vertices': [
		glbOf({ asset, accessors: [{ componentType: 5126, count: 1e9, type: 'VEC3' }] }),
		'accessors.0.count',
	],
	'an accessor beyond its bytes': [
		glbOf(
			{
				asset,
				accessors: [{ bufferView: 0, componentType: 5126, count: 400, type: 'VEC3' }],
				bufferViews: [{ buffer: 0, byteLength: 36 }],
				buffers: [{ byteLength: 36 }],
			},
			new Uint8Array(36),
		),
		'extends beyond',
	],
	'an index beyond the vertices': [
		(() => {
			const writer = new GlbWriter();
			const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(9)) };
			const indices = writer.addAccessor('SCALAR', new Uint16Array([0, 1, 9]));
			return writer.glb({
				scenes: [{ nodes: [0] }],
				nodes: [{ mesh: 0 }],
				meshes: [{ primitives: [{ attributes, indices }] }],
			});
		})(),
		'vertex 9, but the mesh has only 3',
	],
	'fewer values than times': [
		animatedTriangle('rotation', [0, 0.5, 1], 'VEC4', NO_ROTATION),
		'1 values for 3 times',
	],
	'values of the wrong type for a channel': [
		animatedTriangle('rotation', [0], 'VEC3', [0, 0, 0]),
		'animated with VEC3 instead of VEC4',
	],
	'a curve without its slopes': [
		animatedTriangle('rotation', [0, 1], 'VEC4', [...NO_ROTATION, ...NO_ROTATION], {
			interpolation: 'CUBICSPLINE',
		}),
		'2 values for 2 times',
	],
	'a time that is NaN': [
		animatedTriangle('rotation', [Number.NaN], 'VEC4', NO_ROTATION),
		'a time of a clip is NaN',
	],
	'an infinite time': [
		animatedTriangle('rotation', [Infinity], 'VEC4', NO_ROTATION),
		'a time of a clip is Infinity',
	],
	'a missing joint': [
		(() => {
			const writer = new GlbWriter();
			const attributes = {
				POSITION: writer.addAccessor('VEC3', new Float32Array(3)),
				JOINTS_0: writer.addAccessor('VEC4', new Uint8Array([0, 0, 2, 0])),
				WEIGHTS_0: writer.addAccessor('VEC4', new Float32Array([0, 0, 1, 0])),
			};
			return writer.glb({
				scenes: [{ nodes: [0, 1] }],
				nodes: [{ mesh: 0, skin: 0 }, {}],
				skins: [{ joints: [1] }],
				meshes: [{ primitives: [{ attributes }] }],
			});
		})(),
		'joint 2, but the skin has only 1',
	],
	'instances of a mesh': [
		triangle({}, {}, [
			{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 0 } } } },
		]),
		'EXT_mesh_gpu_instancing',
	],
	'a sparse accessor beyond its bytes': [
		(() => {
			const writer = new GlbWriter();
			const POSITION = writer.addAccessor('VEC3', new Float32Array(9));
			const sparse = {
				count: 3,
				indices: { bufferView: 0, componentType: 5123 },
				values: { bufferView: 0, byteOffset: 4 },
			};
			Object.assign(writer.accessors[POSITION]!, { sparse });
			return writer.glb({
				scenes: [{ nodes: [0] }],
				nodes: [{ mesh: 0 }],
				meshes: [{ primitives: [{ attributes: { POSITION } }] }],
			});
		})(),
		'extends beyond',
	],
	'a missing material': [triangle({}, { material: 3 }), 'material 3, but has only 0'],
	'a missing texture': [
		triangle({
			materials: [{ extensions: { KHR_materials_clearcoat: { clearcoatTexture: { index: 2 } } } }],
		}),
		'texture 2, but has only 0',
	],
	'a few bytes that are a gigabyte when unpacked': [
		triangle({
			bufferViews: [
				{ buffer: 0, byteLength: 36 },
				{
					buffer: 0,
					byteLength: 5_000_000 * 256,
					extensions: {
						EXT_meshopt_compression: { buffer: 0, byteLength: 36, byteStride: 256, count: 5_000_000 },
					},
				},
			],
		}),
		'1280000000 bytes when unpacked',
	],
	'a name with half of a character': [triangle({}, {}, [{ mesh: 0, name: '\ud800' }]), 'half of a character'],
	'many large pictures': [withPictures(8192, 5), 'pixels in total'],
	'too many numbers': [
		triangle({
			accessors: Array.from({ length: 20 }, () => ({
				componentType: 5126,
				count: 6_000_000,
				type: 'SCALAR',
			})),
		}),
		'120000000 numbers',
	],
};

describe('in a world', () => {
	let testEngine: TestEngine;
	beforeEach(async () => {
		testEngine = await startEngine();
	});
	afterEach(() => testEngine.engine.close());

	const upload = (bytes: Uint8Array, name = 'models/it.glb') =>
		testEngine.post(`/asset/upload?name=${name}`, { data: base64(bytes) });

	test.each(Object.entries(INVALID_MODELS))('%s is refused and not stored', async (_, [bytes, why]) => {
		const answer = await upload(bytes);
		expect(answer).toMatchObject({ ok: false, code: 'asset_refused' });
		expect(answer.error).toContain(why);
		expect(answer.fix).toContain('GLB');
		expect((await testEngine.get('/asset/list')).assets).toEqual([]);
	});

	test('a ball rests on a mesh of a model, and a hull of one falls onto it', async () => {
		const { must } = testEngine;
		const { hash } = await upload(boxModel([1, 1, 1], { low: [-5, 0, -5], high: [5, 1, 5] }));
		const { hash: small } = await upload(boxModel([1, 1, 1], { low: [-0.5, 0, -0.5] }), 'models/small.glb');
		const fall = { physics_body: 'Dynamic', position: [0, 3, 0] };
		await must('POST', '/spawn', { physics_body: 'Static', collider: { shape: 'Mesh', asset: hash } });
		const { id } = await must('POST', '/spawn', { ...fall, collider: { shape: 'Hull', asset: small } });
		await must('POST', '/step', { ticks: 240 });
		const height = async (path: string) =>
			((await must('GET', path)) as unknown as { local_transform: { position: number[] } }).local_transform
				.position[1]!;
		expect(await height(`/entities/${id}`)).toBeCloseTo(1, 1);

		const dynamic = { ...fall, collider: { shape: 'Mesh', asset: hash } };
		expect(await testEngine.post('/spawn', dynamic)).toMatchObject({ code: 'static_only' });
		const heights = { collider: { shape: 'Heights', asset: hash } };
		expect(await testEngine.post('/spawn', heights)).toMatchObject({ code: 'asset_refused' });
	});

	test('a model in use cannot be deleted, and a mesh that is not a model has a warning', async () => {
		const { must, post } = testEngine;
		const { hash } = await upload(boxModel([1, 1, 1]));
		const { id } = await must('POST', '/spawn', { mesh: 'models/it.glb' });
		const refused = await testEngine.call('DELETE', `/asset/${hash}`);
		expect(refused.body).toMatchObject({ code: 'asset_in_use' });
		await must('POST', '/despawn', { entity_id: id });
		expect((await testEngine.call('DELETE', `/asset/${hash}`)).body).toMatchObject({ ok: true });

		await post('/asset/upload?name=models/text.glb', { data: Buffer.from('hello').toString('base64') });
		const spawned = await must('POST', '/spawn', { mesh: 'models/text.glb' });
		expect(spawned.warnings).toEqual([expect.stringContaining('not a usable model')]);
	});

	test('uploads and spawns warn of undrawn parts of a model', async () => {
		const uploadWarnings = async (bytes: Uint8Array) => {
			const { warnings } = await upload(bytes);
			expect((await testEngine.must('POST', '/spawn', { mesh: 'models/it.glb' })).warnings).toEqual(warnings);
			return warnings;
		};
		expect(await uploadWarnings(boxModel([1, 1, 1]))).toBeUndefined();
		expect(await uploadWarnings(triangle({}, { mode: 1 }))).toEqual([
			'mesh "models/it.glb" is drawn as a placeholder: it has only lines and points.',
		]);
		expect(
			await uploadWarnings(withTexture({ extensions: { FOO_x: { source: 0 } } }, [pngHeader(4)])),
		).toEqual(['mesh "models/it.glb" is drawn without texture 0, which is not a PNG, JPEG or WebP.']);
	});
});
