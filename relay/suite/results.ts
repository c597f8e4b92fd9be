/**
 * Results of a run of the suite.
 * Owns: their JSON and the lines that people read. JUnit is written as for assertions.
 */

import { VERSION } from '../../shared/contract/api-documents.ts';
import { GROUPS, type TaskGroup } from '../../shared/suite/task.ts';
import type { TaskResult } from './run-task.ts';

export interface SuiteResults {
	readonly ok: boolean;
	readonly version: string;
	/** The one thing that a score depends on, besides the agent. */
	readonly seed: number;
	readonly agent: string;
	readonly passed: number;
	readonly total: number;
	readonly groups: Partial<Record<TaskGroup, { readonly passed: number; readonly total: number }>>;
	readonly results: readonly TaskResult[];
}

export function resultsOf(results: readonly TaskResult[], seed: number, agent: string): SuiteResults {
	const passedIn = (some: readonly TaskResult[]) => some.filter(({ passed }) => passed).length;
	const groups = GROUPS.flatMap((group) => {
		const own = results.filter((result) => result.group === group);
		return own.length === 0 ? [] : [[group, { passed: passedIn(own), total: own.length }] as const];
	});
	const passed = passedIn(results);
	const total = results.length;
	return {
		ok: passed === total,
		version: VERSION,
		seed,
		agent,
		passed,
		total,
		groups: Object.fromEntries(groups),
		results,
	};
}

export function progressLine(
	{ id, group, passed, failure, calls, bytes }: TaskResult,
	at: number,
	of: number,
): string {
	const verdict = passed ? 'pass' : 'FAIL';
	return `${verdict}  ${at}/${of}  ${group}/${id}  ${calls} calls, ${bytes} bytes${passed ? '' : `  ${failure}`}\n`;
}

export function totalLines({ passed, total, seed, groups }: SuiteResults): string {
	const parts = Object.entries(groups).map(([group, own]) => `${group} ${own.passed}/${own.total}`);
	return `${passed} of ${total} tasks passed with seed ${seed}: ${parts.join(', ')}.\n`;
}
