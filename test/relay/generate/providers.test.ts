/**
 * The four providers, simulated as they are documented: the requests to them, the answers that are read, and secret keys.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpResponse, http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DataFiles } from '../../../relay/data-files.ts';
import { providersOf } from '../../../relay/generate/index.ts';
import { modelOf } from '../../../relay/generate/procedural/model-of.ts';
import { isPublicAddress } from '../../../relay/generate/public-download.ts';
import { Tasks } from '../../../relay/generate/tasks.ts';
import { MAX_DOCUMENT_BYTES } from '../../../shared/contract/wire.ts';

const KEY = 'k-very-secret-0123456789';
const FILES = 'https://files.test';
const ANY = { agent: '', operator: true, paid_models: 0 };
const GLB = modelOf('a crate', 'low').glb();

/** Calls to providers. `endpoint`: method and address. */
let receivedCalls: { readonly endpoint: string; readonly key: string | null; readonly body: unknown }[];
const elsewhere = http.all('*', ({ request }) => {
	throw new Error(`Nobody answers ${request.method} ${request.url}.`);
});
const server = setupServer(elsewhere);
beforeAll(() => server.listen());
afterAll(() => server.close());

let folder: string;
let tasks: Tasks;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-providers-'));
	receivedCalls = [];
	server.resetHandlers(
		http.get(`${FILES}/model.glb`, ({ request }) => {
			record(request, undefined);
			return HttpResponse.arrayBuffer(GLB.slice().buffer);
		}),
		elsewhere,
	);
	tasks = tasksWith({
		TRIPO_API_KEY: KEY,
		MESHY_API_KEY: KEY,
		RODIN_API_KEY: KEY,
		HUNYUAN_API_KEY: KEY,
	});
});
afterEach(async () => {
	await tasks.close();
	await rm(folder, { recursive: true, force: true });
});

function tasksWith(environment: Record<string, string>): Tasks {
	return new Tasks({
		files: new DataFiles(folder),
		providers: providersOf(environment),
		paid: { perDay: undefined, allowed: true, gated: false },
		wait: async (_, signal) => {
			await new Promise((resolve) => setImmediate(resolve));
			signal.throwIfAborted();
		},
	});
}

function record(request: Request, body: unknown): void {
	const endpoint = `${request.method} ${request.url}`;
	receivedCalls.push({ endpoint, key: request.headers.get('authorization'), body });
}

type FakeAnswer = object | ((count: number) => object | Response);

/** Answers calls to an address. If `answer` is a function, it gets the number of earlier calls. */
function serveAnswer(method: 'get' | 'post', url: string, answer: FakeAnswer): void {
	let requestCount = 0;
	server.use(
		http[method](url, async ({ request }) => {
			record(request, method === 'post' ? await request.json() : undefined);
			const content =
				typeof answer === 'function'
					? (answer as (count: number) => object | Response)(requestCount++)
					: answer;
			return content instanceof Response ? content : HttpResponse.json(content as never);
		}),
	);
}

async function makeModel(provider: string, quality = 'medium') {
	const { task_id } = await tasks.generate({ prompt: 'a fox', provider, quality, by: ANY });
	await tasks.waitForEnd(task_id);
	return tasks.task(task_id);
}

const calls = () => receivedCalls.map(({ endpoint }) => endpoint);
const bodies = () => receivedCalls.flatMap(({ body }) => (body === undefined ? [] : [body]));

function tripoAnswers(): void {
	const base = 'https://api.tripo3d.ai/v2/openapi';
	serveAnswer('post', `${base}/task`, { code: 0, data: { task_id: 't1' } });
	serveAnswer('get', `${base}/task/t1`, (count) =>
		count < 2
			? { code: 0, data: { status: 'running', progress: 40 } }
			: { code: 0, data: { status: 'success', output: { pbr_model: `${FILES}/model.glb` } } },
	);
}

