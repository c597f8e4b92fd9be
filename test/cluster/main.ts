/**
 * `npm run cluster`: three NATS nodes and three servers on this machine. With `--prove`, it proves the promises of a cluster.
 * Owns: the flags, and ending everything that it started.
 */

import { parseArgs } from 'node:util';
import { fetchNats, NatsNodes } from './nats-server.ts';
import { Prover } from './prove.ts';
import { Servers } from './servers.ts';

const USAGE = `npm run cluster [-- FLAGS]: three NATS nodes and three servers on this machine, until Ctrl+C

  --port N     first of the three ports (default 3920)
  --prove      proves the promises of a cluster instead, prints a table and ends (15 minutes at most)
  --kills N    servers that are killed meanwhile (default 20)
  --only LIST  only these proofs, such as 4,7
  --seed N     seed of what is drawn (default 20261120)
`;

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '3920' },
		prove: { type: 'boolean', default: false },
		kills: { type: 'string', default: '20' },
		only: { type: 'string' },
		seed: { type: 'string', default: process.env.ORRERY_SEED ?? '20261120' },
		help: { type: 'boolean', default: false },
	},
});

/** Functions that end what was started. */
const endFunctions: (() => Promise<void>)[] = [];
async function endAll(code: number): Promise<never> {
	for (const end of endFunctions.splice(0).reverse()) await end();
	process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll(130));

try {
	if (values.help) process.stdout.write(USAGE);
	else if (values.prove) await endAll(await prove());
	else await serve(Number(values.port));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	await endAll(1);
}

async function serve(port: number): Promise<void> {
	const nodes = await NatsNodes.start(await fetchNats(), 3);
	endFunctions.push(() => nodes.end());
	const servers = await Servers.start(3, nodes.url, [], port);
	endFunctions.push(() => servers.end());
	for (const { url } of servers.all) console.log(`Orrery is ready: ${url}/`);
	console.log(`NATS: ${nodes.url}\nCtrl+C ends all of them and removes their data.`);
}

/** Runs the proofs. Returns the exit code. */
async function prove(): Promise<number> {
	const prover = await Prover.start({
		program: await fetchNats(),
		seed: Number(values.seed),
		kills: Number(values.kills),
		say: (line) => console.log(line),
	});
	endFunctions.push(() => prover.end());
	const proofs: readonly (readonly [string, () => Promise<string>])[] = [
		['0 service times', () => prover.measure()],
		['1 any server, any world', () => prover.manyWorlds()],
		['2 servers killed', () => prover.killServers()],
		['4 holder stopped past its lease', () => prover.stopHolder()],
		['5 NATS leader killed', () => prover.killLeader()],
		['6 one world, 1,000 forks', () => prover.fanOut()],
		['7 flipped bit', () => prover.flipBit()],
		['8 partition', () => prover.partition()],
	];
	for (const [name, work] of proofs)
		if (values.only === undefined || values.only.includes(name[0]!)) await prover.run(name, work);
	console.log(`\n${prover.table()}`);
	return prover.proofs.some(({ result }) => result === 'FAIL') ? 1 : 0;
}
