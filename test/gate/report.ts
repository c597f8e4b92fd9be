/**
 * Result of one step of the gate, and the sum of several.
 * Owns: the counts, and the summary of a run.
 */

/** Time of one test file. */
export interface FileTime {
	readonly file: string;
	/** Seconds that loading and running the file took. */
	readonly seconds: number;
	readonly slowest: { readonly name: string; readonly seconds: number };
}

export interface Report {
	passed: number;
	failed: number;
	/** One text for each failed step, failed test, file that did not load, and error outside of any test. */
	failures: string[];
	/** One text for each test that passed only when it ran again. Such a test counts as passed. */
	unsteady: string[];
	files: FileTime[];
}

export const emptyReport = (): Report => ({ passed: 0, failed: 0, failures: [], unsteady: [], files: [] });

export function addReport(total: Report, part: Report): void {
	total.passed += part.passed;
	total.failed += part.failed;
	total.failures.push(...part.failures);
	total.unsteady.push(...part.unsteady);
	total.files.push(...part.files);
}

const BROWSER = 'test/behaviour/browser/';

/** Seconds that a test file may take on a quiet machine before the run names it. */
const budgetOf = (file: string): number => (file.startsWith(BROWSER) ? 40 : 20);

/** Returns the end of a run: slow files, unsteady tests, failures. The last line is the sum. */
export function summaryOf({ passed, failed, failures, unsteady, files }: Report): string {
	const slowest = files.toSorted((a, b) => b.seconds - a.seconds);
	const over = slowest.filter(({ file, seconds }) => seconds > budgetOf(file));
	return [
		...section('slowest files', slowest.slice(0, 10).map(lineOf)),
		...section('over budget: 20 s, with a browser 40 s', over.map(lineOf)),
		...section('passed only when run again', unsteady),
		...section('failed', failures),
		'',
		`${passed} passed, ${failed} failed`,
	].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] =>
	lines.length === 0 ? [] : ['', `== ${title}`, ...lines];

const lineOf = ({ file, seconds, slowest }: FileTime): string =>
	`${seconds.toFixed(1).padStart(6)} s  ${file} (${slowest.seconds.toFixed(1)} s: ${slowest.name})`;