describe('tripo', () => {
	test.each([
		['low', 'lite'],
		['medium', 'default'],
		['high', 'v2.5-20250414'],
	])('%s', async (quality, model_version) => {
		tripoAnswers();
		expect(await makeModel('tripo', quality)).toMatchObject({
			status: 'complete',
			file_path: 'generated/gen_0.glb',
		});
		expect(bodies()).toEqual([{ type: 'text_to_model', prompt: 'a fox', model_version }]);
	});

	test('a refusal within a 200', async () => {
		serveAnswer('post', 'https://api.tripo3d.ai/v2/openapi/task', {
			code: 2010,
			message: 'not enough credit',
		});
		expect(await makeModel('tripo')).toMatchObject({
			status: 'failed',
			error: 'Tripo refused the call: not enough credit.',
		});
	});

	test('a task that ends without a model is a failure', async () => {
		const base = 'https://api.tripo3d.ai/v2/openapi';
		serveAnswer('post', `${base}/task`, { code: 0, data: { task_id: 't1' } });
		serveAnswer('get', `${base}/task/t1`, { code: 0, data: { status: 'cancelled' } });
		expect(await makeModel('tripo')).toMatchObject({
			status: 'failed',
			error: 'Tripo ended the task: cancelled.',
		});
	});
});

describe('meshy', () => {
	const base = 'https://api.meshy.ai/openapi/v2/text-to-3d';

	test.each([
		['low', false],
		['medium', true],
	])('%s accepts a preview', async (quality, should_remesh) => {
		serveAnswer('post', base, { result: 'p1' });
		serveAnswer('get', `${base}/p1`, { status: 'SUCCEEDED', model_urls: { glb: `${FILES}/model.glb` } });
		expect((await makeModel('meshy', quality)).status).toBe('complete');
		expect(bodies()).toEqual([{ mode: 'preview', prompt: 'a fox', art_style: 'realistic', should_remesh }]);
	});

	test('high refines the preview, in a task that starts once', async () => {
		serveAnswer('post', base, (count) => ({ result: count === 0 ? 'p1' : 'r1' }));
		serveAnswer('get', `${base}/p1`, (count) =>
			count < 1 ? { status: 'IN_PROGRESS', progress: 50 } : { status: 'SUCCEEDED' },
		);
		serveAnswer('get', `${base}/r1`, (count) =>
			count < 3
				? { status: 'IN_PROGRESS', progress: 10 }
				: { status: 'SUCCEEDED', model_urls: { glb: `${FILES}/model.glb` } },
		);
		expect((await makeModel('meshy', 'high')).status).toBe('complete');
		expect(bodies()).toEqual([
			{ mode: 'preview', prompt: 'a fox', art_style: 'realistic', should_remesh: true },
			{ mode: 'refine', preview_task_id: 'p1' },
		]);
	});

	test('a failed task has the error of the provider', async () => {
		serveAnswer('post', base, { result: 'p1' });
		serveAnswer('get', `${base}/p1`, { status: 'FAILED', task_error: { message: 'too busy' } });
		expect(await makeModel('meshy')).toMatchObject({
			status: 'failed',
			error: 'Meshy ended the task: too busy',
		});
	});
});

describe('rodin', () => {
	const base = 'https://hyperhuman.deemos.com/api/v2';

	test('requests the status by subscription, and the model by task', async () => {
		serveAnswer('post', `${base}/rodin`, { uuid: 'u1', subscription_key: 's1' });
		serveAnswer('post', `${base}/status`, (count) => ({
			jobs: [{ uuid: 'u1', status: count < 2 ? 'Generating' : 'Done', progress: 120 }],
		}));
		serveAnswer('post', `${base}/download`, {
			list: [
				{ name: 'preview.webp', url: `${FILES}/no.webp` },
				{ name: 'base.glb', url: `${FILES}/model.glb` },
			],
		});
		expect((await makeModel('rodin', 'high')).status).toBe('complete');
		expect(bodies()[0]).toEqual({
			prompt: 'a fox',
			condition_mode: 'concat',
			quality: 'detail',
			geometry_file_format: 'glb',
		});
		expect(bodies().slice(1, 2)).toEqual([{ subscription_key: 's1' }]);
		expect(bodies().at(-1)).toEqual({ task_uuid: 'u1' });
	});

	test('a failed job', async () => {
		serveAnswer('post', `${base}/rodin`, { uuid: 'u1', jobs: { subscription_key: 's1' } });
		serveAnswer('post', `${base}/status`, { jobs: [{ uuid: 'u1', status: 'Failed' }] });
		expect((await makeModel('rodin')).status).toBe('failed');
	});
});

