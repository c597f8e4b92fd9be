/**
 * A virtual environment of Python with the package `orrery` and the libraries for learning.
 * Owns: what is installed there, and why something is not. It stays in node_modules/.cache/python for the next run.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../relay/folders.ts';
import { buildWheel } from '../../relay/python/wheel.ts';

const FOLDER = join(ROOT, 'node_modules/.cache/python');

/** Needed by the environments of the package. */
const ENVIRONMENTS = ['gymnasium', 'pettingzoo'];
/** Engines that `npm run bench` measures beside this one; Gymnasium has environments with MuJoCo. */
const PEERS = ['mujoco', 'open_spiel', 'gymnasium[mujoco]'];
/** Trains on them. On some platforms it brings 3 GB of drivers with it. */
const TRAINING = ['stable-baselines3'];
/** Runs rollouts over many servers: 80 MB, which take 240 MB on the disk. */
const ROLLOUTS = ['ray'];

export interface Installation {
	/** The interpreter. */
	readonly python: string;
	/** Tools that could not be installed, with the reason. */
	readonly missing: readonly string[];
}

export interface InstallationOptions {
	/** Milliseconds that all of it may take. */
	readonly ms: number;
	/** Install what trains, too. */
	readonly trains: boolean;
	/** Install the peers of `npm run bench`, too. */
	readonly peers: boolean;
}

/** Installs everything. Returns the reason as a sentence if there is not even a Python with the package. */
export async function installPython({
	ms,
	trains,
	peers,
}: InstallationOptions): Promise<Installation | string> {
	const end = performance.now() + ms;
	const left = () => end - performance.now();
	const version = 'import sys; sys.exit(sys.version_info < (3, 10))';
	if ((await run('python3', ['-c', version], left())) !== undefined)
		return 'There is no python3 of 3.10 or later.';
	const python = join(FOLDER, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
	if (!existsSync(python)) {
		const failure = await run('python3', ['-m', 'venv', FOLDER], left());
		if (failure !== undefined) {
			await rm(FOLDER, { recursive: true, force: true });
			return `No virtual environment could be made: ${failure}`;
		}
	}
	const folder = await mkdtemp(join(tmpdir(), 'orrery-python-'));
	// What an interrupted pip leaves is removed with the folder.
	const env = { ...process.env, TMPDIR: folder };
	const pip = (...args: string[]) => run(python, ['-m', 'pip', 'install', '--quiet', ...args], left(), env);
	try {
		const { name, bytes } = buildWheel();
		await writeFile(join(folder, name), bytes);
		const failure = await pip('--no-index', '--no-deps', '--force-reinstall', join(folder, name));
		if (failure !== undefined) return `The wheel could not be installed: ${failure}`;
		const missing: string[] = [];
		for (const names of [
			ENVIRONMENTS,
			...(trains ? [TRAINING, ROLLOUTS] : []),
			...(peers ? PEERS.map((name) => [name]) : []),
		]) {
			const failure = await pip(...names);
			if (failure !== undefined) missing.push(`${names.join(', ')}: ${failure}`);
		}
		return { python, missing };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Runs a program. Resolves with the last line of its errors if it fails or takes too long; otherwise with undefined. */
function run(
	program: string,
	args: readonly string[],
	ms: number,
	env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
	if (ms <= 0) return Promise.resolve('there was no time left');
	return new Promise((done) => {
		const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
		let errors = '';
		let late = false;
		const timer = setTimeout(() => {
			late = true;
			child.kill('SIGKILL');
		}, ms);
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			errors += text;
		});
		child.once('error', (error) => {
			clearTimeout(timer);
			done(error.message);
		});
		child.once('close', (code) => {
			clearTimeout(timer);
			if (late) done(`it was not done in ${Math.round(ms / 1000)} s`);
			else done(code === 0 ? undefined : (errors.trim().split('\n').at(-1) ?? `exit code ${code}`));
		});
	});
}
