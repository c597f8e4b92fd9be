/**
 * Warnings about a condition: names that no entity has, and a reading that was not chosen.
 * Owns: their words, each with its place in the condition. A condition is accepted nevertheless: what is missing may come.
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

/** `each`: of a rule or a filter, which look at each entity by itself; `statement`: of an assertion, a wait or a search. */
export type ReadAs = 'each' | 'statement';

/** Returns everything in a condition that is probably not what was meant. */
export function conditionWarnings(
	world: World,
	condition: InnerCondition,
	path: string,
	readAs: ReadAs,
): string[] {
	return [...new Set([...names(world, condition, path), ...readings(world, condition, path, readAs)])];
}

/** Returns the same of a filter, which looks at each entity by itself. */
export function filterWarnings(world: World, filter: InnerCondition, path: string): string[] {
	const warnings = conditionWarnings(world, filter, path, 'each');
	if (aboutOf(filter).subject) return warnings;
	return [
		`${path}: "${sayStatement(filter)}" does not test each entity, so it selects all entities or none`,
		...warnings,
	];
}

function names(world: World, condition: InnerCondition, path: string): string[] {
	const behaviour = behaviourOf(condition);
	return [
		...(behaviour.warn?.(world, condition) ?? []).map((warning) => `${path}${warning}`),
		...absent(world, condition, path),
		...partsOf(condition).flatMap(({ part, path: at }) => names(world, part, `${path}.${at}`)),
	];
}

/** That a condition names something that the world does not have. */
function absent(world: World, condition: InnerCondition, path: string): string[] {
	const { isSelector, matchesAll } = conditionKind(condition);
	const behaviour = behaviourOf(condition);
	const named = behaviour.names?.(condition) ?? [];
	const unknown = named.flatMap((reference) => {
		const hint = unknownName(world, reference);
		return hint === null
			? []
			: [`${path}: there is currently no ${reference.kind} "${reference.name}"${hint}`];
	});
	const isComing = behaviour.comesLater?.(condition) === true;
	if (named.length > 0 || isSelector !== true || matchesAll === true || isComing) return unknown;
	const isThere = new ConditionLook(world).members(condition).length > 0;
	return isThere ? [] : [`${path}: there is currently no entity${sayGroup(condition)}`];
}

/** That a condition with several entities to be about does not say for how many it must hold. */
function readings(world: World, condition: InnerCondition, path: string, readAs: ReadAs): string[] {
	const { isDisjunction, isConjunction, isNegation, claim: ofGroup } = conditionKind(condition);
	const claim = claimOf(condition);
	const isRead = claim !== null && (readAs === 'statement' || ofGroup !== undefined);
	if (isRead) return [...unquantified(world, condition, path), ...inner(world, condition, path)];
	if (isDisjunction === true || isNegation === true || (isConjunction === true && !namesSubject(condition)))
		return partsOf(condition).flatMap(({ part, path: at }) => readings(world, part, `${path}.${at}`, readAs));
	return inner(world, condition, path);
}

/** Parts are about each entity by itself, filters among them. */
const inner = (world: World, condition: InnerCondition, path: string): string[] =>
	partsOf(condition).flatMap(({ part, path: at }) => readings(world, part, `${path}.${at}`, 'each'));

function unquantified(world: World, condition: InnerCondition, path: string): string[] {
	const claim = claimOf(condition)!;
	if (claim.isGiven || isMomentary(condition)) return [];
	const { length } = groupOf(claim, new ConditionLook(world));
	if (length < 2) return [];
	const { quantifier } = claim;
	const holds = quantifier === 'all' ? 'if it holds for all of them' : 'if it holds for any of them';
	const other = quantifier === 'all' ? 'any' : 'all';
	return [
		`${path}: the condition has no quantifier, but there are ${length} entities${sayGroup(claim.filter)}; it passes ${holds}. Write "${quantifier}" before the condition to confirm this reading, or write "${other}" or "none"`,
	];
}
