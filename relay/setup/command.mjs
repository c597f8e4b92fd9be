/**
 * Runs other programs during set-up, and shows their output.
 * Owns: starting them without a shell, and the check that set-up may install anything.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Runs a program. Resolves to true if it succeeds, and to false if it fails or is missing.
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
 * Runs npm. On Windows, npm is a shell script that splits paths at spaces, so Node runs its program directly.
 * @param {readonly string[]} args
 * @param {{ cwd: string }} options
 * @returns {Promise<boolean>}
 */
export function npm(args, options) {
	const [program, ...first] = npmProgram(process.platform, process.execPath, process.env.npm_execpath);
	return command(program, [...first, ...args], options);
}

/**
 * Returns the program that runs npm on a kind of system, and its first arguments.
 * @param {NodeJS.Platform} platform
 * @param {string} node
 * @param {string | undefined} running Script of the npm that started this process.
 * @returns {[string, ...string[]]}
 */
export function npmProgram(platform, node, running) {
	if (platform !== 'win32') return ['npm'];
	const npmOfNode = join(dirname(node), 'node_modules', 'npm', 'bin', 'npm-cli.js');
	const isNpm = running?.endsWith('npm-cli.js') === true && existsSync(running);
	return [node, isNpm ? running : npmOfNode];
}

/**
 * Prints the next installation. Throws if the operator forbids installations.
 * @param {string} missing Sentence that names the missing thing.
 * @param {string} plan Sentence that names the installed thing and its source.
 */
export function announceInstall(missing, plan) {
	const { ORRERY_OFFLINE: offline = '' } = process.env;
	const prohibition = process.argv.includes('--no-install')
		? '--no-install'
		: offline !== '' && offline !== '0'
			? 'ORRERY_OFFLINE'
			: undefined;
	if (prohibition !== undefined)
		throw new Error(
			`${missing} ${prohibition} forbids to install anything. Without it, this would be done: ${plan}`,
		);
	say(`${missing} ${plan} (--no-install or ORRERY_OFFLINE=1 forbids this.)`);
}

/**
 * Prints one line of progress.
 * @param {string} sentence
 */
export function say(sentence) {
	console.error(`[setup] ${sentence}`);
}
