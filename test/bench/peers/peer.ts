/**
 * A native peer: a Python script beside this file, which runs the other side of a comparison on request.
 * Owns: its process and its packages. A script prints "ready", then reads the names of cases, one a line, and prints a
 * number for each.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPython } from '../../python/installation.ts';
import type { Result } from '../measure.ts';

/** Time of the installation (ms). */
const INSTALLATION_MS = 300_000;

/** The interpreter with the packages of all peers, or the reason why there is none. Installed once a run. */
let installation: ReturnType<typeof installPython> | undefined;

export class Peer {
	readonly #child: ChildProcess;
	readonly #answers: AsyncIterator<string>;
	readonly #exit: Promise<unknown>;
	#errors = '';

	constructor(python: string, script: string, args: readonly string[] = []) {
		this.#child = spawn(python, [join(import.meta.dirname, script), ...args], {
			stdio: ['pipe', 'pipe', 'pipe'],
			env: { ...process.env, ORRERY_NODE: process.execPath },
		});
		this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
			this.#errors += text;
		});
		this.#exit = once(this.#child, 'close');
		this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
	}

	/** Resolves to undefined when it can run cases, or to the reason if it cannot. */
	async ready(): Promise<string | undefined> {
		const { done } = await this.#answers.next();
		return done === true ? this.#lastError() : undefined;
	}

	/** Runs a case. Returns its number, in general its milliseconds. */
	async run(name: string): Promise<number> {
		this.#child.stdin!.write(`${name}\n`);
		const { value, done } = await this.#answers.next();
		if (done === true) throw new Error(`The script of a peer ended in "${name}": ${await this.#lastError()}`);
		return Number(value);
	}

	/** Lets the script end, and waits for it. */
	async close(): Promise<void> {
		this.#child.stdin!.end();
		await this.#exit;
	}

	async #lastError(): Promise<string> {
		await this.#exit;
		return this.#errors.trim().split('\n').at(-1)!;
	}
}

/** A row of the table of peers. Times that are not numbers were not measured. */
export interface PeerRow {
	readonly name: string;
	readonly ours_ms: number;
	readonly against: string;
	readonly against_ms: number;
	readonly differs: string;
}

/** Converts a row to a result. If the peer did not run, `peer` is the reason. */
export function peerResult(peer: Peer | string, { ours_ms, against_ms, differs, ...row }: PeerRow): Result {
	const ours = Number.isNaN(ours_ms) ? null : ours_ms;
	if (typeof peer === 'string')
		return { section: 'peers', ...row, ours_ms: ours, differs: `not measured: ${peer}` };
	return { section: 'peers', ...row, ours_ms, against_ms, ratio: ours_ms / against_ms, differs };
}

/** Starts the script of a peer. Returns the reason as a text if it cannot run. */
export async function startPeer(
	packageName: string,
	script: string,
	args: readonly string[] = [],
): Promise<Peer | string> {
	installation ??= installPython({ ms: INSTALLATION_MS, trains: false, peers: true });
	const installed = await installation;
	if (typeof installed === 'string') return installed;
	const missing = installed.missing.find((reason) => reason.startsWith(packageName));
	if (missing !== undefined) return missing;
	const peer = new Peer(installed.python, script, args);
	return (await peer.ready()) ?? peer;
}
