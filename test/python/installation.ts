/**
 * A virtual environment of Python with the package `orrery` and the libraries for learning.
 * Owns: the installed packages, and the reasons of failures. The folder node_modules/.cache/python is reused by the next run.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../relay/folders.ts';
import { buildWheel } from '../../relay/python/wheel.ts';

const FOLDER = join(ROOT, 'node_modules/.cache/python');

/** Packages for the environments. */
const ENVIRONMENTS = ['gymnasium', 'pettingzoo'];
/** Engines that `npm run bench` compares with this one. Gymnasium has environments with MuJoCo. */
const PEERS = ['mujoco', 'open_spiel', 'gymnasium[mujoco]'];
/** Package for training. On some platforms, it installs 3 GB of drivers. */
const TRAINING = ['stable-baselines3'];
/** Package for rollouts over many servers: 80 MB to download, 240 MB on the disk. */
const ROLLOUTS = ['ray'];

export interface Installation {
	/** Path of the interpreter. */
	readonly python: string;
	/** Tools that could not be installed, with the reason. */
	readonly missing: readonly string[];
}

export interface InstallationOptions {
	/** Timeout of the whole installation (ms). */
	readonly ms: number;
	/** Installs the packages for training, too. */
	readonly trains: boolean;
	/** Installs the peers of `npm run bench`, too. */
	readonly peers: boolean;
}

/** Installs the packages. Returns the reason as a sentence if the package `orrery` itself cannot be installed. */
export async function installPython({
	ms,
	trains,
	peers,
}: InstallationOptions): Promise<Installation | string> {
	const end = performance.now() + ms;
	const remainingMs = () => end - performance.now();
	const version = 'import sys; sys.exit(sys.version_info < (3, 10))';
	if ((await run('python3', ['-c', version], remainingMs())) !== undefined)
		return 'There is no python3 of 3.10 or later.';
	const python = join(FOLDER, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
	if (!existsSync(python)) {
		const failure = await run('python3', ['-m', 'venv', FOLDER], remainingMs());
		if (failure !== undefined) {
			await rm(FOLDER, { recursive: true, force: true });
			return `No virtual environment could be made: ${failure}`;
		}
	}
	const folder = await mkdtemp(join(tmpdir(), 'orrery-python-'));
	// The temporary files of an interrupted pip are removed with the folder.
	const env = { ...process.env, TMPDIR: folder };
	const pip = (...args: string[]) =>
		run(python, ['-m', 'pip', 'install', '--quiet', ...args], remainingMs(), env);
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

/** Runs a program. Resolves to undefined, or to the last line of its errors if it fails or takes too long. */
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
