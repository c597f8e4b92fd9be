/** The set-up step says what it installs, downloads one browser at most, and reports a failure in a few lines. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { npmProgram } from '../../../relay/setup/command.mjs';

const run = promisify(execFile);
const PROGRAM = resolve(import.meta.dirname, '../../../relay/setup/download-chrome.mjs');
const BROWSER = resolve(import.meta.dirname, '../../../relay/setup/browser.mjs');

test('only Chrome is downloaded, and a failed download prints one reason and no stack', async () => {
	const requests: string[] = [];
	const mirror = createServer((request, response) => {
		requests.push(request.url!);
		response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await once(mirror, 'listening');
	const cache = await mkdtemp(join(tmpdir(), 'orrery-cache-'));
	const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
	const env = {
		...process.env,
		PUPPETEER_CHROME_DOWNLOAD_BASE_URL: `${url}/chrome`,
		PUPPETEER_FIREFOX_DOWNLOAD_BASE_URL: `${url}/firefox`,
	};
	const failed = await run(process.execPath, [PROGRAM, cache], { env }).catch((error) => error);
	mirror.close();
	await rm(cache, { recursive: true, force: true });
	expect(requests.length).toBeGreaterThan(0);
	for (const path of requests) expect(path).toMatch(/^\/chrome\/.*chrome/);
	expect([failed.code, failed.stdout]).toEqual([1, '']);
	expect(failed.stderr).toContain('All providers failed for chrome');
	expect(failed.stderr.trim().split('\n')).toHaveLength(2);
});

describe('a machine without a browser', () => {
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'orrery-bare-'));
		for (const name of ['apt-get', 'apt-cache', 'node-that-fails']) {
			await writeFile(join(folder, name), `#!/bin/sh\necho "ran ${name} $*" >&2\nexit 1\n`);
			await chmod(join(folder, name), 0o755);
		}
	});
	afterEach(() => rm(folder, { recursive: true, force: true }));

	/** Returns the sentences and commands of the set-up with these flags and variables. */
	async function runSetup(flags: readonly string[], variables: Record<string, string> = {}): Promise<string> {
		const program = `import { installBrowser } from ${JSON.stringify(pathToFileURL(BROWSER).href)};
			await installBrowser(${JSON.stringify(join(folder, 'node-that-fails'))}).catch((error) => console.error(error.message));`;
		await writeFile(join(folder, 'start.mjs'), program);
		const env = {
			...process.env,
			ORRERY_OFFLINE: '',
			PUPPETEER_CACHE_DIR: folder,
			PATH: folder,
			...variables,
		};
		return (await run(process.execPath, [join(folder, 'start.mjs'), ...flags], { env })).stderr;
	}

	test('gets one, after a message with its name and source', async () => {
		const lines = await runSetup([]);
		const order = ['Puppeteer downloads Chrome into', 'from Google', 'ran node-that-fails'];
		if (process.platform === 'linux' && process.getuid?.() === 0)
			order.push(
				'apt-get installs the package chromium',
				'ran apt-cache policy chromium',
				'ran apt-get install',
			);
		const positions = order.map((part) => lines.indexOf(part));
		expect(positions).not.toContain(-1);
		expect(positions).toEqual([...positions].sort((a, b) => a - b));
	});

	test.each([
		[['--no-install'], {}],
		[[], { ORRERY_OFFLINE: '1' }],
	])('gets none with %j and %j, and no program runs', async (flags, variables) => {
		const lines = await runSetup(flags, variables);
		expect(lines).not.toContain('ran ');
		expect(lines).toMatch(/^No Chrome or Chromium was found\. (--no-install|ORRERY_OFFLINE) forbids/);
	});
});

test('on Windows npm is run by Node, because no shell splits its path', () => {
	const node = 'C:\\Program Files\\nodejs\\node.exe';
	const [program, script] = npmProgram('win32', node, undefined);
	expect(program).toBe(node);
	expect(script).toContain('npm-cli.js');
	expect(npmProgram('linux', '/usr/bin/node', undefined)).toEqual(['npm']);
});

test('no program is started through a shell, except a command line that a person writes for one', async () => {
	let files = 0;
	for await (const file of glob('relay/**/*.{ts,mjs}')) {
		files++;
		if (file === 'relay/suite/agent.ts') continue;
		expect(await readFile(file, 'utf8'), file).not.toMatch(
			/\bshell\s*[:=]|[{,]\s*shell\b|(?<![.\w])exec(Sync)?\(/,
		);
	}
	expect(files).toBeGreaterThan(50);
});
