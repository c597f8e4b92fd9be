/** Evaluates a condition about entities as a statement: it passes if it holds for at least one entity. */

import {
	aboutOf,
	conditionKind,
	type InnerCondition,
	sayCondition,
} from '../../../../shared/verbs/conditions/index.ts';
import { sayCapitalizedQuantity } from '../../../../shared/verbs/conditions/quantifier.ts';
import { isSelection, sayClaim, sayGroup, splitGroup } from '../../../../shared/verbs/conditions/reading.ts';
import {
	type ConditionFinding,
	type ConditionScope,
	createFinding,
	createVacuousFinding,
	idList,
} from './condition.ts';
import { countForSentence, groupOf } from './quantified.ts';

export function findAny(condition: InnerCondition, scope: ConditionScope): ConditionFinding {
	const holds = scope.holds(condition, '');
	if (typeof holds === 'boolean')
		return createFinding(
			holds,
			`It ${holds ? 'holds' : 'does not hold'}: ${sayCondition(condition, String)}.`,
		);
	const ids = holds.flatMap(({ subject }) => (subject === null ? [] : [subject.id]));
	if (isSelection(condition)) {
		const group = sayGroup(condition);
		return ids.length > 0
			? createFinding(
					true,
					`${ids.length} ${ids.length === 1 ? 'entity' : 'entities'}${group}: ${idList(ids)}.`,
				)
			: createVacuousFinding(`No entity${group}.`, true);
	}
	const split = splitGroup(condition);
	const words = sayGroup(split.filter);
	const isEvent = conditionKind(condition).momentary === true || !aboutOf(condition).subject;
	const group = isEvent ? null : groupOf(split, scope);
	const claim = sayClaim(split);
	if (group?.length === 0 && holds.length === 0)
		return createVacuousFinding(`No entity${words} has the fields that "${claim}" compares.`, true);
	const number = group === null ? 0 : countForSentence(group, ids, scope);
	const reading = `${sayCapitalizedQuantity('any', words, number || undefined)}: ${claim}`;
	if (ids.length > 0) return createFinding(true, `${reading} holds for ${idList(ids)}.`);
	return holds.length > 0
		? createFinding(true, `It happened: ${claim}.`)
		: createFinding(false, `${reading} holds for none.`);
}
