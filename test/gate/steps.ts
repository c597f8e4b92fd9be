/**
 * Steps of the gate: a program that passes or fails as a whole, and tests that are counted one by one.
 * Owns: starting and ending the process of a step.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureBuilt } from '../../relay/build.ts';
import { emptyReport, type Report } from './report.ts';

export interface GateStep {
	readonly name: string;
	run(): Promise<Report>;
}

type Environment = Readonly<Record<string, string>>;

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'node_modules');
const REPORTER = join(import.meta.dirname, 'reporter.ts');

/** Maximum number of characters of a failed program's output in the summary. */
const MAX_SHOWN_OUTPUT = 10_000;

/** Returns a step that runs a program of a package, or a script of this project. */
export function programStep(name: string, script: string, args: readonly string[]): GateStep {
	const isProjectScript = script.startsWith('test/');
	const path = join(isProjectScript ? ROOT : PACKAGES, script);
	return {
		name,
		async run() {
			// Scripts of this project run for minutes and show their progress. Programs are silent unless they fail.
			const { code, output } = await runNode(path, args, { show: isProjectScript, keepOutput: true });
			if (code === 0) return { ...emptyReport(), passed: 1 };
			const command = ['node', isProjectScript ? script : `node_modules/${script}`, ...args].join(' ');
			const failure = `${name}: exit code ${code}\n${output.slice(-MAX_SHOWN_OUTPUT)}\n    Alone: ${command}`;
			return { ...emptyReport(), failed: 1, failures: [failure] };
		},
	};
}

/** The page, built once for all tests that need it. */
export const pageStep: GateStep = {
	name: 'page',
	async run() {
		try {
			await ensureBuilt();
			return { ...emptyReport(), passed: 1 };
		} catch (error) {
			return { ...emptyReport(), failed: 1, failures: [`page: ${(error as Error).message}`] };
		}
	},
};

/** Returns a step that runs the tests of some projects, by default of all. `args` are further arguments for Vitest. */
export function testStep(
	name: string,
	projects: readonly string[],
	args: readonly string[],
	env: Environment,
): GateStep {
	return {
		name,
		async run() {
			const folder = await mkdtemp(join(tmpdir(), 'orrery-gate-'));
			try {
				const file = join(folder, 'report.json');
				const { code } = await runNode(
					join(PACKAGES, 'vitest/vitest.mjs'),
					[
						...[
							'run',
							'--root',
							ROOT,
							'--configLoader=native',
							'--passWithNoTests',
							`--reporter=${REPORTER}`,
						],
						...projects.flatMap((project) => ['--project', project]),
						...args,
					],
					{
						show: true,
						// With a cache of compiled code, the servers and threads of tests start twice as fast.
						env: { ...env, ORRERY_REPORT: file, NODE_COMPILE_CACHE: join(folder, 'code') },
					},
				);
				return await reportOf(name, file, code);
			} finally {
				await rm(folder, { recursive: true, force: true });
			}
		},
	};
}

async function reportOf(name: string, file: string, code: number): Promise<Report> {
	if (!existsSync(file))
		return { ...emptyReport(), failed: 1, failures: [`${name}: no report, exit code ${code}`] };
	const report = JSON.parse(await readFile(file, 'utf8')) as Report;
	if (report.failed === 0 && code !== 0) {
		report.failed = 1;
		report.failures.push(`${name}: exit code ${code} without a failed test, see above`);
	}
	return report;
}

/** Runs a script with this Node. Returns its exit code and, if kept, its output. SIGTERM ends it too. */
function runNode(
	script: string,
	args: readonly string[],
	{ show, keepOutput = false, env = {} }: { show: boolean; keepOutput?: boolean; env?: Environment },
): Promise<{ code: number; output: string }> {
	return new Promise((resolveRun) => {
		const child = spawn(process.execPath, [script, ...args], {
			cwd: ROOT,
			stdio: keepOutput ? ['inherit', 'pipe', 'pipe'] : 'inherit',
			env: { ...process.env, ...env },
		});
		let output = '';
		const forwardTo = (stream: NodeJS.WriteStream) => (chunk: string) => {
			if (show) stream.write(chunk);
			output += chunk;
		};
		child.stdout?.setEncoding('utf8').on('data', forwardTo(process.stdout));
		child.stderr?.setEncoding('utf8').on('data', forwardTo(process.stderr));
		const stop = (): void => void child.kill('SIGTERM');
		process.once('SIGTERM', stop);
		const finish = (code: number) => {
			process.off('SIGTERM', stop);
			resolveRun({ code, output });
		};
		child.once('error', (error) => {
			console.error(error.message);
			finish(1);
		});
		// "close" follows the last output; "exit" may precede it.
		child.once('close', (code) => finish(code ?? 1));
	});
}
