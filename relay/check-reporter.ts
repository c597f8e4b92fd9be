/**
 * What the gate needs to know of a run of Vitest: how many tests passed, and each failure in full.
 * Owns: the file named by ORRERY_REPORT, written when the run ends.
 */

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter } from 'vitest/node';

export interface Report {
	passed: number;
	failed: number;
	/** One text for each failed test, each file that did not load and each error outside of any test. */
	failures: string[];
	/** The same of each test that passed only when it was run again: it is counted as passed, and to be mended. */
	unsteady: string[];
}

interface FailedTest {
	message: string;
	stack?: string;
	diff?: string;
}

export default class CheckReporter implements Reporter {
	onTestRunEnd(...[modules, unhandled]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
		const report: Report = { passed: 0, failed: 0, failures: [], unsteady: [] };
		const fail = (where: string, faults: readonly FailedTest[]): void => {
			report.failed++;
			report.failures.push(toldOf(where, faults));
		};
		for (const module of modules) {
			const file = relative(process.cwd(), module.moduleId);
			const broken = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
			if (broken.length > 0) fail(file, broken);
			for (const test of module.children.allTests()) {
				const { state, errors } = test.result();
				const where = `${file} > ${test.fullName}`;
				if (state === 'passed') report.passed++;
				if (test.diagnostic()?.flaky) report.unsteady.push(toldOf(where, errors ?? []));
				// A test that never ended (its worker died, say) has not passed.
				if (state === 'failed' || state === 'pending') {
					fail(where, errors ?? [{ message: 'It did not end.' }]);
				}
			}
		}
		for (const error of unhandled) fail('outside of any test', [error as FailedTest]);
		const path = process.env.ORRERY_REPORT;
		if (path !== undefined) writeFileSync(path, JSON.stringify(report));
	}
}

function toldOf(where: string, faults: readonly FailedTest[]): string {
	return [where, ...faults.map(told)].join('\n');
}

/** The message, what differed, and where. */
function told({ message, diff, stack }: FailedTest): string {
	const trace = (stack ?? '')
		.split('\n')
		.filter((line) => line.trimStart().startsWith('at ') && !line.includes('node_modules'));
	const lines = [...message.split('\n'), ...(diff?.split('\n').slice(0, 40) ?? []), ...trace.slice(0, 8)];
	return lines.map((line) => `    ${stripVTControlCharacters(line)}`).join('\n');
}
