/** `orrery mcp`: agents that speak the Model Context Protocol, against a real engine. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../relay/cli/run.ts';
import { answerLines } from '../../relay/mcp/messages.ts';
import { TOOLS } from '../../relay/mcp/tools.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Engine } from '../../web/host/engine.ts';
import { startEngine } from '../support/engine.ts';
import { type ServedEngine, serveHandle } from '../support/serve-engine.ts';
import { testTerminal } from './cli/test-terminal.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
type Answer = any;

let engine: Engine;
let server: ServedEngine;
let senders: (string | undefined)[];

beforeEach(async () => {
	({ engine } = await startEngine());
	engine.setView({
		gpu: { backend: 'webgl2', device_name: 'a drawing', capabilities: {} },
		capture: async () => ({ png: PNG, tick: 0, digest: '0'.repeat(16) }),
	} as unknown as Parameters<Engine['setView']>[0]);
	senders = [];
	server = await serveHandle((request) => {
		senders.push(request.headers['user-agent']);
		return engine.handle(request);
	});
});

afterEach(async () => {
	await server.close();
	await engine.close();
});

const request = (id: number, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
const tool = (id: number, name: string, given?: object) =>
	request(id, 'tools/call', { name, ...(given === undefined ? {} : { arguments: given }) });

/** The answers to lines that stand on standard input, by the id of the request. */
async function mcp(lines: readonly (object | string)[], url = server.url): Promise<Map<unknown, Answer>> {
	const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
	const { terminal, printed } = testTerminal({ ORRERY_SERVER: url }, new Map([['-', input]]), new Map());
	expect(await runCommandLine(['mcp'], terminal)).toBe(0);
	expect(printed.error).toBe('');
	const answers = printed.out
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line));
	for (const answer of answers) expect(answer.jsonrpc).toBe('2.0');
	return new Map(answers.map((answer) => [answer.id, answer]));
}

/** One call of a tool: what came of it, and its text as JSON. */
async function use(name: string, given?: object, url?: string) {
	const { result, error } = (await mcp([tool(1, name, given)], url)).get(1);
	const text = result?.content.at(-1)?.text;
	return {
		result,
		error,
		text,
		get json(): Answer {
			return JSON.parse(result.content[0].text);
		},
	};
}

describe('the protocol', () => {
	test('says who serves, and speaks the version that is asked for when it knows it', async () => {
		for (const [asked, said] of [
			['2024-11-05', '2024-11-05'],
			['2025-06-18', '2025-06-18'],
			['1999-01-01', '2025-11-25'],
		]) {
			const { result } = (await mcp([request(0, 'initialize', { protocolVersion: asked })])).get(0);
			expect(result).toMatchObject({
				protocolVersion: said,
				capabilities: { tools: {} },
				serverInfo: { name: 'orrery' },
			});
			expect(result.instructions).toContain('POST /peek');
		}
	});

	test('lists its tools with schemas of what they take', async () => {
		const { tools } = (await mcp([request(1, 'tools/list')])).get(1).result;
		expect(tools.map(({ name }: Answer) => name)).toEqual(['schema', 'call', 'picture']);
		for (const { inputSchema, description } of tools) {
			expect(inputSchema.type).toBe('object');
			expect(description.length).toBeGreaterThan(40);
		}
		expect(JSON.stringify(tools).length, 'every agent reads them at each start').toBeLessThan(6000);
		expect(Object.keys(tools[2].inputSchema.properties)).toEqual(
			expect.arrayContaining(['width', 'height', 'world', 'hud']),
		);
	});

	test('answers what it can of what is broken, and goes on', async () => {
		const answers = await mcp([
			'{"id":1,',
			'[]',
			'7',
			{ jsonrpc: '2.0', id: 2 },
			request(3, 'tools/shout'),
			request(4, 'constructor'),
			{ jsonrpc: '2.0', method: 'notifications/initialized' },
			{ jsonrpc: '2.0', id: 99, result: {} },
			tool(5, 'shout'),
			request(7, 'ping'),
		]);
		const codes = [...answers].map(([id, { error }]) => [id, error?.code]);
		expect(new Map(codes as [unknown, unknown][])).toEqual(
			new Map<unknown, unknown>([
				[null, -32600],
				[2, -32600],
				[3, -32601],
				[4, -32601],
				[5, -32602],
				[7, undefined],
			]),
		);
		expect((await mcp(['{"id":1,'])).get(null).error.code).toBe(-32700);
		expect(answers.get(7).result).toEqual({});
	});

	test('several requests in one line are answered each', async () => {
		const answers = await mcp([JSON.stringify([request(1, 'ping'), request(2, 'ping')])]);
		expect([...answers.keys()]).toEqual([1, 2]);
	});

	test('a request that is cancelled is given up and not answered, and others are', async () => {
		const written: string[] = [];
		let gaveUp = false;
		async function* lines() {
			yield JSON.stringify(request(1, 'wait'));
			yield JSON.stringify({ method: 'notifications/cancelled', params: { requestId: 1 } });
			yield JSON.stringify(request(2, 'ping'));
		}
		await answerLines(lines(), (line) => written.push(line), {
			ping: () => ({}),
			wait: (_, signal) =>
				new Promise((_resolve, reject) =>
					signal.addEventListener('abort', () => {
						gaveUp = true;
						reject(new Error('given up'));
					}),
				),
		});
		expect(gaveUp).toBe(true);
		expect(written.map((line) => JSON.parse(line).id)).toEqual([2]);
	});
});

