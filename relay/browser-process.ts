/**
 * The processes of a headless browser: their start over a pipe, and their end.
 * Owns: the profile, a temporary folder that is removed with them. The next start of a server removes what a killed one left.
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

/** Milliseconds in which a browser starts, and answers a command. */
const ANSWER_WAIT = 60_000;
/** Lines of its output that explain why it ended. */
const LAST_LINES = 20;
const LAST_CHARACTERS = 16_384;
/** A profile's name has the process of its server, and random letters. */
const PROFILE = 'orrery-browser-';
const PROFILE_OF = new RegExp(`^${PROFILE}(\\d+)-`);

export interface StartedBrowser {
	readonly browser: Browser;
	/** Its one page, which is empty. */
	readonly page: Page;
	/** Kills its processes and removes its profile. */
	end(): Promise<void>;
}

/** Returns true for root: Chromium's sandbox does not start then. */
export const hasNoSandbox = (): boolean => process.getuid?.() === 0;

/**
 * Starts a browser with one empty page. If it does not start, it is ended, and this
 * rejects: with a `KilledError` if the program itself can start.
 */
export async function startBrowser(program: string | undefined, gpu = false): Promise<StartedBrowser> {
	if (program === undefined)
		throw new Error('No Chrome or Chromium was found. Install one, or set CHROME_PATH to its program.');
	const { default: puppeteer } = await import('puppeteer-core');
	await requireProgram(program);
	const profile = await mkdtemp(join(tmpdir(), `${PROFILE}${process.pid}-`));
	const args = [
		...HEADLESS_FLAGS,
		...(gpu ? GPU_FLAGS : GRAPHICS_FLAGS),
		...(hasNoSandbox() ? ['--no-sandbox'] : []),
	];
	const ending = new AbortController();
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		late.reject(new Error(`It has not answered for ${ANSWER_WAIT / 1000} s.`));
		ending.abort();
	}, ANSWER_WAIT);
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
			protocolTimeout: ANSWER_WAIT,
			signal: ending.signal,
			// Otherwise the browser repeats every message of the engine's socket here, and both keep it.
			networkEnabled: false,
			issuesEnabled: false,
			// The server answers its last calls first.
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		browser = await Promise.race([launched, late.promise]);
		const pid = browser.process()!.pid!;
		const page = await Promise.race([firstPage(browser), late.promise]);
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
		const isKnown = isLate || error instanceof KilledError;
		const reason = isKnown ? error : await reasonOfEnd(program, args, profile);
		await removeProfile(profile);
		throw reason;
	} finally {
		clearTimeout(timer);
	}
}

/** Rejects with a `KilledError` if the tab crashes meanwhile: what is asked of a crashed tab is never answered. */
async function firstPage(browser: Browser): Promise<Page> {
	const target = browser.targets().find((target) => target.type() === 'page')!;
	const session = await target.createCDPSession();
	// Chromium says so also if it has crashed before.
	const crashed = new Promise<never>((_, reject) => {
		session.once('Inspector.targetCrashed', () => reject(new KilledError('Its tab crashed')));
	});
	const opened = session.send('Inspector.enable').then(() => browser.pages());
	const [page] = await Promise.race([opened, crashed]);
	await session.detach();
	return page!;
}

/** Puppeteer would end this process if the system cannot run the program. */
async function requireProgram(path: string): Promise<void> {
	await access(path, constants.X_OK);
	if (!(await stat(path)).isFile()) throw new Error(`${path} is not a program.`);
}

/** A browser ended at its start, and its program can start. */
export class KilledError extends Error {}

/**
 * Returns why a browser ended at its start. Puppeteer does not report that, so the program starts again by itself,
 * and is asked to close. It too ends when this process ends: its commands come over a pipe.
 */
async function reasonOfEnd(program: string, args: readonly string[], profile: string): Promise<Error> {
	const own = ['--headless=new', `--user-data-dir=${join(profile, 'again')}`, '--remote-debugging-pipe'];
	const child = spawn(program, [...args, ...own], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
	const commands = child.stdio[3] as Writable;
	// A program that ends first reads nothing.
	commands.on('error', () => {});
	commands.write('{"id":1,"method":"Browser.close"}\0');
	let words = '';
	child.stderr!.on('data', (chunk: Buffer) => {
		words = (words + chunk).slice(-LAST_CHARACTERS);
	});
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		child.kill('SIGKILL');
	}, ANSWER_WAIT);
	const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
	clearTimeout(timer);
	if (code === 0 || (signal === 'SIGKILL' && !isLate))
		return new KilledError('It was killed while it started');
	const last = words.trim().split('\n').slice(-LAST_LINES);
	return new Error([`It ended with ${signal ?? `code ${code}`}`, ...last].join('\n').trim());
}

/** Ends a process with its children. */
function killGroup(pid: number): void {
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
	} catch {
		// It has ended by itself in the meantime.
	}
}

/** A browser that was just killed may still write for a moment. */
function removeProfile(profile: string): Promise<void> {
	return rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * Removes the profiles that killed servers left. Their browsers have ended with them; one that hung, and has not, is killed.
 * Call it before this process starts a browser.
 */
export async function removeLeftBrowsers(): Promise<void> {
	for (const name of await readdir(tmpdir())) {
		const server = Number(PROFILE_OF.exec(name)?.[1]);
		// In a container, this process may have the number of the one before it.
		if (Number.isNaN(server) || (server !== process.pid && isAlive(server))) continue;
		const profile = join(tmpdir(), name);
		try {
			// Another user could swap what is removed for something else meanwhile.
			if ((await lstat(profile)).uid !== (process.getuid?.() ?? 0)) continue;
			const browser = await browserOf(profile);
			if (browser !== undefined) killGroup(browser);
			await removeProfile(profile);
		} catch {
			// Another server removes it too, or a file in it is in use: it is in no way of a new browser.
		}
	}
}

/** Returns the process of the browser that has a profile, as Chromium notes it there; undefined if it has ended, and on Windows. */
async function browserOf(profile: string): Promise<number | undefined> {
	try {
		const pid = (await readlink(join(profile, 'SingletonLock'))).split('-').at(-1)!;
		const command =
			process.platform === 'linux'
				? await readFile(`/proc/${pid}/cmdline`, 'utf8')
				: (await run('ps', ['-ww', '-o', 'args=', '-p', pid])).stdout;
		// By now another process may have this number.
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
