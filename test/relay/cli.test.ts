/**
 * The command line against a real engine: it reaches every declared route and expresses every example.
 * The list of routes comes from their declarations. Tests without a server are in `cli/commands.test.ts`.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CliCommand, commandOf } from '../../relay/cli/commands.ts';
import { exampleWords } from '../../relay/cli/example-line.ts';
import { readValue } from '../../relay/cli/read-value.ts';
import { runCommandLine } from '../../relay/cli/run-command-line.ts';
import { formatValue } from '../../relay/cli/write-value.ts';
import { routeDocument } from '../../shared/contract/api-documents.ts';
import type { Example } from '../../shared/contract/route.ts';
import { routes } from '../../shared/routes/index.ts';
import type { CaptureRequest } from '../../web/frames/frames.ts';
import type { Engine } from '../../web/host/engine.ts';
import { fakeCapture } from '../support/album.ts';
import { type Call, startEngine } from '../support/engine.ts';
import { type ServedEngine, serveHandle } from '../support/serve-engine.ts';
import { createTestTerminal } from './cli/test-terminal.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);
/** Address without a server: the port is reserved and needs special rights. */
const NOWHERE = 'http://127.0.0.1:1';

let engine: Engine;
let call: Call;
let server: ServedEngine;
let writtenFiles: Map<string, string | Uint8Array>;
const texts = new Map<string, string>();

beforeEach(async () => {
	({ engine, call } = await startEngine());
	engine.setView({
		gpu: { backend: 'webgl2', device_name: 'a drawing', capabilities: {} },
		capture: async (_: unknown, request: CaptureRequest) => ({
			bytes: fakeCapture(PNG, request),
			tick: 0,
			digest: '0'.repeat(16),
		}),
	} as unknown as Parameters<Engine['setView']>[0]);
	server = await serveHandle(engine.handle);
	writtenFiles = new Map();
	texts.clear();
});

afterEach(async () => {
	await server.close();
	engine.close();
});

interface CliResult {
	readonly code: number;
	readonly out: string;
	readonly error: string;
	/** Printed text, when it is JSON. */
	readonly json: Record<string, unknown>;
}

async function orrery(...argv: string[]): Promise<CliResult> {
	return orreryAt(server.url, ...argv);
}

async function orreryAt(url: string, ...argv: string[]): Promise<CliResult> {
	const { terminal, printed } = createTestTerminal({ ORRERY_SERVER: url }, texts, writtenFiles);
	const code = await runCommandLine(argv, terminal);
	const { out, error } = printed;
	return {
		code,
		out,
		error,
		get json() {
			return JSON.parse(out) as Record<string, unknown>;
		},
	};
}

/** Headers of the command line's calls. A command undoes only calls of the same sender. */
const SENDER = { 'user-agent': 'orrery command line', 'content-type': 'application/json' };

async function prepare(example: Example): Promise<void> {
	for (const { method = 'POST', path, body } of example.given ?? []) {
		const { status, body: answer } = await call(method, path, body, SENDER);
		expect(status < 400 && answer.ok, `${method} ${path}`).toBe(true);
	}
}

const commands = routes.map((route) => commandOf(route.cli, () => routeDocument(route)));
const nameOf = ({ words }: CliCommand) => words.join(' ');

describe('every route', () => {
	for (const command of commands) {
		for (const example of command.route.examples as readonly Example[]) {
			// The server's own tests have examples that need a server.
			test.skipIf(example.needs === 'relay')(`${nameOf(command)}: ${example.name}`, async () => {
				await prepare(example);
				const ran = await orrery(...exampleWords(command, example));
				expect(ran.error).toBe('');
				expect(ran.code).toBe(0);
				expect(ran.json.ok ?? true).toBe(true);
			});
		}
	}
});

