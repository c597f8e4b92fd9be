/**
 * Proves that only one side of a partition owns a world. One side has a NATS node and a server, the other has two nodes and
 * a server. This program runs in the namespaces that `prove.ts` creates, and prints one line.
 * Owns: both networks, and the processes in them.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type NatsHost, NatsNodes, natsProgram } from './nats-server.ts';
import { ClusterServer } from './servers.ts';

const run = promisify(execFile);
const PORT = 3917;

/** Script that makes a call and prints its answer, or the reason of a failure. */
const CALLER = `const [method, url, body, key] = process.argv.slice(1);
fetch(url, { method, headers: { 'content-type': 'application/json', 'idempotency-key': key },
	...(body === '' ? {} : { body }), signal: AbortSignal.timeout(8000) })
	.then(async (answer) => console.log(JSON.stringify({ status: answer.status, ...await answer.json() })))
	.catch((error) => console.log(JSON.stringify({ status: 0, message: String(error) })));`;

interface PartitionAnswer {
	readonly status: number;
	readonly state_digest?: string;
	readonly tick?: number;
	readonly message?: string;
}

/** A network with a link to the other one. */
class PartitionSide implements NatsHost {
	readonly host: string;
	readonly commandPrefix: readonly string[];
	readonly #link: string;

	private constructor(holder: ChildProcess, link: string, host: string) {
		this.host = host;
		this.commandPrefix = ['nsenter', '-t', String(holder.pid), '-n'];
		this.#link = link;
	}

	static async make(link: string, host: string): Promise<PartitionSide> {
		const holder = spawn('unshare', ['-n', 'sh', '-c', 'echo ready; exec sleep 600']);
		await new Promise((ready) => holder.stdout.once('data', ready));
		const side = new PartitionSide(holder, link, host);
		await run('ip', ['link', 'set', link, 'netns', String(holder.pid)]);
		await side.#ip('addr', 'add', `${host}/24`, 'dev', link);
		await side.#ip('link', 'set', 'lo', 'up');
		await side.connect(true);
		return side;
	}

	async #ip(...args: string[]): Promise<void> {
		const [program, ...rest] = [...this.commandPrefix, 'ip', ...args];
		await run(program!, rest);
	}

	connect(isOn: boolean): Promise<void> {
		return this.#ip('link', 'set', this.#link, isOn ? 'up' : 'down');
	}

	async call(method: string, path: string, body: object | undefined, key: string): Promise<PartitionAnswer> {
		const url = `http://127.0.0.1:${PORT}${path}`;
		const content = body === undefined ? '' : JSON.stringify(body);
		const [program, ...args] = [
			...this.commandPrefix,
			process.execPath,
			'-e',
			CALLER,
			method,
			url,
			content,
			key,
		];
		const { stdout } = await run(program!, args);
		return JSON.parse(stdout) as PartitionAnswer;
	}
}

let lastStep = 0;
async function step(side: PartitionSide, tries: number): Promise<PartitionAnswer> {
	const key = `step-${++lastStep}`;
	for (let attempt = 1; ; attempt++) {
		const answer = await side.call('POST', '/step?world=split', { ticks: 1 }, key);
		if (answer.status === 200 || attempt >= tries) return answer;
	}
}

function check(condition: boolean, reason: string): void {
	if (!condition) throw new Error(reason);
}

async function prove(folder: string): Promise<string> {
	await run('ip', ['link', 'add', 'left', 'type', 'veth', 'peer', 'name', 'right']);
	const left = await PartitionSide.make('left', '10.77.0.1');
	const right = await PartitionSide.make('right', '10.77.0.2');
	const nodes = await NatsNodes.start(natsProgram()!, 3, [left, right, right]);
	const flags = ['--cluster', nodes.url, '--bare', '--memory'];
	const servers = [left, right].map(
		({ commandPrefix, host }) =>
			new ClusterServer(PORT, [...flags, '--data', join(folder, host)], commandPrefix),
	);
	await Promise.all(servers.map((server) => server.start()));
	const created = await left.call('POST', '/worlds', { name: 'split', profile: 'bare', seed: 1 }, 'create');
	check(created.status === 200, `the world was not created: ${created.message}`);
	check((await step(left, 20)).tick === 1, 'the first step failed');
	await left.connect(false);
	const startTime = performance.now();
	const minority = step(left, 1);
	const majority = await step(right, 20);
	const takeover = performance.now() - startTime;
	check(majority.status === 200, `the side with most nodes does not answer: ${majority.message}`);
	const refused = await minority;
	check(refused.status !== 200, 'the side with one node acknowledged a write');
	const read = await left.call('GET', '/digest?world=split', undefined, 'read');
	check(read.status !== 200, 'the side with one node answered a read after the other side took the world');
	await left.connect(true);
	const after = await step(left, 20);
	const digests = [left, right].map((side) => side.call('GET', '/digest?world=split', undefined, 'read'));
	const [leftDigest, rightDigest] = await Promise.all(digests);
	check(after.status === 200, `the side with one node does not answer afterwards: ${after.message}`);
	check(leftDigest!.state_digest === rightDigest!.state_digest, 'the sides have different digests');
	const key = 'step-2';
	const repeated = await left.call('POST', '/step?world=split', { ticks: 1 }, key);
	check(repeated.status === 200, 'the refused write cannot be sent again');
	return `taken over after ${(takeover / 1000).toFixed(1)} s; the other side acknowledged no write and no read; one owner, equal digests afterwards`;
}

const folder = await mkdtemp(join(tmpdir(), 'orrery-partition-'));
try {
	console.log(JSON.stringify({ numbers: await prove(folder) }));
} catch (error) {
	console.log(JSON.stringify({ reason: error instanceof Error ? error.message : String(error) }));
} finally {
	await rm(folder, { recursive: true, force: true });
}
// This is the first process of the namespaces, so all others end with it.
process.exit(0);
