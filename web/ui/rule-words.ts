/**
 * A rule in a line: what it waits for, and for whom.
 * Owns: the words for conditions. Never: decides whether one holds.
 */

import type { Answer } from '../../shared/contract/route.ts';
import type { Condition } from '../../shared/documents/condition.ts';
import type { listRules } from '../../shared/routes/rules.ts';
import { formatNumber } from './numbers.ts';
import type { Choice } from './odds.ts';

/** A rule as GET /rule/list answers it. */
export type ShownRule = Answer<typeof listRules>['rules'][number];

const SIGNS = {
	greater: '>',
	greater_equal: '≥',
	less: '<',
	less_equal: '≤',
	equal: '=',
	not_equal: '≠',
} as const;

/** What the engine itself leaves to chance. */
const SOURCES: Readonly<Record<string, string>> = { crit: 'Critical hit', loot: 'Loot' };

type Zone = Extract<Condition, { kind: 'enter' }>['zone'];

const place = (at: readonly number[]): string => at.map((part) => formatNumber(part)).join(', ');

function zoneWords(zone: Zone): string {
	if ('half' in zone) return `the box round ${place(zone.center)}`;
	const round = 'entity' in zone ? `entity ${zone.entity}` : place(zone.center);
	return `${formatNumber(zone.radius)} m round ${round}`;
}

/** What a condition waits for: `timer 20 s`, `event damage, amount > 5`. */
export function conditionWords(condition: Condition): string {
	switch (condition.kind) {
		case 'death':
			return 'it falls';
		case 'timer':
			return `timer ${formatNumber(condition.interval)} s`;
		case 'health_below':
			return `health < ${formatNumber(condition.threshold)} HP`;
		case 'score':
			return `score ≥ ${formatNumber(condition.threshold)}`;
		case 'phase':
			return `phase ${condition.phase}`;
		case 'tick':
			return condition.every === 1 ? 'every tick' : `every ${formatNumber(condition.every)} ticks`;
		case 'event': {
			const tests = (condition.where ?? []).map(
				({ field, op, value }) => `${field} ${SIGNS[op]} ${String(value)}`,
			);
			return [`event ${condition.event}`, ...tests].join(', ');
		}
		case 'enter':
			return `it enters ${zoneWords(condition.zone)}`;
		case 'leave':
			return `it leaves ${zoneWords(condition.zone)}`;
		case 'field':
			return `${condition.field} ${SIGNS[condition.op]} ${formatNumber(condition.value)}`;
		case 'all':
			return condition.of.map(inner).join(' and ');
		case 'any':
			return condition.of.map(inner).join(' or ');
		case 'not':
			return `not ${inner(condition.of)}`;
	}
}

function inner(condition: Condition): string {
	const words = conditionWords(condition);
	const several = 'of' in condition && Array.isArray(condition.of) && condition.of.length > 1;
	return several ? `(${words})` : words;
}

/** `when timer 20 s, filter any`. */
export function ruleWords({ when, filter }: Pick<ShownRule, 'when' | 'filter'>): string {
	return `when ${conditionWords(when as Condition)}, filter ${filter}`;
}

/** What people call a source of chance: a rule's name, `Rule 14`, `Critical hit`. */
export function sourceName(source: Choice['rule'], rules: ReadonlyMap<number, ShownRule>): string {
	if (typeof source === 'string') return SOURCES[source] ?? source;
	return rules.get(source)?.name ?? `Rule ${source}`;
}
