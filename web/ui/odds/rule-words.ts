/**
 * A rule in a line: what it waits for, and for whom.
 * Owns: how a rule and what it leaves to chance are called. The words for conditions stand in their declarations.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { listRules } from '../../../shared/routes/rules.ts';
import { type InnerCondition, sayCondition } from '../../../shared/verbs/conditions/index.ts';
import { formatNumber } from '../numbers.ts';
import type { Choice } from './odds.ts';

/** A rule as GET /rule/list answers it. */
export type ShownRule = Answer<typeof listRules>['rules'][number];

/** What the engine itself leaves to chance. */
const SOURCES: Readonly<Record<string, string>> = { crit: 'Critical hit', loot: 'Loot' };

/** What a condition waits for: `timer 20 s`, `event damage, amount > 5`. */
export const conditionWords = (condition: InnerCondition): string => sayCondition(condition, formatNumber);

/** `when timer 20 s, filter any`. */
export function ruleWords({ when, filter }: Pick<ShownRule, 'when' | 'filter'>): string {
	const whom = typeof filter === 'string' ? filter : conditionWords(filter as InnerCondition);
	return `when ${conditionWords(when as InnerCondition)}, filter ${whom}`;
}

/** What people call a source of chance: a rule's name, `Rule 14`, `Critical hit`. */
export function sourceName(source: Choice['rule'], rules: ReadonlyMap<number, ShownRule>): string {
	if (typeof source === 'string') return SOURCES[source] ?? source;
	return rules.get(source)?.name ?? `Rule ${source}`;
}
