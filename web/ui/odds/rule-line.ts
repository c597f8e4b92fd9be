/**
 * Texts of one line that describe a rule, its condition or a source of its draws.
 * Owns: the order of the words. The declarations of conditions own their texts.
 */

import { type InnerCondition, sayCondition } from '../../../shared/verbs/conditions/index.ts';
import type { ShownRule } from '../make/rules/rules-state.ts';
import { formatNumber } from '../numbers.ts';
import type { Choice } from './odds.ts';

/** Names of the engine's own draws. */
const ENGINE_SOURCES: Readonly<Record<string, string>> = { crit: 'Critical hit', loot: 'Loot' };

/** Describes the condition of a rule: `timer 20 s`, `event damage, amount > 5`. */
export const describeCondition = (condition: InnerCondition): string => sayCondition(condition, formatNumber);

/** Describes the condition and the filter of a rule: `when timer 20 s, filter any`. */
export function describeRule({ when, filter }: Pick<ShownRule, 'when' | 'filter'>): string {
	const filterWords = typeof filter === 'string' ? filter : describeCondition(filter as InnerCondition);
	return `when ${describeCondition(when as InnerCondition)}, filter ${filterWords}`;
}

/** Returns the name of a source of draws, such as the name of a rule, `Rule 14` or `Critical hit`. */
export function sourceName(source: Choice['rule'], rules: ReadonlyMap<number, ShownRule>): string {
	if (typeof source === 'string') return ENGINE_SOURCES[source] ?? source;
	return rules.get(source)?.name ?? `Rule ${source}`;
}
