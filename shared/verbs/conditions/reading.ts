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

/** Returns the parts that must all be true, from any depth. */
export const joinedParts = (condition: InnerCondition): InnerCondition[] =>
	conditionKind(condition).joins === true
		? partsOf(condition).flatMap(({ part }) => joinedParts(part))
		: [condition];

/** Returns true if a condition only selects a group, as `tag:a | !team:2` does. */
export function isChoice(condition: InnerCondition): boolean {
	const { chooses, joins, negates, either } = conditionKind(condition);
	if (chooses === true) return true;
	if (joins !== true && negates !== true && either !== true) return false;
	return partsOf(condition).every(({ part }) => isChoice(part));
}

const together = (parts: readonly InnerCondition[]): InnerCondition =>
	parts.length === 1 ? parts[0]! : ({ [all.key]: all.name, of: parts } as InnerCondition);

/** Returns the group and the claim of a condition with a subject. */
export function splitGroup(condition: InnerCondition): Pick<QuantifiedClaim, 'filter' | 'of'> {
	const parts = joinedParts(condition);
	const choosing = parts.filter(isChoice);
	const stating = parts.filter((part) => !isChoice(part));
	if (choosing.length === 0 || stating.length === 0) return { filter: ANY_ENTITY, of: condition };
	return { filter: together(choosing), of: together(stating) };
}

/**
 * Returns the statement of a condition about entities; null for other conditions, such as a compound of statements.
 */
export function claimOf(condition: InnerCondition): QuantifiedClaim | null {
	const { claim, either, negates } = conditionKind(condition);
	if (claim !== undefined) return claim(condition);
	const isAboutGroup = aboutOf(condition).subject && either !== true && negates !== true;
	if (!isAboutGroup || !namesSubject(condition) || isChoice(condition)) return null;
	return { quantifier: 'any', isGiven: false, ...splitGroup(condition) };
}

/** Returns true if a compound is about one entity, because a part without negation names it. */
export function namesSubject(condition: InnerCondition): boolean {
	const { about, joins } = conditionKind(condition);
	if (joins !== true || typeof about !== 'function') return true;
	return partsOf(condition).some(({ part }) => aboutOf(part).subject && conditionKind(part).negates !== true);
}

/** Returns the words of a group after "entities", such as ` with tag creep`. For all entities they are empty. */
export function sayGroup(filter: InnerCondition): string {
	const parts = joinedParts(filter).filter((part) => conditionKind(part).matchesAll !== true);
	if (parts.length === 0) return '';
	const words = parts.map((part) => conditionKind(part).sayGroup?.(part));
	return ` ${words.includes(undefined) ? `that match ${writeCondition(filter)}` : words.join(' and ')}`;
}

/** Returns the words of a claim about each entity. */
export const sayClaim = ({ of }: Pick<QuantifiedClaim, 'of'>): string => sayCondition(of, String);

/** Returns the words of a statement, such as "all entities with tag creep: position.y < 1.5". */
export function sayReading(condition: InnerCondition): string {
	const claim = claimOf(condition);
	if (claim !== null) return `${sayQuantity(claim.quantifier, sayGroup(claim.filter))}: ${sayClaim(claim)}`;
	const parts = partsOf(condition).map(({ part }) => `(${sayReading(part)})`);
	const { joins, either, negates } = conditionKind(condition);
	if (isChoice(condition)) return `at least one entity${sayGroup(condition)}`;
	if (negates === true) return `not ${parts[0]}`;
	if (joins === true) return parts.join(' and ');
	return either === true ? parts.join(' or ') : sayCondition(condition, String);
}

/** Returns the words of a rule's condition. A rule fires for each entity separately. */
export function sayFiring({
	when,
	filter,
}: {
	readonly when: Condition;
	readonly filter: InnerCondition;
}): string {
	if (!aboutOf(when).subject) return sayReading(when);
	const split = splitGroup(together([filter, when]));
	return `each entity${sayGroup(split.filter)} by itself: ${sayClaim(split)}`;
}
