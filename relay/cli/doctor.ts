/**
 * `orrery doctor`: checks that this machine has everything that an engine needs.
 * Owns: the checks, and the advice for each. Never: installs or starts anything.
 */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { IS_CLONE } from '../folders.ts';
import { presentBrowser } from '../setup/browser.mjs';
import { jsonOf, sendCall } from './send-call.ts';
import { NoServerError } from './terminal.ts';

export interface DoctorFinding {
	readonly state: 'ok' | 'warn' | 'fail';
	/** Subject of the check, such as `Browser`. */
	readonly what: string;
	/** Result of the check. */
	readonly found: string;
	/** Advice, if there is a problem. */
	readonly fix?: string;
}

/** Packages that the engine needs. Only a clone builds the page. */
const REQUIRED_PACKAGES = ['zod', 'ws', 'puppeteer-core', ...(IS_CLONE ? ['vite', 'three'] : [])];

/** Checks this machine and the server. */
export async function runChecks(server: string): Promise<DoctorFinding[]> {
	const world = await checkWorld(server);
	return [
		checkNode(),
		checkPackages(),
		checkBrowser(),
		await checkPort(server, world),
		world,
		await checkGpu(server, world),
	];
}

/** Returns the version of Node. It is never too old, because `relay/orrery.mjs` would not run this command then. */
const checkNode = (): DoctorFinding => ({ state: 'ok', what: 'Node', found: process.versions.node });

function checkPackages(): DoctorFinding {
	const missing = REQUIRED_PACKAGES.filter((name) => !isPresent(name));
	const fix = IS_CLONE ? 'Run npm ci.' : 'Run npm install in the folder where the package was installed.';
	return missing.length === 0
		? { state: 'ok', what: 'Packages', found: 'installed' }
		: { state: 'fail', what: 'Packages', found: `missing: ${missing.join(', ')}`, fix };
}

/** Returns true if Node finds a package. npm installs packages into this folder, or beside an installed package. */
function isPresent(name: string): boolean {
	const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
	return folders.some((folder) => existsSync(join(folder, name, 'package.json')));
}

function checkBrowser(): DoctorFinding {
	try {
		const path = presentBrowser();
		if (path !== undefined) return { state: 'ok', what: 'Browser', found: path };
		return {
			state: 'warn',
			what: 'Browser',
			found: 'no Chrome or Chromium',
			fix: 'Run npx orrery start --headless, which downloads a browser; or install Chromium; or set CHROME_PATH to the program of a browser. To run without pictures and without a browser: npx orrery start --engine node.',
		};
	} catch (error) {
		return {
			state: 'fail',
			what: 'Browser',
			found: (error as Error).message,
			fix: 'Set the variable to the program of a browser, or unset it.',
		};
	}
}

/** Checks that the server's port is free, or that the engine or its relay uses it. */
async function checkPort(server: string, world: DoctorFinding): Promise<DoctorFinding> {
	const { port: text, hostname, protocol } = new URL(server);
	const port = Number(text || (protocol === 'https:' ? 443 : 80));
	const what = `Port ${port}`;
	if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
		return { state: 'ok', what, found: `on ${hostname}, not this machine` };
	if (world.state === 'ok') return { state: 'ok', what, found: 'taken by the engine' };
	const isFree = await new Promise<boolean>((resolve) => {
		const probe = createServer()
			.once('error', () => resolve(false))
			.once('listening', () => probe.close(() => resolve(true)))
			.listen(port, '127.0.0.1');
	});
	if (isFree) return { state: 'ok', what, found: 'free' };
	if (world.found.startsWith('the relay')) return { state: 'ok', what, found: 'taken by the relay' };
	return {
		state: 'fail',
		what,
		found: 'taken by another program',
		fix: `Use another port: npx orrery start --port ${port + 1}.`,
	};
}

async function checkWorld(server: string): Promise<DoctorFinding> {
	const what = 'World';
	try {
		const answer = await sendCall(server, { method: 'GET', path: '/' });
		const status = jsonOf(server, answer);
		if (answer.status === 200 && status.engine === 'Orrery') {
			const found = `${status.entity_count} entities at tick ${status.tick}, ${status.playing ? 'playing' : 'paused'}, ${status.profile} host in ${status.runs_in === 'node' ? 'Node' : 'a browser'}, version ${status.version}`;
			return { state: 'ok', what, found };
		}
		return {
			state: 'warn',
			what,
			found: `the relay reports: ${status.error ?? `status ${answer.status}`}`,
			fix: String(status.fix ?? `Start the engine again: npx orrery start --headless`),
		};
	} catch (error) {
		if (!(error instanceof NoServerError)) throw error;
		return {
			state: 'warn',
			what,
			found: `nothing answers at ${server}`,
			fix: `Start an engine: npx orrery start --headless. If one runs elsewhere, give its address with --server.`,
		};
	}
}

/** Checks that the running engine has a GPU. */
async function checkGpu(server: string, world: DoctorFinding): Promise<DoctorFinding> {
	const what = 'GPU';
	if (world.state !== 'ok')
		return { state: 'warn', what, found: 'unknown', fix: 'Start an engine: it reports its GPU.' };
	const answer = jsonOf(server, await sendCall(server, { method: 'GET', path: '/engine/gpu' }));
	if (answer.ok === true)
		return { state: 'ok', what, found: `${answer.device_name} through ${answer.backend}` };
	return { state: 'warn', what, found: String(answer.error), fix: String(answer.fix) };
}

export function findingsText(findings: readonly DoctorFinding[]): string {
	return findings
		.map(
			({ state, what, found, fix }) =>
				`${state.padEnd(4)}  ${what.padEnd(10)}  ${found}${fix === undefined ? '' : `\n${' '.repeat(18)}${fix}`}\n`,
		)
		.join('');
}