test('every example of every tool works, and the texts name no other call', async () => {
	const { tools } = (await mcp([request(1, 'tools/list')])).get(1).result;
	for (const { name, description, inputSchema } of tools) {
		const { examples } = TOOLS.find((one) => one.name === name)!;
		expect(examples.length).toBeGreaterThan(0);
		for (const example of examples) {
			const { result } = await use(name, example);
			expect(
				result.isError,
				`${name} ${JSON.stringify(example)}: ${JSON.stringify(result.content)}`,
			).toBeUndefined();
		}
		if (name !== 'call') continue;
		const texts = `${description} ${inputSchema.properties.path.description}`;
		for (const [path] of texts.matchAll(/(?<= )\/[a-z]+[\w/?=]*/g))
			expect(examples.map((example) => example.path)).toContain(path);
		const written = [
			...description.matchAll(
				/(GET|POST|DELETE) (\/[^ ;]+?)(?: (\{.*?\}))?(?: with world "(\w+)")?(?:; |\.$)/g,
			),
		];
		expect(
			written.map(([, method, path, body, world]) => ({
				method,
				path,
				...(body === undefined ? {} : { body: JSON.parse(body) }),
				...(world === undefined ? {} : { world }),
			})),
		).toEqual(examples);
	}
});

describe('the tool call', () => {
	test('makes any call of any world, and answers what the API does', async () => {
		expect((await use('call', { method: 'POST', path: '/spawn', body: { health: 7 } })).json).toMatchObject({
			ok: true,
			id: 0,
		});
		await use('call', { method: 'POST', path: '/fork', body: { fork_id: 'plan' } });
		await use('call', { method: 'POST', path: '/step', body: { ticks: 3 }, world: 'plan' });
		const tick = async (given: object) => (await use('call', { method: 'GET', ...given })).json.tick;
		expect(await tick({ path: '/digest' })).toBe(0);
		expect(await tick({ path: '/digest', world: 'plan' })).toBe(3);
		expect(await tick({ path: '/digest?world=plan' })).toBe(3);
		const gone = await use('call', { method: 'DELETE', path: '/fork/plan' });
		expect(gone.result.isError).toBeUndefined();
	});

	test('a POST without a body has an empty one', async () => {
		expect((await use('call', { method: 'POST', path: '/observe' })).json.ok).toBe(true);
	});

	test('what is refused says so, and what to send instead', async () => {
		const { result, json } = await use('call', { method: 'POST', path: '/step', body: { tics: 1 } });
		expect(result.isError).toBe(true);
		expect(json).toMatchObject({ ok: false, code: 'invalid_body', fix: expect.stringContaining('ticks') });
	});

	test.each([
		[{ path: '/step' }, '"method" as one of GET, POST, PATCH, DELETE'],
		[{ method: 'PUT', path: '/step' }, '"method" as one of'],
		[{ method: 'GET' }, '"path" as a path'],
		[{ method: 'GET', path: 'digest' }, '"path" as a path'],
		[{ method: 'GET', path: '/digest', ticks: 3 }, '"ticks" is not an argument'],
		[{ method: 'GET', path: '/digest', body: { future: true } }, '"body" is not allowed with GET'],
	])('%j is refused before anything is sent', async (given, said) => {
		const { result, json } = await use('call', given);
		expect(result.isError).toBe(true);
		expect(json).toMatchObject({ ok: false, code: 'invalid_body' });
		expect(`${json.error} ${json.fix}`).toContain(said);
		expect(senders).toEqual([]);
	});

	test('arguments and a body may be JSON text, and text that is no object is refused as a tool', async () => {
		const step = { method: 'POST', path: '/step', body: JSON.stringify({ ticks: 2 }) };
		expect((await use('call', step)).json).toMatchObject({ ok: true, new_tick: 2 });
		expect((await use('call', JSON.stringify(step) as never)).json).toMatchObject({ new_tick: 4 });
		for (const given of [[1], 'ticks', { ...step, body: 'ticks' }, { ...step, body: [1] }]) {
			const { result, json } = await use('call', given as never);
			expect(result.isError).toBe(true);
			expect(json).toMatchObject({ ok: false, fix: expect.stringContaining('as an object') });
		}
	});

	test('a path that names another server goes to none, and so does the session', async () => {
		const came: (string | undefined)[] = [];
		const other = await serveHandle(async ({ headers }) => {
			came.push(headers.authorization);
			return { status: 200, headers: {}, body: new TextEncoder().encode('{"ok":true}') };
		});
		const { host } = new URL(other.url);
		for (const path of [`//${host}/x`, `/\\${host}/x`, `/\t/${host}/x`]) {
			const { result, json } = await use('call', { method: 'POST', path, body: {} });
			expect(result.isError).toBe(true);
			expect(json).toMatchObject({ ok: false, fix: expect.stringContaining('such as /observe') });
		}
		await other.close();
		expect([came, senders]).toEqual([[], []]);
	});

	test('of a long answer the beginning is shown, with how long it is', async () => {
		const requests = Array.from({ length: 900 }, () => ({
			path: '/spawn',
			body: { mesh: 'cube', health: 5 },
		}));
		await use('call', { method: 'POST', path: '/batch', body: { requests } });
		const { result } = await use('call', { method: 'POST', path: '/observe' });
		expect(result.content).toHaveLength(2);
		expect(result.content[0].text).toHaveLength(100_000);
		expect(result.content[1].text).toMatch(/answer has \d{6} characters/);
	});

	test('says who calls, as the client gave its name', async () => {
		await mcp([
			request(0, 'initialize', { clientInfo: { name: 'Größe\n1' } }),
			tool(1, 'call', { method: 'GET', path: '/digest' }),
		]);
		expect(senders).toEqual(['mcp Gr??e?1']);
	});

	test('with nobody there says how to start an engine', async () => {
		const { result } = await use('call', { method: 'GET', path: '/' }, 'http://127.0.0.1:1');
		expect(result).toMatchObject({
			isError: true,
			content: [{ text: expect.stringContaining('npx orrery start') }],
		});
	});
});

