/**
 * Processes of a headless browser: starts them over a pipe, and ends them.
 * Owns: the profile, a temporary folder that is removed with them. If a server is killed, the next start removes its profile.
 * Never: opens a port; keeps a browser alive.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, lstat, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { Browser, Page } from 'puppeteer-core';
import { GPU_FLAGS, GRAPHICS_FLAGS, HEADLESS_FLAGS } from './browser-flags.ts';
import { codeOf } from './system-code.ts';

const run = promisify(execFile);

/** Maximum milliseconds for the start of a browser, and for its answer to a command. */
const MAX_ANSWER_MS = 60_000;
/** Maximum lines and characters of a browser's last output that an error text quotes. */
const LAST_LINES = 20;
const LAST_CHARACTERS = 16_384;
/** The name of a profile continues with the process number of its server and random letters. */
const PROFILE_PREFIX = 'orrery-browser-';
const PROFILE_PATTERN = new RegExp(`^${PROFILE_PREFIX}(\\d+)-`);

export interface StartedBrowser {
	readonly browser: Browser;
	/** Its one page, which is empty. */
	readonly page: Page;
	/** Kills its processes and removes its profile. */
	end(): Promise<void>;
}

/** Returns true if the user is root. Chromium's sandbox does not start for root. */
export const hasNoSandbox = (): boolean => process.getuid?.() === 0;

/**
 * Starts a browser with one empty page. On failure it ends the browser and rejects. The error is a `KilledError` if
 * the program itself can start.
 */
