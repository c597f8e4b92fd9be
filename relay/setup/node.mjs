/**
 * Finds a Node that runs TypeScript: the Node of this process, or a newer one from npm.
 * Owns: the check of the version, and the folder of the newer Node.
 * Never: downloads a Node if the Node of this process is new enough.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announceInstall, npm } from './command.mjs';

/** Folder with the package of the newer Node. Its lock file pins one package, with its content, for each kind of machine. */
const PINNED = fileURLToPath(new URL('./node/', import.meta.url));

/**
 * Returns the path of a Node that runs TypeScript. Rejects with an instruction if there is none.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function findNode(root) {
	// In earlier versions, this Node was a package of the project, which `npm ci` has just removed.
	if (process.features.typescript && existsSync(process.execPath)) return process.execPath;
	const [name = '', version] =
		Object.entries(pinnedPackages()).find(([name]) => name.endsWith(machineSuffix())) ?? [];
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
 * Installs the pinned packages with npm. An interrupted download leaves nothing in the folder.
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

/**
 * Returns the versions of the pinned packages by name.
 * @returns {Record<string, string>}
 */
function pinnedPackages() {
	return JSON.parse(readFileSync(join(PINNED, 'package.json'), 'utf8')).optionalDependencies;
}

/** Returns the end of the name of this machine's package. */
function machineSuffix() {
	return `-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}