describe('values', () => {
	const spawn = commands.find((command) => nameOf(command) === 'entity create')!;
	const schemaOf = (flag: string) => spawn.arguments.find((argument) => argument.flag === flag)!.schema;

	test.each([
		['position', '0,5,0', [0, 5, 0]],
		['position', '-1.5,1e2,0', [-1.5, 100, 0]],
		['rotation', '0,0,0,1', [0, 0, 0, 1]],
		['collider', 'aabb:1,2,3', { shape: 'Aabb', hx: 1, hy: 2, hz: 3 }],
		['collider', 'sphere:0.5', { shape: 'Sphere', radius: 0.5 }],
		['collider', 'cylinder:0.5,1', { shape: 'Cylinder', radius: 0.5, half_height: 1 }],
		['collider', 'CAPSULE:0.5,1', { shape: 'Capsule', radius: 0.5, half_height: 1 }],
		['collider', '{"shape":"Sphere","radius":1}', { shape: 'Sphere', radius: 1 }],
		[
			'ai-patrol',
			'0,0,0:5,0,0',
			[
				[0, 0, 0],
				[5, 0, 0],
			],
		],
		['tags', 'boss,blue', ['boss', 'blue']],
		['velocity', '1,0,-2', { linear: [1, 0, -2] }],
		['physics-body', 'dynamic', 'Dynamic'],
		['team', '2', 2],
		['color', '1,0,0.5', '1,0,0.5'],
		['combat', 'true', true],
	])('--%s %s', (flag, text, value) => {
		const schema = schemaOf(flag);
		expect(readValue(schema, text, flag)).toEqual(value);
		expect(readValue(schema, formatValue(schema, value), flag)).toEqual(value);
	});

	test.each([
		['position', '0,5', 'takes 3 numbers'],
		['position', '0,x,0', 'takes a number, not "x"'],
		['collider', 'spere:1', 'Did you mean "Sphere"?'],
		['collider', 'sphere:1,2', 'sphere:radius'],
		['physics-body', 'Dynamik', 'Did you mean "Dynamic"?'],
		['team', '1.5', 'a whole number'],
	])('--%s %s is refused before any request', async (flag, text, why) => {
		const { code, error } = await orrery('entity', 'create', `--${flag}`, text);
		expect(code).toBe(2);
		expect(error).toContain(why);
		expect(engine.worlds.main.world.entities.count).toBe(0);
	});
});

