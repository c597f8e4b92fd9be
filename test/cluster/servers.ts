/**
 * Orrery servers on this machine, over one NATS cluster.
 * Owns: their processes, which end with this one, and their output.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from './nats-server.ts';

const MAIN = resolve(import.meta.dirname, '../../relay/main.ts');

export class ClusterServer {
	readonly port: number;
	readonly url: string;
	/** Identity of the current run. */
	id = '';
	readonly #flags: readonly string[];
	readonly #commandPrefix: readonly string[];
	#process: ChildProcess | undefined;
	#output = '';

	/** `commandPrefix` has the words that run the server in a separate network. */
	constructor(port: number, flags: readonly string[], commandPrefix: readonly string[] = []) {
		this.port = port;
		this.#commandPrefix = commandPrefix;
		this.url = `http://127.0.0.1:${port}`;
		this.#flags = flags;
	}

	/** End of the server's output. */
	get output(): string {
		return this.#output;
	}

	/** Starts the server. Resolves when it is ready. */
	async start(): Promise<void> {
		const command = [process.execPath, MAIN, '--engine', 'node', '--port', String(this.port), ...this.#flags];
		const [program, ...args] = [...this.#commandPrefix, ...command];
		const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
		this.#process = child;
		this.#output = '';
		await new Promise<void>((ready, failed) => {
			const addOutput = (text: string): void => {
				this.#output = (this.#output + text).slice(-20_000);
				this.id = /This is server ([0-9a-z]+) of a cluster/.exec(this.#output)?.[1] ?? this.id;
				if (this.#output.includes('Orrery is ready')) ready();
			};
			child.stdout!.setEncoding('utf8').on('data', addOutput);
			child.stderr!.setEncoding('utf8').on('data', addOutput);
			child.once('exit', (code) => failed(new Error(`A server ended with code ${code}: ${this.#output}`)));
		});
	}

	signal(signal: NodeJS.Signals): void {
		this.#process?.kill(signal);
	}

	/** Ends the server. Resolves when its process has ended. */
	async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
		const ended = new Promise((exit) => child.once('exit', exit));
		child.kill(signal);
		if (signal !== 'SIGKILL') child.kill('SIGCONT');
		await ended;
	}
}

export class Servers {
	readonly all: readonly ClusterServer[];
	readonly #folder: string;

	private constructor(all: readonly ClusterServer[], folder: string) {
		this.all = all;
		this.#folder = folder;
	}

	/** Starts servers over NATS at `urls`. Their ports start at `port`; by default, they are free ports. */
	static async start(count: number, urls: string, flags: readonly string[], port?: number): Promise<Servers> {
		const folder = await mkdtemp(join(tmpdir(), 'orrery-cluster-'));
		const ports =
			port === undefined ? await freePorts(count) : Array.from({ length: count }, (_, i) => port + i);
		const all = ports.map(
			(port, i) =>
				new ClusterServer(port, ['--cluster', urls, '--data', join(folder, `s${i + 1}`), ...flags]),
		);
		const servers = new Servers(all, folder);
		try {
			await Promise.all(all.map((server) => server.start()));
		} catch (error) {
			await servers.end();
			throw error;
		}
		return servers;
	}

	/** Returns the server with an identity. */
	find(id: string): ClusterServer | undefined {
		return this.all.find((server) => server.id === id);
	}

	async end(): Promise<void> {
		await Promise.all(this.all.map((server) => server.end()));
		await rm(this.#folder, { recursive: true, force: true });
	}
}
