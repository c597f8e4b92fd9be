/**
 * Names of measures: numbers that conditions can compare. A measure is a field, or is derived from columns.
 * Owns: the names of the derived measures.
 */

import { FIELD_PATHS, fieldPath, fieldReads } from './field-name.ts';

const derivedColumns = new Map<string, readonly string[]>([
	['health.percent', ['health.current', 'health.max']],
	['health.pct', ['health.current', 'health.max']],
]);
for (const axis of ['x', 'y', 'z'])
	for (const name of [axis, `pos.${axis}`, `position.${axis}`])
		derivedColumns.set(name, ['local_transform.position', 'global_transform.position', 'parent']);

/** Names of all measures. */
export const MEASURES: readonly string[] = [...derivedColumns.keys(), ...FIELD_PATHS];

/** Returns the full name of a measure in lower case. `gold` and `level` are short for `gold.amount` and `level.level`. */
export function fullMeasureName(name: string): string {
	const fullName = name.trim().toLowerCase();
	return fullName === 'gold' ? 'gold.amount' : fullName === 'level' ? 'level.level' : fullName;
}

/** Returns true for the name of a measure. */
export function isMeasure(name: string): boolean {
	const fullName = fullMeasureName(name);
	return derivedColumns.has(fullName) || FIELD_PATHS.includes(fullName);
}

/** Returns the names of the columns that a measure reads. Throws a Refusal for an unknown name. */
export function columnsReadBy(name: string): readonly string[] {
	const fullName = fullMeasureName(name);
	const derived = derivedColumns.get(fullName);
	if (derived !== undefined) return derived;
	return fieldReads(fieldPath(fullName));
}
