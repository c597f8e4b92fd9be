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
const PROGRAM = resolve(import.meta.dirname, '../../../relay/setup/download-chrome.mjs');

test('only Chrome is downloaded, and a download that fails shows one reason and no stack', async () => {
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
		PUPPETEER_CHROME_DOWNLOAD_BASE_URL: `${url}/chrome`,
		PUPPETEER_FIREFOX_DOWNLOAD_BASE_URL: `${url}/firefox`,
	};
	const failed = await run(process.execPath, [PROGRAM, cache], { env }).catch((error) => error);
	mirror.close();
	await rm(cache, { recursive: true, force: true });
	expect(asked.length).toBeGreaterThan(0);
	for (const path of asked) expect(path).toMatch(/^\/chrome\/.*chrome/);
	expect([failed.code, failed.stdout]).toEqual([1, '']);
	expect(failed.stderr).toContain('All providers failed for chrome');
	expect(failed.stderr.trim().split('\n')).toHaveLength(2);
});
