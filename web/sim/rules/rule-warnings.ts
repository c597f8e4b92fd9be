/**
 * What in a rule can never have an effect, or has none as things are now.
 * Owns: saying so, with the place in the rule. A rule is taken nevertheless: what is missing may come.
 */

import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { type Action, targetsOf } from '../../../shared/verbs/actions/index.ts';
import {
	type About,
	aboutOf,
	conditionKind,
	wordOf,
	writeCondition,
} from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind } from '../../../shared/verbs/targets/index.ts';
import { isAlive } from '../core/entities.ts';
import type { World } from '../core/world.ts';
import { warnOfAction } from './actions/index.ts';
import { parseFilter } from './conditions/filter.ts';
import { conditionWarnings } from './conditions/index.ts';

/** All that is in vain in a rule, each with its place. */
export function ruleWarnings(world: World, { when, filter, do: effects, outcomes }: RuleDocument): string[] {
	const about = aboutOf(when);
	const warnings = conditionWarnings(world, when, 'when');
	const text = writeCondition(parseFilter(filter));
	if (!about.subject && text !== 'any')
		warnings.push(
			`filter: a ${wordOf(conditionKind(when))} rule is about no entity, so its filter does nothing; name entities in the actions, as with the target all:${text}`,
		);
	const all = (actions: readonly Action[], path: string) =>
		actions.flatMap((action, i) => actionWarnings(world, action, about, `${path}[${i}]`));
	return [
		...warnings,
		...all(effects ?? [], 'do'),
		...(outcomes ?? []).flatMap((outcome, i) => all(outcome.do, `outcomes[${i}].do`)),
	];
}

function actionWarnings(world: World, action: Action, about: About, path: string): string[] {
	const warnings = targetsOf(action).flatMap(({ field, target }) => {
		const missing = missingFor(target, about) ?? absent(world, target);
		return missing === null ? [] : [`${path}.${field}: ${missing}, so this does nothing`];
	});
	if ('by' in action && action.by != null && missingFor(action.by, about) !== null)
		warnings.push(`${path}.by: ${missingFor(action.by, about)}, so nobody is credited`);
	return [...warnings, ...warnOfAction(world, action).map((warning) => `${path}${warning}`)];
}

/** Why a target never names anybody; null when it can. */
function missingFor(target: Target, about: About): string | null {
	const { needs } = targetKind(target);
	if (needs === undefined || about[needs]) return null;
	if (needs === 'source') return 'nobody is the source of what this rule waits for';
	const why = typeof target === 'string' ? '' : ' to be nearest to; tag:NAME or all:FILTER need none';
	return `the rule is about no entity, there is no "this"${why}`;
}

/** Whom a target names that is not there now; null when it names nobody by id, or somebody who is. */
function absent(world: World, target: Target): string | null {
	if (typeof target === 'string' || !('entity' in target) || isAlive(world, target.entity)) return null;
	return `there is no entity ${target.entity} now`;
}
