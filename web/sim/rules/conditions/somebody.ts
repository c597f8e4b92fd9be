/** A condition about entities as a statement: that there is somebody for whom it holds. */

import {
	aboutOf,
	conditionKind,
	type InnerCondition,
	partsOf,
	writeCondition,
} from '../../../../shared/verbs/conditions/index.ts';
import { type Finding, found, listed, nobody, type Scope } from './condition.ts';

export function somebody(condition: InnerCondition, scope: Scope): Finding {
	const holds = scope.holds(condition, '');
	const text = writeCondition(condition);
	if (typeof holds === 'boolean') return found(holds, `It ${holds ? 'holds' : 'does not hold'}: ${text}.`);
	if (holds.length > 0) {
		const ids = holds.flatMap(({ subject }) => (subject === null ? [] : [subject.id]));
		return found(true, ids.length === 0 ? `It happened: ${text}.` : `${text} holds for ${listed(ids)}.`);
	}
	const groups = groupsOf(condition).map((part) => scope.test(part));
	const carried = scope.carries(condition);
	const empty =
		aboutOf(condition).subject &&
		conditionKind(condition).momentary !== true &&
		!scope
			.members({ type: 'any' })
			.some((id) => scope.looksAt(id, carried) && groups.every((test) => test(scope.who(id))));
	return empty
		? nobody(`There is nobody whom ${text} could be about.`)
		: found(false, `${text} holds for nobody.`);
}

/** Those parts of a condition that choose whom it is about. */
function groupsOf(condition: InnerCondition): InnerCondition[] {
	const { chooses, joins } = conditionKind(condition);
	if (chooses === true) return [condition];
	return joins === true ? partsOf(condition).flatMap(({ part }) => groupsOf(part)) : [];
}
