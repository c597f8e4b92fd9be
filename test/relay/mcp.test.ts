/** The Model Context Protocol at /mcp and over standard streams, against a real engine. */

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../relay/cli/run-command-line.ts';
import { translateFixes } from '../../relay/mcp/phrases.ts';
import { answerLines } from '../../relay/mcp/stdio.ts';
import { TOOLS } from '../../relay/mcp/tools.ts';
import { ERRORS } from '../../shared/contract/errors.ts';
import { recipes } from '../../shared/recipes/index.ts';
import { runAction } from '../../shared/routes/actions.ts';
import { routes } from '../../shared/routes/index.ts';
import { TOOL_NAMES } from '../../shared/rules/action.ts';
import type { CaptureRequest } from '../../web/frames/frames.ts';
import type { Engine } from '../../web/host/engine.ts';
import { type Answer, eventsOf, mcpClient, request } from '../support/mcp-client.ts';
import { serveHandle } from '../support/serve-engine.ts';
import { createTestTerminal } from './cli/test-terminal.ts';
import { type McpServer, startMcpServer } from './mcp-server.ts';
import { type GatedServer, startGated } from './sign-in/gated-server.ts';

const PIXELS = Uint8Array.of(1, 2, 3);
const [
	{
		given: [{ body: DRINK }],
	},
] = runAction.examples as unknown as [{ given: [{ body: Answer }] }];

let server: McpServer;
beforeEach(async () => {
	server = await startMcpServer();
	server.engine.setView({
		gpu: { backend: 'webgl2', device_name: 'a drawing', capabilities: {} },
		capture: async (_: unknown, { type = 'image/png', cameras }: CaptureRequest) => ({
			bytes:
				cameras === undefined
					? PIXELS
					: new TextEncoder().encode(
							JSON.stringify(cameras.map(() => ({ type, data: 'AQID', size_bytes: 3 }))),
						),
			type,
			tick: 0,
			digest: '0'.repeat(16),
		}),
	} as unknown as Parameters<Engine['setView']>[0]);
});
afterEach(() => server.close());

const tool = (id: number, name: string, args?: object) =>
	request(id, 'tools/call', { name, arguments: args });

/** Returns the answers to lines on standard input, by the id of the request. */
async function stdio(lines: readonly (object | string)[], url = server.url): Promise<Map<unknown, Answer>> {
	const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
	const { terminal, printed } = createTestTerminal(
		{ ORRERY_SERVER: url },
		new Map([['-', input]]),
		new Map(),
	);
	expect(await runCommandLine(['mcp'], terminal)).toBe(0);
	expect(printed.error).toBe('');
	const answers = printed.out
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line));
	for (const answer of answers) expect(answer.jsonrpc).toBe('2.0');
	return new Map(answers.map((answer) => [answer.id, answer]));
}

describe('the older era', () => {
	test.each([
		['2024-11-05', '2024-11-05'],
		['2025-03-26', '2025-03-26'],
		['2025-06-18', '2025-06-18'],
		['2025-11-25', '2025-11-25'],
		['1999-01-01', '2025-11-25'],
	])(
		'asked for %s speaks %s, over HTTP and over standard streams',
		async (protocolVersion, answeredVersion) => {
			const expected = {
				protocolVersion: answeredVersion,
				capabilities: { tools: {}, resources: {}, prompts: {} },
				serverInfo: { name: 'orrery' },
				instructions: expect.stringContaining('peek'),
			};
			const { result } = await server.legacy('initialize', { protocolVersion });
			expect(result).toMatchObject(expected);
			expect(result).not.toHaveProperty('resultType');
			expect((await stdio([request(0, 'initialize', { protocolVersion })])).get(0).result).toMatchObject(
				expected,
			);
		},
	);

	test('accepts lists of messages, and does not answer messages without a request', async () => {
		const list = [
			request(1, 'ping'),
			{ jsonrpc: '2.0', method: 'notifications/initialized' },
			request(2, 'nope'),
		];
		const answers: Answer = await (await server.send(list)).json();
		expect(answers).toMatchObject([
			{ id: 1, result: {} },
			{ id: 2, error: { code: -32601 } },
		]);
		expect((await server.send(Array(101).fill(request(1, 'ping')))).status).toBe(400);
		const silent = await server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
		expect([silent.status, await silent.text()]).toEqual([202, '']);
	});
});

