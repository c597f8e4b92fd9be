/**
 * The condition `quantified`, and all other claims about the entities of a group.
 * Owns: the group of a claim, and the sentence that states the claim and its result.
 */

import { Rule } from '../../../../shared/components/rule.ts';
import type { QuantifiedClaim } from '../../../../shared/verbs/conditions/condition.ts';
import type { ConditionOf, InnerCondition } from '../../../../shared/verbs/conditions/index.ts';
import { sayCapitalizedQuantity } from '../../../../shared/verbs/conditions/quantifier.ts';
import { claimOf, sayClaim, sayGroup } from '../../../../shared/verbs/conditions/reading.ts';
import { has } from '../../core/world.ts';
import {
	type ConditionFinding,
	type ConditionScope,
	createFinding,
	createVacuousFinding,
	idList,
	type Statement,
} from './condition.ts';
import { shownMeasure } from './measure.ts';

export const quantified: Statement<ConditionOf<'quantified'>> = {
	find: (condition, scope) => findClaim(claimOf(condition)!, scope),
};

/** Returns the group of a claim: the entities that match its filter and have the components that it compares. */
export function groupOf(
	{ filter, of }: Pick<QuantifiedClaim, 'filter' | 'of'>,
	scope: ConditionScope,
): number[] {
	const needed = scope.requiredComponents(of);
	return scope.members(filter).filter((id) => needed.every((component) => scope.entity(id).has(component)));
}

/** Evaluates a claim. The message of the finding states the claim in words. */
export function findClaim(claim: QuantifiedClaim, scope: ConditionScope): ConditionFinding {
	const group = groupOf(claim, scope);
	const words = sayGroup(claim.filter);
	if (group.length === 0)
		return createVacuousFinding(`No entity${words} has the fields that "${sayClaim(claim)}" compares.`);
	const test = scope.test(claim.of);
	const holding = group.filter((id) => test(scope.entity(id)));
	return describeFinding(claim, group, holding, scope);
}

/** Returns the size of a group for a sentence. Rules are entities too, but count only if the sentence lists one. */
export function countForSentence(
	group: readonly number[],
	listed: readonly number[],
	scope: ConditionScope,
): number {
	const isRule = (id: number) => has(scope.world, id, Rule);
	if (listed.some(isRule)) return group.length;
	return group.filter((id) => !isRule(id)).length || group.length;
}

function describeFinding(
	claim: QuantifiedClaim,
	group: readonly number[],
	holding: readonly number[],
	scope: ConditionScope,
): ConditionFinding {
	const { quantifier, of } = claim;
	const number = quantifier === 'all' ? group.length : countForSentence(group, holding, scope);
	const reading = `${sayCapitalizedQuantity(quantifier, sayGroup(claim.filter), number)}: ${sayClaim(claim)}`;
	if (quantifier !== 'all') {
		const holds = holding.length === 0 ? 'holds for none' : `holds for ${idList(holding)}`;
		return createFinding(holding.length > 0 === (quantifier === 'any'), `${reading} ${holds}.`);
	}
	if (holding.length === group.length) return createFinding(true, `${reading} holds.`);
	const holdingIds = new Set(holding);
	const failing = group.filter((id) => !holdingIds.has(id));
	return createFinding(
		false,
		`${reading} fails for ${failing.length}: ${idList(failing)}${exampleText(of, failing[0]!, scope)}.`,
	);
}

/** Returns the compared number of an entity, as `; E3 has 2`. */
function exampleText(of: InnerCondition, id: number, scope: ConditionScope): string {
	if (!('field' in of)) return '';
	return `; E${id} has ${shownMeasure(String(of.field), scope.entity(id))}`;
}
