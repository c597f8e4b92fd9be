/**
 * The program of a headless browser, and the way to it.
 * Owns: starting one, and ending what nobody can get an answer of any more: Puppeteer's own `launch` waits without end for a browser
 * that ends in the middle of its start, as its other calls do, and ends this process where no file descriptor is left.
 * Never: keeps a browser alive.
 */

import { spawn } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, ConnectOptions } from 'puppeteer-core';
import { GRAPHICS, QUIET } from './browser-flags.ts';
import { type BrowserAt, isAlive } from './browser-note.ts';

/** Milliseconds in which a browser answers, and between looks at what it writes down. */
const ANSWER_WAIT = 30_000;
const LOOK = 50;

/** Else the browser reports every message of the engine's socket here a second time, and both keep them. */
const LINK: ConnectOptions = { networkEnabled: false, issuesEnabled: false };

export interface StartedBrowser {
	readonly browser: Browser;
	readonly at: BrowserAt;
}

/** Where it takes commands, as it says once it does. */
const LISTENS = /^DevTools listening on (ws:\/\/\S+)/;
/** Lines of what it says by which its end is explained. */
const LAST_LINES = 20;

/**
 * Starts a browser with one empty page. `noted` is called as soon as it is known
 * where it is. Rejects, and leaves none behind, when it does not start, or ends meanwhile.
 */
export async function startBrowser(
	program: string | undefined,
	profile: string,
	noted: (at: BrowserAt) => Promise<void>,
): Promise<StartedBrowser> {
	if (program === undefined)
		throw new Error('No Chrome or Chromium was found. Install one, or set CHROME_PATH to its program.');
	const { default: puppeteer } = await import('puppeteer-core');
	const flags = await puppeteer.defaultArgs({
		headless: true,
		userDataDir: profile,
		// Chromium's sandbox refuses to run as root.
		args: [...QUIET, ...GRAPHICS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
	});
	const started = spawnProgram(program, ['--remote-debugging-port=0', ...flags]);
	const opens = async (): Promise<StartedBrowser> => {
		const at = { pid: started.pid!, endpoint: await started.listens };
		await noted(at);
		const browser = await puppeteer.connect({
			...LINK,
			browserWSEndpoint: at.endpoint,
			defaultViewport: { width: 1280, height: 720 },
			protocolTimeout: ANSWER_WAIT,
		});
		await browser.waitForTarget((target) => target.type() === 'page', { timeout: ANSWER_WAIT });
		return { browser, at };
	};
	try {
		return await within(2 * ANSWER_WAIT, unless(started.ended, opens()));
	} catch (error) {
		if (started.pid !== undefined) killGroup(started.pid);
		throw error;
	}
}

interface Spawned {
	/** Undefined when it could not be started. */
	readonly pid: number | undefined;
	/** The address at which it takes commands. */
	readonly listens: Promise<string>;
	/** Why it could not be started, or has ended. */
	readonly ended: Promise<Error>;
}

/** Starts a program in a process group of its own, so that its children can be ended with it. */
function spawnProgram(program: string, args: readonly string[]): Spawned {
	const child = spawn(program, args, {
		detached: process.platform !== 'win32',
		windowsHide: true,
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const listens = Promise.withResolvers<string>();
	const ended = Promise.withResolvers<Error>();
	const said: string[] = [];
	child.once('error', ended.resolve);
	// Its children are of no use without it, and could still hold its pipe.
	child.once('exit', () => killGroup(child.pid!));
	child.once('close', (code, signal) =>
		ended.resolve(
			signal === null
				? new Error([`It ended with code ${code}`, ...said].join('\n'))
				: new KilledError(`It was killed (${signal})`),
		),
	);
	// Without a free file descriptor there is no such pipe. What is said is read to the end, else the browser would wait for that.
	const stderr = child.stderr as Readable | undefined;
	if (stderr !== undefined)
		createInterface(stderr).on('line', (line) => {
			const [, address] = LISTENS.exec(line) ?? [];
			if (address !== undefined) listens.resolve(address);
			said.push(line);
			if (said.length > LAST_LINES) said.shift();
		});
	return { pid: child.pid, listens: listens.promise, ended: ended.promise };
}

/** Ends a process with its children. */
export function killGroup(pid: number): void {
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
	} catch {
		// It has ended by itself in the meantime.
	}
}

/** A browser could be started, and was killed. */
export class KilledError extends Error {}

/**
 * The browser that has a folder, as Chromium writes it down there: its process in the name that a lock leads to, the port and path of its
 * address in a file that comes a moment later. Undefined when there is none, and on Windows, which has no such lock.
 */
export async function browserIn(profile: string): Promise<BrowserAt | undefined> {
	const pid = Number((await readIf(readlink(join(profile, 'SingletonLock'))))?.split('-').at(-1));
	for (let left = ANSWER_WAIT; pid > 1 && isAlive(pid) && left > 0; left -= LOOK) {
		const said = await readIf(readFile(join(profile, 'DevToolsActivePort'), 'utf8'));
		const [port, path] = said?.split('\n') ?? [];
		if (path !== undefined) return { pid, endpoint: `ws://127.0.0.1:${port}${path.trim()}` };
		await wait(LOOK);
	}
	return undefined;
}

/** What cannot be read, for whatever reason, leads to no browser: another is started, as where nothing was noted. */
const readIf = (reading: Promise<string>): Promise<string | undefined> => reading.catch(() => undefined);

/** The way to a browser that is there, whose pages stay as they are. Rejects with a `NoAnswerError` when one is there that does not answer in so many milliseconds. */
export async function reachBrowser(browserWSEndpoint: string, most: number): Promise<Browser> {
	const { default: puppeteer, ProtocolError } = await import('puppeteer-core');
	try {
		return await within(
			2 * most,
			puppeteer.connect({ ...LINK, browserWSEndpoint, defaultViewport: null, protocolTimeout: most }),
		);
	} catch (error) {
		throw error instanceof ProtocolError ? new NoAnswerError(error.message) : error;
	}
}

/** Somebody is there who should be a browser, and does not answer. */
export class NoAnswerError extends Error {}

/** What `work` comes to. Rejects when the browser ends meanwhile. */
export function whileOpen<T>(browser: Browser, work: () => Promise<T>): Promise<T> {
	const gone = Promise.withResolvers<Error>();
	const ends = () => gone.resolve(new Error('It ended in the middle'));
	if (browser.connected) browser.once('disconnected', ends);
	else ends();
	return unless(gone.promise, work()).finally(() => browser.off('disconnected', ends));
}

/** What `work` comes to. Rejects with a `NoAnswerError` when that takes more than so many milliseconds. */
async function within<T>(most: number, work: Promise<T>): Promise<T> {
	const late = Promise.withResolvers<Error>();
	const timer = setTimeout(
		() => late.resolve(new NoAnswerError(`It has not answered for ${most / 1000} s.`)),
		most,
	);
	try {
		return await unless(late.promise, work);
	} finally {
		clearTimeout(timer);
	}
}

/** What `work` comes to; rejects with what happens before, if something does. */
async function unless<T>(event: Promise<Error>, work: Promise<T>): Promise<T> {
	// Nobody waits for it any more where the event comes first.
	work.catch(() => {});
	return Promise.race([
		work,
		event.then((error) => {
			throw error;
		}),
	]);
}