export async function startBrowser(program: string | undefined, gpu = false): Promise<StartedBrowser> {
	if (program === undefined)
		throw new Error('No Chrome or Chromium was found. Install one, or set CHROME_PATH to its program.');
	const { default: puppeteer } = await import('puppeteer-core');
	await requireProgram(program);
	const profile = await mkdtemp(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`));
	const args = [
		...HEADLESS_FLAGS,
		...(gpu ? GPU_FLAGS : GRAPHICS_FLAGS),
		...(hasNoSandbox() ? ['--no-sandbox'] : []),
	];
	const ending = new AbortController();
	const timeout = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		timeout.reject(new Error(`The browser has not answered for ${MAX_ANSWER_MS / 1000} s.`));
		ending.abort();
	}, MAX_ANSWER_MS);
	let browser: Browser | undefined;
	try {
		const launched = puppeteer.launch({
			// The browser ends when this pipe closes, and no other process can use it.
			pipe: true,
			headless: true,
			executablePath: program,
			userDataDir: profile,
			args,
			defaultViewport: { width: 1280, height: 720 },
			protocolTimeout: MAX_ANSWER_MS,
			signal: ending.signal,
			// Otherwise the browser sends a copy of every message on the engine's socket here, and both keep it in memory.
			networkEnabled: false,
			issuesEnabled: false,
			// On a signal the server first answers its last calls, then it ends the browser.
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		browser = await Promise.race([launched, timeout.promise]);
		const pid = browser.process()!.pid!;
		const page = await Promise.race([firstPage(browser), timeout.promise]);
		return {
			browser,
			page,
			async end() {
				killGroup(pid);
				await removeProfile(profile);
			},
		};
	} catch (error) {
		const isLate = ending.signal.aborted;
		ending.abort();
		const pid = browser?.process()?.pid;
		if (pid !== undefined) killGroup(pid);
		const hasReason = isLate || error instanceof KilledError;
		const reason = hasReason ? error : await reasonOfEnd(program, args, profile);
		await removeProfile(profile);
		throw reason;
	} finally {
		clearTimeout(timer);
	}
}

/** Returns the empty page. Rejects with a `KilledError` if its tab crashes, because a crashed tab answers no command. */
async function firstPage(browser: Browser): Promise<Page> {
	const target = browser.targets().find((target) => target.type() === 'page')!;
	const session = await target.createCDPSession();
	// Chromium sends this event even if the tab crashed earlier.
	const crashed = new Promise<never>((_, reject) => {
		session.once('Inspector.targetCrashed', () => reject(new KilledError('Its tab crashed')));
	});
	const opened = session.send('Inspector.enable').then(() => browser.pages());
	const [page] = await Promise.race([opened, crashed]);
	await session.detach();
	return page!;
}

/** Rejects if the file is not a program. Puppeteer would end this process if the system could not run it. */
async function requireProgram(path: string): Promise<void> {
	await access(path, constants.X_OK);
	if (!(await stat(path)).isFile()) throw new Error(`${path} is not a program.`);
}

/** Reports that a browser ended at its start although its program can start. */
export class KilledError extends Error {}

/**
 * Returns why a browser ended at its start. Puppeteer does not report that, so this starts the program again and sends
 * it the command to close. That program ends with this process too, because its commands come over a pipe.
 */
async function reasonOfEnd(program: string, args: readonly string[], profile: string): Promise<Error> {
	const extraArgs = [
		'--headless=new',
		`--user-data-dir=${join(profile, 'again')}`,
		'--remote-debugging-pipe',
	];
	const child = spawn(program, [...args, ...extraArgs], {
		stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
	});
	const commands = child.stdio[3] as Writable;
	// The write fails if the program ends first.
	commands.on('error', () => {});
	commands.write('{"id":1,"method":"Browser.close"}\0');
	let output = '';
	child.stderr!.on('data', (chunk: Buffer) => {
		output = (output + chunk).slice(-LAST_CHARACTERS);
	});
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		child.kill('SIGKILL');
	}, MAX_ANSWER_MS);
	const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
	clearTimeout(timer);
	if (code === 0 || (signal === 'SIGKILL' && !isLate))
		return new KilledError('It was killed while it started');
	const lastLines = output.trim().split('\n').slice(-LAST_LINES);
	return new Error([`It ended with ${signal ?? `code ${code}`}`, ...lastLines].join('\n').trim());
}

/** Ends a process with its children. */
function killGroup(pid: number): void {
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
	} catch {
		// It has already ended by itself.
	}
}

/** Removes a profile. It retries, because a browser that was just killed may still write for a moment. */
function removeProfile(profile: string): Promise<void> {
	return rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * Removes the profiles that killed servers left. Their browsers usually ended with them. A browser that still runs is
 * killed. Call this before the process starts a browser.
 */
export async function removeStaleProfiles(): Promise<void> {
	for (const name of await readdir(tmpdir())) {
		const server = Number(PROFILE_PATTERN.exec(name)?.[1]);
		// In a container, this process may have the number of the one before it.
		if (Number.isNaN(server) || (server !== process.pid && isAlive(server))) continue;
		const profile = join(tmpdir(), name);
		try {
			// The owner of a folder could swap it for a link during its removal, so only own folders are removed.
			if ((await lstat(profile)).uid !== (process.getuid?.() ?? 0)) continue;
			const browser = await findBrowserProcess(profile);
			if (browser !== undefined) killGroup(browser);
			await removeProfile(profile);
		} catch {
			// Another server removes it too, or a file in it is in use. It does not disturb a new browser.
		}
	}
}

/**
 * Returns the process number of the browser that uses a profile. Chromium stores it in the profile. Returns undefined
 * if the browser has ended, and on Windows.
 */
async function findBrowserProcess(profile: string): Promise<number | undefined> {
	try {
		const pid = (await readlink(join(profile, 'SingletonLock'))).split('-').at(-1)!;
		const command =
			process.platform === 'linux'
				? await readFile(`/proc/${pid}/cmdline`, 'utf8')
				: (await run('ps', ['-ww', '-o', 'args=', '-p', pid])).stdout;
		// Another process may have this number by now.
		return command.includes(profile) ? Number(pid) : undefined;
	} catch {
		// The process has ended.
		return undefined;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// A process of another user lives too.
		return codeOf(error) === 'EPERM';
	}
}
