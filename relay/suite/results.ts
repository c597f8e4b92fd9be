/**
 * Results of a run of the suite.
 * Owns: their JSON form and their lines on the terminal.
 */

import { VERSION } from '../../shared/contract/api-documents.ts';
import { GROUPS, type TaskGroup } from '../../shared/suite/task.ts';
import type { TaskResult } from './run-task.ts';

export interface SuiteResults {
	readonly ok: boolean;
	readonly version: string;
	/** Seed of the tasks. A score depends only on the seed and the agent. */
	readonly seed: number;
	readonly agent: string;
	/** Number of passed tasks. */
	readonly passed: number;
	/** Number of tasks. */
	readonly total: number;
	readonly groups: Partial<Record<TaskGroup, { readonly passed: number; readonly total: number }>>;
	readonly results: readonly TaskResult[];
}

export function resultsOf(results: readonly TaskResult[], seed: number, agent: string): SuiteResults {
	const countPassed = (list: readonly TaskResult[]) => list.filter(({ passed }) => passed).length;
	const groups = GROUPS.flatMap((group) => {
		const inGroup = results.filter((result) => result.group === group);
		if (inGroup.length === 0) return [];
		return [[group, { passed: countPassed(inGroup), total: inGroup.length }] as const];
	});
	const passed = countPassed(results);
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
	position: number,
	total: number,
): string {
	const verdict = passed ? 'pass' : 'FAIL';
	return `${verdict}  ${position}/${total}  ${group}/${id}  ${calls} calls, ${bytes} bytes${passed ? '' : `  ${failure}`}\n`;
}

export function totalLines({ passed, total, seed, groups }: SuiteResults): string {
	const groupTexts = Object.entries(groups).map(
		([group, count]) => `${group} ${count.passed}/${count.total}`,
	);
	return `${passed} of ${total} tasks passed with seed ${seed}: ${groupTexts.join(', ')}.\n`;
}
