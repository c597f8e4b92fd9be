/**
 * A call through the relay and the tab, compared with a bare Node HTTP echo. Each client keeps one connection.
 * Owns: the echo, and the engine: the real command in a separate process, with its browser.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { ensureBuilt } from '../../relay/build.ts';
import { startOrrery } from '../behaviour/browser/start.ts';
import { measureInTurnAsync, median, percentile, type Result, ratioResult } from './measure.ts';

/** Starts the echo in a separate process, like the relay. */
async function startEcho(): Promise<{ url: string; process: ChildProcess }> {
	const child = spawn(process.execPath, [join(dirname(import.meta.filename), 'echo-server.ts')], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const { port } = await new Promise<AddressInfo>((done, failed) => {
		child.once('message', (message) => done(message as AddressInfo));
		child.once('exit', (code) => failed(new Error(`The echo ended with ${code}.`)));
	});
	return { url: `http://127.0.0.1:${port}`, process: child };
}

/** Returns a function that makes a call on one connection and waits for the whole answer. */
export function createClient(url: string, method: string, path: string, body: string): () => Promise<void> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const headers =
		method === 'GET'
			? { accept: 'application/json' }
			: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
	return () =>
		new Promise((done, failed) => {
			request(new URL(path, url), { method, agent, headers }, (response) => {
				response.resume().once('end', done);
				if (response.statusCode! >= 300) failed(new Error(`${path} answered ${response.statusCode}`));
			})
				.once('error', failed)
				.end(method === 'GET' ? undefined : body);
		});
}

const CALLS = [
	['reading the status', 'GET', '/'],
	['a step', 'POST', '/step'],
] as const;

const SPAWNS = 100;

/** Compares one call that spawns a hundred entities with a hundred calls. */
async function measureBatch(url: string): Promise<Result> {
	const body = { mesh: 'cube', health: 100 };
	const requests = Array.from({ length: SPAWNS }, () => ({ path: '/spawn', body }));
	const spawn = createClient(url, 'POST', '/spawn', JSON.stringify(body));
	const before = createClient(url, 'POST', '/reset', '{}');
	const [one, many] = await measureInTurnAsync(30, [
		{ before, run: createClient(url, 'POST', '/batch', JSON.stringify({ requests })) },
		{
			before,
			run: async () => {
				for (let i = 0; i < SPAWNS; i++) await spawn();
			},
		},
	]);
	const name = `batch of ${SPAWNS} spawns through the relay`;
	return ratioResult('relay', name, median(one!), `${SPAWNS} calls`, median(many!));
}

const CLIENTS = 64;
const CALLS_EACH = 100;

/** Results of concurrent clients. Each makes one call after the other. */
interface Crowd {
	/** Duration of each call (ms). */
	readonly calls: readonly number[];
	/** Duration of all calls together (ms). */
	readonly whole: number;
}

async function runCrowd(url: string, [, method, path]: (typeof CALLS)[number]): Promise<Crowd> {
	const clients = Array.from({ length: CLIENTS }, () => createClient(url, method, path, '{"ticks":1}'));
	// Connections are made before the clock starts.
	await Promise.all(clients.map((call) => call()));
	const calls: number[] = [];
	const began = performance.now();
	await Promise.all(
		clients.map(async (call) => {
			for (let i = 0; i < CALLS_EACH; i++) {
				const sent = performance.now();
				await call();
				calls.push(performance.now() - sent);
			}
		}),
	);
	return { calls, whole: performance.now() - began };
}

/** Compares concurrent clients of the relay with those of the echo, in turn. Returns the best of three runs each. */
async function compareCrowds(url: string, echo: string, kind: (typeof CALLS)[number]): Promise<Result[]> {
	const sides: [Crowd[], Crowd[]] = [[], []];
	for (let round = 0; round < 3; round++) {
		sides[0].push(await runCrowd(url, kind));
		sides[1].push(await runCrowd(echo, kind));
	}
	const [ours, theirs] = sides.map((runs) =>
		runs.reduce((best, run) => (run.whole < best.whole ? run : best)),
	) as [Crowd, Crowd];
	const each = ({ whole, calls }: Crowd) => whole / calls.length;
	const name = `${CLIENTS} clients, ${kind[0]}`;
	const row = (what: string, of: (run: Crowd) => number, note?: string) =>
		ratioResult('relay', `${name}, ${what}`, of(ours), 'bare HTTP echo', of(theirs), undefined, note);
	const rate = (run: Crowd) => Math.round(1000 / each(run));
	return [
		row('time for each call', each, `${rate(ours)} calls a second, the echo ${rate(theirs)}`),
		row('p50', ({ calls }) => percentile(calls, 0.5)),
		row('p99', ({ calls }) => percentile(calls, 0.99)),
	];
}

export async function measureRoundTrips(): Promise<Result[]> {
	// The server would otherwise build the page within the time of its start.
	await ensureBuilt();
	const orrery = await startOrrery(['--headless']);
	const echo = await startEcho();
	try {
		const results: Result[] = [];
		for (const [name, method, path] of CALLS) {
			const sides = [orrery.url, echo.url].map((url) => ({
				run: createClient(url, method, path, '{"ticks":1}'),
			}));
			const [calls, echoes] = (await measureInTurnAsync(1000, sides)) as [number[], number[]];
			const [p50, echo50] = [percentile(calls, 0.5), percentile(echoes, 0.5)];
			results.push(
				{
					...ratioResult('relay', `round trip of ${name}, p50`, p50, 'bare HTTP echo', echo50),
					aim: 'at most 1.2 ms and 4 times the echo',
					met: p50 <= 1.2 && p50 <= 4 * echo50,
				},
				ratioResult(
					'relay',
					`round trip of ${name}, p99`,
					percentile(calls, 0.99),
					'bare HTTP echo',
					percentile(echoes, 0.99),
				),
			);
		}
		for (const kind of CALLS) results.push(...(await compareCrowds(orrery.url, echo.url, kind)));
		results.push(await measureBatch(orrery.url));
		return results;
	} finally {
		echo.process.kill();
		await orrery.stop();
	}
}
