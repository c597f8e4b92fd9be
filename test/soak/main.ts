/**
 * `npm run soak`: many concurrent clients on one world, through the relay and a headless browser, optionally with kills.
 * Owns: the course of the run and its verdict. A lost or doubled call, any error, or, without kills, growing memory is a
 * failure.
 */

import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import puppeteer from 'puppeteer';
import { UsageError } from '../../relay/cli/terminal.ts';
import { median, percentile } from '../bench/measure.ts';
import { browserPath } from '../support/browser.ts';
import { type AuditedJournal, auditJournal, auditWorld } from './audit.ts';
import { SoakClient } from './client.ts';
import { Contest } from './contest.ts';
import { Killer, planOf } from './killer.ts';
import type { MemoryUse, PageMemory } from './memory.ts';
import { HELP, parseSoak, type SoakOptions } from './options.ts';
import { Random } from './random.ts';
import { SoakServer } from './server.ts';
import { SoakTally } from './tally.ts';
import { Turnstile } from './turnstile.ts';

/** Maximum ratio of the memory at the end to that after the first minute (or the first half, if that is shorter). */
const MAX_GROWTH = 1.2;
/** Number of faults after which the run stops. */
const MAX_FAULTS = 1000;
/** Interval of reading the memory, and the span of which the minimum counts (ms). */
const INTERVAL_MS = 1000;
const SPAN_MS = 5000;
/** Span of one value of the memory series (ms). */
const WINDOW_MS = 15_000;
const PARTS = ['relay', 'tab', 'browser'] as const;
/** Maximum number of printed faults of each kind. */
const MAX_SHOWN = 100;

const options = optionsOf(process.argv.slice(2));
const { clients, port, seed, length, kills, verify } = options;
const firstReading = Math.min(60_000, length / 2);
// The debugger of the relay lets this process collect its garbage before it measures.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --inspect=127.0.0.1:0`;
const data = await mkdtemp(join(tmpdir(), 'orrery-soak-'));
const tally = new SoakTally();
const server = new SoakServer(port, data, await debuggedBrowser(), tally);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
	process.once(signal, () => void server.stop().finally(() => process.exit(1)));
await server.start();
await server.ready();
const main = new Turnstile();
const surroundings = { url: server.url, tally, main, kills: () => tally.kills.length };
const contest = options.contest ? await Contest.open(server.url, tally) : undefined;
const soakClients = Array.from({ length: clients }, (_, i) => new SoakClient(i, seed, surroundings));
console.error(
	`${clients} clients for ${Math.round(length / 1000)} s at ${server.url}, ${kills} kills, seed ${seed} ...`,
);
/** Bytes of the worlds by the engine's own count, by time (ms). */
const weights = new Map<number, number>();
/** Memory of the tab after garbage collection, by time (ms). */
const pages = new Map<number, PageMemory>();
const readings: { readonly at: number; readonly memory: MemoryUse }[] = [];
const startTime = performance.now();
let isOver = false;
const monitoring = monitorMemory();
const killing = new Killer(server, tally, main).run(planOf(kills, length, seed));
let areKillsOver = kills === 0;
void killing.then(() => {
	areKillsOver = true;
});
const isOngoing = (): boolean =>
	(performance.now() - startTime < length || !areKillsOver) && tally.faults < MAX_FAULTS;
await Promise.all([
	...[firstReading, length].map(async (end) => {
		await wait(end - SPAN_MS);
		try {
			const pageMemory = await server.collect();
			if (pageMemory !== undefined) pages.set(end, pageMemory);
			// Reads the memory immediately, because calls produce as much garbage within a second.
			await readMemory();
			weights.set(end, await server.worldBytes());
		} catch (error) {
			// A killed process has no garbage, and its memory does not count.
			if (kills === 0 && contest === undefined)
				tally.errors.push(`The memory could not be measured: ${String(error)}`);
		}
	}),
	...soakClients.map((client) => client.run(isOngoing)),
	contest?.run(isOngoing, new Random(seed)),
]);
const duration = (performance.now() - startTime) / 1000;
isOver = true;
await monitoring;
await contest?.close();
const digests = await auditWorld(server.url, soakClients, tally);
await server.stop();
const journal = await auditJournal(data, digests, verify, tally);

