/**
 * Brings the project's packages with `npm ci` when they are missing or the lock file has changed.
 * Owns: the stamp in node_modules that says for which lock file it was filled.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, say } from './command.mjs';

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
	say('Installing packages with npm ci ...');
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	// Under `npm start` npm hands its own settings on; a script run as a command must not inherit a dry run or a prefix.
	if (!(await command(npm, ['ci', '--no-audit', '--no-fund'], { cwd: root }))) {
		throw new Error(
			'npm ci failed; its own message is above. Check the network, then run the same command again.',
		);
	}
	writeFileSync(stamp, lock);
}
