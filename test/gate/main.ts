/**
 * The gate: `npm run check`, `npm test` and `npm run deep` are its three tiers.
 * Owns: the flags, the order of the steps, and the sum at the end. Never: continues quietly after a failed step.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { savedTimes } from './longest-first.ts';
import { addReport, emptyReport, type Report, summaryOf } from './report.ts';
import { type GateStep, pageStep, programStep, testStep } from './steps.ts';

const USAGE = `npm run check [-- FLAGS] [TEST FILES]: format, lint, types, dead code, and the tests that need no browser
npm test: the same and the browser tests; everything that a submission must pass
npm run deep: the same with ten times the random cases, soaks and other platforms; for releases

  --changed       runs only the tests that import a file changed since the last commit
  --since REF     the same, since another commit
  --name NAME     runs only tests whose name contains NAME
  --seed N        seed of all random cases (default 20261120)
  --save-times    saves the time of each file, which decides the order of the next run

With TEST FILES only these run.
`;

/** Default seed of property tests. */
const DEFAULT_SEED = '20261120';

/** Factor by which `npm run deep` tries more random cases. */
const DEEP_TIMES = '10';

try {
	process.exitCode = await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 2;
}

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			browser: { type: 'boolean', default: false },
			deep: { type: 'boolean', default: false },
			changed: { type: 'boolean', default: false },
			since: { type: 'string' },
			name: { type: 'string' },
			seed: { type: 'string', default: process.env.ORRERY_SEED ?? DEFAULT_SEED },
			'save-times': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(USAGE);
		return 0;
	}
	const env = { ORRERY_SEED: values.seed, ...(values.deep ? { ORRERY_TIMES: DEEP_TIMES } : {}) };
	const since = values.since ?? (values.changed ? 'HEAD' : undefined);
	const filter = [
		...(since === undefined ? [] : [`--changed=${since}`]),
		...(values.name === undefined ? [] : ['--testNamePattern', patternOf(values.name)]),
	];
	const total = emptyReport();
	if (positionals.length > 0) {
		await runStep(testStep('tests', [], [...filter, ...positionals], env), total);
	} else {
		const programs = [
			programStep('format and lint', '@biomejs/biome/bin/biome', ['check', '.']),
			programStep('types', 'typescript/bin/tsc', typesOf('.')),
			programStep('types of web/sim alone', 'typescript/bin/tsc', typesOf('web/sim')),
			programStep('dead code', 'knip/bin/knip.js', ['--no-progress']),
		];
		// Few tests of changed files need the page.
		const builds = since === undefined ? [pageStep] : [];
		await Promise.all([...programs, ...builds].map((step) => runStep(step, total)));
		await runStep(testStep('unit tests', ['unit', 'isolated'], filter, env), total);
		if (values.browser || values.deep)
			await runStep(testStep('browser tests', ['browser'], filter, env), total);
		if (values.deep) {
			for (const [name, script, ...args] of [
				['soak', 'test/soak/main.ts', '--minutes', '10'],
				['soak with kills', 'test/soak/main.ts', '--kills', '100'],
				['cluster', 'test/cluster/main.ts', '--prove', '--kills', '100'],
				['Python', 'test/python/main.ts'],
				['other platforms', 'test/portable/main.ts', '--whole'],
			] as const)
				await runStep(programStep(name, script, [...args]), total);
		}
	}
	if (values['save-times']) saveTimes(total);
	console.log(`\nseed ${values.seed}${summaryOf(total)}`);
	return total.failed === 0 ? 0 : 1;
}

async function runStep({ name, run }: GateStep, total: Report): Promise<void> {
	const startTime = performance.now();
	console.log(`== ${name} ...`);
	const report = await run();
	addReport(total, report);
	const seconds = ((performance.now() - startTime) / 1000).toFixed(1);
	console.log(`== ${name}: ${report.failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
}

/**
 * Returns the arguments of the compiler for a project. It stores its results, so that the next run checks only changes. One
 * thread takes a third of the CPU time of four, and other steps run at the same time.
 */
function typesOf(project: string): string[] {
	const cacheFile = `node_modules/.cache/types-${project === '.' ? 'all' : 'sim'}.tsbuildinfo`;
	return ['--noEmit', '--singleThreaded', '-p', project, '--incremental', '--tsBuildInfoFile', cacheFile];
}

/** Returns a pattern of Vitest for a test's name, or a part of it, as printed by the gate. */
const patternOf = (name: string): string =>
	name.replaceAll(' > ', ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function saveTimes({ files }: Report): void {
	const seconds = files.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10] as const);
	const times = Object.entries({ ...savedTimes(), ...Object.fromEntries(seconds) });
	const present = times.filter(([file]) => existsSync(file));
	const sorted = Object.fromEntries(present.toSorted(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(new URL('times.json', import.meta.url), `${JSON.stringify(sorted, null, '\t')}\n`);
}
