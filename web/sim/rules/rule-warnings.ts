/**
 * What in a rule can never have an effect, or has none as things are now.
 * Owns: saying so, with the place in the rule. A rule is taken nevertheless: what is missing may come.
 */

import type { Condition } from '../../../shared/documents/condition.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { type Action, targetsOf } from '../../../shared/verbs/actions/index.ts';
import { type Target, targetKind } from '../../../shared/verbs/targets/index.ts';
import { isAlive } from '../core/entities.ts';
import type { World } from '../core/world.ts';
import { parseFilter } from '../filters/filter.ts';
import { warnOfAction } from './actions/index.ts';
import { canBeAbout } from './condition.ts';

type About = ReturnType<typeof canBeAbout>;

/** All that is in vain in a rule, each with its place. */
export function ruleWarnings(world: World, { when, filter, do: effects, outcomes }: RuleDocument): string[] {
	const about = canBeAbout(when);
	const warnings = conditionWarnings(world, when, 'when');
	if (!about.subject && parseFilter(filter).type !== 'any')
		warnings.push(
			`filter: a ${when.kind} rule is about no entity, so its filter does nothing; name entities in the actions, as with the target all:${filter}`,
		);
	const all = (actions: readonly Action[], path: string) =>
		actions.flatMap((action, i) => actionWarnings(world, action, about, `${path}[${i}]`));
	return [
		...warnings,
		...all(effects ?? [], 'do'),
		...(outcomes ?? []).flatMap((outcome, i) => all(outcome.do, `outcomes[${i}].do`)),
	];
}

function conditionWarnings(world: World, condition: Condition, path: string): string[] {
	switch (condition.kind) {
		case 'health_below':
			return condition.threshold > 0
				? []
				: [`${path}: nothing alive has health below ${condition.threshold}`];
		case 'enter':
		case 'leave': {
			const { zone } = condition;
			if ('entity' in zone && !isAlive(world, zone.entity))
				return [`${path}.zone: there is no entity ${zone.entity} now`];
			const empty = 'half' in zone ? zone.half.some((extent) => extent <= 0) : zone.radius <= 0;
			return empty ? [`${path}.zone: nothing is ever inside a zone without extent`] : [];
		}
		case 'all':
		case 'any':
			return condition.of.flatMap((part, i) =>
				conditionWarnings(world, part as Condition, `${path}.of[${i}]`),
			);
		case 'not':
			return conditionWarnings(world, condition.of as Condition, `${path}.of`);
		default:
			return [];
	}
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
