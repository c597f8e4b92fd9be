/**
 * Vitest reporter of the gate: progress while tests run, and a report for the gate at the end.
 * Owns: the file named by ORRERY_REPORT.
 */

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { emptyReport, type FileTime } from './report.ts';

/** Interval between two lines of progress (ms). */
const PROGRESS_MS = 15_000;

/** Maximum number of lines of a failure's difference, and of its stack trace. */
const MAX_DIFF_LINES = 40;
const MAX_TRACE_LINES = 8;

/** Maximum number of characters of a line. */
const MAX_LINE = 2000;

interface Fault {
	readonly message: string;
	readonly stack?: string;
	readonly diff?: string;
	readonly cause?: unknown;
}

export default class GateReporter implements Reporter {
	readonly #startedAt = performance.now();
	readonly #report = emptyReport();
	#fileCount = 0;
	#doneCount = 0;
	#printedAt = 0;

	onTestRunStart(files: readonly TestSpecification[]): void {
		this.#fileCount = files.length;
	}

	onTestModuleEnd(module: TestModule): void {
		const file = fileOf(module);
		const firstFailure = this.#report.failures.length;
		const loadErrors = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
		if (loadErrors.length > 0) {
			this.#fail(file, loadErrors);
			this.#report.failures.push(`    Alone: npm run check -- ${file}`);
		}
		for (const test of module.children.allTests()) this.#count(file, test);
		this.#report.files.push(timeOf(file, module));
		this.#doneCount++;
		for (const failure of this.#report.failures.slice(firstFailure)) console.log(failure);
		this.#progress();
	}

	onTestRunEnd(_: unknown, unhandled: readonly unknown[]): void {
		for (const error of unhandled) this.#fail('outside of any test', [error as Fault]);
		const path = process.env.ORRERY_REPORT;
		if (path !== undefined) writeFileSync(path, JSON.stringify(this.#report));
	}

	#count(file: string, test: TestCase): void {
		const { state, errors } = test.result();
		const label = `${file} > ${test.fullName}`;
		if (state === 'passed') this.#report.passed++;
		if (test.diagnostic()?.flaky) this.#report.unsteady.push(textOf(label, errors ?? []));
		// A test that never ended, for example because its worker died, has not passed.
		if (state === 'failed' || state === 'pending') {
			this.#fail(label, errors ?? [{ message: 'The test did not end.' }]);
			this.#report.failures.push(`    Alone: ${aloneCommand(file, test.fullName)}`);
		}
	}

	#fail(where: string, faults: readonly Fault[]): void {
		this.#report.failed++;
		this.#report.failures.push(textOf(where, faults));
	}

	#progress(): void {
		const now = performance.now();
		if (now - this.#printedAt < PROGRESS_MS && this.#doneCount < this.#fileCount) return;
		this.#printedAt = now;
		const { passed, failed } = this.#report;
		const seconds = ((now - this.#startedAt) / 1000).toFixed(0);
		console.log(
			`${this.#doneCount} of ${this.#fileCount} files, ${passed} passed, ${failed} failed, ${seconds} s`,
		);
	}
}

const isFault = (cause: unknown): cause is Fault =>
	typeof cause === 'object' && cause !== null && 'message' in cause;

const fileOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId).replaceAll('\\', '/');

/** Returns the command that runs one test. */
const aloneCommand = (file: string, name: string): string =>
	`npm run check -- ${file} --name '${name.replaceAll("'", "'\\''")}'`;

function timeOf(file: string, module: TestModule): FileTime {
	const { duration, collectDuration } = module.diagnostic();
	let slowest = { name: 'loading', seconds: collectDuration / 1000 };
	for (const test of module.children.allTests()) {
		const seconds = (test.diagnostic()?.duration ?? 0) / 1000;
		if (seconds > slowest.seconds) slowest = { name: test.fullName, seconds };
	}
	return { file, seconds: (duration + collectDuration) / 1000, slowest };
}

const textOf = (label: string, faults: readonly Fault[]): string =>
	[label, ...faults.map(faultText)].join('\n');

/** Returns the message, difference and position of a fault, indented. */
function faultText({ message, diff, stack, cause }: Fault): string {
	const trace = (stack ?? '')
		.split('\n')
		.filter((line) => line.trimStart().startsWith('at ') && !line.includes('node_modules'));
	const lines = [
		...message.split('\n'),
		...(diff?.split('\n').slice(0, MAX_DIFF_LINES) ?? []),
		...trace.slice(0, MAX_TRACE_LINES),
	];
	const text = lines.map((line) => `    ${stripVTControlCharacters(line).slice(0, MAX_LINE)}`).join('\n');
	return isFault(cause) ? `${text}\n    Caused by:\n${faultText(cause)}` : text;
}
