/**
 * Finds a Node that runs TypeScript: the one that runs this, or a newer one from npm.
 * Owns: which version that takes, and where the newer one is kept.
 * Never: downloads one if this one is new enough.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announceInstall, npm } from './command.mjs';

/** Its lock file pins one package for each kind of machine, and its content. */
const PINNED = fileURLToPath(new URL('./node/', import.meta.url));

/**
 * The path of a Node that runs TypeScript. Rejects with what to do if none can be had.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function findNode(root) {
	// The Node of earlier versions was a package of the project: `npm ci` has just removed it.
	if (process.features.typescript && existsSync(process.execPath)) return process.execPath;
	const [name = '', version] = Object.entries(pinned()).find(([name]) => name.endsWith(machine())) ?? [];
	const folder = join(root, 'node_modules/.cache', `node-${version}`);
	const program = join(
		folder,
		'node_modules',
		name,
		'bin',
		process.platform === 'win32' ? 'node.exe' : 'node',
	);
	if (existsSync(program)) return program;
	announceInstall(
		`Node ${process.versions.node} does not run TypeScript.`,
		`npm installs ${name} ${version} into ${folder}, from the registry that npm uses.`,
	);
	if (name !== '' && (await download(folder)) && spawnSync(program, ['--version']).status === 0)
		return program;
	throw new Error(
		'No Node that runs TypeScript was found, and downloading one failed. ' +
			'Check the network and run the same command again, or install Node 22.18 or later from https://nodejs.org.',
	);
}

/**
 * Has npm install what the lock file pins. An interrupted download leaves nothing in the folder.
 * @param {string} folder
 */
async function download(folder) {
	const partial = `${folder}.partial`;
	rmSync(partial, { recursive: true, force: true });
	cpSync(PINNED, partial, { recursive: true });
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	if (!(await npm(['ci', ...flags], { cwd: partial }))) return false;
	renameSync(partial, folder);
	return true;
}

/** @returns {Record<string, string>} */
function pinned() {
	return JSON.parse(readFileSync(join(PINNED, 'package.json'), 'utf8')).optionalDependencies;
}

/** End of the name of this machine's package. */
function machine() {
	return `-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}
