/** What becomes of a browser that a killed relay left behind, and of one that ends while it is spoken to. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { HeadlessBrowser, type HeadlessOptions } from '../../relay/browser.ts';
import { type BrowserNote, BrowserNotes, isAlive } from '../../relay/browser-note.ts';
import { roomForConnections } from '../../relay/open-files.ts';

const run = promisify(execFile);

let data: string;
let left: ChildProcess;
beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-browser-'));
	// A process with a group of its own, as a browser has one.
	left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
	await once(left, 'spawn');
});
afterEach(async () => {
	left.kill('SIGKILL');
	await rm(data, { recursive: true, force: true });
});

function headlessBrowser(options: Partial<HeadlessOptions>): HeadlessBrowser {
	return new HeadlessBrowser({
		url: 'http://127.0.0.1:1/',
		notes: new BrowserNotes(data, 1),
		key: 'key',
		world: () => '',
		program: undefined,
		say: () => {},
		here: () => true,
		onDead: () => {},
		onTrouble: () => {},
		...options,
	});
}

async function adopts(
	endpoint: string,
): Promise<{ readonly adopted: boolean; readonly notes: BrowserNotes }> {
	const notes = new BrowserNotes(data, 1);
	const note = {
		relay: process.pid,
		at: { pid: left.pid!, endpoint },
		profile: join(data, 'profile'),
		key: 'key',
		world: '',
	};
	await notes.write(note);
	const headless = headlessBrowser({ notes, adoptWait: 50 });
	const adopted = await headless.adopt(note);
	expect(headless.running).toBe(false);
	return { adopted, notes };
}

test('one that does not answer, such as when its tab crashed meanwhile, is ended, and another can begin', async () => {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
	await once(server, 'listening');
	const ended = once(left, 'exit');
	const { port } = server.address() as AddressInfo;
	const { adopted, notes } = await adopts(`ws://127.0.0.1:${port}/devtools/browser/secret`);
	expect(adopted).toBe(false);
	expect((await ended)[1]).toBe('SIGKILL');
	expect(await notes.read()).toBeUndefined();
	server.close();
});

test('one of which only the folder is noted, since its relay was killed while it started, is found by what it writes there', async () => {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
	await once(server, 'listening');
	const asked = once(server, 'connection');
	const profile = join(data, 'profile');
	await mkdir(profile);
	await symlink(`host-${left.pid}`, join(profile, 'SingletonLock'));
	const { port } = server.address() as AddressInfo;
	await writeFile(join(profile, 'DevToolsActivePort'), `${port}\n/devtools/browser/secret\n`);
	const ended = once(left, 'exit');
	const notes = new BrowserNotes(data, 1);
	const note = { relay: process.pid, profile, key: 'key', world: '' };
	await notes.write(note);
	expect(await headlessBrowser({ notes, adoptWait: 50 }).adopt(note)).toBe(false);
	expect((await asked)[1].url).toBe('/devtools/browser/secret');
	expect((await ended)[1]).toBe('SIGKILL');
	expect(await notes.read()).toBeUndefined();
	server.close();
});

test('a process that is another one by now is left alone', async () => {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	const { adopted, notes } = await adopts(`ws://127.0.0.1:${port}/devtools/browser/secret`);
	expect(adopted).toBe(false);
	expect(left.exitCode).toBeNull();
	expect(left.signalCode).toBeNull();
	expect(await notes.read()).toBeUndefined();
});

/** A browser that has a tab, and never comes to saying all about it: it ends, or waits. */
const programThat = (ends: boolean): string => `#!${process.execPath}
import { WebSocketServer } from '${import.meta.resolve('ws')}';
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('listening', () =>
	console.error('DevTools listening on ws://127.0.0.1:' + server.address().port + '/devtools/browser/it'),
);
server.on('connection', (socket) =>
	socket.on('message', (data) => {
		const { id, method } = JSON.parse(data);
		const send = (message, sent) => socket.send(JSON.stringify(message), sent);
		const targetInfo = { targetId: 't', type: 'tab', title: '', url: 'about:blank', attached: false, canAccessOpener: false };
		if (method === 'Target.setDiscoverTargets') send({ method: 'Target.targetCreated', params: { targetInfo } });
		const result = method === 'Target.getBrowserContexts' ? { browserContextIds: [] } : {};
		send({ id, result }, () => method === 'Target.setAutoAttach' && ${ends} && process.exit());
	}),
);
`;

test('one that ends in the middle of its start is followed by another', async () => {
	const program = join(data, 'browser.mjs');
	await writeFile(program, programThat(true), { mode: 0o755 });
	const said: string[] = [];
	const headless = headlessBrowser({ program, say: (sentence) => said.push(sentence) });
	await headless.start();
	expect(said).toEqual(['The page could not be opened (It ended with code 0); starting another browser.']);
	await headless.stop();
});

test('one is noted before it is spoken to, and again when that could not be', async () => {
	const program = join(data, 'browser.mjs');
	await writeFile(program, programThat(false), { mode: 0o755 });
	let tries = 0;
	const notes = new (class extends BrowserNotes {
		override async write(note: BrowserNote): Promise<void> {
			tries++;
			if (tries <= 2) throw new Error('There is no room.');
			return super.write(note);
		}
	})(data, 1);
	const said: string[] = [];
	const headless = headlessBrowser({ program, notes, say: (sentence) => said.push(sentence) });
	const started = headless.start();
	started.catch(() => {});
	await expect
		.poll(() => notes.read(), { timeout: 20_000 })
		.toMatchObject({ at: { pid: expect.any(Number) } });
	expect(said).toEqual(['The browser could not be noted in the data folder: There is no room.']);
	const { at } = (await notes.read())!;
	await headless.stop();
	await expect(started).rejects.toThrow();
	await expect.poll(() => isAlive(at!.pid)).toBe(false);
	expect(await notes.read()).toBeUndefined();
});

test.skipIf(process.platform === 'win32')(
	'where no file descriptor is left, it is not started, and the process lives on',
	async () => {
		const script = `
		import { closeSync, openSync } from 'node:fs';
		import { startBrowser } from '${import.meta.resolve('../../relay/browser-process.ts')}';
		const files = [];
		await import('puppeteer');
		try { for (;;) files.push(openSync('/dev/null')); } catch {}
		// Puppeteer looks into its own settings, sometimes two files together. A process takes two pipes, four in all.
		for (const file of files.splice(-2)) closeSync(file);
		await startBrowser('/bin/true', '/tmp', async () => {}).catch((error) => console.log(error.message));
	`;
		const limited = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"';
		const { stdout, stderr } = await run('sh', ['-c', limited, process.execPath, script]);
		expect([stdout, stderr]).toEqual(['spawn /bin/true EMFILE\n', '']);
	},
);

test('callers have as many connections as leave the relay enough files for itself', () => {
	expect([1024, 150, Number.POSITIVE_INFINITY].map(roomForConnections)).toEqual([
		768,
		75,
		Number.POSITIVE_INFINITY,
	]);
	expect(roomForConnections()).toBeGreaterThan(0);
});
