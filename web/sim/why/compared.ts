/** Comparisons of a number of an entity inside conditions. Owns: finding the field and the number of each comparison. */

import { conditionKind, type InnerCondition } from '../../../shared/verbs/conditions/index.ts';
import { claimOf, joinedParts } from '../../../shared/verbs/conditions/reading.ts';

export interface FieldComparison {
	readonly field: string;
	readonly value: number;
}

/** Returns the comparison that a condition makes; null for other conditions and other parts of a document. */
export function comparisonOf(part: object): FieldComparison | null {
	const { field, value, threshold, action } = part as Readonly<Record<string, unknown>>;
	if (action !== undefined) return null;
	if (typeof field === 'string' && typeof value === 'number') return { field, value };
	if (typeof threshold !== 'number' || conditionKind(part as InnerCondition).name !== 'health_below')
		return null;
	return { field: 'health.current', value: threshold };
}

/**
 * Returns the comparisons in a condition and in its claim. `group`: filter of the claim; null if the comparison applies
 * to all entities.
 */
export function comparisonsIn(
	part: InnerCondition,
): { readonly comparison: FieldComparison; readonly group: InnerCondition | null }[] {
	const claim = comparisonOf(part) === null ? claimOf(part) : null;
	return joinedParts(claim?.of ?? part).flatMap((innerCondition) => {
		const comparison = comparisonOf(innerCondition);
		return comparison === null ? [] : [{ comparison, group: claim?.filter ?? null }];
	});
}
