/**
 * Proofs that a cluster keeps its promises, on this machine.
 * Owns: the proofs, the measurements, and the table. Each proof leaves three NATS nodes and three servers running.
 * It is long because the proofs share these and their worlds.
 */

import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectNats, type Nats, STREAM } from '../../relay/cluster/nats.ts';
import { StreamJournal } from '../../relay/cluster/stream-journal.ts';
import { decodeEntry } from '../../shared/transport/journal-entry.ts';
import { Random } from '../soak/random.ts';
import { flipIn, type NatsNode, NatsNodes } from './nats-server.ts';
import { type ClusterServer, Servers } from './servers.ts';
import { AnswerTimes, quantile, sendCall, sendToAny, TestWorld } from './workload.ts';

export interface ProofOptions {
	readonly program: string;
	readonly seed: number;
	/** Number of servers to kill. */
	readonly kills: number;
	readonly say: (line: string) => void;
}

export interface Proof {
	readonly name: string;
	/** `missed` means that the proof holds, but took too long. */
	readonly result: 'pass' | 'missed' | 'FAIL' | 'skipped';
	readonly numbers: string;
}

/** Flags of the servers under proof. Their own main worlds are not used. */
const FLAGS = ['--bare', '--memory', '--worlds', '1000', '--worlds-memory', '16384'];

const WORLDS = 64;
const CLIENTS = 16;
/** Calls to each world in the first proof. */
const ROUNDS = 6;
const LARGE_WORLDS = 4;
const LARGE_ENTITIES = 1000;
/** Aim: maximum time without an answer (ms). */
const AIM_MS = 5000;
const FORKS = 1000;
/** Duration of measuring a rate (ms). */
const MEASURED_MS = 3000;
/** Timeout of a sweep (ms). */
const SWEEP_MS = 90_000;

const ms = (value: number): string => `${Math.round(value)} ms`;
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;

/** Error of a proof whose promise does not hold. */
class FailedProof extends Error {}

/** Error of a proof that holds, but took too long. */
class MissedProof extends Error {}

/** Error of a proof that this machine cannot run. */
class SkippedProof extends Error {}

const run = promisify(execFile);

function check(condition: boolean, reason: string): void {
	if (!condition) throw new FailedProof(reason);
}

