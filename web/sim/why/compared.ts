/** Comparisons of a number of an entity inside conditions. Owns: which field is compared with which number. */

import { conditionKind, type InnerCondition } from '../../../shared/verbs/conditions/index.ts';
import { claimOf, joinedParts } from '../../../shared/verbs/conditions/reading.ts';

export interface FieldComparison {
	readonly field: string;
	readonly value: number;
}

/** Comparison of a condition; null for another one, and for a part of a document that is no condition. */
export function comparedBy(part: object): FieldComparison | null {
	const { field, value, threshold, action } = part as Readonly<Record<string, unknown>>;
	if (action !== undefined) return null;
	if (typeof field === 'string' && typeof value === 'number') return { field, value };
	if (typeof threshold !== 'number' || conditionKind(part as InnerCondition).name !== 'health_below')
		return null;
	return { field: 'health.current', value: threshold };
}

/**
 * Returns the comparisons of a condition, inside a claim as well, with the group that the claim is about; null for
 * all.
 */
export function comparisonsIn(
	part: InnerCondition,
): { readonly compared: FieldComparison; readonly group: InnerCondition | null }[] {
	const claim = comparedBy(part) === null ? claimOf(part) : null;
	return joinedParts(claim?.of ?? part).flatMap((innerCondition) => {
		const compared = comparedBy(innerCondition);
		return compared === null ? [] : [{ compared, group: claim?.filter ?? null }];
	});
}
