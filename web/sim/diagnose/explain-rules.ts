/**
 * Explanations of rules: how often each fired, how many entities pass its filter, and what each part of its condition
 * currently finds.
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

/** Maximum number of rules that one answer explains. Rules that never fired come first. */
export const MAX_EXPLAINED_RULES = 100;

export interface RuleExplanation {
	readonly id: number;
	readonly name: string | null;
	/** Number of firings, each for one entity or for none. */
	readonly fired: number;
	/** Tick of the last firing. */
	readonly last_fired: number | null;
	/** Number of entities that pass the filter. */
	readonly passing: number;
	readonly parts: readonly RulePart[];
	readonly warnings: readonly string[];
}

/** A part of the condition, evaluated by itself among the entities that pass the filter. */
export interface RulePart {
	/** The part as text. */
	readonly part: string;
	/** Number of entities for which it currently holds; null for a part about no entity. */
	readonly holds_for: number | null;
	readonly holds: boolean;
}

export function* explainRules(world: World): SlicedWork<RuleExplanation[]> {
	const firingsOf = (id: number) => get(world, id, RuleTally)?.count ?? 0;
	const compareFirings = (a: number, b: number) =>
		Number(firingsOf(a) > 0) - Number(firingsOf(b) > 0) || a - b;
	const explanations: RuleExplanation[] = [];
	for (const id of ruleIds(world).sort(compareFirings).slice(0, MAX_EXPLAINED_RULES)) {
		yield;
		explanations.push(explainRule(world, id));
	}
	return explanations;
}

export function explainRule(world: World, id: number): RuleExplanation {
	const { name = null, when, filter } = documentOf(world, id);
	const tally = get(world, id, RuleTally);
	const condition = parseFilter(filter);
	const since = read(world, Rule, 'created')[id]!;
	const explainPart = (innerCondition: InnerCondition): RulePart => {
		const verdict = new ConditionLook(world, { filter: condition, since }).holds(innerCondition, '');
		const text = sayCondition(innerCondition, String);
		return typeof verdict === 'boolean'
			? { part: text, holds_for: null, holds: verdict }
			: { part: text, holds_for: verdict.length, holds: verdict.length > 0 };
	};
	return {
		id,
		name,
		fired: tally?.count ?? 0,
		last_fired: tally?.last ?? null,
		passing: new ConditionLook(world).members(condition).length,
		parts: examinedParts(when).map(explainPart),
		warnings: ruleWarnings(world, id),
	};
}

/** Returns the parts of a condition that are explained separately. */
export const examinedParts = (when: InnerCondition): InnerCondition[] =>
	conditionKind(when).isDisjunction === true
		? partsOf(when).flatMap(({ part }) => joinedParts(part))
		: joinedParts(when);
