/** Failed starts of the headless browser, leftovers of a killed server, and the limit on open files. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HeadlessBrowser } from '../../relay/browser.ts';
import { removeStaleProfiles } from '../../relay/browser-process.ts';
import { maxConnections } from '../../relay/open-files.ts';

let folder: string;
const processes: ChildProcess[] = [];
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-start-'));
	vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
	for (const child of processes.splice(0)) child.kill('SIGKILL');
	await rm(folder, { recursive: true, force: true });
});

/** Returns a headless browser whose program is a shell script, and its output. */
async function startScripted(
	script: string,
): Promise<{ readonly headless: HeadlessBrowser; readonly output: string[] }> {
	const program = join(folder, 'browser.sh');
	await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	const lines: string[] = [];
	const headless = new HeadlessBrowser({
		url: 'http://127.0.0.1:1/',
		program,
		say: (sentence) => lines.push(sentence),
		isConnected: () => true,
		onDead: () => {},
		onTrouble: () => {},
	});
	return { headless, output: lines };
}

test.skipIf(process.platform === 'win32')(
	'a browser that cannot start is reported with its own message',
	async () => {
		const { headless } = await startScripted('echo "No usable sandbox!" >&2; exit 3');
		await expect(headless.start()).rejects.toThrow('started. It ended with code 3\nNo usable sandbox!');
		await chmod(join(folder, 'browser.sh'), 0o644);
		await expect(headless.start()).rejects.toThrow('started. EACCES: permission denied');
		await headless.stop();
		expect(await readdir(folder)).toEqual(['browser.sh']);
	},
);

test.skipIf(process.platform === 'win32')(
	'after a browser killed during its start, another starts',
	async () => {
		// The second run, which looks for the reason, may be killed as well.
		const { headless, output } = await startScripted('kill -9 $$');
		await headless.start();
		expect(output.at(-1)).toBe(
			'The page could not be opened (It was killed while it started); starting another browser.',
		);
		await headless.stop();
	},
);

test.skipIf(process.platform === 'win32')(
	'the output warns root that the browser has no sandbox',
	async () => {
		const user = vi.spyOn(process, 'getuid').mockReturnValue(1000);
		const { headless, output } = await startScripted('exit 1');
		await headless.start().catch(() => {});
		expect(output).toEqual([]);
		user.mockReturnValue(0);
		await headless.start().catch(() => {});
		expect(output).toEqual([expect.stringContaining('no sandbox')]);
	},
);

test.runIf(process.platform === 'linux')(
	'a leftover browser of a dead server is ended with its profile, and that of a running server is not',
	async () => {
		const child = spawn('true');
		await once(child, 'exit');
		const [dead, alive, other] = await Promise.all(
			[child.pid, process.ppid, child.pid].map((pid, i) => profileOf(`orrery-browser-${pid}-a${i}`)),
		);
		// A process that now has the number of a former browser.
		await rm(join(other!.profile, 'SingletonLock'));
		await symlink(`host-${alive!.browser.pid}`, join(other!.profile, 'SingletonLock'));
		const ended = once(dead!.browser, 'exit');
		await removeStaleProfiles();
		expect((await ended)[1]).toBe('SIGKILL');
		expect([dead, alive, other].map((item) => existsSync(item!.profile))).toEqual([false, true, false]);
		expect(alive!.browser.signalCode).toBeNull();
	},
);

/** Returns a profile, and a process that uses it, in a group of its own. */
async function profileOf(
	name: string,
): Promise<{ readonly profile: string; readonly browser: ChildProcess }> {
	const profile = join(folder, name);
	await mkdir(profile);
	const args = ['-e', 'setInterval(() => {}, 1000)', '--', `--user-data-dir=${profile}`];
	const browser = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
	processes.push(browser);
	await once(browser, 'spawn');
	await symlink(`host-${browser.pid}`, join(profile, 'SingletonLock'));
	return { profile, browser };
}

test('connections of callers leave enough open files for the relay', () => {
	expect([1024, 150, Number.POSITIVE_INFINITY].map(maxConnections)).toEqual([
		768,
		75,
		Number.POSITIVE_INFINITY,
	]);
	expect(maxConnections()).toBeGreaterThan(0);
});
