/**
 * Starts Orrery as a user would, for browser tests: its own port, data folder and headless browser.
 * Owns: that process. Never: leaves it running.
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
	/** Returns everything it has said so far. */
	said(): string;
	/** Resolves when it has said this. Rejects when it ends first. */
	untilSaid(words: string): Promise<void>;
	/** Sends SIGTERM and waits for its end. */
	stop(): Promise<number | null>;
	/** Sends SIGKILL and waits for its end. */
	kill(): Promise<void>;
}

export interface StartSettings {
	/** By default a free one, so files of tests that run at once never meet. */
	readonly port?: number;
	/** Output after which it counts as started; by default that the world answers. With a free port it has to name the address. */
	readonly words?: string;
	/** Its data folder; by default one of its own, gone when it ends. */
	readonly data?: string;
	/** Its browser. */
	readonly program?: string | undefined;
	/** The program and words that start it; by default relay/main.ts. */
	readonly script?: readonly string[];
}

/** Starts Orrery and waits until it counts as started. */
export async function startOrrery(flags: readonly string[], settings: StartSettings = {}): Promise<Started> {
	const { port = 0, words = 'Orrery is ready', program = browserPath() } = settings;
	const { script = [join(ROOT, 'relay/main.ts')], data: kept } = settings;
	const data = kept ?? (await mkdtemp(join(tmpdir(), 'orrery-data-')));
	const args = [...script, '--port', String(port), '--data', data, ...flags];
	const env = program === undefined ? process.env : { ...process.env, CHROME_PATH: program };
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
	let text = '';
	const listeners = new Set<() => void>();
	const hear = (chunk: Buffer): void => {
		text += chunk;
		for (const listener of listeners) listener();
	};
	child.stdout.on('data', hear);
	child.stderr.on('data', hear);
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	if (kept === undefined) void ended.then(() => rm(data, { recursive: true, force: true }));
	const untilSaid = (wanted: string): Promise<void> => {
		const heard = new Promise<void>((resolve, reject) => {
			const look = (): void => {
				if (text.includes(wanted)) {
					listeners.delete(look);
					resolve();
				}
			};
			listeners.add(look);
			void ended.then((code) => reject(new Error(`It ended with ${code}:\n${text}`)));
			look();
		});
		return within(() => `the server says "${wanted}". It has said:\n${text}`, heard);
	};
	await untilSaid(words).catch((error: unknown) => {
		child.kill('SIGKILL');
		throw error;
	});
	return {
		url: port === 0 ? addressIn(text) : `http://127.0.0.1:${port}`,
		process: child,
		said: () => text,
		untilSaid,
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

/** Returns the address that a start has said. */
function addressIn(text: string): string {
	const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
	if (address === undefined) throw new Error(`It has said no address:\n${text}`);
	return address;
}
