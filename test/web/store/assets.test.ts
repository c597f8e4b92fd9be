/** Assets: equal bytes are stored once, for all users and under all names. */

import { describe, expect, test } from 'vitest';
import { glbOf } from '../../../relay/generate/procedural/glb.ts';
import { mediaTypeOf } from '../../../shared/documents/media-type.ts';
import { memoryFiles } from '../../../web/host/memory-files.ts';
import { modelOf } from '../../../web/sim/models/model.ts';
import { Assets, MAX_NAMES } from '../../../web/store/assets.ts';
import { withApiErrors } from '../../../web/store/files.ts';
import { boxModel } from '../../support/glb.ts';

const utf8 = new TextEncoder();
const glb = new Uint8Array(boxModel([1, 0, 0]));
const wav = utf8.encode('RIFF....WAVEfmt ');

function store(room?: number) {
	const files = withApiErrors(memoryFiles());
	const inPublic = new Map([['models/tree.glb', glb]]);
	const readPublic = async (path: string) => inPublic.get(path) ?? null;
	return { files, assets: new Assets({ files: () => files, readPublic, maxBytes: room }) };
}

const codeOf = (work: Promise<unknown>) => work.then(() => 'none').catch(({ code }) => code as string);

test('equal bytes are one asset, under any name', async () => {
	const { assets } = store();
	const first = await assets.put(glb, 'a.glb');
	const second = await assets.put(glb.slice(), 'b.glb');
	expect(second).toBe(first);
	expect(assets.bytes).toBe(glb.length);
	expect(assets.namesOf(first.hash)).toEqual(['a.glb', 'b.glb']);
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', glb));
	expect(first.hash).toBe(Buffer.from(digest).toString('hex'));
});

test('stored bytes are independent of the given array', async () => {
	const { assets } = store();
	const message = new Uint8Array([...utf8.encode('....'), ...glb]);
	const { hash } = await assets.put(message.subarray(4));
	message.fill(0);
	expect(assets.find(hash)?.bytes).toEqual(glb);
	expect(assets.find(hash)?.bytes.buffer.byteLength).toBe(glb.length);
});

test('a name refers to its latest bytes, and the hash always to the same', async () => {
	const { assets } = store();
	const old = await assets.put(glb, 'thing');
	const now = await assets.put(wav, 'thing');
	expect(await assets.load('thing')).toBe(now);
	expect(await assets.load(old.hash)).toBe(old);
	expect(assets.namesOf(old.hash)).toEqual([]);
});

test('uploads override the data folder, which overrides public/', async () => {
	const { assets, files } = store();
	expect((await assets.load('models/tree.glb')).bytes).toEqual(glb);
	await files.write('models/tree.glb', wav);
	expect((await assets.load('models/tree.glb')).bytes).toEqual(wav);
	await assets.put(glb, 'models/tree.glb');
	expect((await assets.load('models/tree.glb')).bytes).toEqual(glb);
});

test('an unknown asset is missing, by name, by hash and by a path outside the folder', async () => {
	const { assets } = store();
	for (const name of ['nothing.glb', 'f'.repeat(64), '../secret', '/etc/passwd', ''])
		expect(await codeOf(assets.load(name)), name).toBe('asset_missing');
	await assets.put(glb, 'models/fox.glb');
	await expect(assets.load('models/fix.glb')).rejects.toMatchObject({
		fix: 'Did you mean "models/fox.glb"?',
	});
});

test('empty bytes and names that are not paths are refused and not stored', async () => {
	const { assets } = store();
	expect(await codeOf(assets.put(new Uint8Array(0)))).toBe('asset_refused');
	for (const name of ['', '../x', '/x', 'a\\b', 'a//b'])
		expect(await codeOf(assets.put(glb, name)), name).toBe('asset_refused');
	expect(assets.list()).toEqual([]);
});

test('the room for bytes is limited, and a deletion frees it', async () => {
	const { assets } = store(glb.length + 4);
	const asset = await assets.put(glb, 'kept');
	expect(await codeOf(assets.put(wav, 'more'))).toBe('out_of_room');
	expect(await codeOf(assets.load('more'))).toBe('asset_missing');
	await assets.put(glb, 'again');
	assets.delete(asset.hash);
	expect(assets.bytes).toBe(0);
	expect(await codeOf(assets.load('again'))).toBe('asset_missing');
	await assets.put(wav, 'more');
	expect(assets.list()).toHaveLength(1);
});

