/** The set-up step downloads one browser at most, and reports a failure in a few lines. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');
const SCRIPT = `
	import { downloadChrome } from '${import.meta.resolve('../../../relay/setup/browser.mjs')}';
	await downloadChrome(${JSON.stringify(ROOT)}, process.execPath);
`;

test('only Chrome is downloaded, and a download that fails shows no stack', async () => {
	const asked: string[] = [];
	const mirror = createServer((request, response) => {
		asked.push(request.url!);
		response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await once(mirror, 'listening');
	const cache = await mkdtemp(join(tmpdir(), 'orrery-cache-'));
	const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
	const env = {
		...process.env,
		PUPPETEER_CACHE_DIR: cache,
		PUPPETEER_CHROME_DOWNLOAD_BASE_URL: `${url}/chrome`,
		PUPPETEER_CHROME_HEADLESS_SHELL_DOWNLOAD_BASE_URL: `${url}/shell`,
		PUPPETEER_FIREFOX_DOWNLOAD_BASE_URL: `${url}/firefox`,
	};
	const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT], { env });
	mirror.close();
	await rm(cache, { recursive: true, force: true });
	expect(asked.length).toBeGreaterThan(0);
	for (const path of asked) expect(path).toMatch(/^\/chrome\//);
	expect(stderr).toContain('Failed to set up chrome');
	expect(stdout + stderr).not.toMatch(/^\s+at /m);
});