describe('the stateless era', () => {
	test('lists its methods, and marks every result', async () => {
		expect(await server.modern('server/discover')).toMatchObject({
			status: 200,
			result: {
				supportedVersions: ['2026-07-28'],
				capabilities: { tools: { listChanged: true } },
				resultType: 'complete',
				ttlMs: expect.any(Number),
				cacheScope: 'private',
				_meta: { 'io.modelcontextprotocol/serverInfo': { name: 'orrery' } },
			},
		});
		for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
			expect((await server.modern(method)).result).toMatchObject({
				resultType: 'complete',
				ttlMs: expect.any(Number),
			});
	});

	test.each([
		['a method of the older era', 'ping', {}, {}, 404, -32601],
		[
			'another version',
			'tools/list',
			{ 'io.modelcontextprotocol/protocolVersion': '2031-01-01' },
			{},
			400,
			-32022,
		],
		['another method in the header', 'tools/list', {}, { 'mcp-method': 'ping' }, 400, -32020],
		[
			'another version in the header',
			'tools/list',
			{},
			{ 'mcp-protocol-version': '2025-06-18' },
			400,
			-32020,
		],
		['no capabilities', 'tools/list', { 'io.modelcontextprotocol/clientCapabilities': 1 }, {}, 400, -32602],
	])('refuses %s', async (_, method, _meta, headers, status, code) => {
		expect(await server.modern(method, { _meta }, headers)).toMatchObject({ status, error: { code } });
	});

	test('refuses a tool whose header names another, and accepts one in Base64', async () => {
		const step = { name: 'step', arguments: {} };
		expect(await server.modern('tools/call', step, { 'mcp-name': 'peek' })).toMatchObject({
			status: 400,
			error: { code: -32020, message: expect.stringContaining('Mcp-Name') },
		});
		const encodedName = `=?base64?${Buffer.from('step').toString('base64')}?=`;
		expect(await server.modern('tools/call', step, { 'mcp-name': encodedName })).toMatchObject({
			status: 200,
		});
	});

	test('a header of this era without its envelope is refused', async () => {
		const response = await server.send(request(1, 'tools/list'), { 'mcp-protocol-version': '2026-07-28' });
		expect([response.status, ((await response.json()) as Answer).error.code]).toEqual([400, -32602]);
	});
});

