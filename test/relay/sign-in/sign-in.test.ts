/** The relay's sign-in: refused signatures, sessions, owners of files, and their state after a restart. */

import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { agentListOf } from '../../../relay/sign-in/agents.ts';
import { SignIn } from '../../../relay/sign-in/sign-in.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { listAgents, newAgent } from './keys.ts';

const NOW = 1_800_000_000;
const ada = newAgent('ada');
const bob = newAgent('bob');

let folder: string;
let time: number;
let signIn: SignIn;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-sign-in-'));
	time = NOW;
	await listAgents(folder, [
		[ada, { number: 1, access: 'write' }],
		[bob, { number: 2, access: 'read', limits: { entities: 5 } }],
	]);
	signIn = newSignIn();
});
afterEach(async () => {
	await signIn.close();
	await rm(folder, { recursive: true, force: true });
});

const report = vi.fn();
const newSignIn = (): SignIn => new SignIn({ folder, now: () => time, report });

async function refusal(work: Promise<unknown>): Promise<string> {
	try {
		await work;
	} catch (error) {
		expect(error).toBeInstanceOf(ApiError);
		return `${(error as ApiError).code}: ${(error as ApiError).message}`;
	}
	throw new Error('It was not refused.');
}

test('a current signature of a listed key begins a session that names its agent', async () => {
	const session = await signIn.login(bob.login(NOW));
	expect(session).toMatchObject({
		agent_id: 'bob',
		number: 2,
		access: 'read',
		limits: { entities: 5, forks: 50, calls_per_second: 200, file_bytes: 2 ** 30, paid_models: 10 },
	});
	expect(session.session_token).toMatch(/^[0-9a-f]{64}$/);
	expect(await signIn.session(session.session_token)).toMatchObject({ agent_id: 'bob', number: 2 });
	expect(await signIn.session('0'.repeat(64))).toBeNull();
	expect(await signIn.session('__proto__')).toBeNull();
});

test('a sign-in or sign-out that cannot be stored is refused, without a path of the server', async () => {
	const { session_token } = await signIn.login(ada.login(NOW));
	const file = join(folder, '.orrery-sign-in.json');
	await rm(file);
	await mkdir(join(file, 'in-its-place'), { recursive: true });
	const failed =
		/^auth_failed: The server's file \.orrery-sign-in\.json cannot be used \(E\w+\)\. Nothing was changed\.$/;
	expect(await refusal(signIn.login(bob.login(NOW)))).toMatch(failed);
	expect(await refusal(signIn.logout(session_token))).toMatch(failed);
	expect(await signIn.session(session_token)).toMatchObject({ agent_id: 'ada' });
	await rm(file, { recursive: true });
	await signIn.login(bob.login(NOW));
	expect(await signIn.logout(session_token)).toEqual({ ended: true });
});

test.each([
	['sign-in', 'not JSON'],
	['agents', '{"agents": 5}'],
	['agents', 'not JSON'],
])(
	'a file of %s that contains %s is reported to callers by name, and to the operator once and in full',
	async (name, text) => {
		const { session_token } = await signIn.login(ada.login(NOW));
		const file = join(folder, `.orrery-${name}.json`);
		const good = await readFile(file);
		await writeFile(file, text);
		signIn = newSignIn();
		report.mockClear();
		const failed = `auth_failed: The server's file .orrery-${name}.json cannot be used (its content is invalid). Nothing was changed.`;
		expect(await refusal(signIn.session(session_token))).toBe(failed);
		expect(await refusal(signIn.login(bob.login(NOW)))).toBe(failed);
		expect(report).toHaveBeenCalledTimes(1);
		await writeFile(file, good);
		time += 3;
		expect(await signIn.session(session_token)).toMatchObject({ agent_id: 'ada' });
	},
);

test('the kind of key may precede the public key', async () => {
	const credentials = ada.login(NOW);
	await signIn.login({ ...credentials, public_key: `ed25519:${credentials.public_key}` });
});

