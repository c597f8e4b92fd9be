/** Models: what their bytes say, which bytes are refused, and bodies that are made of them. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GlbWriter, glbOf } from '../../../../relay/build/glb.ts';
import { modelOf } from '../../../../web/sim/models/model.ts';
import { hullPointsOf, trianglesOf } from '../../../../web/sim/models/solid.ts';
import { type Json, startEngine, type TestEngine } from '../../../support/engine.ts';
import { base64, boxModel, postModel } from '../../../support/glb.ts';

const turnedBox = boxModel([1, 1, 1], {
	low: [-1, 0, -2],
	high: [1, 1, 2],
	// A quarter turn about y, twice as large, 3 m up.
	node: { translation: [0, 3, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2], scale: [2, 2, 2] },
});

const near = (numbers: readonly number[]) => numbers.map((one) => expect.closeTo(one, 5));

test('bounds, joints and clips are read off the bytes', () => {
	const box = modelOf(turnedBox, 'it');
	expect([box.low, box.high]).toEqual([near([-4, 3, -2]), near([4, 5, 2])]);
	const post = modelOf(postModel(), 'it');
	expect([post.low, post.high]).toEqual([near([-0.3, 0, -0.3]), near([0.3, 2, 0.3])]);
	expect(post.joints).toEqual(['lower', 'upper']);
	expect(post.clips).toEqual([
		{ name: 'bow', duration: 1, channels: 1 },
		{ name: 'sink', duration: 2, channels: 1 },
		{ name: 'spin', duration: 1, channels: 1 },
	]);
});

test('a body is made of the corners where they stand, each once', () => {
	const { points, triangles } = trianglesOf(turnedBox, 'it');
	expect([points!.length, triangles!.length]).toEqual([8, 12]);
	expect(Math.max(...points!.map(([x]) => x))).toBeCloseTo(4, 5);
	expect(hullPointsOf(turnedBox, 'it')).toHaveLength(8);
	expect(trianglesOf(turnedBox, 'it')).toEqual({ points, triangles });
});

test('of many points a hull takes those that reach farthest', () => {
	const writer = new GlbWriter();
	const ball: number[] = [];
	for (let i = 0; i < 3000; i++) {
		const [turn, up] = [i * 2.4, 1 - (2 * i) / 2999];
		const wide = Math.sqrt(1 - up * up);
		ball.push(Math.cos(turn) * wide, up, Math.sin(turn) * wide);
	}
	const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(ball)) };
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

test('a hull of many points takes no list of each, and a mesh finds each place at once', () => {
	const writer = new GlbWriter();
	// Each place six times over, in no order, and -0 where 0 is.
	const places = Array.from({ length: 6000 }, (_, i) => {
		const at = (i * 7919) % 1000;
		return [at % 10 === 0 && i % 2 === 0 ? -0 : at % 10, Math.floor(at / 10) % 10, Math.floor(at / 100)];
	});
	const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(places.flat())) };
	const bytes = writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }],
	});
	const { points, triangles } = trianglesOf(bytes, 'it');
	const each = [...new Set(places.map((place) => place.join()))];
	expect(points!.map((point) => point.join())).toEqual(each);
	expect(triangles).toHaveLength(2000);
	for (const [i, corners] of triangles!.entries())
		expect(corners.map((corner) => points![corner]!.join())).toEqual(
			[0, 1, 2].map((corner) => places[i * 3 + corner]!.join()),
		);
	const hull = hullPointsOf(bytes, 'it').map((point) => point.join());
	expect(new Set(hull).size).toBe(hull.length);
	for (const corner of ['0,0,0', '9,0,0', '0,9,9', '9,9,9']) expect(hull).toContain(corner);
});

test('numbers that many parts of a model name are read once', () => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(9)) };
	const indices = writer.accessor('SCALAR', new Uint16Array(300));
	const input = writer.accessor('SCALAR', new Float32Array(300).fill(1));
	const output = writer.accessor('VEC3', new Float32Array(900));
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
	const read = vi.spyOn(DataView.prototype, 'getUint16');
	const timed = vi.spyOn(DataView.prototype, 'getFloat32');
	expect(modelOf(bytes, 'it').clips).toEqual([{ name: 'clip 0', duration: 1, channels: 1 }]);
	expect(read.mock.calls.length).toBe(300);
	expect(timed.mock.calls.length).toBeLessThan(1000);
	vi.restoreAllMocks();
});

const asset = { version: '2.0' };
const triangle = (more: Json = {}, primitive: Json = {}, nodes: Json[] = [{ mesh: 0 }]): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(9)) };
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes,
		meshes: [{ primitives: [{ attributes, ...primitive }] }],
		...more,
	});
};

/** A triangle with a clip that moves it. */
const moving = (
	path: string,
	times: readonly number[],
	type: 'VEC3' | 'VEC4',
	values: readonly number[],
	sampler: Json = {},
): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(9)) };
	const input = writer.accessor('SCALAR', new Float32Array(times));
	const output = writer.accessor(type, new Float32Array(values));
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
const still = [0, 0, 0, 1];

/** Bytes that say of a picture only how large it is. */
const head = (side: number): Uint8Array => {
	const bytes = Buffer.alloc(33);
	bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
	bytes.writeUInt32BE(side, 16);
	bytes.writeUInt32BE(side, 20);
	return bytes;
};
const pictured = (side: number, times: number): Uint8Array => {
	const writer = new GlbWriter();
	const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(9)) };
	const bufferView = writer.view(head(side));
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes }] }],
		images: Array.from({ length: times }, () => ({ bufferView, mimeType: 'image/png' })),
	});
};