describe('over HTTP', () => {
	test('only this machine and its own pages are answered, and only POST', async () => {
		const get = await fetch(`${server.url}/mcp`);
		expect([get.status, get.headers.get('allow')]).toEqual([405, 'GET, POST']);
		const foreign = await server.send(request(1, 'ping'), { origin: 'http://evil.example' });
		expect([foreign.status, ((await foreign.json()) as Answer).code]).toEqual([403, 'origin_refused']);
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		const params = `{"name":"call","arguments":{"method":"POST","path":"/spawn","body":{"tags":${deep}}}}`;
		const nested = await server.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
		expect(await nested.json()).toMatchObject({ id: 1 });
		const broken = await server.send('{"id":1,');
		expect([broken.status, ((await broken.json()) as Answer).error.code]).toEqual([400, -32700]);
	});

	test('a long step reports its progress, and ends when the client closes the stream', async () => {
		await server.must('POST', '/scene/open', { name: 'market' });
		const closing = new AbortController();
		const long = { name: 'step', arguments: { ticks: 10_000 }, _meta: { progressToken: 'p' } };
		const events = eventsOf(await server.send(request(1, 'tools/call', long), {}, closing.signal));
		const { value } = await events.next();
		expect(value).toMatchObject({
			method: 'notifications/progress',
			params: { progressToken: 'p', progress: expect.any(Number), total: 10_000 },
		});
		closing.abort();
		await vi.waitFor(async () => expect((await server.get('/calls')).calls).toEqual([]), 20_000);
		expect((await server.get('/digest')).tick).toBeLessThan(10_000);
	});

	test('every listening client is notified of changed tools, in either era', async () => {
		const older = await fetch(`${server.url}/mcp`, { headers: { accept: 'text/event-stream' } });
		const events = eventsOf(older);
		const listening = eventsOf(
			await server.send(
				{
					...request(7, 'subscriptions/listen'),
					params: {
						notifications: { toolsListChanged: true, promptsListChanged: true },
						_meta: {
							'io.modelcontextprotocol/protocolVersion': '2026-07-28',
							'io.modelcontextprotocol/clientCapabilities': {},
						},
					},
				},
				{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
			),
		);
		const _meta = { 'io.modelcontextprotocol/subscriptionId': 7 };
		expect((await listening.next()).value).toEqual({
			jsonrpc: '2.0',
			method: 'notifications/subscriptions/acknowledged',
			params: { _meta, notifications: { toolsListChanged: true } },
		});
		await server.must('POST', '/scenario', DRINK);
		const method = 'notifications/tools/list_changed';
		expect((await listening.next()).value).toEqual({ jsonrpc: '2.0', method, params: { _meta } });
		expect((await events.next()).value).toEqual({ jsonrpc: '2.0', method });
		const listedBy = (await server.get('/watch')).calls.filter(
			(call: Answer) => call.path === '/action/list',
		);
		expect(listedBy.every((call: Answer) => call.sender === 'panels')).toBe(true);
		for (const stream of [events, listening]) await stream.return(undefined);
		expect(await server.modern('subscriptions/listen', {}, { accept: 'application/json' })).toMatchObject({
			error: { message: expect.stringContaining('text/event-stream') },
		});
	});

	test('a client of the older era cancels its own request by id, and no other', async () => {
		await server.must('POST', '/scene/open', { name: 'market' });
		const opened = await server.send(request(0, 'initialize', { clientInfo: { name: 'Größe' } }));
		const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
		const cancel = (headers: Record<string, string>) =>
			server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, headers);
		const step = server.send(tool(1, 'step', { ticks: 10_000 }), session);
		const senders = async () => (await server.get('/calls')).calls.map((call: Answer) => call.sender);
		await vi.waitFor(async () => expect(await senders()).toEqual(['mcp Gr??e']), 20_000);
		await cancel({ 'mcp-session-id': 'another' });
		await cancel({});
		expect(await senders()).toEqual(['mcp Gr??e']);
		await cancel(session);
		expect(await (await step).json()).toMatchObject({
			id: 1,
			error: { message: expect.stringContaining('cancelled') },
		});
		await vi.waitFor(async () => expect(await senders()).toEqual([]), 20_000);
	});
});