describe('common commands', () => {
	test('create, get, damage, step, delete', async () => {
		await orrery('entity', 'create', '-m', 'cube', '-p', '-1,5,0', '--health', '100', '--combat');
		expect((await orrery('entity', 'get', '0')).json).toMatchObject({ id: 0, health: [100, 100] });
		expect((await orrery('entity', 'damage', '0', '--amount', '20')).code).toBe(0);
		expect((await orrery('sim', 'step', '-t', '2')).json).toMatchObject({ new_tick: 2 });
		expect((await orrery('entity', 'get', '0')).json).toMatchObject({ health: [80, 100] });
		expect((await orrery('entity', 'delete', '0')).code).toBe(0);
		expect((await orrery('entity', 'list')).json).toMatchObject({ entity_count: 0 });
	});

	test('delete reads the generation of the current entity', async () => {
		for (let i = 0; i < 2; i++) {
			await orrery('entity', 'create');
			expect((await orrery('entity', 'delete', '0')).code).toBe(0);
		}
		await orrery('entity', 'create');
		expect((await orrery('entity', 'get', '0')).json.generation).toBe(2);
		expect((await orrery('entity', 'delete', '0', '--entity-generation', '1')).code).toBe(1);
		expect((await orrery('entity', 'delete', '7')).json).toMatchObject({ code: 'entity_not_found' });
		expect((await orrery('entity', 'delete', '--all')).json).toMatchObject({ despawned: 1 });
	});

	test('a rule in short texts with commas, and help that explains them', async () => {
		const texts = ['--do', 'spawn cube 0,1,0', '--do', 'spawn cone 0,2,0 red'];
		expect((await orrery('rule', 'create', '--when', 'timer:5', ...texts)).code).toBe(0);
		const result = (await orrery('rule', 'get', '0')).json as { rule: { do: object[] } };
		expect(result.rule.do).toMatchObject([
			{ mesh: 'cube', position: [0, 1, 0] },
			{ mesh: 'cone', color: 'red' },
		]);
		const { out } = await orrery('rule', 'create', '--help');
		for (const part of ['--when TEXT or JSON', 'health-below:HP', '--do TEXT or JSON', 'damage TARGET HP'])
			expect(out).toContain(part);
		expect((await orrery('explain', 'actions')).out).toContain('spawn MESH|template:NAME');
	});

	test('forks, and --world', async () => {
		await orrery('entity', 'create', '--health', '10');
		await orrery('fork', 'create', 'plan');
		await orrery('entity', 'create', '--world', 'plan');
		expect((await orrery('fork', 'step', 'plan', '10')).json).toMatchObject({
			new_tick: 10,
			entity_count: 2,
		});
		expect((await orrery('status')).json).toMatchObject({ tick: 0, entity_count: 1 });
		const wrong = await orrery('world', 'list', '--world', 'plan');
		expect(wrong.code).toBe(2);
	});

	test('update puts fields of the pose at their place in the body', async () => {
		await orrery('entity', 'create');
		const { code } = await orrery('entity', 'update', '0', '--position', '1,2,3', '--physics', 'kinematic');
		expect(code).toBe(0);
		expect((await orrery('entity', 'get', '0')).json).toMatchObject({
			local_transform: { position: [1, 2, 3] },
			physics_body: 'Kinematic',
		});
	});

	test('flags of other tools, short texts with commas, key:value, and a document as a file', async () => {
		const bodyOf = async (...argv: string[]) => (await orrery(...argv, '--dry-run', '--json')).json;
		const spawned = 'spawn cube 0,0.5,0 red 80 1 true 0,0,0:5,0,0';
		const rule = ['rule', 'create', '--when', 'death', '--filter', 'team:2'];
		expect(await bodyOf(...rule, '--do-action', spawned, '--do-action', 'score source +1')).toEqual({
			when: 'death',
			filter: 'team:2',
			actions: [spawned, 'score source +1'],
		});
		expect(await bodyOf(...rule, '--do', '{"action":"despawn","target":"this"}')).toMatchObject({
			do: [{ action: 'despawn', target: 'this' }],
		});
		const effect = ['effect', 'apply', '3', '--tag', 'x', '--modifier', 'a:add:1', '--modifier', 'b:mul:2'];
		expect(await bodyOf(...effect, '--stack', 'stack:3', '--tick', 'dps:5')).toEqual({
			entity_id: 3,
			tag: 'x',
			modifiers: ['a:add:1', 'b:mul:2'],
			stack_policy: 'stack:3',
			tick_effect: 'dps:5',
		});
		const item = { id: 1, name: 'Sword', properties: { cost: 5, armor: -1.5 } };
		const sword = ['item', 'define', '--id', '1', '--name', 'Sword'];
		expect(await bodyOf(...sword, '--prop', 'cost:5', '--prop', 'armor:-1.5')).toEqual(item);
		expect(await bodyOf(...sword, '--properties', 'cost:5,armor:-1.5')).toEqual(item);
		expect((await orrery(...sword, '--prop', 'cost')).error).toContain('key:value');
		expect(await bodyOf('shop', 'buy', '--entity', '3', '--item', '1')).toEqual({ entity_id: 3, item_id: 1 });
		expect(await bodyOf('fork', 'probe', 'plan', '-t', '5', '-a', 'x,y')).toEqual({
			ticks: 5,
			assertions: ['x', 'y'],
		});
		expect(await bodyOf('modify', '3', '-t', '1,2,3')).toEqual({ position: [1, 2, 3] });
		expect(await bodyOf('scene', 'save', 'a.json')).toEqual({ path: 'a.json' });
		texts.set('duel.json', '{"entities":[{"health":5}]}');
		expect(await bodyOf('scenario', 'load', 'duel.json')).toEqual({ entities: [{ health: 5 }] });
		await orrery('fork', 'create', 'plan');
		expect((await orrery('scenario', 'apply-to-fork', 'plan', 'duel.json')).json).toMatchObject({
			fork_id: 'plan',
			entities_spawned: 1,
		});
		expect((await orrery('scenario', 'load', 'none.json')).code).toBe(2);
		expect((await orrery('scenario', 'load', 'duel.json', 'twice.json')).error).toContain('too many');
		expect((await orrery('scenario', 'save', '--out', 'saved.json')).code).toBe(0);
		expect(writtenFiles.has('saved.json')).toBe(true);
	});

	test('a body as JSON, from a file and from standard input', async () => {
		texts.set('box.json', '{"mesh":"cube"}').set('-', '{"mesh":"cone"}');
		await orrery('entity', 'create', '--json', '{"mesh":"sphere"}', '--team', '1');
		await orrery('entity', 'create', '--body', '@box.json');
		await orrery('spawn', '--json', '-');
		const { entities } = (await orrery('observe')).json as { entities: { mesh: string; team?: number }[] };
		expect(entities.map(({ mesh }) => mesh)).toEqual(['sphere', 'cube', 'cone']);
		expect(entities[0]!.team).toBe(1);
		expect((await orrery('entity', 'create', '--body', '@none.json')).code).toBe(2);
		expect((await orrery('entity', 'create', '--body', '{"mesh":')).code).toBe(2);
	});

	test('a picture is written to the file', async () => {
		const ran = await orrery('screenshot', '-o', 'shot.png', '--width', '64', '--height', '36');
		expect(ran.code).toBe(0);
		expect(ran.json).toMatchObject({ ok: true, size_bytes: PNG.length, tick: 0 });
		expect(writtenFiles.get('shot.png')).toEqual(PNG);
	});

	test('--json prints the raw answer on one line', async () => {
		const { out } = await orrery('status', '--json');
		expect(out.trimEnd()).not.toContain('\n');
		expect(JSON.parse(out)).toMatchObject({ ok: true, engine: 'Orrery' });
		expect((await orrery('--json', 'status')).out).toBe(out);
	});
});

