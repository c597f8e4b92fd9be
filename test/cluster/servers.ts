/**
 * Orrery servers on this machine, over one NATS.
 * Owns: their processes, which end with this one, and what they say.
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
	/** Identity of its present run. */
	id = '';
	readonly #flags: readonly string[];
	readonly #within: readonly string[];
	#process: ChildProcess | undefined;
	#output = '';

	/** `within`: command that runs another one in a network of its own. */
	constructor(port: number, flags: readonly string[], within: readonly string[] = []) {
		this.port = port;
		this.#within = within;
		this.url = `http://127.0.0.1:${port}`;
		this.#flags = flags;
	}

	/** Its last output. */
	get said(): string {
		return this.#output;
	}

	/** Resolves when it answers. */
	async start(): Promise<void> {
		const own = [process.execPath, MAIN, '--engine', 'node', '--port', String(this.port), ...this.#flags];
		const [program, ...args] = [...this.#within, ...own];
		const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
		this.#process = child;
		this.#output = '';
		await new Promise<void>((ready, failed) => {
			const take = (text: string): void => {
				this.#output = (this.#output + text).slice(-20_000);
				this.id = /This is server ([0-9a-z]+) of a cluster/.exec(this.#output)?.[1] ?? this.id;
				if (this.#output.includes('Orrery is ready')) ready();
			};
			child.stdout!.setEncoding('utf8').on('data', take);
			child.stderr!.setEncoding('utf8').on('data', take);
			child.once('exit', (code) => failed(new Error(`A server ended with code ${code}: ${this.#output}`)));
		});
	}

	signal(signal: NodeJS.Signals): void {
		this.#process?.kill(signal);
	}

	/** Ends it, and resolves when it has ended. */
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

	/** Servers over NATS at `urls`, with the first ports from `port` on, or free ones. */
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
