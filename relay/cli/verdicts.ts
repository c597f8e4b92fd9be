/**
 * Verdicts of assertions in an answer.
 * Owns: reading the verdicts, and the JUnit report.
 */

interface Verdict {
	readonly name: string;
	readonly severity: string;
	readonly passed: boolean;
	readonly message: string;
}

/** Returns the verdicts in an answer; undefined if it has none. */
export function verdictsOf({ results }: Record<string, unknown>): readonly Verdict[] | undefined {
	if (!Array.isArray(results)) return undefined;
	const verdicts = results as readonly Partial<Verdict>[];
	return verdicts.every(({ name, passed }) => typeof name === 'string' && typeof passed === 'boolean')
		? (verdicts as readonly Verdict[])
		: undefined;
}

/** Escapes a text for XML 1.0. Removes control characters except tab and line feed. */
function escapeXml(text: string): string {
	const printable = [...text]
		.filter((character) => character >= ' ' || character === '\n' || character === '\t')
		.join('');
	return printable.replace(/[&<>"'\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns the verdicts as a JUnit report: one suite, one test case for each assertion. */
export function junitReport(suite: string, verdicts: readonly Verdict[]): string {
	const failures = verdicts.filter(({ passed }) => !passed).length;
	const testCases = verdicts.map(({ name, severity, passed, message }) => {
		const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
		if (passed) return `${head}/>`;
		return `${head}>\n      <failure type="${escapeXml(severity)}" message="${escapeXml(message)}"/>\n    </testcase>`;
	});
	const counts = `tests="${verdicts.length}" failures="${failures}"`;
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites ${counts}>`,
		`  <testsuite name="${escapeXml(suite)}" ${counts}>`,
		...testCases,
		'  </testsuite>',
		'</testsuites>',
		'',
	].join('\n');
}