describe('exit codes', () => {
	test.for([
		{ typed: ['probe', '--ticks', '1'], suite: 'orrery probe' },
		{ typed: ['assert', 'evaluate'], suite: 'orrery assert evaluate' },
	])('$suite: 1 if an assertion fails, and each verdict is in the report', async ({ typed, suite }) => {
		await call('POST', '/spawn', { health: 5, team: 1 });
		const condition = (max: number) => ({ type: 'entity_count', filter: { type: 'any' }, max });
		await call('POST', '/assert/create', { name: 'few', condition: condition(100) });
		const passes = await orrery(...typed, '--junit', 'passed.xml', '--json');
		expect([passes.code, passes.error]).toEqual([0, '']);
		expect(writtenFiles.get('passed.xml')).toContain(`<testsuite name="${suite}" tests="1" failures="0">`);
		await call('POST', '/assert/create', { name: 'none <&> "at all"', condition: condition(0) });
		const fails = await orrery(...typed, '--junit', 'report.xml', '--json');
		expect(fails.code).toBe(1);
		expect(fails.json).toMatchObject({ ok: true, failed: 1 });
		expect(fails.error).toContain('none <&> "at all" failed: ');
		const report = writtenFiles.get('report.xml') as string;
		expect(report).toContain('tests="2" failures="1"');
		expect(report).toContain('name="few"/>');
		expect(report).toMatch(
			/name="none &#60;&#38;&#62; &#34;at all&#34;">\s+<failure type="\w+" message="[^"<>]+"\/>/,
		);
		expect((await orrery('status', '--junit', 'x.xml')).code).toBe(2);
	});

	test('wait: 0 after an engine answers, 1 with the reason if none answers in time', async () => {
		const up = await orrery('wait', '--json');
		expect([up.code, up.json.status]).toEqual([0, 'ready']);
		const down = await orreryAt(NOWHERE, 'wait', '--timeout', '0');
		expect(down.code).toBe(1);
		expect(down.error).toContain('No engine answered');
		expect(down.error).toContain('Nothing answers');
		expect((await orrery('wait', '--timeout', 'soon')).code).toBe(2);
	});

	test('1 for ok false and for a failed status', async () => {
		const missing = await orrery('entity', 'damage', '9', '--amount', '1');
		expect(missing.code).toBe(1);
		expect(missing.json).toMatchObject({ ok: false, code: 'entity_not_found' });
		expect((await orrery('entity', 'get', '9')).code).toBe(1);
		expect((await orrery('entity', 'create', '--health', '-1')).json).toMatchObject({ code: 'invalid_body' });
		expect((await orrery('status', '--world', 'nowhere')).code).toBe(1);
	});

	test('1 without a server, and the error says how to start one', async () => {
		const { code, error, out } = await orreryAt(NOWHERE, 'status');
		expect(code).toBe(1);
		expect(error).toContain('npx orrery start');
		expect(out).toBe('');
	});

	test.each([
		[['entitty', 'list'], 'Did you mean "entity"?'],
		[['entity', 'craete'], 'Did you mean "entity create"?'],
		[['entity', 'create', '--colour', 'red'], 'Did you mean --color?'],
		[['entity', 'get'], '<id> is missing'],
		[['entity', 'get', 'x'], 'takes a number'],
		[['entity', 'get', '1', '2'], 'There are too many arguments, from "2" on.'],
		[['entity', 'damage', '--amount', '2'], '<entity-id> is missing'],
		[['fork', 'create'], '<fork-id> is missing'],
		[['entity', 'create', '--mesh'], 'needs a value'],
		[['sim'], 'step, play, pause'],
		[['camera', 'view', 'topp'], 'Did you mean "top"?'],
		[['status', '--body', '{}'], 'takes no body'],
		[['status', '--server', 'http://'], 'is not a server address'],
		[['explain', 'frok'], 'Did you mean'],
	])('2 for %j', async (argv, why) => {
		const { code, error, out } = await orrery(...argv);
		expect(error).toContain(why);
		expect(code).toBe(2);
		expect(out).toBe('');
	});
});

