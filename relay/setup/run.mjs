/**
 * The set-up step: installs what is missing in a new clone (packages, Node, a browser), then runs a script of the project.
 * Owns: the order of these steps. Runs on Node 20.19 with its built-in modules only.
 * Never: installs anything that is already installed.
 *
 * Usage: node relay/setup/run.mjs <script.ts> [its arguments]
 */

import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, startNeedsBrowser } from './browser.mjs';
import { findNode } from './node.mjs';
import { installPackages } from './packages.mjs';
import { watchParent } from './parent.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const [script, ...args] = process.argv.slice(2);

/**
 * Returns true for scripts that open a page.
 * @param {string} name
 */
function needsBrowser(name) {
	if (name.endsWith('relay/main.ts')) return startNeedsBrowser(args);
	if (name.endsWith('test/gate/main.ts'))
		return args.some((arg) => /^--browser$|^--deep$|\/browser\//.test(arg));
	return name.includes('test/bench/') || name.includes('test/soak/');
}

/**
 * Runs the script and forwards every signal to it. Resolves to its exit code.
 * @param {string} node
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function run(node, file, env) {
	return new Promise((resolveCode, reject) => {
		// The channel closes when this process ends, even if it is killed, so the script ends too.
		const child = spawn(node, [file, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
		for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
			// The terminal sends Ctrl-C to the whole process group. A second signal could end the script too early.
			process.on(signal, () => {
				if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
			});
		}
		const parentTimer = watchParent(() => child.kill('SIGTERM'));
		child.on('error', (error) => {
			clearInterval(parentTimer);
			reject(error);
		});
		child.on('exit', (code, signal) => {
			clearInterval(parentTimer);
			resolveCode(code ?? (signal === 'SIGINT' ? 130 : 143));
		});
	});
}

async function main() {
	if (script === undefined) throw new Error('Name the script to run: node relay/setup/run.mjs relay/main.ts');
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 19)) {
		throw new Error(
			`Node ${process.versions.node} is too old. Install Node 20.19 or later from https://nodejs.org.`,
		);
	}
	await installPackages(root);
	const node = await findNode(root);
	const env = { ...process.env };
	// Node 22 prints a warning that running TypeScript is experimental.
	if (major < 24 && node === process.execPath)
		env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`.trim();
	const name = script.replaceAll('\\', '/');
	// Compiled code is cached, because compiling the sources takes half of the time of a start.
	if (name.endsWith('relay/main.ts')) env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node');
	if (needsBrowser(name)) env.CHROME_PATH = await findBrowser(node);
	process.exitCode = await run(node, resolve(root, script), env);
}

main().catch((error) => {
	console.error(`\n${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
});
