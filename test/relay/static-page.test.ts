/**
 * The files of the page over HTTP: whole, in ranges, 304 for a browser's current copy, and refusals to other sites.
 * Owns: the tests of static-page.ts.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compressFolder } from '../../relay/build/compress.ts';
import { type Relay, startRelay } from '../../relay/server.ts';
import { builtPage, type PageOptions, pageAnswer } from '../../relay/static-page.ts';

const SOUND = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

let folder: string;
let relay: Relay;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-page-'));
	await mkdir(join(folder, 'assets'));
	await mkdir(join(folder, 'sounds'));
	await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
	await writeFile(join(folder, 'sw.js'), 'self;');
	await writeFile(join(folder, 'assets/main-1a2b.js'), 'export {};');
	await writeFile(join(folder, 'sounds/a bell.ogg'), SOUND);
	await mkdir(join(folder, 'guide'));
	await writeFile(join(folder, 'guide/index.html'), '<!doctype html>all');
	await writeFile(join(folder, 'guide/first.html'), '<!doctype html>first');
	await writeFile(join(folder, 'guide/first.md'), '# First');
	await writeFile(join(folder, '.hidden'), 'no');
	relay = await startRelay({
		port: 0,
		data: join(folder, 'data'),
		page: await builtPage(folder),
		limits: { tabWait: 1 },
	});
});

afterEach(async () => {
	await relay.close();
	await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
	fetch(relay.url + path, { method, headers });
const bell = (headers: Record<string, string> = {}, method?: string) =>
	get('/sounds/a%20bell.ogg', headers, method);
const bytesOf = async (answer: Response) => [...new Uint8Array(await answer.arrayBuffer())];

test('the page contains the settings of its engine', async () => {
	const page = { html: async () => '<html><head></head></html>', serve: () => false };
	const htmlOf = async (options: PageOptions) =>
		new TextDecoder().decode((await pageAnswer(page, '/', 'token', options)).body);
	expect(await htmlOf({ profile: 'full', seed: 7, verify: 60 })).toContain('data-seed="7" data-verify="60"');
	expect(await htmlOf({ profile: 'bare', seed: undefined })).toContain('data-profile="bare">');
});

describe('a file', () => {
	test('is sent whole, with its type, isolated, and without type sniffing', async () => {
		const answer = await bell();
		expect(answer.status).toBe(200);
		expect(await bytesOf(answer)).toEqual([...SOUND]);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			'content-type': 'audio/ogg',
			'content-length': '1000',
			'accept-ranges': 'bytes',
			'cache-control': 'no-cache',
			'x-content-type-options': 'nosniff',
			'cross-origin-opener-policy': 'same-origin',
			'cross-origin-embedder-policy': 'require-corp',
			'cross-origin-resource-policy': 'same-origin',
		});
	});

	test('has only its head sent for HEAD', async () => {
		const answer = await bell({}, 'HEAD');
		expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '1000']);
		expect(await bytesOf(answer)).toEqual([]);
	});

	test('with a hash in its name is cached permanently, and the service worker may control the whole page', async () => {
		const built = await get('/assets/main-1a2b.js');
		expect(built.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
		expect(built.headers.get('content-type')).toMatch(/^text\/javascript/);
		expect((await get('/sw.js')).headers.get('service-worker-allowed')).toBe('/');
	});

	test('with a compressed copy is sent compressed to a browser that accepts it', async () => {
		const script = 'export const text = "a";\n'.repeat(200);
		await writeFile(join(folder, 'assets/long-3c4d.js'), script);
		await compressFolder(folder);
		const page = await startRelay({ port: 0, data: join(folder, 'other'), page: await builtPage(folder) });
		const ask = (headers: Record<string, string>) => fetch(`${page.url}/assets/long-3c4d.js`, { headers });
		for (const [accepted, coding] of [
			['gzip, br', 'br'],
			['gzip, br;q=0', 'gzip'],
			['identity', null],
		] as const) {
			const answer = await ask({ 'accept-encoding': accepted });
			expect(answer.headers.get('content-encoding')).toBe(coding);
			expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
			expect(answer.headers.get('vary')).toBe('accept-encoding');
			if (coding !== null) expect(Number(answer.headers.get('content-length'))).toBeLessThan(200);
			expect(await answer.text()).toBe(script);
		}
		const part = await ask({ 'accept-encoding': 'br', range: 'bytes=0-5' });
		expect([part.status, part.headers.get('content-encoding'), await part.text()]).toEqual([
			206,
			null,
			'export',
		]);
		await page.close();
	});

	test('is not sent again to a browser that has it', async () => {
		const etag = (await bell()).headers.get('etag')!;
		expect((await bell({ 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
	});

	test.each([
		['bytes=0-9', 0, 10],
		['bytes=990-', 990, 1000],
		['bytes=-5', 995, 1000],
		['bytes=998-5000', 998, 1000],
		['bytes=-1000', 0, 1000],
		['bytes=-99999999999', 0, 1000],
		['bytes= -99999999999', 0, 1000],
	])('%s: only that range of it', async (range, from, to) => {
		const answer = await bell({ range });
		expect(answer.status).toBe(206);
		expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/1000`);
		expect(await bytesOf(answer)).toEqual([...SOUND.slice(from, to)]);
	});

	test('has no range beyond its end', async () => {
		const answer = await bell({ range: 'bytes=1000-' });
		expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
	});

	test.each(['bytes=9-2', 'bytes=', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6'])(
		'%s is not a valid range: the file is sent, and the relay continues',
		async (range) => {
			expect([200, 416]).toContain((await bell({ range })).status);
			expect((await bell()).status).toBe(200);
		},
	);

	test('with a condition on its range is sent whole after a change', async () => {
		const answer = await bell({ range: 'bytes=0-9', 'if-range': '"other"' });
		expect([answer.status, (await bytesOf(answer)).length]).toEqual([200, 1000]);
	});

	test('with a weak tag as the condition of its range is sent whole: a weak tag does not prove equal bytes', async () => {
		const { headers } = await bell();
		expect(headers.get('etag')).toMatch(/^W\//);
		for (const validator of [
			headers.get('etag')!,
			headers.get('etag')!.replace('W/', ''),
			`"other", ${headers.get('etag')}`,
			new Date(Date.parse(headers.get('last-modified')!) + 60_000).toUTCString(),
			'yesterday',
		]) {
			const answer = await bell({ range: 'bytes=0-9', 'if-range': validator });
			expect([answer.status, (await bytesOf(answer)).length], validator).toEqual([200, 1000]);
		}
		const same = await bell({ range: 'bytes=0-9', 'if-range': headers.get('last-modified')! });
		expect([same.status, (await bytesOf(same)).length]).toEqual([206, 10]);
	});

	test('has the same head for any range, because a range is for a GET', async () => {
		for (const range of ['bytes=0-9', 'bytes=-5', 'bytes=1000-']) {
			const answer = await bell({ range }, 'HEAD');
			expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '1000']);
			expect(answer.headers.get('content-range')).toBeNull();
		}
	});

	test('of zero bytes is sent whole for any range', async () => {
		await writeFile(join(folder, 'sounds/a bell.ogg'), '');
		for (const range of ['bytes=0-9', 'bytes=-5']) expect((await bell({ range })).status).toBe(200);
	});

	test('deleted since the start of the relay is refused with a clear error, and the relay continues', async () => {
		const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
		await rm(join(folder, 'sounds/a bell.ogg'));
		const answer = await bell();
		expect(String(consoleError.mock.calls[0]?.[0])).toContain(join(folder, 'sounds/a bell.ogg'));
		consoleError.mockRestore();
		expect(answer.status).toBe(500);
		expect(answer.headers.get('cache-control')).toBe('no-store');
		const refused = await answer.json();
		expect(refused).toMatchObject({ ok: false, code: 'internal' });
		expect(refused.error).not.toContain(folder);
		expect((await get('/sw.js')).status).toBe(200);
	});

	test('created later, or hidden, is not served: the engine gets the request', async () => {
		await writeFile(join(folder, 'late.txt'), 'late');
		for (const path of ['/late.txt', '/.hidden', '/sounds/%2e%2e%2fsw.js', '/sw.js%00', '/index.html'])
			expect((await get(path)).status, path).toBe(503);
	});

	test('that is a page is found without its extension, and an index by its folder, with the policy of pages', async () => {
		const moved = await fetch(`${relay.url}/guide`, { redirect: 'manual' });
		expect([moved.status, moved.headers.get('location')]).toEqual([308, 'guide/']);
		for (const [path, text] of [
			['/guide', 'all'],
			['/guide/', 'all'],
			['/guide/first', 'first'],
			['/guide/first.html', 'first'],
		] as const) {
			const answer = await get(path);
			expect([answer.status, await answer.text()]).toEqual([200, `<!doctype html>${text}`]);
			expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
		}
		expect((await get('/guide/first.md')).headers.get('content-type')).toMatch(/^text\/markdown/);
	});

	test('is not sent to another site', async () => {
		expect(await (await bell({ origin: 'http://evil.example' })).json()).toMatchObject({
			code: 'origin_refused',
		});
		expect(await (await bell({ 'sec-fetch-site': 'cross-site' })).json()).toMatchObject({
			code: 'origin_refused',
		});
	});
});
