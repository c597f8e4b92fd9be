/**
 * Other programs during set-up, their output shown as it comes.
 * Owns: how they are started, always without a shell, and if set-up may install anything.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Resolves to true when the program ends well, and to false when it fails or is not there.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<boolean>}
 */
export function command(program, args, options = {}) {
	return new Promise((resolve) => {
		const child = spawn(program, args, { stdio: 'inherit', ...options });
		child.on('error', () => resolve(false));
		child.on('exit', (code) => resolve(code === 0));
	});
}

/**
 * Runs npm. On Windows it is a script for a shell, which splits paths at spaces: its program is run by Node instead.
 * @param {readonly string[]} args
 * @param {{ cwd: string }} options
 * @returns {Promise<boolean>}
 */
export function npm(args, options) {
	const [program, ...first] = npmProgram(process.platform, process.execPath, process.env.npm_execpath);
	return command(program, [...first, ...args], options);
}

/**
 * The command that runs npm on a kind of system: a program and its first arguments.
 * @param {NodeJS.Platform} platform
 * @param {string} node
 * @param {string | undefined} running Script of the npm that has started this process.
 * @returns {[string, ...string[]]}
 */
export function npmProgram(platform, node, running) {
	if (platform !== 'win32') return ['npm'];
	const beside = join(dirname(node), 'node_modules', 'npm', 'bin', 'npm-cli.js');
	const isNpm = running?.endsWith('npm-cli.js') === true && existsSync(running);
	return [node, isNpm ? running : beside];
}

/**
 * Says what is about to be installed. Throws instead if the operator forbids it.
 * @param {string} missing What is missing, as a sentence.
 * @param {string} plan What is installed and from where, as a sentence.
 */
export function announceInstall(missing, plan) {
	const { ORRERY_OFFLINE: offline = '' } = process.env;
	const forbids = process.argv.includes('--no-install')
		? '--no-install'
		: offline !== '' && offline !== '0'
			? 'ORRERY_OFFLINE'
			: undefined;
	if (forbids !== undefined)
		throw new Error(
			`${missing} ${forbids} forbids to install anything. Without it, this would be done: ${plan}`,
		);
	say(`${missing} ${plan} (--no-install or ORRERY_OFFLINE=1 forbids this.)`);
}

/**
 * One line of progress.
 * @param {string} sentence
 */
export function say(sentence) {
	console.error(`[setup] ${sentence}`);
}
