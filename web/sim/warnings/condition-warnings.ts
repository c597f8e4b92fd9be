/**
 * Warnings about a condition: unknown names, and missing quantifiers.
 * Owns: their texts, each with its path in the condition. The condition is accepted, because a name may appear later.
 */

import {
	aboutOf,
	conditionKind,
	type InnerCondition,
	isMomentary,
	partsOf,
} from '../../../shared/verbs/conditions/index.ts';
import { claimOf, namesSubject, sayGroup, sayStatement } from '../../../shared/verbs/conditions/reading.ts';
import type { World } from '../core/world.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { behaviourOf } from '../rules/conditions/index.ts';
import { groupOf } from '../rules/conditions/quantified.ts';
import { unknownName } from './known-names.ts';

/**
 * Use of a condition. `each`: in a rule or a filter, which test each entity by itself. `statement`: in an assertion, a wait
 * or a search.
 */
export type ConditionUse = 'each' | 'statement';

/** Returns warnings about parts of a condition that are probably not intended. */
export function conditionWarnings(
	world: World,
	condition: InnerCondition,
	path: string,
	use: ConditionUse,
): string[] {
	return [
		...new Set([...nameWarnings(world, condition, path), ...quantifierWarnings(world, condition, path, use)]),
	];
}

/** Returns the warnings about a filter, which tests each entity by itself. */
export function filterWarnings(world: World, filter: InnerCondition, path: string): string[] {
	const warnings = conditionWarnings(world, filter, path, 'each');
	if (aboutOf(filter).subject) return warnings;
	return [
		`${path}: "${sayStatement(filter)}" does not test each entity, so it selects all entities or none`,
		...warnings,
	];
}

function nameWarnings(world: World, condition: InnerCondition, path: string): string[] {
	const behaviour = behaviourOf(condition);
	return [
		...(behaviour.warn?.(world, condition) ?? []).map((warning) => `${path}${warning}`),
		...missingNameWarnings(world, condition, path),
		...partsOf(condition).flatMap(({ part, path: partPath }) =>
			nameWarnings(world, part, `${path}.${partPath}`),
		),
	];
}

/** Returns warnings about names of things that the world does not have. */
function missingNameWarnings(world: World, condition: InnerCondition, path: string): string[] {
	const { isSelector, matchesAll } = conditionKind(condition);
	const behaviour = behaviourOf(condition);
	const references = behaviour.names?.(condition) ?? [];
	const unknown = references.flatMap((reference) => {
		const hint = unknownName(world, reference);
		return hint === null
			? []
			: [`${path}: there is currently no ${reference.kind} "${reference.name}"${hint}`];
	});
	const isComing = behaviour.isExpectedLater?.(condition) === true;
	if (references.length > 0 || isSelector !== true || matchesAll === true || isComing) return unknown;
	const hasMembers = new ConditionLook(world).members(condition).length > 0;
	return hasMembers ? [] : [`${path}: there is currently no entity${sayGroup(condition)}`];
}

/** Returns warnings if a condition about several entities does not say for how many of them it must hold. */
function quantifierWarnings(
	world: World,
	condition: InnerCondition,
	path: string,
	use: ConditionUse,
): string[] {
	const { isDisjunction, isConjunction, isNegation, claim: ofGroup } = conditionKind(condition);
	const claim = claimOf(condition);
	const hasClaim = claim !== null && (use === 'statement' || ofGroup !== undefined);
	if (hasClaim)
		return [
			...missingQuantifierWarnings(world, condition, path),
			...innerQuantifierWarnings(world, condition, path),
		];
	if (isDisjunction === true || isNegation === true || (isConjunction === true && !namesSubject(condition)))
		return partsOf(condition).flatMap(({ part, path: partPath }) =>
			quantifierWarnings(world, part, `${path}.${partPath}`, use),
		);
	return innerQuantifierWarnings(world, condition, path);
}

/** Returns the warnings about parts, such as filters. They are about each entity by itself. */
const innerQuantifierWarnings = (world: World, condition: InnerCondition, path: string): string[] =>
	partsOf(condition).flatMap(({ part, path: partPath }) =>
		quantifierWarnings(world, part, `${path}.${partPath}`, 'each'),
	);

function missingQuantifierWarnings(world: World, condition: InnerCondition, path: string): string[] {
	const claim = claimOf(condition)!;
	if (claim.isGiven || isMomentary(condition)) return [];
	const { length } = groupOf(claim, new ConditionLook(world));
	if (length < 2) return [];
	const { quantifier } = claim;
	const holds = quantifier === 'all' ? 'if it holds for all of them' : 'if it holds for any of them';
	const otherQuantifier = quantifier === 'all' ? 'any' : 'all';
	return [
		`${path}: the condition has no quantifier, but there are ${length} entities${sayGroup(claim.filter)}; it passes ${holds}. Write "${quantifier}" before the condition to confirm this reading, or write "${otherQuantifier}" or "none"`,
	];
}
