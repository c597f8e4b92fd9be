/** The set-up step in a clone that an earlier version filled, whose packages had a Node of their own. */

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

/** Path of the downloaded Node in the clone. */
function downloaded(): string {
	const [name, version] = Object.entries(pinned.optionalDependencies).find(([name]) =>
		name.endsWith(`-${process.platform}-${process.arch}`),
	)!;
	return `node_modules/.cache/node-${version}/node_modules/${name}/bin/node`;
}

const start = () =>
	spawnSync(join(root, 'own-node'), ['relay/setup/run.mjs', 'hello.mjs'], {
		cwd: root,
		// As npm starts it: then a timer watches the parent, and must not keep a failed start running.
		env: { ...process.env, PATH: `${root}:${process.env.PATH}`, npm_lifecycle_event: 'start' },
		encoding: 'utf8',
		timeout: 240_000,
	});

test('runs the script with another Node', () => {
	writeProgram(downloaded(), `exec "${process.execPath}" "$@"`);
	expect(start()).toMatchObject({ status: 0, stdout: expect.stringContaining('hello') });
});

test('ends with an error if that Node cannot be started', () => {
	writeProgram(downloaded(), '');
	chmodSync(join(root, downloaded()), 0o644);
	expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('EACCES') });
});
