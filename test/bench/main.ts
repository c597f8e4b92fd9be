/**
 * `npm run bench`: measures times and ratios, each in one run, prints a table and writes JSON.
 * Owns: the list of sections. `npm run bench -- [FILE] [--only SECTION,...] [--compare EARLIER]`; the default FILE is
 * data/bench.json. `--curves [--no-browser]` measures costs over the number of entities instead.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, resolve } from 'node:path';
import { nearest } from '../../shared/contract/nearest.ts';
import { readLua } from '../../web/host/lua-binary.ts';
import { loadParts } from '../../web/sim/parts.ts';
import { provideLua } from '../../web/sim/scripts/lua-binary.ts';
import { benchBatches } from './batching.ts';
import { drawCurves } from './curves.ts';
import { benchDrawing } from './drawing.ts';
import { benchFights } from './fighting.ts';
import { benchRules } from './firing.ts';
import { benchJournal } from './keeping.ts';
import { benchForkPool } from './many-forks.ts';
import { type Result, round } from './measure.ts';
import { benchPeek } from './peeking.ts';
import { benchPeers } from './peers/peers.ts';
import { benchPhysics } from './physics.ts';
import { benchPython } from './python.ts';
import { benchObserve } from './reading.ts';
import { measureRoundTrips } from './round-trip.ts';
import { benchScripts } from './scripting.ts';
import { benchPage } from './showing.ts';
import { benchSteps } from './stepping.ts';
import { benchNavigation } from './walking.ts';
import { benchCopies } from './worlds-copied.ts';

const SECTIONS: Readonly<Record<string, () => Promise<Result[]>>> = {
	step: benchSteps,
	physics: async () => benchPhysics(),
	fork: benchCopies,
	pool: benchForkPool,
	fighters: async () => benchFights(),
	rules: async () => benchRules(),
	script: async () => benchScripts(),
	walk: async () => benchNavigation(),
	peek: benchPeek,
	batch: benchBatches,
	observe: benchObserve,
	relay: measureRoundTrips,
	journal: benchJournal,
	python: benchPython,
	peers: benchPeers,
	draw: benchDrawing,
	page: benchPage,
};

const { file, wanted, earlier, curves } = readArguments(process.argv.slice(2));
const before = earlier === null ? null : await readResults(earlier);
provideLua(readLua);
await loadParts();
if (curves !== null) {
	await drawCurves(curves === 'all');
	process.exit();
}
const results: Result[] = [];
for (const [i, name] of wanted.entries()) {
	process.stderr.write(`measuring ${name} (${i + 1} of ${wanted.length}) ... `);
	const began = performance.now();
	results.push(...(await SECTIONS[name]!().catch((error: unknown) => [failed(name, error)])));
	process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
}
printTable(results, before);
printPeers(results);
await mkdir(dirname(file), { recursive: true });
const machine = { processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
await writeFile(
	file,
	`${JSON.stringify({ taken: new Date().toISOString(), machine, results }, null, '\t')}\n`,
);
console.log(`\nWritten to ${file}`);
process.exit();

interface BenchArguments {
	readonly file: string;
	readonly wanted: readonly string[];
	/** File of an earlier run to compare with. */
	readonly earlier: string | null;
	/** Measures costs over the number of entities, with screenshots or without; null for sections. */
	readonly curves: 'all' | 'without a browser' | null;
}

function readArguments(args: readonly string[]): BenchArguments {
	let target = 'data/bench.json';
	let names = Object.keys(SECTIONS);
	let earlier: string | null = null;
	let curves: BenchArguments['curves'] = null;
	for (let i = 0; i < args.length; i++) {
		const arg = args[i]!;
		if (arg === '--only') names = (args[++i] ?? '').split(',');
		else if (arg === '--compare')
			earlier = args[++i] ?? fail('Name the file of an earlier run: --compare FILE.');
		else if (arg === '--curves') curves = 'all';
		else if (arg === '--no-browser') curves = 'without a browser';
		else if (arg.startsWith('-'))
			fail(
				`There is no flag ${arg}; there are --compare FILE, --curves, --curves --no-browser and --only ${Object.keys(SECTIONS).join(',')}.`,
			);
		else target = arg;
	}
	for (const name of names) {
		if (name in SECTIONS) continue;
		const near = nearest(name, Object.keys(SECTIONS));
		fail(
			`There is no section "${name}". ${near ? `Did you mean ${near}?` : `There are: ${Object.keys(SECTIONS).join(', ')}.`}`,
		);
	}
	return { file: resolve(target), wanted: names, earlier, curves };
}

/** Returns the milliseconds of an earlier run by section and name. */
async function readResults(file: string): Promise<ReadonlyMap<string, number>> {
	try {
		const { results } = JSON.parse(await readFile(file, 'utf8')) as { readonly results: readonly Result[] };
		return new Map(results.flatMap((row) => (row.ours_ms === null ? [] : [[keyOf(row), row.ours_ms]])));
	} catch (error) {
		return fail(`${file} cannot be read as the file of an earlier run: ${(error as Error).message}`);
	}
}

/** Row of a section that failed. The other sections are measured. */
function failed(section: string, error: unknown): Result {
	process.exitCode = 1;
	console.error(error);
	return {
		section,
		name: `all of ${section}`,
		ours_ms: null,
		note: `not measured: ${(error as Error).message}`,
	};
}

function keyOf({ section, name }: Result): string {
	return `${section}: ${name}`;
}

/** Returns the ratio of a time to that of an earlier run. */
function ratioTo(before: ReadonlyMap<string, number>, row: Result): string {
	const earlier = before.get(keyOf(row));
	if (row.ours_ms === null) return '';
	return earlier === undefined ? 'new' : (row.ours_ms / earlier).toFixed(2);
}

function fail(sentence: string): never {
	console.error(sentence);
	process.exit(2);
}

function printTable(rows: readonly Result[], before: ReadonlyMap<string, number> | null): void {
	const cells = [
		['', 'ours (ms)', 'against', '(ms)', 'ratio', before === null ? '' : 'to earlier', 'aim', ''],
		...rows.map((row) => [
			row.name,
			row.ours_ms === null ? '' : String(round(row.ours_ms)),
			row.against ?? '',
			row.against_ms === undefined ? '' : String(round(row.against_ms)),
			row.ratio === undefined ? '' : row.ratio.toFixed(2),
			before === null ? '' : ratioTo(before, row),
			row.aim === undefined ? '' : `${row.aim}: ${row.met ? 'met' : 'MISSED'}`,
			row.note ?? row.differs ?? '',
		]),
	];
	const widths = cells[0]!.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
	const numbers = new Set([1, 3, 4, 5]);
	for (const line of cells)
		console.log(
			line
				.map((cell, i) => (numbers.has(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
				.join('  ')
				.trimEnd(),
		);
}

/** Prints the comparison with other libraries as a Markdown table, which the README quotes. */
function printPeers(rows: readonly Result[]): void {
	const beside = rows.filter(({ differs }) => differs !== undefined);
	if (beside.length === 0) return;
	const time = (ms: number | null | undefined) => (ms == null ? '' : String(round(ms)));
	console.log('\n| measured | ours (ms) | peer | its (ms) | ratio | differences |');
	console.log('| --- | --: | --- | --: | --: | --- |');
	for (const { name, ours_ms, against, against_ms, ratio, differs } of beside)
		console.log(
			`| ${name} | ${time(ours_ms)} | ${against} | ${time(against_ms)} | ${ratio === undefined ? '' : round(ratio)} | ${differs} |`,
		);
}
