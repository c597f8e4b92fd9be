/**
 * The meaning of a condition as a statement about a world: its group of entities, and its quantifier.
 * Owns: the split of a condition into its group and its claim, and their words.
 */

import { all } from './all.ts';
import type { QuantifiedClaim } from './condition.ts';
import {
	aboutOf,
	type Condition,
	conditionKind,
	type InnerCondition,
	partsOf,
	sayCondition,
	writeCondition,
} from './index.ts';
import { sayQuantity } from './quantifier.ts';

const ANY_ENTITY: InnerCondition = { type: 'any' };

/** Returns the parts of a conjunction at any depth. Another condition is its only part. */
export const joinedParts = (condition: InnerCondition): InnerCondition[] =>
	conditionKind(condition).isConjunction === true
		? partsOf(condition).flatMap(({ part }) => joinedParts(part))
		: [condition];

/** Returns true if a condition only selects a group, such as `tag:a | !team:2`. */
export function isSelection(condition: InnerCondition): boolean {
	const { isSelector, isConjunction, isNegation, isDisjunction } = conditionKind(condition);
	if (isSelector === true) return true;
	if (isConjunction !== true && isNegation !== true && isDisjunction !== true) return false;
	return partsOf(condition).every(({ part }) => isSelection(part));
}

const joinConditions = (parts: readonly InnerCondition[]): InnerCondition =>
	parts.length === 1 ? parts[0]! : ({ [all.key]: all.name, of: parts } as InnerCondition);

/** Returns the group and the claim of a condition with a subject. */
export function splitGroup(condition: InnerCondition): Pick<QuantifiedClaim, 'filter' | 'of'> {
	const parts = joinedParts(condition);
	const selecting = parts.filter(isSelection);
	const stating = parts.filter((part) => !isSelection(part));
	if (selecting.length === 0 || stating.length === 0) return { filter: ANY_ENTITY, of: condition };
	return { filter: joinConditions(selecting), of: joinConditions(stating) };
}

/**
 * Returns the claim of a condition about entities; null for other conditions, such as a compound of statements.
 */
export function claimOf(condition: InnerCondition): QuantifiedClaim | null {
	const { claim, isDisjunction, isNegation } = conditionKind(condition);
	if (claim !== undefined) return claim(condition);
	const isAboutGroup = aboutOf(condition).subject && isDisjunction !== true && isNegation !== true;
	if (!isAboutGroup || !namesSubject(condition) || isSelection(condition)) return null;
	return { quantifier: 'any', isGiven: false, ...splitGroup(condition) };
}

/** Returns false for a compound in which no part without negation is about an entity. */
export function namesSubject(condition: InnerCondition): boolean {
	const { about, isConjunction } = conditionKind(condition);
	if (isConjunction !== true || typeof about !== 'function') return true;
	return partsOf(condition).some(
		({ part }) => aboutOf(part).subject && conditionKind(part).isNegation !== true,
	);
}

/** Returns the words of a group after "entities", such as ` with tag creep`; empty for all entities. */
export function sayGroup(filter: InnerCondition): string {
	const parts = joinedParts(filter).filter((part) => conditionKind(part).matchesAll !== true);
	if (parts.length === 0) return '';
	const words = parts.map((part) => conditionKind(part).sayGroup?.(part));
	return ` ${words.includes(undefined) ? `that match ${writeCondition(filter)}` : words.join(' and ')}`;
}

/** Returns the words of a claim about each entity. */
export const sayClaim = ({ of }: Pick<QuantifiedClaim, 'of'>): string => sayCondition(of, String);

/** Returns the words of a statement, such as "all entities with tag creep: position.y < 1.5". */
export function sayStatement(condition: InnerCondition): string {
	const claim = claimOf(condition);
	if (claim !== null) return `${sayQuantity(claim.quantifier, sayGroup(claim.filter))}: ${sayClaim(claim)}`;
	const parts = partsOf(condition).map(({ part }) => `(${sayStatement(part)})`);
	const { isConjunction, isDisjunction, isNegation } = conditionKind(condition);
	if (isSelection(condition)) return `at least one entity${sayGroup(condition)}`;
	if (isNegation === true) return `not ${parts[0]}`;
	if (isConjunction === true) return parts.join(' and ');
	return isDisjunction === true ? parts.join(' or ') : sayCondition(condition, String);
}

/** Returns the words of a rule's condition. A rule fires for each entity separately. */
export function sayFiring({
	when,
	filter,
}: {
	readonly when: Condition;
	readonly filter: InnerCondition;
}): string {
	if (!aboutOf(when).subject) return sayStatement(when);
	const split = splitGroup(joinConditions([filter, when]));
	return `each entity${sayGroup(split.filter)} by itself: ${sayClaim(split)}`;
}
