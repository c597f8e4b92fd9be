/**
 * Explanations of rules: how often each fired, how many entities pass its filter, and what each part of its condition
 * finds now.
 */

import { Rule } from '../../../shared/components/rule.ts';
import { RuleTally } from '../../../shared/components/rule-tally.ts';
import {
	conditionKind,
	type InnerCondition,
	partsOf,
	sayCondition,
} from '../../../shared/verbs/conditions/index.ts';
import { joinedParts } from '../../../shared/verbs/conditions/reading.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { get, read, type World } from '../core/world.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { documentOf, ruleIds } from '../rules/rule.ts';
import { ruleWarnings } from '../warnings/rule-warnings.ts';

/** Rules that are explained in one answer: those that never fired come first. */
export const MAX_EXPLAINED = 100;

export interface RuleExplained {
	readonly id: number;
	readonly name: string | null;
	/** Firings, each for one entity or for none. */
	readonly fired: number;
	readonly last_fired: number | null;
	/** Entities that pass the filter. */
	readonly passing: number;
	readonly parts: readonly RulePart[];
	readonly warnings: readonly string[];
}

/** A part of the condition, looked at by itself, among the entities that pass the filter. */
export interface RulePart {
	readonly part: string;
	/** Entities that it holds for now; null for a part that is about no entity. */
	readonly holds_for: number | null;
	readonly holds: boolean;
}

export function* explainRules(world: World): SlicedWork<RuleExplained[]> {
	const fired = (id: number) => get(world, id, RuleTally)?.count ?? 0;
	const neverFirst = (a: number, b: number) => Number(fired(a) > 0) - Number(fired(b) > 0) || a - b;
	const explained: RuleExplained[] = [];
	for (const id of ruleIds(world).sort(neverFirst).slice(0, MAX_EXPLAINED)) {
		yield;
		explained.push(explainRule(world, id));
	}
	return explained;
}

export function explainRule(world: World, id: number): RuleExplained {
	const { name = null, when, filter } = documentOf(world, id);
	const tally = get(world, id, RuleTally);
	const typed = parseFilter(filter);
	const since = read(world, Rule, 'created')[id]!;
	const part = (innerCondition: InnerCondition): RulePart => {
		const holds = new ConditionLook(world, { filter: typed, since }).holds(innerCondition, '');
		const words = sayCondition(innerCondition, String);
		return typeof holds === 'boolean'
			? { part: words, holds_for: null, holds }
			: { part: words, holds_for: holds.length, holds: holds.length > 0 };
	};
	return {
		id,
		name,
		fired: tally?.count ?? 0,
		last_fired: tally?.last ?? null,
		passing: new ConditionLook(world).members(typed).length,
		parts: examinedParts(when).map(part),
		warnings: ruleWarnings(world, id),
	};
}

/** Returns the parts of a condition that are distinguished. */
export const examinedParts = (when: InnerCondition): InnerCondition[] =>
	conditionKind(when).isDisjunction === true
		? partsOf(when).flatMap(({ part }) => joinedParts(part))
		: joinedParts(when);
