/** The command line creates keys, signs in with them, and stores and sends the session. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../relay/cli/run-command-line.ts';
import { startRelay } from '../../../relay/server.ts';
import type { Json } from '../../support/engine.ts';
import { openJournalTab } from '../journal-tab.ts';
import { createTestTerminal } from './test-terminal.ts';

let data: string;
let secrets: Map<string, string | Uint8Array>;
const secret = (path: string): string => String(secrets.get(path));
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-keys-'));
	secrets = new Map();
});
afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

async function orrery(environment: Record<string, string>, ...argv: string[]) {
	const { terminal, printed } = createTestTerminal(environment, secrets, secrets);
	const code = await runCommandLine(argv, terminal);
	const { out, error } = printed;
	return { code, out, error, json: () => JSON.parse(out) as Json };
}

async function server(): Promise<string> {
	const relay = await startRelay({
		port: 0,
		data,
		page: { html: async () => '<head></head>', serve: () => false },
		auth: true,
	});
	cleanups.push(() => relay.close());
	const tab = await openJournalTab(relay.url);
	cleanups.push(() => tab.kill());
	await tab.engine;
	return relay.url;
}

test('a new key is listed and signs in, and later commands use its session', async () => {
	const home = { HOME: '/home/ada' };
	const result = await orrery(home, 'auth', 'keygen', 'ada', '--data', data);
	expect([result.code, result.error]).toEqual([0, '']);
	expect(result.json()).toMatchObject({ agent_id: 'ada', number: 1, access: 'write' });
	const listed = JSON.parse(await readFile(join(data, '.orrery-agents.json'), 'utf8')) as { agents: Json[] };
	expect(listed.agents).toEqual([expect.objectContaining({ agent_id: 'ada', number: 1 })]);
	const path = join(data, '.orrery-key-ada.json');
	expect([...secrets.keys()]).toEqual([path]);
	expect(result.json()).toMatchObject({ identity: path, sign_in: `orrery auth login --identity ${path}` });
	const { private_key } = JSON.parse(secret(path)) as Json;
	expect(result.out).not.toContain(private_key);

	const url = await server();
	const at = { ...home, ORRERY_SERVER: url };
	expect(await orrery(at, 'entity', 'create')).toMatchObject({
		code: 1,
		error: expect.stringContaining('requires a session'),
	});
	const login = await orrery(at, 'auth', 'login', '--identity', path);
	expect([login.code, login.error]).toEqual([0, '']);
	expect(login.json()).toMatchObject({ ok: true, agent_id: 'ada' });
	const stored = JSON.parse(secret(join('/home/ada', '.orrery', 'sessions.json'))) as Record<string, string>;
	expect(stored[url]).toMatch(/^[0-9a-f]{64}$/);
	expect(login.out).not.toContain(stored[url]);
	expect((await orrery(at, 'entity', 'create')).code).toBe(0);
	expect((await orrery(at, 'auth', 'status')).json()).toMatchObject({ authenticated: true, agent_id: 'ada' });
	expect((await orrery(at, 'auth', 'logout')).json()).toMatchObject({ ended: true });
	expect(secrets.get(join('/home/ada', '.orrery', 'sessions.json'))).toBe('{}\n');
	expect((await orrery(at, 'entity', 'create')).code).toBe(1);
});

test('a session in the environment overrides the stored one', async () => {
	await orrery({ HOME: '/h' }, 'auth', 'keygen', 'ada', '--data', data);
	const at = { HOME: '/h', ORRERY_SERVER: await server() };
	const identity = join(data, '.orrery-key-ada.json');
	const token = (await orrery(at, 'auth', 'login', '--json', '--identity', identity)).json()
		.session_token as string;
	expect(token).toMatch(/^[0-9a-f]{64}$/);
	expect((await orrery({ ...at, HOME: '/other' }, 'entity', 'create')).code).toBe(1);
	expect((await orrery({ ...at, HOME: '/other', ORRERY_SESSION: token }, 'entity', 'create')).code).toBe(0);
});

test('ORRERY_SESSION is sent to the server of ORRERY_SERVER alone', async () => {
	const sessions: (string | undefined)[] = [];
	const other = createServer((request, response) => {
		sessions.push(request.headers.authorization);
		response.setHeader('content-type', 'application/json').end('{"ok":true}');
	});
	await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
	cleanups.push(() => other.close());
	const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
	const session = { HOME: '/nowhere', ORRERY_SESSION: 'secret' };
	const { error } = await orrery(session, 'status', '--server', url);
	expect(error).toContain('ORRERY_SESSION was not sent: it is for http://127.0.0.1:3917.');
	await orrery({ ...session, ORRERY_SERVER: 'http://127.0.0.1:1' }, 'status', '--server', url);
	await orrery({ ...session, ORRERY_SERVER: url }, 'status');
	expect(sessions).toEqual([undefined, undefined, 'Bearer secret']);
});

test('further agents get further numbers, and no file is overwritten', async () => {
	for (const [agent, access] of [
		['ada', 'write'],
		['bob', 'read'],
	] as const)
		await orrery(
			{},
			'auth',
			'keygen',
			agent,
			'--access',
			access,
			'--identity',
			`/${agent}.json`,
			'--data',
			data,
		);
	const { agents } = JSON.parse(await readFile(join(data, '.orrery-agents.json'), 'utf8')) as {
		agents: Json[];
	};
	expect(agents.map(({ agent_id, number, access }) => [agent_id, number, access])).toEqual([
		['ada', 1, 'write'],
		['bob', 2, 'read'],
	]);
	const before = secrets.get('/ada.json');
	for (const [agent, file] of [
		['eve', '/ada.json'],
		['ada', '/again.json'],
	] as const)
		expect((await orrery({}, 'auth', 'keygen', agent, '--identity', file, '--data', data)).code).toBe(2);
	expect(secrets.get('/ada.json')).toBe(before);
	expect(secrets.has('/again.json')).toBe(false);
});

test('a data folder keeps the home folder unchanged, and without one a second agent gets its own file', async () => {
	const home = { HOME: '/home/ada' };
	for (const agent of ['ada', 'bob', 'a/../b']) {
		const result = await orrery(home, 'auth', 'keygen', agent, '--data', data);
		expect([result.code, result.error]).toEqual([0, '']);
	}
	expect([...secrets.keys()]).toEqual(
		['ada', 'bob', 'a_.._b'].map((agent) => join(data, `.orrery-key-${agent}.json`)),
	);
	secrets.clear();
	for (const agent of ['ada', 'bob']) expect((await orrery(home, 'auth', 'keygen', agent)).code).toBe(0);
	expect([...secrets.keys()]).toEqual(
		['key.json', 'key-bob.json'].map((file) => join('/home/ada', '.orrery', file)),
	);
});

test.each<[string[], string]>([
	[['auth', 'keygen'], 'Name the agent'],
	[['auth', 'keygen', 'ada'], '--identity'],
	[
		['auth', 'keygen', 'ada', '--access', 'all', '--identity', '/k'],
		'--access takes one of: read, write, admin',
	],
	[['auth', 'keygen', 'a\nb', '--identity', '/k'], '"agent_id"'],
	[['auth', 'login'], '--identity'],
	[['auth', 'login', '--identity', '/nowhere'], '"orrery auth keygen" creates one'],
])('%j is refused in words', async (argv, words) => {
	const { code, error } = await orrery({}, ...argv);
	expect(code).toBe(2);
	expect(error).toContain(words);
});

test('an existing key is never overwritten, and a damaged file of sessions is reported', async () => {
	const home = { HOME: '/home/ada' };
	const path = join(data, '.orrery-key-ada.json');
	secrets.set(path, "somebody else's");
	const again = await orrery(home, 'auth', 'keygen', 'ada', '--data', data);
	expect([again.code, again.error]).toEqual([2, expect.stringContaining('already exists')]);
	expect(secrets.get(path)).toBe("somebody else's");

	secrets.set(join('/home/ada', '.orrery', 'sessions.json'), 'half a fi');
	const output = await orrery({ ...home, ORRERY_SERVER: await server() }, 'status');
	expect([output.code, output.error]).toEqual([2, expect.stringContaining('Remove it and sign in again')]);
});
