/** Documents as files: nothing is written that could not be read, and a refusal leaves what was there. */

import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { documentBytes } from '../../../web/api/json-file.ts';
import type { Engine } from '../../../web/host/engine.ts';
import { createEngine } from '../../../web/host/engine.ts';
import { clientOf } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { check } from '../../support/property.ts';

const engines: Engine[] = [];
afterEach(() => {
	for (const engine of engines.splice(0)) engine.close();
});

async function start(mostFileBytes?: number) {
	const files = createMemoryFiles();
	const engine = await createEngine({
		files: files.files,
		...(mostFileBytes === undefined ? {} : { mostFileBytes }),
	});
	engines.push(engine);
	return { ...files, ...clientOf(engine.handle) };
}

describe('the bytes of a document', () => {
	const sections = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));

	test('are its JSON, with and without line breaks', () =>
		check(300, [sections], (document) => {
			const text = (line: string) => new TextDecoder().decode(documentBytes(document, 1e9, line)!);
			expect(text('')).toBe(JSON.stringify(document));
			expect(JSON.parse(text('\n'))).toEqual(JSON.parse(JSON.stringify(document)));
		}));

	test('have exactly the allowed size, or are refused', () =>
		check(200, [sections, fc.constantFrom('', '\n')], (document, line) => {
			const { length } = documentBytes(document, 1e9, line)!;
			expect(documentBytes(document, length, line)?.length).toBe(length);
			expect(documentBytes(document, length - 1, line)).toBeNull();
		}));

	test('omit undefined members, like JSON', () => {
		const document = { a: undefined, b: [1, undefined], c: { d: undefined, e: 1 }, f: [], g: {}, h: null };
		expect(new TextDecoder().decode(documentBytes(document, 1e9)!)).toBe(JSON.stringify(document));
	});
});

describe.each([
	['/scene/save', '/scene/load'],
	['/level/save', '/level/load'],
])('%s', (save, load) => {
	const path = 'kept.json';

	test('have one entity a line, and read back', async () => {
		const { post, readText } = await start();
		for (let i = 0; i < 5; i++) await post('/spawn', { mesh: 'cube', position: [i, 0, 0] });
		await post(save, { path });
		expect(
			readText(path)
				.split('\n')
				.filter((line) => line.includes('"mesh":"cube"')),
		).toHaveLength(5);
		await post('/reset');
		expect(await post(load, { path })).toMatchObject({ ok: true });
		expect((await post('/observe')).entities).toHaveLength(5);
	});

	test('a save at the limit reads back; one beyond it is refused and the old file stays', async () => {
		const before = await start();
		await before.post('/spawn', { mesh: 'cube' });
		await before.post(save, { path });
		const { length } = before.bytesByPath.get(path)!;

		const { post, bytesByPath, digest } = await start(length);
		await post('/spawn', { mesh: 'cube' });
		expect(await post(save, { path })).toMatchObject({ ok: true });
		expect(bytesByPath.get(path)!.length).toBe(length);
		const good = bytesByPath.get(path);
		await post('/spawn', { mesh: 'cube' });
		const now = await digest();
		expect(await post(save, { path })).toMatchObject({ ok: false, code: 'too_large_to_save' });
		expect(bytesByPath.get(path)).toBe(good);
		expect(await digest()).toBe(now);
		expect(await post('/batch', { requests: [{ path: save, body: { path } }] })).toMatchObject({
			results: [{ body: { code: 'too_large_to_save' } }],
		});
		expect(bytesByPath.get(path)).toBe(good);
		await post('/reset');
		expect(await post(load, { path })).toMatchObject({ ok: true });
		expect((await post('/observe')).entities).toHaveLength(1);
	});

	test('a file too large to read changes nothing', async () => {
		const { post, writeJson, digest } = await start(2000);
		await post('/spawn', { mesh: 'cube' });
		writeJson(path, { version: 1, entities: [], name: 'a'.repeat(3000) });
		const now = await digest();
		expect(await post(load, { path })).toMatchObject({ ok: false, code: 'file_failed' });
		expect(await digest()).toBe(now);
	});
});

describe('the folder of saved assets', () => {
	test.each(['assets/x.json', 'Assets/x.json', 'assets', `assets/${'a'.repeat(64)}`])(
		'accepts no scene and no level: %s',
		async (path) => {
			const { post, bytesByPath } = await start();
			for (const route of ['/scene/save', '/level/save']) {
				expect(await post(route, { path })).toMatchObject({ ok: false, code: 'file_refused' });
			}
			expect(bytesByPath.size).toBe(0);
		},
	);

	test('is no name of another asset either', async () => {
		const { call } = await start();
		const named = await call('POST', `/asset/upload?name=${'a'.repeat(64)}`, { data: 'aGVsbG8=' });
		expect(named.body).toMatchObject({ ok: false, code: 'asset_refused' });
	});
});

test.each([
	['/hero/define', { name: 'list' }],
	['/template/create', { name: 'list', health: 1 }],
	['/prefab/register', { name: 'list', mesh: 'cube' }],
	['/material/define', { name: 'list' }],
	['/snapshot', { label: 'latest' }],
])('a name within the address of another route is refused: %s', async (path, body) => {
	const { call } = await start();
	const refused = await call('POST', path, body);
	expect(refused.body).toMatchObject({ ok: false, code: 'invalid_body' });
	expect(refused.body.error).toContain('reserved');
});
