/**
 * The one gate: format and lint, types, and the tests; with `--browser` also those that start a browser.
 * Owns: the list of steps and the sum at the end. Never: goes on quietly after a failed step.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from './check-reporter.ts';
import { FlagError } from './options.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules');
const REPORTER = join(ROOT, 'relay/check-reporter.ts');

/** Characters of a failed program's output that are shown again at the end. */
const MOST_REPEATED = 10_000;

const flags = process.argv.slice(2);
const unknown = flags.find((flag) => flag !== '--browser');
try {
	if (unknown !== undefined) throw new FlagError(`There is no flag ${unknown}. Did you mean --browser?`);
	process.exitCode = await check(flags.includes('--browser'));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 2;
}

async function check(browser: boolean): Promise<number> {
	const total: Report = { passed: 0, failed: 0, failures: [], unsteady: [] };
	const steps: [string, () => Promise<Report>][] = [
		['format and lint', () => program('@biomejs/biome/bin/biome', ['check', '.'])],
		['types', () => program('typescript/bin/tsc', ['--noEmit', '-p', '.'])],
	];
	if (existsSync(join(ROOT, 'web/sim/tsconfig.json'))) {
		steps.push([
			'types of web/sim alone',
			() => program('typescript/bin/tsc', ['--noEmit', '-p', 'web/sim']),
		]);
	}
	steps.push(['unit tests', () => tests('unit')]);
	if (browser) steps.push(['browser tests', () => tests('browser')]);
	for (const [name, run] of steps) {
		const began = performance.now();
		console.log(`\n== ${name}`);
		const { passed, failed, failures, unsteady } = await run();
		total.passed += passed;
		total.failed += failed;
		total.failures.push(...failures.map((failure) => `${name}: ${failure}`));
		total.unsteady.push(...unsteady.map((test) => `${name}: ${test}`));
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		console.log(`== ${name}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
	}
	// Once more at the end, where a reader of a long or cut log finds it.
	if (total.unsteady.length > 0)
		console.log(`\n== what passed only when run again\n${total.unsteady.join('\n')}`);
	if (total.failures.length > 0) console.log(`\n== what failed\n${total.failures.join('\n')}`);
	console.log(`\n${total.passed} passed, ${total.failed} failed`);
	return total.failed === 0 ? 0 : 1;
}

/** A step that either passes or fails as one. */
async function program(script: string, args: readonly string[]): Promise<Report> {
	const { code, output } = await run(script, args, { keep: true });
	if (code === 0) return { passed: 1, failed: 0, failures: [], unsteady: [] };
	const failures = [`exit code ${code}\n${output.slice(0, MOST_REPEATED)}`];
	return { passed: 0, failed: 1, failures, unsteady: [] };
}

/** The tests of one project, counted one by one. */
async function tests(project: 'unit' | 'browser'): Promise<Report> {
	const folder = await mkdtemp(join(tmpdir(), 'orrery-check-'));
	try {
		const file = join(folder, 'report.json');
		const args = ['run', '--root', ROOT, '--project', project, '--reporter=default'];
		const { code } = await run('vitest/vitest.mjs', [...args, `--reporter=${REPORTER}`], {
			env: { ORRERY_REPORT: file },
		});
		if (!existsSync(file))
			return { passed: 0, failed: 1, failures: [`no report, exit code ${code}`], unsteady: [] };
		const report = JSON.parse(await readFile(file, 'utf8')) as Report;
		if (report.failed === 0 && code !== 0) {
			report.failed = 1;
			report.failures.push(`exit code ${code} without a failed test, see above`);
		}
		return report;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Runs a script of a package with this Node, its output shown as it comes. Answers the exit code, and the output if it
 * is kept: that costs a program its terminal, and with it colours and lines that rewrite themselves.
 */
function run(
	script: string,
	args: readonly string[],
	{ keep = false, env = {} }: { keep?: boolean; env?: Readonly<Record<string, string>> },
): Promise<{ code: number; output: string }> {
	return new Promise((resolve) => {
		const child = spawn(process.execPath, [join(BIN, script), ...args], {
			cwd: ROOT,
			stdio: keep ? ['inherit', 'pipe', 'pipe'] : 'inherit',
			env: { ...process.env, ...env },
		});
		let output = '';
		const both = (to: NodeJS.WriteStream) => (chunk: string) => {
			to.write(chunk);
			output += chunk;
		};
		child.stdout?.setEncoding('utf8').on('data', both(process.stdout));
		child.stderr?.setEncoding('utf8').on('data', both(process.stderr));
		const stop = (): void => void child.kill('SIGTERM');
		process.once('SIGTERM', stop);
		const done = (code: number) => {
			process.off('SIGTERM', stop);
			resolve({ code, output });
		};
		child.once('error', (error) => {
			console.error(error.message);
			done(1);
		});
		// "close" comes when the last of the output is read, "exit" may come before.
		child.once('close', (code) => done(code ?? 1));
	});
}