describe('over standard streams', () => {
	test('answers the readable parts of broken input, and continues', async () => {
		const answers = await stdio([
			'[]',
			'7',
			{ jsonrpc: '2.0', id: 2 },
			request(3, 'tools/shout'),
			request(4, 'constructor'),
			{ jsonrpc: '2.0', method: 'notifications/initialized' },
			{ jsonrpc: '2.0', id: 99, result: {} },
			tool(5, 'stpe'),
			JSON.stringify([request(7, 'ping'), request(8, 'ping')]),
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
				[8, undefined],
			]),
		);
		expect(answers.get(5).error.message).toContain('Did you mean "step"?');
		expect((await stdio(['{"id":1,'])).get(null).error.code).toBe(-32700);
		const discover = {
			...request(1, 'server/discover'),
			params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
		};
		expect((await stdio([discover])).get(1).result.supportedVersions).toEqual(['2026-07-28']);
	});

	test('a cancelled request is stopped without an answer, and others are answered', async () => {
		const lines: string[] = [];
		let gaveUp = false;
		async function* input() {
			yield JSON.stringify(request(1, 'wait'));
			yield JSON.stringify({ method: 'notifications/cancelled', params: { requestId: 1 } });
			yield JSON.stringify(request(2, 'ping'));
		}
		await answerLines(
			input(),
			(line) => lines.push(line),
			async ({ id, method }, { signal }) => {
				if (method === 'wait') {
					await new Promise((resolve) => signal.addEventListener('abort', resolve));
					gaveUp = true;
				}
				return { id };
			},
		);
		expect(gaveUp).toBe(true);
		expect(lines.map((line) => JSON.parse(line).id)).toEqual([2]);
	});

	test('changed tools are notified while the client sends nothing, until its input ends', async () => {
		const notified = Promise.withResolvers<void>();
		const subscribed = Promise.withResolvers<void>();
		const { terminal } = createTestTerminal({ ORRERY_SERVER: server.url }, new Map(), new Map());
		const out = (line: string) => {
			const { id, method } = JSON.parse(line) as Answer;
			if (id === 1) subscribed.resolve();
			if (method === 'notifications/tools/list_changed') notified.resolve();
		};
		async function* lines() {
			yield JSON.stringify(request(0, 'initialize', { protocolVersion: '2025-11-25' }));
			yield JSON.stringify(request(1, 'tools/list'));
			await notified.promise;
		}
		const ended = runCommandLine(['mcp'], { ...terminal, out, lines });
		await subscribed.promise;
		for (let turn = 0, isTold = false; !isTold; turn++) {
			await server.must('POST', '/scenario', turn % 2 === 0 ? DRINK : {});
			isTold = await Promise.race([notified.promise.then(() => true), server.digest().then(() => false)]);
		}
		expect(await ended).toBe(0);
	});

	test('a path that names another server is sent to none, and neither is the session', async () => {
		let callCount = 0;
		const other = await serveHandle(async () => {
			callCount++;
			return { status: 200, headers: {}, body: new TextEncoder().encode('{"ok":true}') };
		});
		const { host } = new URL(other.url);
		for (const path of [`//${host}/x`, `/\\${host}/x`, `/\t/${host}/x`]) {
			const { result } = (await stdio([tool(1, 'call', { method: 'POST', path, body: {} })])).get(1);
			expect(result).toMatchObject({
				isError: true,
				content: [{ text: expect.stringContaining('such as /observe') }],
			});
		}
		await other.close();
		expect(callCount).toBe(0);
	});

	test('without a server the tools are listed, and each says how to start one', async () => {
		const answers = await stdio([request(1, 'tools/list'), tool(2, 'observe')], 'http://127.0.0.1:1');
		expect(answers.get(1).result.tools).toHaveLength(TOOL_NAMES.length);
		expect(answers.get(2).result).toMatchObject({
			isError: true,
			content: [{ text: expect.stringContaining('npx orrery start') }],
		});
	});
});

