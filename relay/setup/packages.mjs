/**
 * Installs the project's packages with `npm ci` if they are missing or the lock file has changed.
 * Owns: the stamp in node_modules, which contains the hash of the installed lock file.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announceInstall, npm } from './command.mjs';

/**
 * Installs the packages, if necessary. Rejects with an instruction if npm fails.
 * @param {string} root
 */
export async function installPackages(root) {
	const lockHash = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
	const stamp = join(root, 'node_modules', '.orrery-lock');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return;
	if (!existsSync(stamp) && isInstalledByHand(root)) return writeFileSync(stamp, lockHash);
	announceInstall(
		'The packages of this project are missing or not those of package-lock.json.',
		`npm ci installs them into ${join(root, 'node_modules')}, from the registry that npm uses.`,
	);
	// Warnings are omitted: npm's are about the Node that runs it, and the project installs its own Node.
	if (!(await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }))) {
		throw new Error(
			'npm ci failed; its own message is above. Check the network, then run the same command again.',
		);
	}
	writeFileSync(stamp, lockHash);
}

/**
 * Returns true if npm has installed the packages since the last change of the lock file. npm writes a file at each
 * installation.
 * @param {string} root
 */
function isInstalledByHand(root) {
	const record = join(root, 'node_modules', '.package-lock.json');
	return existsSync(record) && statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}
