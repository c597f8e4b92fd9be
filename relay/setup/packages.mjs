/**
 * Brings the project's packages with `npm ci` when they are missing or the lock file has changed.
 * Owns: the stamp in node_modules that says for which lock file it was filled.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announceInstall, npm } from './command.mjs';

/**
 * Rejects with what to do when npm fails.
 * @param {string} root
 */
export async function installPackages(root) {
	const lock = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
	const stamp = join(root, 'node_modules', '.orrery-lock');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
	if (!existsSync(stamp) && installedByHand(root)) return writeFileSync(stamp, lock);
	announceInstall(
		'The packages of this project are missing or not those of package-lock.json.',
		`npm ci installs them into ${join(root, 'node_modules')}, from the registry that npm uses.`,
	);
	// Warnings are left out: npm's are about the Node that runs it, and the project brings its own.
	if (!(await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }))) {
		throw new Error(
			'npm ci failed; its own message is above. Check the network, then run the same command again.',
		);
	}
	writeFileSync(stamp, lock);
}

/**
 * True when npm has filled node_modules since the lock file last changed; npm notes there when it did.
 * @param {string} root
 */
function installedByHand(root) {
	const note = join(root, 'node_modules', '.package-lock.json');
	return existsSync(note) && statSync(note).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}
