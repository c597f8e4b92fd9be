/**
 * Starts Orrery as a user does, for browser tests: with its own port, data folder and headless browser.
 * Owns: the process. Never: leaves it running.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { browserPath } from '../../support/browser.ts';
import { within } from '../../support/patience.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface Started {
	readonly url: string;
	readonly process: ChildProcess;
	/** Returns its output so far. */
	output(): string;
	/** Resolves when its output contains `words`. Rejects if it ends before. */
	untilOutput(words: string): Promise<void>;
	/** Sends SIGTERM and waits for its end. */
	stop(): Promise<number | null>;
	/** Sends SIGKILL and waits for its end. */
	kill(): Promise<void>;
}

export interface StartSettings {
	/** Default: a free port, so that concurrent test files do not collide. */
	readonly port?: number;
	/** Output that means that it has started. Default: the message that the world answers. It must contain the address. */
	readonly words?: string;
	/** Data folder. Default: a temporary folder, which is deleted at the end. */
	readonly data?: string;
	/** Path of the browser. */
	readonly program?: string | undefined;
	/** Script and leading arguments. Default: `relay/main.ts`. */
	readonly script?: readonly string[];
}

/** Starts Orrery and waits until it counts as started. */
export async function startOrrery(flags: readonly string[], settings: StartSettings = {}): Promise<Started> {
	const { port = 0, words = 'Orrery is ready', program = browserPath() } = settings;
	const { script = [join(ROOT, 'relay/main.ts')], data: givenFolder } = settings;
	const data = givenFolder ?? (await mkdtemp(join(tmpdir(), 'orrery-data-')));
	const args = [...script, '--port', String(port), '--data', data, ...flags];
	const env = program === undefined ? process.env : { ...process.env, CHROME_PATH: program };
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
	let text = '';
	const listeners = new Set<() => void>();
	const append = (chunk: Buffer): void => {
		text += chunk;
		for (const listener of listeners) listener();
	};
	child.stdout.on('data', append);
	child.stderr.on('data', append);
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	if (givenFolder === undefined) void ended.then(() => rm(data, { recursive: true, force: true }));
	const untilOutput = (words: string): Promise<void> => {
		const found = new Promise<void>((resolve, reject) => {
			const check = (): void => {
				if (text.includes(words)) {
					listeners.delete(check);
					resolve();
				}
			};
			listeners.add(check);
			void ended.then((code) => reject(new Error(`It ended with ${code}:\n${text}`)));
			check();
		});
		return within(() => `the server says "${words}". It has said:\n${text}`, found);
	};
	await untilOutput(words).catch((error: unknown) => {
		child.kill('SIGKILL');
		throw error;
	});
	return {
		url: port === 0 ? addressIn(text) : `http://127.0.0.1:${port}`,
		process: child,
		output: () => text,
		untilOutput,
		stop: () => {
			child.kill('SIGTERM');
			return within(() => `the server ends after SIGTERM. It has said:\n${text}`, ended);
		},
		kill: async () => {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

/** Returns the address in the output. */
function addressIn(text: string): string {
	const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
	if (address === undefined) throw new Error(`It has said no address:\n${text}`);
	return address;
}
