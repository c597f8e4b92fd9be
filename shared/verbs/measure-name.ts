/**
 * Names of numbers that conditions can compare: fields, and values derived from them.
 * Owns: the names of values from several columns.
 */

import { FIELD_PATHS, fieldPath, fieldReads } from './field-name.ts';

const named = new Map<string, readonly string[]>([
	['health.percent', ['health.current', 'health.max']],
	['health.pct', ['health.current', 'health.max']],
]);
for (const axis of ['x', 'y', 'z'])
	for (const name of [axis, `pos.${axis}`, `position.${axis}`])
		named.set(name, ['local_transform.position', 'global_transform.position', 'parent']);

/** All names of numbers. */
export const MEASURES: readonly string[] = [...named.keys(), ...FIELD_PATHS];

/** Returns the field that a name stands for; `gold` and `level` are short for `gold.amount` and `level.level`. */
export function measureName(name: string): string {
	const low = name.trim().toLowerCase();
	return low === 'gold' ? 'gold.amount' : low === 'level' ? 'level.level' : low;
}

/** Returns true for the name of a number. */
export function isMeasure(name: string): boolean {
	const low = measureName(name);
	return named.has(low) || FIELD_PATHS.includes(low);
}

/** Returns the names that a number is read from. Throws a Refusal. */
export function measureReads(name: string): readonly string[] {
	const low = measureName(name);
	const derived = named.get(low);
	if (derived !== undefined) return derived;
	return fieldReads(fieldPath(low));
}
