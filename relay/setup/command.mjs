/**
 * Runs another program during set-up, its output shown as it comes.
 * Owns: nothing but that.
 */

import { spawn } from 'node:child_process';

/** The program of npm. */
export const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/**
 * Resolves to true when the program ends well, and to false when it fails or is not there.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<boolean>}
 */
export function command(program, args, options = {}) {
	return new Promise((resolve) => {
		// On Windows npm is a .cmd file, which only a shell can start.
		const shell = process.platform === 'win32';
		const child = spawn(program, args, { stdio: 'inherit', shell, ...options });
		child.on('error', () => resolve(false));
		child.on('exit', (code) => resolve(code === 0));
	});
}

/**
 * One line of progress.
 * @param {string} sentence
 */
export function say(sentence) {
	console.error(`[setup] ${sentence}`);
}