const rows = PARTS.map((part) => {
	const [first, last] = [lowestBefore(firstReading, part), lowestBefore(length, part)];
	return { part, first, last, ratio: last / first };
});
const growing = rows.filter(
	({ part, ratio }) => kills === 0 && contest === undefined && part !== 'browser' && !(ratio <= MAX_GROWTH),
);
report(journal);
const failed = tally.faults > 0 || growing.length > 0;
if (failed) console.log(`The data folder ${data} is kept. Output of the relays:\n${server.output}`);
else await rm(data, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

/**
 * Returns the path of a script that starts the browser with a debugging port, so that this process can collect the garbage
 * of its pages.
 */
async function debuggedBrowser(): Promise<string> {
	const program = join(data, 'browser.sh');
	const real = browserPath() ?? (await puppeteer.executablePath());
	await writeFile(program, `#!/bin/sh\nexec "${real}" "$@" --remote-debugging-port=0\n`, { mode: 0o755 });
	return program;
}

async function monitorMemory(): Promise<void> {
	while (!isOver) {
		await readMemory();
		await wait(INTERVAL_MS);
	}
}

async function readMemory(): Promise<void> {
	const memory = server.memory();
	if (memory !== undefined) readings.push({ at: performance.now() - startTime, memory });
}

/** Returns the minimum memory in the last `SPAN_MS` before a time, because the minimum contains the least garbage. */
function lowestBefore(end: number, part: keyof MemoryUse): number {
	return Math.min(
		...readings.filter(({ at }) => at <= end && at > end - SPAN_MS).map(({ memory }) => memory[part]),
	);
}

function report({ entries, bytes, replayMs, comparedStates }: AuditedJournal): void {
	const { calls, times, serverErrors, breaks, errors, lost, doubled, acknowledged } = tally;
	console.log(
		`calls     ${times.length} in ${duration.toFixed(0)} s, ${Math.round(times.length / duration)} a second`,
	);
	console.log(
		`writes    ${acknowledged.size} acknowledged, ${lost.length} lost, ${doubled.length} doubled, in ${tally.checks} comparisons; ${tally.replayed} were answered again`,
	);
	console.log(`errors    ${errors.length}`);
	console.log(`5xx       ${listText(serverErrors)}`);
	console.log(`breaks    ${listText(breaks)}`);
	console.log(
		`p50       ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, longest ${(percentile(times, 1) / 1000).toFixed(1)} s`,
	);
	if (kills > 0) reportKills();
	if (contest !== undefined)
		console.log(
			`contest   the world was moved ${contest.moves} times; ${contest.stops} stopped holders came back as visitors`,
		);
	console.log(
		`journal   ${entries} entries, ${mib(bytes)} MiB; in Node the same worlds, in ${(replayMs / 1000).toFixed(1)} s${comparedStates === undefined ? '' : `; ${comparedStates} states came out as they were`}`,
	);
	for (const { part, first, last, ratio } of rows)
		console.log(
			`${part.padEnd(9)} ${mib(first)} MiB after ${firstReading / 1000} s, ${mib(last)} at the end: ${ratio.toFixed(2)}`,
		);
	console.log(
		`worlds    ${mib(weights.get(firstReading) ?? 0)} MiB after ${firstReading / 1000} s, ${mib(weights.get(length) ?? 0)} at the end, as the engine counts them`,
	);
	for (const kind of ['objects', 'buffers'] as const)
		console.log(
			`${kind.padEnd(9)} ${mib(pages.get(firstReading)?.[kind] ?? 0)} MiB after ${firstReading / 1000} s, ${mib(pages.get(length)?.[kind] ?? 0)} at the end, in the tab's JavaScript`,
		);
	for (const part of ['relay', 'tab'] as const)
		console.log(
			`${part.padEnd(9)} ${eachWindow((memory) => memory[part]).join(' ')} MiB, every ${WINDOW_MS / 1000} s`,
		);
	console.log(listText(calls));
	for (const kind of ['lost', 'doubled', 'errors'] as const)
		for (const sentence of tally[kind].slice(0, MAX_SHOWN)) console.log(`${kind}: ${sentence}`);
	for (const { part } of growing) console.log(`The ${part} grew by more than ${MAX_GROWTH}.`);
}

function reportKills(): void {
	const { kills: all } = tally;
	for (const victim of new Set(all.map((kill) => kill.victim))) {
		const victimKills = all.filter((kill) => kill.victim === victim);
		const times = victimKills.flatMap(({ recovery }) => (recovery === undefined ? [] : [recovery / 1000]));
		console.log(
			`${victim.padEnd(9)} ${victimKills.length} kills; answers again after ${percentile(times, 0.5).toFixed(1)} s (median), at most ${percentile(times, 1).toFixed(1)} s`,
		);
	}
	console.log(`relays    ${server.startCount} were started`);
}

function listText(counts: ReadonlyMap<string, number>): string {
	const sorted = [...counts].sort(([, a], [, b]) => b - a);
	return sorted.length === 0 ? '0' : sorted.map(([name, amount]) => `${name} ${amount}`).join(', ');
}

function eachWindow(partOf: (memory: MemoryUse) => number): string[] {
	const series: string[] = [];
	for (let end = WINDOW_MS; end <= length; end += WINDOW_MS)
		series.push(
			mib(
				median(
					readings.filter(({ at }) => at <= end && at > end - WINDOW_MS).map(({ memory }) => partOf(memory)),
				),
			),
		);
	return series;
}

function mib(bytes: number): string {
	return String(Math.round(bytes / 1024 / 1024));
}

function optionsOf(args: readonly string[]): SoakOptions {
	try {
		const parsed = parseSoak(args, randomInt(1, 1_000_000));
		if (parsed !== undefined) return parsed;
		process.stdout.write(HELP);
		return process.exit(0);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		console.error(error.message);
		return process.exit(2);
	}
}