const WRONG: Readonly<Record<string, readonly [bytes: Uint8Array, why: string]>> = {
	'a file that is cut off': [boxModel([1, 1, 1]).subarray(0, 200), 'cut off'],
	'no JSON': [new Uint8Array(Buffer.from('glTF\x02\0\0\0\x0c\0\0\0', 'latin1')), 'no JSON'],
	'JSON that is none': [glbOf('{' as unknown as Json), 'expected object'],
	'version 1': [glbOf({ asset: { version: '1.0' } }), 'version 2'],
	'nothing to be seen': [glbOf({ asset, scenes: [{ nodes: [] }] }), 'nothing in it'],
	'a required extension that nobody knows': [triangle({ extensionsRequired: ['ACME_magic'] }), 'ACME_magic'],
	'a node that hangs on itself': [triangle({}, {}, [{ mesh: 0, children: [0] }]), 'hangs on itself'],
	'a node that hangs on two': [
		triangle({}, {}, [{ mesh: 0 }, { children: [3] }, { children: [3] }, {}]),
		'more than one',
	],
	'nodes in a circle in a scene that is not shown': [
		triangle({ scenes: [{ nodes: [0] }, { nodes: [1] }] }, {}, [
			{ mesh: 0 },
			{ children: [2] },
			{ children: [1] },
		]),
		'hangs on itself',
	],
	'a scene that names a node twice': [triangle({ scenes: [{ nodes: [0, 0] }] }), 'shown twice'],
	'no scene': [triangle({ scenes: [] }), 'no scene'],
	'a mesh that is not there': [triangle({}, {}, [{ mesh: 7 }]), 'mesh 7 of 1'],
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
		'reaches beyond',
	],
	'a corner that is no vertex': [
		(() => {
			const writer = new GlbWriter();
			const attributes = { POSITION: writer.accessor('VEC3', new Float32Array(9)) };
			const indices = writer.accessor('SCALAR', new Uint16Array([0, 1, 9]));
			return writer.glb({
				scenes: [{ nodes: [0] }],
				nodes: [{ mesh: 0 }],
				meshes: [{ primitives: [{ attributes, indices }] }],
			});
		})(),
		'vertex 9 of 3',
	],
	'fewer values than times': [moving('rotation', [0, 0.5, 1], 'VEC4', still), '1 values for 3 times'],
	'values that fit their times and not what they move': [
		moving('rotation', [0], 'VEC3', [0, 0, 0]),
		'moved by VEC3 and not VEC4',
	],
	'a curve without its slopes': [
		moving('rotation', [0, 1], 'VEC4', [...still, ...still], { interpolation: 'CUBICSPLINE' }),
		'2 values for 2 times',
	],
	'a time that is none': [moving('rotation', [Number.NaN], 'VEC4', still), 'a time of a clip is NaN'],
	'a time without end': [moving('rotation', [Infinity], 'VEC4', still), 'a time of a clip is Infinity'],
	'a joint that is not there': [
		(() => {
			const writer = new GlbWriter();
			const attributes = {
				POSITION: writer.accessor('VEC3', new Float32Array(3)),
				JOINTS_0: writer.accessor('VEC4', new Uint8Array([0, 0, 2, 0])),
				WEIGHTS_0: writer.accessor('VEC4', new Float32Array([0, 0, 1, 0])),
			};
			return writer.glb({
				scenes: [{ nodes: [0, 1] }],
				nodes: [{ mesh: 0, skin: 0 }, {}],
				skins: [{ joints: [1] }],
				meshes: [{ primitives: [{ attributes }] }],
			});
		})(),
		'joint 2 of 1',
	],
	'many of a mesh in one node': [
		triangle({}, {}, [
			{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 0 } } } },
		]),
		'EXT_mesh_gpu_instancing',
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
	'many large pictures': [pictured(8192, 5), 'pixels together'],
	'more numbers than anybody reads': [
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
	let started: TestEngine;
	beforeEach(async () => {
		started = await startEngine();
	});
	afterEach(() => started.engine.close());

	const upload = (bytes: Uint8Array, name = 'models/it.glb') =>
		started.post(`/asset/upload?name=${name}`, { data: base64(bytes) });

	test.each(Object.entries(WRONG))('%s is refused, and nothing is kept', async (_, [bytes, why]) => {
		const answer = await upload(bytes);
		expect(answer).toMatchObject({ ok: false, code: 'asset_refused' });
		expect(answer.error).toContain(why);
		expect(answer.fix).toContain('GLB');
		expect((await started.get('/asset/list')).assets).toEqual([]);
	});

	test('a ball rests on a mesh of a model, and a hull of one falls upon it', async () => {
		const { must } = started;
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
		expect(await started.post('/spawn', dynamic)).toMatchObject({ code: 'static_only' });
		const heights = { collider: { shape: 'Heights', asset: hash } };
		expect(await started.post('/spawn', heights)).toMatchObject({ code: 'asset_refused' });
	});

	test('a mesh by name keeps its bytes from being deleted, and what is no model is warned of', async () => {
		const { must, post } = started;
		const { hash } = await upload(boxModel([1, 1, 1]));
		const { id } = await must('POST', '/spawn', { mesh: 'models/it.glb' });
		const refused = await started.call('DELETE', `/asset/${hash}`);
		expect(refused.body).toMatchObject({ code: 'asset_in_use' });
		await must('POST', '/despawn', { entity_id: id });
		expect((await started.call('DELETE', `/asset/${hash}`)).body).toMatchObject({ ok: true });

		await post('/asset/upload?name=models/text.glb', { data: Buffer.from('hello').toString('base64') });
		const spawned = await must('POST', '/spawn', { mesh: 'models/text.glb' });
		expect(spawned.warnings).toEqual([expect.stringContaining('no model that can be used')]);
	});
});