describe('file types are recognised by the first bytes', () => {
	const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
	test.each([
		['model/gltf-binary', glb],
		['model/gltf+json', utf8.encode(' {"asset": {"version": "2.0"}}')],
		['image/png', png],
		['image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
		['image/webp', utf8.encode('RIFF....WEBPVP8 ')],
		['audio/wav', wav],
		['audio/ogg', utf8.encode('OggS....')],
		['audio/mpeg', utf8.encode('ID3....')],
		['audio/mpeg', new Uint8Array([0xff, 0xfb, 0x90, 0])],
		['model/gltf+json', utf8.encode(`{"accessors": [${' '.repeat(1e5)}], "asset": {"version": "2.0"}}`)],
		['application/octet-stream', utf8.encode('{"asset": 5}')],
		['application/octet-stream', png.subarray(0, 7)],
		['application/octet-stream', new Uint8Array([1])],
	])('%s', (kind, bytes) => expect(mediaTypeOf(bytes)).toBe(kind));
});

test('the number of names is limited, and an existing name can be reused', async () => {
	const { assets } = store();
	for (let i = 0; i < MAX_NAMES; i++) await assets.put(wav, `n${i}`);
	expect(await codeOf(assets.put(wav, 'one-more'))).toBe('out_of_room');
	expect(await codeOf(assets.put(glb, 'n7'))).toBe('none');
	const { hash } = await assets.put(wav);
	expect(assets.names().get(hash)).toHaveLength(MAX_NAMES - 1);
	expect(assets.names().get(hash)).toEqual(assets.namesOf(hash));
});

describe('a model with files beside it', () => {
	const json = (value: unknown) => utf8.encode(JSON.stringify(value));
	const png = new Uint8Array(
		Buffer.from(
			'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
			'base64',
		),
	);
	const corners = new Uint8Array(new Float32Array([0, 0, 0, 2, 0, 0, 0, 3, 0]).buffer);
	/** Returns a textured triangle that needs two files. The parameters are their names. */
	const model = (bin: string, picture: string) => ({
		asset: { version: '2.0' },
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, material: 0 }] }],
		materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
		textures: [{ source: 0 }, { source: 1 }],
		images: [{ uri: picture }, { uri: 'of-no-material.png' }],
		accessors: [1, 0].map((bufferView) => ({ bufferView, componentType: 5126, count: 3, type: 'VEC3' })),
		bufferViews: [1, 0].map((buffer) => ({ buffer, byteLength: 36 })),
		buffers: [
			{ byteLength: 36, uri: bin },
			{ byteLength: 36, uri: `data:;base64,${Buffer.alloc(36).toString('base64')}` },
		],
	});

	test.each([
		['beside it', 'models/fox.gltf', 'fox.bin', 'models/fox.bin'],
		['in a folder', 'models/fox.gltf', './parts/fox.bin', 'models/parts/fox.bin'],
		['in the folder above', 'models/fox/fox.gltf', '../fox.bin', 'models/fox.bin'],
		['with percent-encoding', 'models/fox.gltf', 'my%20f%C3%BCchse%2Fa.bin', 'models/my füchse/a.bin'],
		['with a bare space and percent sign', 'fox.gltf', '100% fox.bin', '100% fox.bin'],
		['with backslashes', 'models/fox.gltf', 'parts\\fox.bin', 'models/parts/fox.bin'],
	])('%s is loaded as one file', async (_, path, uri, bin) => {
		const { assets, files } = store();
		await files.write(bin, corners);
		await files.write(path.replace('fox.gltf', 'red.png'), png);
		await files.write(path, json(model(uri, 'red.png')));
		const { bytes, mediaType } = await assets.load(path);
		expect(mediaType).toBe('model/gltf-binary');
		expect(modelOf(bytes, 'it')).toMatchObject({ high: [2, 3, 0], undrawn: [] });
		expect(Buffer.from(bytes).includes(png)).toBe(true);
		expect((await assets.load(path)).bytes).toBe(bytes);
	});

	test('a missing file is named, and one outside the data folder is refused', async () => {
		const { assets, files } = store();
		const loaded = async (bin: string, picture = 'red.png') => {
			await files.write('models/fox.gltf', json(model(bin, picture)));
			return assets.load('models/fox.gltf');
		};
		await expect(loaded('fox.bin')).rejects.toMatchObject({
			code: 'asset_missing',
			message: '"models/fox.gltf" needs the file "models/fox.bin", which does not exist.',
		});
		await files.write('models/fox.bin', corners);
		await expect(loaded('fox.bin')).rejects.toThrow('"models/red.png"');
		await files.write('models/red.png', png);
		const outside = [
			'../../secret',
			'/etc/passwd',
			'\\\\host\\x',
			'https://example.org/fox.bin',
			'%2e%2e/%2e%2e/x',
			'a//b',
		];
		for (const uri of outside) expect(await codeOf(loaded(uri)), uri).toBe('asset_refused');
		await files.write('models/short.bin', corners.subarray(4));
		await expect(loaded('short.bin')).rejects.toThrow('buffer 0 has only 32 of 36 bytes');
		expect(assets.list()).toEqual([]);
		expect(await codeOf(assets.put(json(model('fox.bin', 'red.png')), 'up.gltf'))).toBe('none');
		expect(() => modelOf(assets.list()[0]!.bytes, 'it')).toThrow('in another file, "fox.bin"');
	});

	test('a GLB may name files, and pictures of one address are stored once', async () => {
		const { assets, files } = store();
		const document = model('fox.bin', 'red.png');
		const images = [{ uri: 'red.png' }, { uri: 'red.png' }];
		const materials = [{ emissiveTexture: { index: 0 } }, { emissiveTexture: { index: 1 } }];
		const { uri: _, ...own } = document.buffers[0]!;
		await files.write(
			'fox.glb',
			glbOf({ ...document, images, materials, buffers: [own, { byteLength: 36, uri: 'fox.bin' }] }, corners),
		);
		await files.write('fox.bin', corners);
		await files.write('red.png', png);
		const { bytes } = await assets.load('fox.glb');
		expect(modelOf(bytes, 'it').high).toEqual([2, 3, 0]);
		expect(Buffer.from(bytes).indexOf(png)).toBe(Buffer.from(bytes).lastIndexOf(png));
	});
});