describe('the tools', () => {
	const listed = async () => (await server.modern('tools/list')).result.tools;

	test('are fixed, cost at most 3,000 tokens, and the README names the number', async () => {
		const tools = await listed();
		expect(tools.map(({ name }: Answer) => name)).toEqual([...TOOL_NAMES]);
		const tokens = Math.ceil(JSON.stringify(tools).length / 4);
		expect(tokens).toBeLessThanOrEqual(3000);
		const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
		const [, text = ''] = /([\d,]+) tokens/.exec(readme) ?? [];
		expect(Math.abs(Number(text.replace(',', '')) - tokens), `README: about ${tokens} tokens`).toBeLessThan(
			50,
		);
		for (const { description, inputSchema, annotations } of tools) {
			expect(description.length).toBeGreaterThan(40);
			expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
			if (!annotations.readOnlyHint)
				expect(annotations).toMatchObject({ destructiveHint: expect.any(Boolean), idempotentHint: false });
		}
	});

	test('every example of every tool works', async () => {
		await server.must('POST', '/scenario', DRINK);
		for (const { name, examples } of TOOLS) {
			expect(examples.length).toBeGreaterThan(0);
			for (const example of examples) {
				const { result } = await server.use(name, example);
				expect(
					result.isError,
					`${name} ${JSON.stringify(example)}: ${JSON.stringify(result)}`,
				).toBeUndefined();
			}
		}
	});

	test('each action of the scenario is a tool in order of name, until another scenario loads', async () => {
		const score = { method: 'GET', path: '/game/state', answer: ['phase', 'winner_team'] };
		const later = { ...DRINK.actions[0], name: 'ale', requests: [...DRINK.actions[0].requests, score] };
		await server.must('POST', '/scenario', { ...DRINK, actions: [...DRINK.actions, later] });
		const tools = await listed();
		expect(tools.map(({ name }: Answer) => name).slice(TOOL_NAMES.length)).toEqual(['ale', 'drink']);
		expect(tools.at(-2).description).toBe(
			'The hero drinks a potion. Lists in its results are: [phase, winner_team].',
		);
		expect(tools.at(-1)).toMatchObject({
			description: 'The hero drinks a potion.',
			inputSchema: {
				properties: { amount: { type: 'number', minimum: 1, maximum: 50 }, world: { type: 'string' } },
				required: ['amount'],
				additionalProperties: false,
			},
			annotations: { readOnlyHint: false, destructiveHint: true },
		});
		await server.must('POST', '/fork', { fork_id: 'plan' });
		expect((await server.use('drink', { amount: 5, world: 'plan' })).json).toMatchObject({
			world: 'plan',
			tick: 1,
		});
		expect((await server.use('act', { action: 'drink', parameters: { amount: 5 } })).json.tick).toBe(1);
		expect((await server.use('act')).json.actions).toHaveLength(2);
		await server.must('POST', '/scenario', {});
		expect(await listed()).toHaveLength(TOOL_NAMES.length);
	});

	test.each([
		['drink', { amount: 90 }, '50'],
		['drink', { amuont: 9 }, 'amount'],
		['act', { action: 'drnk' }, 'Did you mean "drink"?'],
		['act', { action: 'drink', amount: 9 }, 'into "parameters"'],
		['step', { tics: 1 }, 'ticks'],
		['observe', { filter: 'tem:1' }, 'team'],
		['fork', {}, 'fork_id'],
		['picture', { width: -1 }, 'width'],
		['describe', { path: '/spwn' }, '/spawn'],
		['call', { path: '/step' }, '"method" as one of GET, POST, PATCH, DELETE'],
		['call', { method: 'PUT', path: '/step' }, '"method" as one of'],
		['call', { method: 'GET' }, '"path" as a path'],
		['call', { method: 'GET', path: 'digest' }, '"path" as a path'],
		['call', { method: 'GET', path: '/digest', ticks: 3 }, '"ticks" is not an argument'],
		['call', { method: 'GET', path: '/digest', body: { future: true } }, '"body" is not allowed with GET'],
		['call', [1], 'as an object'],
	])('%s %j is an error that a model can correct', async (name, given, text) => {
		await server.must('POST', '/scenario', DRINK);
		const before = await server.digest();
		const { result, json } = await server.use(name, given);
		expect(result.isError).toBe(true);
		expect(`${json.error} ${json.fix}`).toContain(text);
		expect(await server.digest()).toBe(before);
	});

	test('advice names tools instead of routes that have one', async () => {
		const { json } = await server.use('step', { ticks: 'soon' });
		expect(json.fix).not.toContain('GET /schema');
		const gone = await server.use('call', { method: 'GET', path: '/entities/5' });
		expect(gone.json.fix).toBe('The tool "observe" lists the living entities with their generations.');
		const fork = await server.use('call', { method: 'POST', path: '/fork/nope/promote' });
		expect(fork.json.fix).toContain('GET /fork/list lists the forks; the tool "fork" creates one.');
		expect(
			translateFixes(
				{ fix: ERRORS.bad_query[1], failed: [{ fix: 'GET /schema?form=compact lists every route.' }] },
				'/action/drink',
			),
		).toEqual({
			fix: 'Change the named query parameter; the tool "describe" with {"path":"/action/{name}"} lists those of a route.',
			failed: [{ fix: 'The tool "describe" lists every route.' }],
		});
	});

	test('call makes any call to any world, with arguments and body also as JSON text', async () => {
		await server.use('fork', { fork_id: 'plan' });
		const step = { method: 'post', path: '/step', body: JSON.stringify({ ticks: 2 }) };
		expect((await server.use('call', JSON.stringify({ ...step, world: 'plan' }))).json).toMatchObject({
			new_tick: 2,
		});
		const tick = async (args: object) => (await server.use('call', { method: 'GET', ...args })).json.tick;
		expect(await tick({ path: '/digest' })).toBe(0);
		expect(await tick({ path: '/digest', world: 'plan' })).toBe(2);
		expect(await tick({ path: '/digest?world=plan' })).toBe(2);
		expect(
			(await server.use('call', { method: 'DELETE', path: '/fork/plan' })).result.isError,
		).toBeUndefined();
	});

	test('a long answer is cut, with advice for a shorter one', async () => {
		const requests = Array.from({ length: 900 }, () => ({
			path: '/spawn',
			body: { mesh: 'cube', health: 5 },
		}));
		await server.must('POST', '/batch', { requests });
		const { result } = await server.use('call', { method: 'POST', path: '/observe' });
		expect(result.content[0].text).toHaveLength(60_000);
		expect(result.content[1].text).toMatch(/answer has \d{6} characters.*Request less/);
		const { json } = await server.use('observe');
		expect(json).toMatchObject({ ok: true, left_out: expect.any(Number), next: expect.any(String) });
	});

	test('describe has a line for every route', async () => {
		const { text } = (await server.use('describe')).result.content[0];
		const lines = text.split('\n').map((line: string) => line.split(' # ')[0]);
		for (const { method, path } of routes) expect(lines).toContain(`${method} ${path}`);
	});

	test('a picture is WebP with its tick, and a larger one is a link', async () => {
		const { result } = await server.use('picture', { width: 64, height: 36 });
		const data = Buffer.from(PIXELS).toString('base64');
		expect(result.content).toEqual([
			{ type: 'image', mimeType: 'image/webp', data },
			{ type: 'text', text: `Tick 0, state digest ${'0'.repeat(16)}` },
		]);
		expect(result).not.toHaveProperty('structuredContent');
		const both = await server.use('picture', { cameras: [{}, { eye: [0, 9, 0.1] }] });
		const image = { type: 'image', mimeType: 'image/webp', data: 'AQID' };
		expect(both.result.content).toEqual([
			image,
			image,
			{ type: 'text', text: expect.stringContaining('"tick":0') },
		]);
		const large = await server.use('picture', { report: true, width: 2048 });
		expect(large.result).toMatchObject({ isError: true });
		const depth = await server.use('picture', { channel: 'depth' });
		expect(depth.result.content[0].mimeType).toBe('image/png');
		const [link] = (await server.use('picture', { width: 2048, height: 1024 })).result.content;
		expect(link).toMatchObject({
			type: 'resource_link',
			uri: 'orrery://picture/main?width=2048&height=1024',
		});
		const read = await server.modern('resources/read', { uri: link.uri });
		expect(read.result.contents).toEqual([{ uri: link.uri, mimeType: 'image/webp', blob: data }]);
		const old = await server.legacy('tools/call', { name: 'picture', arguments: { width: 2048 } });
		expect(old.result.content[0].text).toContain('orrery://picture/main?width=2048');
	});
});

