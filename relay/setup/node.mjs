/**
 * Finds a Node that runs the project as it is: the one that runs this, or the one among the packages.
 * Owns: which version that takes.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { command, say } from './command.mjs';

/**
 * The path of a Node of at least 24.9: it runs TypeScript, and its HTTP server can leave an upgrade be.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function findNode(root) {
	if (isCurrent(process.versions.node)) return process.execPath;
	const folder = packageFolder(root);
	const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (existsSync(binary)) return binary;
	// Some npm versions run no install scripts; this package's own brings the binary for this machine.
	say('Downloading a current Node for the project ...');
	await command(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder });
	if (existsSync(binary) && spawnSync(binary, ['--version']).status === 0) return binary;
	throw new Error(
		`Node ${process.versions.node} is too old, and downloading a current one failed. ` +
			'Check the network and run the same command again, or install Node 24.9 or later from https://nodejs.org.',
	);
}

/** @param {string} version */
function isCurrent(version) {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major > 24 || (major === 24 && minor >= 9);
}

/**
 * Where npm has put the package `node`: in this one, or beside it when this one is installed.
 * @param {string} root
 */
function packageFolder(root) {
	return dirname(createRequire(join(root, 'package.json')).resolve('node/package.json'));
}
