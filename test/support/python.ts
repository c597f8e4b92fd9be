/**
 * Python of this machine, with the unpacked package `orrery`.
 * Owns: detecting Python. Tests that need it are skipped if it is missing.
 */

import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { ROOT } from '../../relay/folders.ts';
import type { Wheel } from '../../relay/python/wheel.ts';

const exec = promisify(execFile);

/** True if `python3` is 3.10 or later. */
export const hasPython = ((): boolean => {
	try {
		execFileSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
})();

export interface UnpackedPackage {
	/** Folder to import from. */
	readonly folder: string;
	/** Runs a program without the packages of this machine. Resolves to its output; rejects with its traceback. */
	run(program: string, ...args: string[]): Promise<string>;
	remove(): Promise<void>;
}

/** Unpacks a wheel, as pip does, into a temporary folder. */
export async function unpackWheel({ bytes }: Wheel): Promise<UnpackedPackage> {
	const folder = await mkdtemp(join(tmpdir(), 'orrery-python-'));
	for (const [path, content] of Object.entries(unzipSync(bytes))) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), content);
	}
	const env = {
		...process.env,
		PYTHONPATH: folder,
		PYTHONDONTWRITEBYTECODE: '1',
		ORRERY_PACKAGE: ROOT,
		ORRERY_NODE: process.execPath,
	};
	return {
		folder,
		run: async (program, ...args) =>
			(await exec('python3', ['-S', '-c', program, ...args], { cwd: folder, env, timeout: 120_000 })).stdout,
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