test('worlds, rules, the journal and the guide are resources; recipes are prompts', async () => {
	await server.must('POST', '/fork', { fork_id: 'plan' });
	await server.spawn({ tags: ['hero'] });
	const { resources } = (await server.modern('resources/list')).result;
	const uris = resources.map(({ uri }: Answer) => uri);
	expect(uris).toEqual(
		expect.arrayContaining([
			'orrery://world/main',
			'orrery://world/plan/rules',
			'orrery://journal',
			'orrery://guide/mcp',
		]),
	);
	for (const uri of [...uris.filter((uri: string) => !uri.includes('/guide/')), 'orrery://guide/mcp']) {
		const { result } = await server.modern('resources/read', { uri });
		expect(result.contents[0], uri).toMatchObject({ uri, text: expect.stringMatching(/./) });
	}
	const entity = await server.modern('resources/read', { uri: 'orrery://world/main/entity/0' });
	expect(JSON.parse(entity.result.contents[0].text)).toMatchObject({ tags: ['hero'] });
	for (const uri of ['orrery://world/nowhere', 'orrery://guide/nothing', 'file:///etc/passwd']) {
		expect((await server.modern('resources/read', { uri })).error).toMatchObject({
			code: -32602,
			data: { uri },
		});
		expect((await server.legacy('resources/read', { uri })).error.code).toBe(-32002);
	}
	const { prompts } = (await server.modern('prompts/list')).result;
	expect(prompts.map(({ name }: Answer) => name)).toEqual(recipes.map(({ name }) => name));
	const { result } = await server.modern('prompts/get', {
		name: prompts[0].name,
		arguments: { world: 'plan' },
	});
	expect(result.messages[0].content.text).toContain('"world" "plan"');
	expect((await server.modern('prompts/get', { name: 'nothing' })).error.code).toBe(-32602);
});

