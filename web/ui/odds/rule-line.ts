/**
 * A rule in a line: its condition and its subjects. Owns: the names of a rule and of its draws. The words for
 * conditions are in their declarations.
 */

import { type InnerCondition, sayCondition } from '../../../shared/verbs/conditions/index.ts';
import type { ShownRule } from '../make/rules/rules-state.ts';
import { formatNumber } from '../numbers.ts';
import type { Choice } from './odds.ts';

/** Names of the engine's own draws. */
const SOURCES: Readonly<Record<string, string>> = { crit: 'Critical hit', loot: 'Loot' };

/** Describes the condition of a rule: `timer 20 s`, `event damage, amount > 5`. */
export const conditionWords = (condition: InnerCondition): string => sayCondition(condition, formatNumber);

/** Describes condition and filter of a rule: `when timer 20 s, filter any`. */
export function ruleWords({ when, filter }: Pick<ShownRule, 'when' | 'filter'>): string {
	const filterWords = typeof filter === 'string' ? filter : conditionWords(filter as InnerCondition);
	return `when ${conditionWords(when as InnerCondition)}, filter ${filterWords}`;
}

/** Returns the name of a source of chance: a rule's name, `Rule 14`, `Critical hit`. */
export function sourceName(source: Choice['rule'], rules: ReadonlyMap<number, ShownRule>): string {
	if (typeof source === 'string') return SOURCES[source] ?? source;
	return rules.get(source)?.name ?? `Rule ${source}`;
}