/** Resolves when NATS has the current number of a world's entries. Servers store the number 50 ms after an append. */
async function untilStored(urls: string, name: string): Promise<void> {
	const nats = await connectNats(urls, 'proof');
	const { journal: id } = (await nats.worlds.get(`world.${name}`))!.json<{ journal: string }>();
	const journal = await StreamJournal.open(nats, { id, world: name });
	for (;;) {
		const { entries } = (await nats.worlds.get(`holder.${id}`))!.json<{ entries: number }>();
		if (entries >= journal.next) break;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	await nats.connection.close();
}

/** Returns how often per second concurrent workers can run `work`. */
async function rateOf(workers: number, work: (worker: number) => Promise<void>): Promise<number> {
	const startTime = performance.now();
	let count = 0;
	await Promise.all(
		Array.from({ length: workers }, async (_, i) => {
			while (performance.now() - startTime < MEASURED_MS) {
				await work(i);
				count++;
			}
		}),
	);
	return Math.round((count / (performance.now() - startTime)) * 1000);
}

export class Prover {
	readonly #options: ProofOptions;
	readonly #random: Random;
	readonly #nodes: NatsNodes;
	readonly #servers: Servers;
	readonly #nats: Nats;
	readonly #worlds: TestWorld[] = [];
	readonly #largeWorlds: TestWorld[] = [];
	readonly proofs: Proof[] = [];

	private constructor(options: ProofOptions, nodes: NatsNodes, servers: Servers, nats: Nats) {
		this.#options = options;
		this.#random = new Random(options.seed);
		this.#nodes = nodes;
		this.#servers = servers;
		this.#nats = nats;
	}

	static async start(options: ProofOptions): Promise<Prover> {
		const nodes = await NatsNodes.start(options.program, 3);
		let servers: Servers | undefined;
		try {
			servers = await Servers.start(3, nodes.url, FLAGS);
			return new Prover(options, nodes, servers, await connectNats(nodes.url, 'proof'));
		} catch (error) {
			await servers?.end();
			await nodes.end();
			throw error;
		}
	}

	async end(): Promise<void> {
		await this.#servers.end();
		await this.#nats.connection.close();
		await this.#nodes.end();
	}

	get #allServers(): readonly ClusterServer[] {
		return this.#servers.all;
	}

	/** Runs a proof, and adds its result to `proofs`. `work` returns the numbers for the table. */
	async run(name: string, work: () => Promise<string>): Promise<void> {
		const startTime = performance.now();
		let proof: Proof;
		try {
			proof = { name, result: 'pass', numbers: await work() };
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			const result =
				error instanceof SkippedProof ? 'skipped' : error instanceof MissedProof ? 'missed' : 'FAIL';
			proof = { name, result, numbers: reason };
			if (result === 'FAIL' && !(error instanceof FailedProof))
				for (const { output: answer } of this.#allServers) this.#options.say(answer.slice(-2000));
		}
		this.proofs.push(proof);
		this.#options.say(
			`${proof.result}  ${name}: ${proof.numbers} (${seconds(performance.now() - startTime)})`,
		);
	}

	/** 1: any server takes a call for any world. */
	async manyWorlds(): Promise<string> {
		const answers = new AnswerTimes();
		await this.#createWorlds();
		const startTime = performance.now();
		await this.#byClients(CLIENTS, async (client) => {
			for (let round = 0; round < ROUNDS; round++)
				for (let i = client; i < WORLDS; i += CLIENTS)
					await this.#worlds[i]!.next(this.#allServers, round + i, answers);
		});
		const took = performance.now() - startTime;
		await this.#compare(this.#worlds);
		const rate = Math.round((answers.durations.length / took) * 1000);
		return `${WORLDS} worlds, ${CLIENTS} clients, ${answers.durations.length} calls, ${rate}/s with ${WORLDS} engines starting, p50 ${ms(quantile(answers.durations, 0.5))}, digests equal`;
	}

	/** Creates the small worlds, unless an earlier proof did. */
	async #createWorlds(): Promise<void> {
		if (this.#worlds.length > 0) return;
		for (let i = 0; i < WORLDS; i++) this.#worlds.push(new TestWorld(`w${i}`, i + 1));
		await this.#byClients(CLIENTS, async (client) => {
			for (let i = client; i < WORLDS; i += CLIENTS) await this.#worlds[i]!.create(this.#allServers[i % 3]!);
		});
	}

	async #byClients(count: number, work: (client: number) => Promise<void>): Promise<void> {
		await Promise.all(Array.from({ length: count }, (_, client) => work(client)));
	}

	/** Compares worlds with undisturbed runs, and counts the keys in their journals. */
	async #compare(worlds: readonly TestWorld[]): Promise<void> {
		for (const [i, world] of worlds.entries()) {
			const [found, wanted] = [await world.digest(this.#allServers, i), await world.referenceDigest()];
			check(found === wanted, `${world.name} has the digest ${found} instead of ${wanted}`);
			await this.#auditKeys(world);
		}
	}

	/** Checks that every acknowledged call is in the journal once. Returns the keys in order. */
	async #auditKeys(world: TestWorld): Promise<string[]> {
		const record = (await this.#nats.worlds.get(`world.${world.name}`))!.json<{ journal: string }>();
		const journal = await StreamJournal.open(this.#nats, { id: record.journal, world: world.name });
		const keys: string[] = [];
		const { first, next } = await journal.extent();
		check(first === 0, `the journal of ${world.name} was cut`);
		for (let start = 0; start < next; ) {
			const page = await journal.read(start, 1 << 20);
			for (const entry of page) {
				const { head } = decodeEntry(entry);
				if (head.kind === 'call' && head.key !== undefined) keys.push(head.key);
			}
			start += page.length;
		}
		await journal.close();
		for (const key of world.keys) {
			const count = keys.filter((name) => name.endsWith(key)).length;
			check(count === 1, `${world.name} has the acknowledged call ${key} ${count} times`);
		}
		return keys;
	}

	/** Returns the server that owns a world. */
	async #holderOf(world: TestWorld): Promise<ClusterServer | undefined> {
		const record = (await this.#nats.worlds.get(`world.${world.name}`))!.json<{ journal: string }>();
		const holding = await this.#nats.worlds.get(`holder.${record.journal}`);
		return this.#servers.find(holding?.json<{ server: string }>().server ?? '');
	}

	async #createLarge(): Promise<void> {
		for (let i = 0; i < LARGE_WORLDS; i++) {
			const world = new TestWorld(`large${i}`, 100 + i);
			this.#largeWorlds.push(world);
			await world.create(this.#allServers[i % 3]!);
			const requests = Array.from({ length: 100 }, (_, entity) => ({
				method: 'POST',
				path: '/spawn',
				body: { position: [entity % 10, 1, Math.floor(entity / 10)], health: 100 },
			}));
			for (let part = 0; part < LARGE_ENTITIES / 100; part++)
				await world.call(this.#allServers, i, { path: '/batch', body: { requests } });
		}
	}

	/** 2 and 3: servers are killed under load. */
	async killServers(): Promise<string> {
		await this.#createWorlds();
		await this.#createLarge();
		const loaded = this.#worlds.slice(0, CLIENTS);
		const answers = new AnswerTimes();
		const firsts: number[] = [];
		let isOver = false;
		const load = this.#byClients(4, async (client) => {
			while (!isOver)
				for (let i = client; i < loaded.length && !isOver; i += 4)
					await loaded[i]!.next(this.#allServers, this.#random.below(3), answers);
		});
		try {
			for (let kill = 0; kill < this.#options.kills; kill++) {
				const world = this.#largeWorlds[this.#random.below(LARGE_WORLDS)]!;
				await world.next(this.#allServers, this.#random.below(3));
				const holder = await this.#holderOf(world);
				check(holder !== undefined, `${world.name} has no holder`);
				const startTime = performance.now();
				await holder!.end();
				const others = this.#allServers.filter((server) => server !== holder);
				await world.next(others, kill);
				firsts.push(performance.now() - startTime);
				await holder!.start();
			}
		} finally {
			isOver = true;
			await load;
		}
		await this.#compare([...this.#largeWorlds, ...loaded]);
		const [p50, p95] = [quantile(firsts, 0.5), quantile(firsts, 0.95)];
		this.proofs.push({
			name: '3 first answer on the new host',
			result: p95 <= AIM_MS ? 'pass' : 'missed',
			numbers: `p50 ${seconds(p50)}, p95 ${seconds(p95)} at ${LARGE_ENTITIES} entities, aim 5 s`,
		});
		return `${this.#options.kills} kills, ${answers.durations.length} calls meanwhile, each once, digests equal`;
	}

	/** 4: a holder that stops past its lease cannot write any more. */
	async stopHolder(): Promise<string> {
		const world = new TestWorld('stopped', 7);
		await world.create(this.#allServers[0]!);
		for (let i = 0; i < 4; i++) await world.next(this.#allServers, 0);
		const holder = (await this.#holderOf(world))!;
		const others = this.#allServers.filter((server) => server !== holder);
		// The owner is stopped while its engine runs this call.
		const key = 'stopped-long';
		const stoppedCall = sendToAny([holder], 0, 'POST', `/step?world=${world.name}`, { ticks: 3000 }, key);
		await new Promise((resolve) => setTimeout(resolve, 30));
		holder.signal('SIGSTOP');
		const startTime = performance.now();
		let takeover = 0;
		try {
			await world.next(others, 0);
			takeover = performance.now() - startTime;
		} finally {
			holder.signal('SIGCONT');
		}
		await stoppedCall;
		for (let i = 0; i < 4; i++) await world.next([holder], 0);
		check((await this.#holderOf(world)) !== holder, 'the stopped server holds the world again');
		const keys = await this.#auditKeys(world);
		check(
			keys.filter((name) => name.endsWith(key)).length === 1,
			'the call that was under way is not there once',
		);
		await this.#requireRisingEpochs(world);
		const order = keys.map((name) => {
			if (name.endsWith(key)) return { path: '/step', body: { ticks: 3000 } };
			return world.calls[Number(name.slice(name.lastIndexOf('-') + 1))]!;
		});
		const referenceWorld = new TestWorld('same', 7);
		referenceWorld.calls.push(...order);
		check((await world.digest([holder])) === (await referenceWorld.referenceDigest()), 'the digests differ');
		return `taken over after ${seconds(takeover)}, no message of the old owner after that, its clients forwarded`;
	}

	/** Checks that no message of an older owner follows one of a newer owner. */
	async #requireRisingEpochs(world: TestWorld): Promise<void> {
		const record = (await this.#nats.worlds.get(`world.${world.name}`))!.json<{ journal: string }>();
		const batch = await this.#nats.streams.direct.getBatch(STREAM, {
			seq: 1,
			next_by_subj: `orrery.journal.${record.journal}`,
			batch: 1000,
		});
		let epoch = 0;
		for await (const { header } of batch) {
			const head = JSON.parse(header.get('Orrery-Head')) as { epoch: number };
			check(head.epoch >= epoch, `a message of epoch ${head.epoch} follows one of epoch ${epoch}`);
			epoch = head.epoch;
		}
		check(epoch >= 2, 'no other owner came');
	}

	/** 5: the leader of the stream is killed under load. */
	async killLeader(): Promise<string> {
		await this.#createWorlds();
		const loaded = this.#worlds.slice(CLIENTS, 2 * CLIENTS);
		const answers = new AnswerTimes();
		// Starts the engines before the measurement.
		await this.#byClients(8, async (client) => {
			for (let i = client; i < loaded.length; i += 8) await loaded[i]!.next(this.#allServers, i);
		});
		let isOver = false;
		const load = this.#byClients(8, async (client) => {
			while (!isOver)
				for (let i = client; i < loaded.length && !isOver; i += 8)
					await loaded[i]!.next(this.#allServers, i, answers);
		});
		const { cluster } = await this.#nats.streams.streams.info(STREAM);
		const probe = await StreamJournal.open(this.#nats, { id: 'probe', world: 'probe' });
		const epoch = await probe.acquire();
		const leader = this.#nodes.nodes.find(({ name }) => name === cluster?.leader)!;
		const killTime = performance.now();
		await leader.end();
		await probe.append(epoch, 0, [{ bytes: new Uint8Array(1024), blobs: [] }]);
		const election = performance.now() - killTime;
		await probe.close();
		const firstCount = answers.durations.length;
		while (answers.durations.length < firstCount + 200)
			await new Promise((resolve) => setTimeout(resolve, 50));
		const stall = answers.stall(killTime, performance.now());
		isOver = true;
		await load;
		await leader.start();
		await this.#compare(loaded);
		const numbers = `${answers.durations.length} calls, none lost, stall ${seconds(stall)}, aim 5 s; NATS alone chose a leader after ${seconds(election)}`;
		if (stall > AIM_MS) throw new MissedProof(numbers);
		return numbers;
	}

	/** 6: the forks of one world are shared with other servers. */
	async fanOut(): Promise<string> {
		const [first, second, third] = this.#allServers as [ClusterServer, ClusterServer, ClusterServer];
		const requests = Array.from({ length: 100 }, (_, i) => ({
			method: 'POST',
			path: '/spawn',
			body: {
				position: [i % 10, 1 + (i % 7), Math.floor(i / 10)],
				health: 100,
				physics_body: 'Dynamic',
				collider: { shape: 'Sphere', radius: 0.4 },
				tags: [i === 0 ? 'probe' : 'ball'],
			},
		}));
		await sendCall(first, 'POST', '/batch', { requests });
		const sweep = {
			vary: [{ as: 'health', field: 'health', of: 'tag:probe', from: 1, to: FORKS }],
			ticks: 30,
			limit: FORKS,
		};
		const run = async () => {
			const startTime = performance.now();
			const { rows } = await sendCall(first, 'POST', '/sweep', sweep, undefined, SWEEP_MS);
			check((rows as unknown[]).length === FORKS, 'rows are missing');
			return { took: performance.now() - startTime, rows: JSON.stringify(rows) };
		};
		await Promise.all([second.end('SIGTERM'), third.end('SIGTERM')]);
		const one = await run();
		await second.start();
		const two = await run();
		await third.start();
		const three = await run();
		check(one.rows === two.rows && two.rows === three.rows, 'the rows differ');
		const interrupted = run();
		await new Promise((resolve) => setTimeout(resolve, three.took / 3));
		await third.end();
		check((await interrupted).rows === one.rows, 'the rows differ if a server is killed meanwhile');
		await third.start();
		const times = [one, two, three].map(({ took }) => seconds(took)).join(', ');
		const each = (one.took / FORKS).toFixed(1);
		const cores = availableParallelism();
		return `${FORKS} forks over 1, 2, 3 servers: ${times} on ${cores} cores that they share (${each} ms a fork); rows equal, also with a server killed`;
	}

	/** 7: a flipped bit in a stored entry, on a node of its own. */
	async flipBit(): Promise<string> {
		const nodes = await NatsNodes.start(this.#options.program, 1);
		let servers: Servers | undefined;
		try {
			servers = await Servers.start(1, nodes.url, FLAGS);
			const [server] = servers.all as [ClusterServer];
			const [node] = nodes.nodes as [NatsNode];
			const world = new TestWorld('flipped', 3);
			await world.create(server);
			for (let i = 0; i < 12; i++) await world.next([server], 0);
			await untilStored(nodes.url, world.name);
			await server.end();
			await node.end();
			const flipped = await flipIn(node.folder, '"tags":["w6"]');
			await node.start();
			await server.start();
			const path = `/digest?world=${world.name}`;
			const reason = await sendCall(server, 'GET', path).then(
				() => 'it was not refused',
				(error: Error) => error.message,
			);
			check(/Entry \d+ \(tick \d+\) of the world "flipped"/.test(reason), reason);
			return `bit flipped in ${flipped}; refused: ${reason}`;
		} finally {
			await servers?.end();
			await nodes.end();
		}
	}

	/** 8: two sides of a partition never both own a world. */
	async partition(): Promise<string> {
		const flags = [
			'--user',
			'--map-root-user',
			'--net',
			'--mount',
			'--pid',
			'--fork',
			'--mount-proc',
			'--kill-child',
		];
		const probe = await run('unshare', [
			...flags,
			'sh',
			'-c',
			'ip link set lo up && command -v nsenter',
		]).catch((error: { stderr?: string }) => {
			throw new SkippedProof(`no network namespaces here: ${error.stderr?.trim() ?? String(error)}`);
		});
		check(probe.stdout !== '', 'nsenter is missing');
		const program = join(import.meta.dirname, 'partition.ts');
		const { stdout } = await run('unshare', [...flags, process.execPath, program], { timeout: 180_000 });
		const report = JSON.parse(stdout.trim().split('\n').at(-1)!) as { numbers?: string; reason?: string };
		check(report.numbers !== undefined, report.reason ?? 'no result');
		return report.numbers!;
	}

	/** Measures the numbers of the model in the guide. */
	async measure(): Promise<string> {
		const bytes = new Uint8Array(1024);
		const journals = await Promise.all(
			Array.from({ length: WORLDS }, (_, i) =>
				StreamJournal.open(this.#nats, { id: `measured${i}`, world: 'measured' }),
			),
		);
		const singleTimes: number[] = [];
		const epochs = await Promise.all(journals.map((journal) => journal.acquire()));
		const append = async (i: number, durations: number[]) => {
			const startTime = performance.now();
			await journals[i]!.append(epochs[i]!, journals[i]!.next, [{ bytes, blobs: [] }]);
			durations.push(performance.now() - startTime);
		};
		while (singleTimes.length < 300) await append(0, singleTimes);
		const concurrentTimes: number[] = [];
		const rate = await rateOf(WORLDS, (i) => append(i, concurrentTimes));
		const renewals = await rateOf(16, (i) => this.#nats.leases.put(`measured${i}`, '').then(() => {}));
		const startTime = performance.now();
		const read = await journals[0]!.read(0, 1 << 30);
		const readRate = Math.round((read.length / (performance.now() - startTime)) * 1000);
		for (const [i, journal] of journals.entries()) {
			await journal.close();
			await StreamJournal.remove(this.#nats, `measured${i}`);
		}
		return `append of 1 KB p50 ${quantile(singleTimes, 0.5).toFixed(1)} ms, p99 ${quantile(singleTimes, 0.99).toFixed(1)} ms; ${WORLDS} worlds ${rate} appends/s; ${renewals} lease renewals/s; ${readRate} entries/s read`;
	}

	table(): string {
		const width = Math.max(...this.proofs.map(({ name }) => name.length));
		return this.proofs
			.map(({ name, result, numbers }) => `${name.padEnd(width)}  ${result.padEnd(7)}  ${numbers}`)
			.join('\n');
	}
}
