/** The session of the page: signing in with a key file, and the stored token. */

import { generateKeyPairSync, verify } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CallAnswer } from '../../../../web/ui/services.ts';
import { createPageSession } from '../../../../web/ui/session/page-session.ts';

const NOW = 1_800_000_000;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = {
	agent_id: 'ada',
	public_key: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
	private_key: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
};
const TOKEN = 'f'.repeat(64);

let kept: Map<string, string>;
let sent: { method: string; path: string; body: unknown }[];
let signedIn: boolean;
let answer: (path: string) => CallAnswer | undefined;

beforeEach(() => {
	kept = new Map();
	sent = [];
	signedIn = false;
	answer = () => undefined;
});

function session() {
	return createPageSession({
		kept: {
			getItem: (name) => kept.get(name) ?? null,
			setItem: (name, value) => void kept.set(name, value),
			removeItem: (name) => void kept.delete(name),
		},
		now: () => NOW * 1000,
		async call(method, path, body) {
			sent.push({ method, path, body });
			const other = answer(path);
			if (other !== undefined) return other;
			if (path === '/auth/login') {
				signedIn = true;
				return { status: 200, ms: 0, body: { ok: true, session_token: TOKEN } };
			}
			if (path === '/auth/logout') signedIn = false;
			const whose = signedIn ? { agent_id: 'ada', access: 'write' } : {};
			const status = { required: true, authenticated: signedIn, server: 'name', ...whose };
			return { status: 200, ms: 0, body: { ok: true, ...status } };
		},
	});
}

test('signs the text of the contract with the key, and stores the session but not the key', async () => {
	const page = session();
	expect(page.headers()).toEqual({});
	expect(await page.signIn(JSON.stringify(KEY))).toBeNull();
	const login = sent.find(({ path }) => path === '/auth/login')!.body as Record<string, string>;
	expect(login).toMatchObject({
		agent_id: 'ada',
		domain: 'orrery.local',
		timestamp: NOW,
		public_key: KEY.public_key,
		server: 'name',
	});
	const signature = Buffer.from(login.signature!, 'base64');
	expect(verify(null, Buffer.from(`ada\norrery.local\n${NOW}\nname`), publicKey, signature)).toBe(true);
	expect(page.headers()).toEqual({ authorization: `Bearer ${TOKEN}` });
	expect(page.who.value).toEqual({ required: true, agent: 'ada', access: 'write' });
	expect([...kept.values()]).toEqual([TOKEN]);
	expect(JSON.stringify(sent)).not.toContain(KEY.private_key);
});

test('a session continues after a reload, until it ends', async () => {
	kept.set('orrery-session', TOKEN);
	signedIn = true;
	const page = session();
	await page.refreshIdentity();
	expect(page.who.value.agent).toBe('ada');
	signedIn = false;
	await page.refreshIdentity();
	expect(page.who.value.agent).toBeNull();
	expect(page.headers()).toEqual({});
	expect(kept.size).toBe(0);
});

test('a sign-out ends the session', async () => {
	const page = session();
	await page.signIn(JSON.stringify(KEY));
	await page.signOut();
	expect(page.headers()).toEqual({});
	expect(kept.size).toBe(0);
	expect(page.who.value).toEqual({ required: true, agent: null, access: null });
});

describe('a failed sign-in has a clear error', () => {
	test.each([
		['', 'not a key file'],
		['null', 'not a key file'],
		['{"agent_id":"ada"}', 'not a key file'],
		[JSON.stringify({ ...KEY, private_key: 'AAAA' }), 'is not valid'],
		[JSON.stringify({ ...KEY, private_key: '???' }), 'is not valid'],
	])('%s', async (text, words) => {
		const page = session();
		expect(await page.signIn(text)).toContain(words);
		expect(sent).toEqual([]);
	});

	test('a refusal by the server', async () => {
		answer = (path) =>
			path === '/auth/login'
				? { status: 401, ms: 0, body: { ok: false, error: 'The key is not listed.', fix: 'Have it listed.' } }
				: undefined;
		const page = session();
		expect(await page.signIn(JSON.stringify(KEY))).toBe('The key is not listed. Have it listed.');
		expect(kept.size).toBe(0);
	});
});