describe('with --auth', () => {
	let gated: GatedServer;
	beforeEach(async () => {
		gated = await startGated();
	});
	afterEach(() => gated.close());

	test('the bearer token decides what a tool may do, and reads need none', async () => {
		const entityId = (await gated.op('POST', '/spawn', {})).body.id;
		const stranger = mcpClient(`${gated.relay.url}/mcp`);
		expect((await stranger.use('observe')).json.entity_count).toBe(1);
		expect((await stranger.use('step')).json).toMatchObject({ code: 'not_signed_in' });
		const ada = mcpClient(`${gated.relay.url}/mcp`, { authorization: `Bearer ${gated.adasToken}` });
		expect((await ada.use('step')).result.isError).toBeUndefined();
		const remove = { method: 'POST', path: '/despawn', body: { entity_id: entityId, generation: 0 } };
		expect((await ada.use('call', remove)).json).toMatchObject({ code: 'not_owner' });
		const requests = [{ path: remove.path, body: remove.body }];
		const level = { actions: [{ name: 'clear', description: 'Removes an entity.', requests }] };
		await gated.op('POST', '/level/load', { level });
		expect((await ada.use('clear')).json).toMatchObject({
			code: 'batch_failed',
			failed_request: { code: 'not_owner' },
		});
	});
});

describe('orrery mcp add', () => {
	const add = async (client: string, files: Map<string, string>, ...flags: string[]) => {
		const { terminal, printed } = createTestTerminal({ HOME: '/home/ada' }, files, files as never);
		const code = await runCommandLine(['mcp', 'add', client, ...flags], terminal);
		return { code, printed };
	};
	const URL = 'http://127.0.0.1:3917/mcp';

	test.each([
		['claude', '.mcp.json', { mcpServers: { orrery: { type: 'http', url: URL } } }],
		['cursor', '.cursor/mcp.json', { mcpServers: { orrery: { url: URL } } }],
		['vscode', '.vscode/mcp.json', { servers: { orrery: { type: 'http', url: URL } } }],
		['gemini', '.gemini/settings.json', { mcpServers: { orrery: { httpUrl: URL } } }],
	])('%s writes %s, keeps its content, and reports the change', async (client, path, wrote) => {
		const [[key, servers]] = Object.entries(wrote) as unknown as [[string, object]];
		const before = { theme: 'dark', [key]: { other: { url: 'x' }, orrery: { url: 'old' } } };
		const files = new Map([[path, JSON.stringify(before, null, 2)]]);
		const { code, printed } = await add(client, files);
		expect(code).toBe(0);
		expect(JSON.parse(printed.out)).toMatchObject({ ok: true, path: expect.stringContaining(path), wrote });
		expect(JSON.parse(files.get(path)!)).toEqual({
			theme: 'dark',
			[key]: { other: { url: 'x' }, ...servers },
		});
		const fresh = new Map<string, string>();
		await add(client, fresh);
		expect(JSON.parse(fresh.get(path)!)).toEqual(wrote);
	});

	test('codex gets its own table in its file, once', async () => {
		const path = '/home/ada/.codex/config.toml';
		const files = new Map([[path, 'model = "x"\n[mcp_servers.other]\nurl = "y"\n']]);
		await add('codex', files);
		await add('codex', files, '--server', '127.0.0.1:4000');
		expect(files.get(path)).toBe(
			'model = "x"\n[mcp_servers.other]\nurl = "y"\n\n[mcp_servers.orrery]\nurl = "http://127.0.0.1:4000/mcp"\n',
		);
	});

	test('with --stdio the client starts this command', async () => {
		const files = new Map<string, string>();
		await add('cursor', files, '--stdio', '--file', 'x.json');
		const { command, args } = JSON.parse(files.get('x.json')!).mcpServers.orrery;
		expect(command).toBe(process.execPath);
		expect(args).toEqual([expect.stringMatching(/orrery\.mjs$/), 'mcp', '--server', 'http://127.0.0.1:3917']);
	});

	test('a file that it cannot parse stays unchanged', async () => {
		const text = '{ // a comment\n}';
		const files = new Map([['.vscode/mcp.json', text]]);
		const { code, printed } = await add('vscode', files);
		expect([code, files.get('.vscode/mcp.json')]).toEqual([2, text]);
		expect(printed.error).toContain('by hand');
		expect((await add('vscod', files)).printed.error).toContain('Did you mean "vscode"?');
	});
});