test('discover prints the schema of the running server', async () => {
	const { out, code } = await orrery('discover', '--brief', 'true', '--json');
	expect(code).toBe(0);
	expect(JSON.parse(out)).toEqual((await call('GET', '/schema?brief=true')).body);
});

describe('explain', () => {
	test('every listed topic', async () => {
		const { out } = await orrery('explain');
		const topics = [...out.matchAll(/^- `(.+)`:/gm)].map(([, name]) => name!);
		expect(topics.length).toBeGreaterThan(8);
		for (const topic of topics) {
			const { code, out: text } = await orrery('explain', topic);
			expect(code).toBe(0);
			expect(text).toMatch(/^# /);
		}
	});

	test('components, error codes, commands and routes', async () => {
		expect((await orrery('explain', 'health')).out).toContain('# Health');
		expect((await orrery('explain', 'stale_handle')).out).toContain('GET /entities/{id}');
		expect((await orrery('explain', 'entity', 'create')).out).toContain('## POST /spawn');
		expect((await orrery('explain', 'POST /fork')).out).toContain('| `fork_id` |');
		expect((await orrery('explain', 'determinism')).out).toContain('## The digest');
	});
});

describe('doctor', () => {
	beforeEach(() => void vi.stubEnv('PUPPETEER_EXECUTABLE_PATH', process.execPath));
	afterEach(() => void vi.unstubAllEnvs());
	type Finding = { state: string; what: string; found: string; fix?: string };
	const findingsOf = async (url: string) =>
		new Map(
			((await orreryAt(url, 'doctor', '--json')).json.findings as Finding[]).map((finding) => [
				finding.what.replace(/ \d+$/, ''),
				finding,
			]),
		);

	test('with an engine', async () => {
		const found = await findingsOf(server.url);
		for (const what of ['Node', 'Packages', 'Browser', 'Port', 'World', 'GPU'])
			expect(found.get(what)?.state, what).toBe('ok');
		expect(found.get('GPU')!.found).toContain('a drawing');
		expect(found.get('World')!.found).toContain('full host in Node');
	});

	test('without an engine, with a fix for each finding', async () => {
		await server.close();
		const found = await findingsOf(server.url);
		expect(found.get('World')).toMatchObject({ state: 'warn' });
		expect(found.get('Port')).toMatchObject({ state: 'ok', found: 'free' });
		for (const { state, fix } of found.values()) if (state !== 'ok') expect(fix).toBeTruthy();
		server = await serveHandle(engine.handle);
	});

	test('as text', async () => {
		const { out } = await orrery('doctor');
		expect(out.split('\n').every((line) => /^(ok {2}|warn|fail| |$)/.test(line))).toBe(true);
	});
});

test('help lists every group', async () => {
	const { code, out } = await orrery();
	expect(code).toBe(0);
	for (const { words } of commands) expect(out).toContain(`\n  ${words[0]}`);
	expect((await orrery('entity', '--help')).out).toContain('orrery entity damage <entity-id>');
	expect((await orrery('help', 'fork', 'step')).out).toContain('orrery fork step <id> [<ticks>]');
	for (const words of [
		['suite', '--help'],
		['suite', 'run', '--help'],
		['help', 'suite'],
	]) {
		const { out } = await orrery(...words);
		expect(out).toMatch(/^orrery suite \[list/);
		expect(out).toContain('--timeout');
	}
	expect((await orrery('help', 'auth', 'keygen')).out).toMatch(/^orrery auth keygen <agent-id>/);
});