describe('a replay is refused', () => {
	test('within the window, any number of times', async () => {
		const credentials = ada.login(NOW);
		await signIn.login(credentials);
		time += 250;
		expect(await refusal(signIn.login(credentials))).toContain('already used');
		expect(await refusal(signIn.login(credentials))).toContain('already used');
	});

	test('in two concurrent requests', async () => {
		const credentials = ada.login(NOW);
		const both = await Promise.allSettled([signIn.login(credentials), signIn.login(credentials)]);
		expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	});

	test('after a restart of the relay, also from a clock ahead of it', async () => {
		const credentials = ada.login(NOW + 290);
		await signIn.login(credentials);
		time += 400;
		signIn = newSignIn();
		expect(await refusal(signIn.login(credentials))).toContain('already used');
		time += 191;
		expect(await refusal(signIn.login(credentials))).toContain('apart');
	});

	test('in another spelling: base64 has one form here', async () => {
		const credentials = ada.login(NOW);
		await signIn.login(credentials);
		for (const signature of [
			` ${credentials.signature}`,
			credentials.signature.replaceAll('=', ''),
			`${credentials.signature}=`,
		])
			expect(await refusal(signIn.login({ ...credentials, signature }))).toContain('base64');
	});
});

describe('clocks', () => {
	test.each([-300, 300])('%d s apart pass', async (apart) => {
		await signIn.login(ada.login(NOW + apart));
	});
	test.each([-301, 301, -1e9])('%d s apart fail', async (apart) => {
		expect(await refusal(signIn.login(ada.login(NOW + apart)))).toMatch(/^login_refused: .* 300 s apart/);
	});
});

describe("a signature that the agent's key did not make", () => {
	test('for another domain', async () => {
		const elsewhere = ada.login(NOW, { domain: 'elsewhere.example' });
		expect(await refusal(signIn.login(elsewhere))).toContain('not a domain of this server');
		expect(await refusal(signIn.login({ ...elsewhere, domain: 'orrery.local' }))).toContain('does not match');
	});

	test("for another agent's name, with its own key", async () => {
		expect(await refusal(signIn.login(bob.login(NOW, { agent_id: 'ada' })))).toContain('not listed');
		expect(await refusal(signIn.login(newAgent('ada').login(NOW)))).toContain('not listed');
		expect(await refusal(signIn.login(newAgent('eve').login(NOW)))).toContain('not listed');
	});

	test("with another agent's key beside its own signature", async () => {
		const credentials = { ...bob.login(NOW, { agent_id: 'ada' }), public_key: ada.public_key };
		expect(await refusal(signIn.login(credentials))).toContain('does not match');
	});

	test('with any changed part', async () => {
		const credentials = ada.login(NOW);
		for (const change of [{ timestamp: NOW + 1 }, { domain: 'x' }, { server: signIn.server }])
			expect(await refusal(signIn.login({ ...credentials, ...change }))).toContain('does not match');
		expect(await refusal(signIn.login({ ...credentials, agent_id: 'bob' }))).toContain('not listed');
	});

	test('with a line feed that moves the parts', async () => {
		const credentials = ada.login(NOW, { agent_id: 'ada\norrery.local', domain: 'x' });
		expect(await refusal(signIn.login(credentials))).toContain('line breaks');
	});

	test.each([
		[{ public_key: '???' }, 'public_key is not base64'],
		[{ public_key: 'AAAA' }, '3 bytes; an Ed25519 key has 32'],
		[{ signature: '!' }, 'signature is not base64'],
		[{ signature: 'AAAA' }, '3 bytes; an Ed25519 signature has 64'],
		[{ signature: Buffer.alloc(64).toString('base64') }, 'does not match'],
		[{ public_key: Buffer.alloc(32).toString('base64'), signature: Buffer.alloc(64).toString('base64') }, ''],
	])('%j', async (change, words) => {
		expect(await refusal(signIn.login({ ...ada.login(NOW), ...change }))).toContain(words);
	});
});

