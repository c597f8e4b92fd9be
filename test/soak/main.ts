/**
 * `npm run soak -- --minutes 2`: many clients at once on one world, through the relay and a headless browser, for minutes.
 * Owns: how long and how many, and the verdict: any error, or memory that goes on growing, ends it with a failure.
 */

import { startOrrery } from '../behaviour/browser/start.ts';
import { median, percentile } from '../bench/measure.ts';
import { Client, type Tally } from './client.ts';
import { garbageCollector, type Memory, memoryOf } from './memory.ts';

/** Memory at the end against that after the first minute (or the first half, if that is shorter). */
const MOST_GROWTH = 1.2;
/** Errors after which there is nothing more to learn. */
const MOST_ERRORS = 1000;
/** Milliseconds between two looks at the memory, and those that the lowest of several is taken of. */
const LOOK = 1000;
const SPAN = 5000;
/** Milliseconds of a column of the series. */
const WINDOW = 15_000;
const PARTS = ['relay', 'tab', 'browser'] as const;

const { minutes, clients, port } = readArguments(process.argv.slice(2));
const length = minutes * 60_000;
const early = Math.min(60_000, length / 2);
// The relay's own debugger, at a port of its choice, to have its garbage collected before it is measured.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --inspect=127.0.0.1:0`;
const orrery = await startOrrery(port, ['--headless']);
const garbage = await garbageCollector(orrery.said());
const looks: { readonly at: number; readonly memory: Memory }[] = [];
const tally: Tally = { calls: new Map(), times: [], statuses: new Map(), errors: [] };
const began = performance.now();
const looking = setInterval(() => {
	looks.push({ at: performance.now() - began, memory: memoryOf(orrery.process.pid!) });
}, LOOK);
console.error(`${clients} clients for ${minutes} minutes at ${orrery.url} ...`);
const all = Array.from({ length: clients }, (_, i) => new Client(orrery.url, i, tally));
const goesOn = (): boolean => performance.now() - began < length && tally.errors.length < MOST_ERRORS;
await Promise.all([
	...[early, length].map(async (end) => {
		await new Promise((resolve) => setTimeout(resolve, end - SPAN));
		await garbage.collect();
	}),
	...all.map((client) => client.run(goesOn)),
]);
clearInterval(looking);
const took = (performance.now() - began) / 1000;
garbage.close();
await orrery.stop();

const rows = PARTS.map((part) => {
	const [first, last] = [lowestBefore(early, part), lowestBefore(length, part)];
	return { part, first, last, ratio: last / first };
});
const growing = rows.filter(({ part, ratio }) => part !== 'browser' && !(ratio <= MOST_GROWTH));
report();
process.exit(tally.errors.length > 0 || growing.length > 0 ? 1 : 0);

/** What is held and not only waiting to be collected: the lowest of the looks just before a time. */
function lowestBefore(end: number, part: keyof Memory): number {
	return Math.min(
		...looks.filter(({ at }) => at <= end && at > end - SPAN).map(({ memory }) => memory[part]),
	);
}

function report(): void {
	const { calls, times, statuses, errors } = tally;
	const fives = [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0);
	console.log(
		`calls     ${times.length} in ${took.toFixed(0)} s, ${Math.round(times.length / took)} a second`,
	);
	console.log(`errors    ${errors.length}, answers of 5xx ${fives}`);
	console.log(
		`p50       ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
	);
	for (const { part, first, last, ratio } of rows)
		console.log(
			`${part.padEnd(9)} ${mib(first)} MiB after ${early / 1000} s, ${mib(last)} at the end: ${ratio.toFixed(2)}`,
		);
	for (const part of ['relay', 'tab'] as const)
		console.log(
			`${part.padEnd(9)} ${eachWindow((memory) => memory[part]).join(' ')} MiB, every ${WINDOW / 1000} s`,
		);
	console.log([...calls].map(([name, count]) => `${name} ${count}`).join(', '));
	for (const error of errors.slice(0, 10)) console.log(`error: ${error}`);
	for (const { part } of growing) console.log(`The ${part} grew by more than ${MOST_GROWTH}.`);
}

function eachWindow(of: (memory: Memory) => number): string[] {
	const said: string[] = [];
	for (let end = WINDOW; end <= length; end += WINDOW)
		said.push(
			mib(median(looks.filter(({ at }) => at <= end && at > end - WINDOW).map(({ memory }) => of(memory)))),
		);
	return said;
}

function mib(bytes: number): string {
	return String(Math.round(bytes / 1024 / 1024));
}

function readArguments(args: readonly string[]): { minutes: number; clients: number; port: number } {
	const given: Record<string, number> = { minutes: 2, clients: 64, port: 4192 };
	for (let i = 0; i < args.length; i += 2) {
		const name = args[i]!.replace(/^--/, '');
		const value = Number(args[i + 1]);
		if (!(name in given) || !(value > 0)) {
			console.error(
				`"${args[i]} ${args[i + 1] ?? ''}" is not known; there are --minutes N, --clients N, --port N.`,
			);
			process.exit(2);
		}
		given[name] = value;
	}
	return { minutes: given.minutes!, clients: given.clients!, port: given.port! };
}