describe('hunyuan', () => {
	test('of the service, whose key is not sent to another host', async () => {
		serveAnswer('post', 'https://api.3daistudio.com/api/generate', { task_id: 'h1' });
		serveAnswer('get', 'https://api.3daistudio.com/api/task/h1', {
			status: 'completed',
			result_url: `${FILES}/model.glb`,
		});
		expect((await makeModel('hunyuan', 'high')).status).toBe('complete');
		expect(bodies()).toEqual([{ type: 'text_to_3d', format: 'glb', resolution: 'high', prompt: 'a fox' }]);
		expect(receivedCalls.at(-1)).toMatchObject({ endpoint: `GET ${FILES}/model.glb`, key: null });
	});

	test('of a private server, without a key', async () => {
		tasks = tasksWith({ HUNYUAN_BASE_URL: 'http://10.0.0.9:8000/' });
		serveAnswer('post', 'http://10.0.0.9:8000/api/generate', { task_id: 'h1' });
		serveAnswer('get', 'http://10.0.0.9:8000/api/task/h1', { status: 'completed', result_url: '/model.glb' });
		server.use(
			http.get('http://10.0.0.9:8000/model.glb', () => HttpResponse.arrayBuffer(GLB.slice().buffer)),
		);
		expect((await makeModel('hunyuan')).status).toBe('complete');
		expect(receivedCalls.every(({ key }) => key === null)).toBe(true);
	});
});

describe('a provider that names a local address', () => {
	let hits = 0;
	const inside = createServer((_, response) => {
		hits++;
		response.end(GLB);
	});
	let port: number;
	beforeAll(async () => {
		await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
		({ port } = inside.address() as AddressInfo);
	});
	afterAll(() => inside.close());
	beforeEach(() => {
		hits = 0;
		for (const host of ['127.0.0.1', 'localhost'])
			server.use(http.all(`http://${host}:${port}/*`, () => passthrough()));
		serveAnswer('post', 'https://api.3daistudio.com/api/generate', { task_id: 'h1' });
	});

	test.each(['127.0.0.1', 'localhost'])('gets no answer of %s, directly or by a redirect', async (host) => {
		const secret = `http://${host}:${port}/secret`;
		server.use(http.get(`${FILES}/moved`, () => HttpResponse.redirect(secret)));
		for (const result_url of [secret, `${FILES}/moved`]) {
			serveAnswer('get', 'https://api.3daistudio.com/api/task/h1', { status: 'completed', result_url });
			expect(await makeModel('hunyuan')).toMatchObject({
				status: 'failed',
				error: 'The provider named an address of a private network, which is not read.',
			});
		}
		expect(hits).toBe(0);
	});

	test('is followed to public addresses a limited number of times, and the key is sent to no other host', async () => {
		const result_url = 'https://api.3daistudio.com/moved';
		serveAnswer('get', 'https://api.3daistudio.com/api/task/h1', { status: 'completed', result_url });
		server.use(http.get(result_url, () => HttpResponse.redirect(`${FILES}/model.glb`)));
		expect(await makeModel('hunyuan')).toMatchObject({ status: 'complete' });
		expect(receivedCalls.at(-1)).toMatchObject({ endpoint: `GET ${FILES}/model.glb`, key: null });
		server.use(http.get(result_url, () => HttpResponse.redirect(result_url)));
		expect(await makeModel('hunyuan')).toMatchObject({
			status: 'failed',
			error: 'The provider redirected more than 5 times.',
		});
	});

	test('in any spelling of the address', () => {
		for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111'])
			expect(isPublicAddress(address)).toBe(true);
		for (const address of [
			'0.0.0.0',
			'10.1.2.3',
			'100.64.0.1',
			'169.254.169.254',
			'172.31.255.255',
			'192.168.0.1',
			'224.0.0.1',
			'255.255.255.255',
			'::',
			'::1',
			'::ffff:127.0.0.1',
			'::ffff:8.8.8.8',
			'64:ff9b::7f00:1',
			'fd00::1',
			'fe80::1',
			'fe80::1%eth0',
			'ff02::1',
			'2002:7f00:1::',
			'localhost',
		])
			expect(isPublicAddress(address), address).toBe(false);
	});
});

