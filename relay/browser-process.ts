/**
 * The program of a headless browser, and the way to it.
 * Owns: starting one, and ending what nobody can get an answer of any more: Puppeteer's own `launch` waits without end for a browser
 * that ends in the middle of its start, and so do its other calls.
 * Never: keeps a browser alive.
 */

import type { Browser, ConnectOptions } from 'puppeteer';
import { GRAPHICS, QUIET } from './browser-flags.ts';

/** Milliseconds in which a browser answers. */
const ANSWER_WAIT = 30_000;

/** Else the browser reports every message of the engine's socket here a second time, and both keep them. */
const LINK: ConnectOptions = { networkEnabled: false, issuesEnabled: false };

export interface StartedBrowser {
	readonly browser: Browser;
	/** Its process, with its children in a group of its own. */
	readonly pid: number;
}

/**
 * Starts a browser with one empty page; Puppeteer's own where no program is named. `noted` is called with its process and its address as
 * soon as there are any. Rejects, and leaves none behind, when it does not start, or ends meanwhile.
 */
export async function startBrowser(
	program: string | undefined,
	profile: string,
	noted: (pid: number, endpoint: string) => Promise<void>,
): Promise<StartedBrowser> {
	const { default: puppeteer } = await import('puppeteer');
	const { CDP_WEBSOCKET_ENDPOINT_REGEX, launch } = await import('@puppeteer/browsers');
	const flags = await puppeteer.defaultArgs({
		headless: true,
		userDataDir: profile,
		// Chromium's sandbox refuses to run as root.
		args: [...QUIET, ...GRAPHICS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
	});
	const started = launch({
		executablePath: program ?? (await puppeteer.executablePath()),
		args: ['--remote-debugging-port=0', ...flags],
		env: process.env,
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
	const opens = async (): Promise<Browser> => {
		const browserWSEndpoint = await started.waitForLineOutput(CDP_WEBSOCKET_ENDPOINT_REGEX, ANSWER_WAIT);
		await noted(started.nodeProcess.pid!, browserWSEndpoint);
		const browser = await puppeteer.connect({
			...LINK,
			browserWSEndpoint,
			defaultViewport: { width: 1280, height: 720 },
			protocolTimeout: ANSWER_WAIT,
		});
		await browser.waitForTarget((target) => target.type() === 'page', { timeout: ANSWER_WAIT });
		return browser;
	};
	try {
		const browser = await unless(started.hasClosed(), opens());
		return { browser, pid: started.nodeProcess.pid! };
	} catch (error) {
		const { signalCode } = started.nodeProcess;
		started.kill();
		throw signalCode === null ? error : new KilledError(`It was killed (${signalCode})`);
	}
}

/** A browser could be started, and was killed. */
export class KilledError extends Error {}

/** The way to a browser that is there, whose pages stay as they are. Rejects with a `NoAnswerError` when one is there that does not answer in so many milliseconds. */
export async function reachBrowser(browserWSEndpoint: string, wait: number): Promise<Browser> {
	const { default: puppeteer, ProtocolError } = await import('puppeteer');
	const late = Promise.withResolvers<void>();
	const timer = setTimeout(late.resolve, 2 * wait);
	try {
		return await unless(
			late.promise,
			puppeteer.connect({ ...LINK, browserWSEndpoint, defaultViewport: null, protocolTimeout: wait }),
			() => new NoAnswerError(`It has not answered for ${(2 * wait) / 1000} s.`),
		);
	} catch (error) {
		throw error instanceof ProtocolError ? new NoAnswerError(error.message) : error;
	} finally {
		clearTimeout(timer);
	}
}

/** Somebody is there who should be a browser, and does not answer. */
export class NoAnswerError extends Error {}

/** What `work` comes to. Rejects when the browser ends meanwhile. */
export function whileOpen<T>(browser: Browser, work: () => Promise<T>): Promise<T> {
	const gone = Promise.withResolvers<void>();
	if (browser.connected) browser.once('disconnected', gone.resolve);
	else gone.resolve();
	return unless(gone.promise, work()).finally(() => browser.off('disconnected', gone.resolve));
}

/** What `work` comes to; rejects when something else happens before. */
async function unless<T>(
	event: Promise<void>,
	work: Promise<T>,
	reason = () => new Error('It ended in the middle'),
): Promise<T> {
	// Nobody waits for it any more where the event comes first.
	work.catch(() => {});
	return Promise.race([
		work,
		event.then(() => {
			throw reason();
		}),
	]);
}