describe('sessions', () => {
	test('expire', async () => {
		const { session_token, seconds_left } = await signIn.login(ada.login(NOW));
		time += seconds_left - 1;
		expect(await signIn.session(session_token)).toMatchObject({ seconds_left: 1 });
		time += 1;
		expect(await signIn.session(session_token)).toBeNull();
	});

	test('can be ended, once', async () => {
		const { session_token } = await signIn.login(ada.login(NOW));
		expect(await signIn.logout(session_token)).toEqual({ ended: true });
		expect(await signIn.logout(session_token)).toEqual({ ended: false });
		expect(await signIn.session(session_token)).toBeNull();
	});

	test('survive a restart of the relay', async () => {
		const { session_token } = await signIn.login(ada.login(NOW));
		expect(await newSignIn().session(session_token)).toMatchObject({ agent_id: 'ada' });
	});

	test('end with their key', async () => {
		const { session_token } = await signIn.login(ada.login(NOW));
		await listAgents(folder, [[newAgent('ada'), { number: 1 }]]);
		expect(await newSignIn().session(session_token)).toBeNull();
	});

	test('are at most sixteen for an agent: the oldest is dropped', async () => {
		const tokens: string[] = [];
		for (let i = 0; i < 17; i++) tokens.push((await signIn.login(ada.login(NOW + i))).session_token);
		expect(await signIn.session(tokens[0]!)).toBeNull();
		expect(await signIn.session(tokens[1]!)).not.toBeNull();
	});

	test('are in no file in plain form, and only this user reads the file', async () => {
		const { session_token } = await signIn.login(ada.login(NOW));
		const path = join(folder, '.orrery-sign-in.json');
		const text = await readFile(path, 'utf8');
		expect(text).not.toContain(session_token);
		expect(text).not.toContain(ada.login(NOW).signature);
		if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);
	});
});

test('a session that could not be stored does not begin', async () => {
	await signIn.session('0'.repeat(64));
	await chmod(folder, 0o500);
	const root = process.getuid?.() === 0;
	if (root) await rm(folder, { recursive: true }).then(() => writeFile(folder, 'a file in its place'));
	await expect(signIn.login(ada.login(NOW))).rejects.toThrow();
	if (!root) await chmod(folder, 0o700);
});

test('wrong signatures block no right one', async () => {
	const wrong = { ...ada.login(NOW), signature: Buffer.alloc(64).toString('base64') };
	for (let i = 0; i < 50; i++) await refusal(signIn.login(wrong));
	for (let i = 0; i < 50; i++) await refusal(signIn.login(newAgent('ada').login(NOW)));
	await signIn.login(ada.login(NOW));
});

describe('a signature that names the server', () => {
	test('is valid for that server alone, until its restart', async () => {
		const folder2 = await mkdtemp(join(tmpdir(), 'orrery-sign-in-'));
		await listAgents(folder2, [[ada, { number: 1 }]]);
		const other = new SignIn({ folder: folder2, now: () => time, report });
		const credentials = ada.login(NOW, { server: signIn.server });
		expect(await refusal(other.login(credentials))).toContain('another server');
		expect(await refusal(newSignIn().login(credentials))).toContain('another server');
		const { server, ...spec } = credentials;
		expect(await refusal(other.login(spec))).toContain('does not match');
		expect(await signIn.login(credentials)).toMatchObject({ agent_id: 'ada' });
		expect(await refusal(signIn.login(credentials))).toContain('already used');
		expect(server).toBe(signIn.server);
		await rm(folder2, { recursive: true });
	});
});

