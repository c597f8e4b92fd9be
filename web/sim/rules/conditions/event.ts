/** The condition `event`. */

import { hasSubject } from '../../../../shared/contract/event.ts';
import { eventType } from '../../../../shared/documents/event.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { compare } from './compare.ts';
import type { Happening } from './condition.ts';
import { occurrencesOf } from './occurrences.ts';

export const event: Happening<ConditionOf<'event'>> = {
	holds: ({ event: kind, where }, scope, path) => {
		const matching = scope.events(kind).filter(({ data }) =>
			(where ?? []).every(({ field, op, value }) => {
				const at = field.split('.').reduce<unknown>(memberOf, data);
				const plain = memberOf(at, 'id') ?? at;
				if (typeof plain === 'number' && typeof value === 'number') return compare(plain, op, value);
				if (op === 'equal') return plain === value;
				return op === 'not_equal' && plain !== value;
			}),
		);
		const occurrences = occurrencesOf(scope, kind, matching);
		// In a compound, news about nobody in particular are a condition about nobody.
		const general = occurrences.every(({ subject }) => subject === null) && !hasSubject(eventType(kind));
		return path !== '' && general ? occurrences.length > 0 : occurrences;
	},
};

/** What a value has under a key, undefined when it has no such key of its own. */
function memberOf(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
		? (value as Readonly<Record<string, unknown>>)[key]
		: undefined;
}
