/**
 * Starts Orrery as a user would, for browser tests: its own port, data folder and headless browser.
 * Owns: that process. Never: leaves it running.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { browserPath } from '../../support/browser.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface Started {
	readonly url: string;
	readonly process: ChildProcess;
	/** Everything it has said so far. */
	said(): string;
	/** Resolves when it has said this. Rejects when it ends first. */
	untilSaid(words: string): Promise<void>;
	/** Sends SIGTERM and waits for its end. */
	stop(): Promise<number | null>;
}

/**
 * Starts relay/main.ts and waits until it has said `words`, by default that the world answers. Its data folder is one of its own,
 * gone when it ends, unless `kept` names one. `program` is its browser, and `script` the program and words that start it.
 */
export async function startOrrery(
	port: number,
	flags: readonly string[],
	words = 'Orrery is ready',
	kept?: string,
	program = browserPath(),
	script: readonly string[] = [join(ROOT, 'relay/main.ts')],
): Promise<Started> {
	const data = kept ?? (await mkdtemp(join(tmpdir(), 'orrery-data-')));
	const args = [...script, '--port', String(port), '--data', data, ...flags];
	const env = program === undefined ? process.env : { ...process.env, CHROME_PATH: program };
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
	let said = '';
	const listeners = new Set<() => void>();
	const hear = (chunk: Buffer): void => {
		said += chunk;
		for (const listener of listeners) listener();
	};
	child.stdout.on('data', hear);
	child.stderr.on('data', hear);
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	if (kept === undefined) void ended.then(() => rm(data, { recursive: true, force: true }));
	const untilSaid = (wanted: string): Promise<void> =>
		new Promise((resolve, reject) => {
			const look = (): void => {
				if (said.includes(wanted)) {
					listeners.delete(look);
					resolve();
				}
			};
			listeners.add(look);
			void ended.then((code) => reject(new Error(`It ended with ${code}:\n${said}`)));
			look();
		});
	await untilSaid(words);
	return {
		url: `http://127.0.0.1:${port}`,
		process: child,
		said: () => said,
		untilSaid,
		stop: () => {
			child.kill('SIGTERM');
			return ended;
		},
	};
}