describe('invalid answers', () => {
	const base = 'https://api.tripo3d.ai/v2/openapi';

	test('a model that is too large is not read to its end', async () => {
		tripoAnswers();
		let sent = 0;
		server.use(
			http.get(`${FILES}/model.glb`, () => {
				const body = new ReadableStream({
					pull(controller) {
						sent += 1024 * 1024;
						controller.enqueue(new Uint8Array(1024 * 1024));
					},
				});
				return new HttpResponse(body);
			}),
		);
		expect(await makeModel('tripo')).toMatchObject({
			status: 'failed',
			error: `The provider sent more than ${MAX_DOCUMENT_BYTES} bytes.`,
		});
		expect(sent).toBeLessThan(MAX_DOCUMENT_BYTES + 16 * 1024 * 1024);
	});

	test('an error page instead of the model', async () => {
		tripoAnswers();
		server.use(http.get(`${FILES}/model.glb`, () => HttpResponse.text('gone', { status: 404 })));
		expect(await makeModel('tripo')).toMatchObject({ status: 'failed', error: 'The provider answered 404.' });
	});

	test('a refused key: the error says so without the key', async () => {
		serveAnswer('post', `${base}/task`, () =>
			HttpResponse.json({ message: `bad key ${KEY}` }, { status: 401 }),
		);
		const { error } = await makeModel('tripo');
		expect(error).toContain('The provider answered 401: bad key ....');
		expect(error).toContain('environment');
		expect(error).not.toContain(KEY);
	});

	test('a server with a temporary failure', async () => {
		serveAnswer('post', `${base}/task`, (count) =>
			count < 2 ? HttpResponse.text('no', { status: 502 }) : { code: 0, data: { task_id: 't1' } },
		);
		serveAnswer('get', `${base}/task/t1`, (count) =>
			count === 0
				? HttpResponse.text('<html>', { status: 200 })
				: count === 1
					? HttpResponse.error()
					: { code: 0, data: { status: 'success', output: { pbr_model: `${FILES}/model.glb` } } },
		);
		expect((await makeModel('tripo')).status).toBe('complete');
	});
});

test('keys are sent to their provider, and are in no file and no answer', async () => {
	tripoAnswers();
	const task = await makeModel('tripo');
	expect(
		receivedCalls
			.filter(({ endpoint }) => endpoint.includes('tripo'))
			.every(({ key }) => key === `Bearer ${KEY}`),
	).toBe(true);
	expect(receivedCalls.find(({ endpoint }) => endpoint.includes(FILES))?.key).toBeNull();
	const texts = [JSON.stringify(task), JSON.stringify(tasks.providers())];
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
		if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), 'latin1'));
	expect(texts.length).toBeGreaterThan(3);
	expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
});

test('without keys only free providers exist, and an empty key counts as none', async () => {
	tasks = tasksWith({ TRIPO_API_KEY: ' ', MESHY_API_KEY: '' });
	expect(tasks.providers().map(({ name, available }) => [name, available])).toEqual([
		['tripo', false],
		['meshy', false],
		['rodin', false],
		['hunyuan', false],
		['procedural', true],
	]);
	expect((await makeModel('procedural')).status).toBe('complete');
	expect(calls()).toEqual([]);
});