describe('files', () => {
	const writes = async (path: string, agent: string, exists = false): Promise<void> => {
		await signIn.requireFile(path, agent, exists);
		await signIn.ownFile(path, agent);
	};

	test('belong to the agent that wrote them first, in any spelling, and after a restart', async () => {
		await writes('scenes/Plan.json', 'ada');
		await writes('scenes/plan.json', 'ada', true);
		await signIn.close();
		signIn = newSignIn();
		expect(await refusal(writes('SCENES/plan.json', 'bob', true))).toMatch(/^not_owner: .*"ada"/);
		await writes('scenes/other.json', 'bob');
		await writes('__proto__', 'bob');
		expect(await refusal(writes('__proto__', 'ada'))).toMatch(/^not_owner/);
	});

	test('without an owner belong to the operators, and an agent has a limited number', async () => {
		expect(await refusal(writes('old.json', 'ada', true))).toMatch(/^not_owner: .*operators/);
		await listAgents(folder, [[ada, { number: 1, limits: { files: 2 } }]]);
		time += 3;
		for (const path of ['a', 'b', 'a']) await writes(path, 'ada');
		expect(await refusal(writes('c', 'ada'))).toMatch(/^agent_limit/);
	});

	test('of many agents with long names leave the file of sessions small enough to read', async () => {
		const { session_token } = await signIn.login(ada.login(NOW));
		await listAgents(folder, [[ada, { number: 1, limits: { files: 1e6 } }]]);
		time += 3;
		const long = 'x'.repeat(1000);
		for (let i = 0; i < 20_000; i += 100) await writes(`${long}/${i}`, 'ada');
		expect((await stat(join(folder, '.orrery-sign-in.json'))).size).toBeLessThan(10_000);
		await signIn.close();
		signIn = newSignIn();
		await signIn.check();
		expect(await signIn.session(session_token)).toMatchObject({ agent_id: 'ada' });
	});

	test('with owners from an older server keep them', async () => {
		const file = join(folder, '.orrery-sign-in.json');
		await writeFile(file, JSON.stringify({ used: {}, sessions: {}, owners: { 'a.json': 'ada' } }));
		await signIn.check();
		expect(await refusal(writes('a.json', 'bob', true))).toMatch(/^not_owner: .*"ada"/);
		expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ used: {}, sessions: {} });
	});

	test('have no owners in a malformed file, and the operator learns which file it is', async () => {
		await writeFile(join(folder, '.orrery-owners.db'), 'no database');
		await expect(newSignIn().check()).rejects.toThrow(/\.orrery-owners\.db" cannot be used: .* Move it away/);
	});
});

describe('the list of agents', () => {
	const agent = { agent_id: 'ada', public_key: ada.public_key, number: 1 };

	test.each([
		[{ agents: {} }, '"agents"'],
		[{ agents: [{ ...agent, public_key: 'AAAA' }] }, '"public_key" of agents[0]'],
		[{ agents: [{ ...agent, number: -1 }] }, '"number" of agents[0]'],
		[{ agents: [{ ...agent, access: 'all' }] }, '"access" of agents[0]'],
		[{ agents: [{ ...agent, agent_id: 'a\nb' }] }, '"agent_id" of agents[0]'],
		[{ agents: [{ ...agent, limits: { forks: -1 } }] }, '"limits" of agents[0]'],
		[{ agents: [{ ...agent, limits: { fork: 1 } }] }, 'unknown limit "fork"'],
		[{ agents: [agent, { ...agent, number: 2, public_key: bob.public_key }] }, 'Two agents'],
		[{ agents: [agent, { ...agent, agent_id: 'b', public_key: bob.public_key }] }, 'Two agents'],
		[{ agents: [agent, { ...agent, agent_id: 'b', number: 2 }] }, 'Two agents'],
		[{ domains: [] }, '"domains"'],
		[{ session_seconds: 0 }, '"session_seconds"'],
		[[], 'not a JSON object'],
	])('%j is refused with a clear error', (list, words) => {
		expect(() => agentListOf(list)).toThrow(words);
	});

	test('that is damaged admits no agent', async () => {
		await writeFile(join(folder, '.orrery-agents.json'), '{');
		await expect(newSignIn().login(ada.login(NOW))).rejects.toThrow('cannot be used');
	});

	test('admits no agent while the file of sessions is damaged', async () => {
		await writeFile(join(folder, '.orrery-sign-in.json'), '{}');
		await expect(signIn.login(ada.login(NOW))).rejects.toThrow('cannot be used');
		// The server reads the file again after it is mended or moved away.
		await rm(join(folder, '.orrery-sign-in.json'));
		expect(await signIn.login(ada.login(NOW))).toMatchObject({ agent_id: 'ada' });
	});

	test('may name its own domains', async () => {
		await listAgents(folder, [[ada, { number: 1 }]], { domains: ['world.example'] });
		await newSignIn().login(ada.login(NOW, { domain: 'world.example' }));
		expect(await refusal(newSignIn().login(ada.login(NOW)))).toContain('not a domain');
	});
});