describe('the tool schema', () => {
	test('without arguments has a line for every route', async () => {
		const { text } = (await use('schema')).result.content[0];
		const listed = text.split('\n').map((line: string) => line.split(' # ')[0]);
		for (const { method, path } of routes) expect(listed).toContain(`${method} ${path}`);
		expect(text.split('\n').at(-1)).toContain(' Health ');
		expect(text.length).toBeLessThanOrEqual(12 * 1024);
	});

	test('of a path lists its fields, and of one that does not exist what is near', async () => {
		const { text } = (await use('schema', { path: '/spawn' })).result.content[0];
		expect(text).toMatch(/^POST \/spawn # Creates an entity\n/);
		expect(text).toMatch(/^health\?: number 0\.\. HP/m);
		expect((await use('schema', { path: '/spawn', form: 'full' })).json.routes).toHaveLength(1);
		expect((await use('schema', { q: 'creates an entity' })).result.content[0].text).toContain('POST /spawn');
		const { result } = await use('schema', { path: '/spwn' });
		expect(result.isError).toBe(true);
		expect(result.content[0].text).toContain('/spawn');
	});
});

describe('the tool picture', () => {
	test('is a picture, with when it was taken', async () => {
		const { result } = await use('picture', { width: 64, height: 36 });
		expect(result.content).toEqual([
			{ type: 'image', mimeType: 'image/png', data: Buffer.from(PNG).toString('base64') },
			{ type: 'text', text: `Tick 0, state digest ${'0'.repeat(16)}` },
		]);
	});

	test('that cannot be taken says why', async () => {
		const { result } = await use('picture', { width: -1 });
		expect(result.isError).toBe(true);
		expect(result.content[0].text).toContain('width');
	});
});
