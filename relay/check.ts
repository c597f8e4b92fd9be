/**
 * The one gate: format and lint, types, and the tests; with `--browser` also those that start a browser.
 * Owns: the list of steps and the sum at the end. Never: goes on quietly after a failed step.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FlagError } from './options.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules');

interface Tally {
	passed: number;
	failed: number;
}

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
	const total: Tally = { passed: 0, failed: 0 };
	const steps: [string, () => Promise<Tally>][] = [
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
		const { passed, failed } = await run();
		total.passed += passed;
		total.failed += failed;
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		console.log(`== ${name}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
	}
	console.log(`\n${total.passed} passed, ${total.failed} failed`);
	return total.failed === 0 ? 0 : 1;
}

/** A step that either passes or fails as one. */
async function program(script: string, args: readonly string[]): Promise<Tally> {
	return (await run(script, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** The tests of one project, counted one by one. */
async function tests(project: 'unit' | 'browser'): Promise<Tally> {
	const folder = await mkdtemp(join(tmpdir(), 'orrery-check-'));
	try {
		const report = join(folder, 'report.json');
		const args = ['run', '--root', ROOT, '--project', project, '--reporter=default', '--reporter=json'];
		const code = await run('vitest/vitest.mjs', [...args, `--outputFile.json=${report}`]);
		if (!existsSync(report)) return { passed: 0, failed: 1 };
		const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
			await readFile(report, 'utf8'),
		) as {
			numPassedTests: number;
			numFailedTests: number;
			numFailedTestSuites: number;
			testResults: readonly unknown[];
		};
		// A file that does not even load has no failed test, and must not pass for that.
		const failed = numFailedTests > 0 ? numFailedTests : Math.max(numFailedTestSuites, code === 0 ? 0 : 1);
		if (testResults.length === 0) console.log('No tests were found.');
		return { passed: numPassedTests, failed };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Runs a script of a package with this Node, its output shown as it comes. Answers the exit code. */
function run(script: string, args: readonly string[]): Promise<number> {
	return new Promise((resolve) => {
		const child = spawn(process.execPath, [join(BIN, script), ...args], { cwd: ROOT, stdio: 'inherit' });
		const stop = (): void => void child.kill('SIGTERM');
		process.once('SIGTERM', stop);
		child.once('error', (error) => {
			console.error(error.message);
			resolve(1);
		});
		child.once('exit', (code) => {
			process.off('SIGTERM', stop);
			resolve(code ?? 1);
		});
	});
}
