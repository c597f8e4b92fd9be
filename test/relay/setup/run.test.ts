/** The set-up step in a clone of an earlier version, whose packages contained a Node. */

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import pinned from '../../../relay/setup/node/package.json' with { type: 'json' };

const SETUP = resolve(import.meta.dirname, '../../../relay/setup');
let root: string;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'orrery-upgrade-'));
	cpSync(SETUP, join(root, 'relay/setup'), { recursive: true });
	writeFileSync(join(root, 'package-lock.json'), '{}');
	writeFileSync(join(root, 'hello.mjs'), 'console.log("hello");');
	copyFileSync(process.execPath, join(root, 'own-node'));
	// `npm ci` of this version removes the Node of the earlier one, which runs the set-up.
	writeProgram('npm', `rm "${join(root, 'own-node')}"`);
	mkdirSync(join(root, 'node_modules'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeProgram(path: string, script: string): void {
	const file = join(root, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
}

/** Returns the path of the downloaded Node in the clone. */
function downloadedPath(): string {
	const [name, version] = Object.entries(pinned.optionalDependencies).find(([name]) =>
		name.endsWith(`-${process.platform}-${process.arch}`),
	)!;
	return `node_modules/.cache/node-${version}/node_modules/${name}/bin/node`;
}

const start = (flags: readonly string[] = [], variables: Record<string, string> = {}) =>
	spawnSync(join(root, 'own-node'), ['relay/setup/run.mjs', 'hello.mjs', ...flags], {
		cwd: root,
		// With the variable of npm, a timer watches the parent. The timer must not keep a failed start running.
		env: { ...process.env, PATH: `${root}:${process.env.PATH}`, npm_lifecycle_event: 'start', ...variables },
		encoding: 'utf8',
		timeout: 240_000,
	});

test.each([['--no-install'], ['ORRERY_OFFLINE']])('installs nothing with %s', (setting) => {
	writeProgram('npm', 'echo installed');
	const { status, stdout, stderr } = start(
		setting === '--no-install' ? [setting] : [],
		setting === '--no-install' ? {} : { [setting]: '1' },
	);
	expect([status, stdout]).toEqual([1, '']);
	expect(stderr).toContain(`${setting} forbids to install anything.`);
});

test('runs the script with another Node', () => {
	writeProgram(downloadedPath(), `exec "${process.execPath}" "$@"`);
	expect(start()).toMatchObject({ status: 0, stdout: expect.stringContaining('hello') });
});

test('ends with an error if that Node cannot be started', () => {
	writeProgram(downloadedPath(), '');
	chmodSync(join(root, downloadedPath()), 0o644);
	expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('EACCES') });
});
