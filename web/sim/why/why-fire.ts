/**
 * Reasons that a rule fires or does not fire.
 * Owns: finding the reasons in the current world, and the entities whose fields may alter the result.
 */

import { Rule } from '../../../shared/components/rule.ts';
import { RuleTally } from '../../../shared/components/rule-tally.ts';
import type { FIRE_CAUSES } from '../../../shared/documents/causes.ts';
import { Signal } from '../../../shared/events/signal.ts';
import {
	aboutOf,
	conditionKind,
	type InnerCondition,
	isMomentary,
	readsOf,
	writeCondition,
} from '../../../shared/verbs/conditions/index.ts';
import { claimOf, joinedParts } from '../../../shared/verbs/conditions/reading.ts';
import { actionsOf } from '../actions/actions.ts';
import { eachEntity } from '../core/entities.ts';
import { shortestFloat32 } from '../core/float32.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { each, get, read, type World } from '../core/world.ts';
import { examinedParts, explainRule, type RuleExplanation } from '../diagnose/explain-rules.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { measure } from '../rules/conditions/measure.ts';
import { documentOf } from '../rules/rule.ts';
import { sourcesOf } from '../scripts/sources.ts';
import { step } from '../step.ts';
import { type Candidate, entityCandidates, ruleCandidates, valuesBeside } from './candidate.ts';
import type { Cause } from './cause.ts';
import { comparisonsIn, type FieldComparison } from './compared.ts';

/** Current state of one part of a rule's condition. */
export interface PartNow {
	/** True if the part tests for an event. */
	readonly happens: boolean;
	readonly part: string;
	readonly holds: boolean;
	readonly holds_for: number | null;
	/** Current state as a sentence. */
	readonly now: string;
	/** Entity whose value is nearest to the compared number; null for other parts than comparisons. */
	readonly nearest: { readonly entity_id: number; readonly value: number } | null;
}

export interface WhyFire extends RuleExplanation {
	readonly now: readonly PartNow[];
	readonly causes: readonly Cause<(typeof FIRE_CAUSES)[number]>[];
}

/** Explains the current state of a rule. Throws `rule_not_found`. */
export function whyFire(world: World, id: number): WhyFire {
	const explained = explainRule(world, id);
	const { when, filter } = documentOf(world, id);
	const typed = parseFilter(filter);
	const look = new ConditionLook(world, { filter: typed, since: read(world, Rule, 'created')[id]! });
	const now = examinedParts(when).map((part, i) => {
		const { part: words, holds, holds_for } = explained.parts[i]!;
		const happens = readsOf(part).some((name) => name.startsWith('event:'));
		return {
			happens,
			part: words,
			holds,
			holds_for,
			now: look.find(part).message,
			nearest: nearestEntity(look, part),
		};
	});
	return { ...explained, now, causes: causesOf(world, id, explained, now, look) };
}

function causesOf(
	world: World,
	id: number,
	{ fired, last_fired, passing, warnings }: RuleExplanation,
	parts: readonly PartNow[],
	look: ConditionLook,
): WhyFire['causes'] {
	const { when, filter, once, enabled } = documentOf(world, id);
	const memory = read(world, Rule, 'memory')[id]!;
	const causes: Cause<(typeof FIRE_CAUSES)[number]>[] = [];
	const add = (code: (typeof FIRE_CAUSES)[number], text: string, entity_id?: number) =>
		causes.push({ code, text, ...(entity_id === undefined ? {} : { entity_id }) });
	if (enabled === false) add('disabled', 'The rule is disabled: PATCH /rule/{id} with "enabled": true.');
	if (once && memory.fired)
		add('fired_once', `It has "once", and has fired${last_fired === null ? '' : ` at tick ${last_fired}`}.`);
	const holding = look.holds(when, '');
	const heldBefore =
		typeof holding === 'boolean'
			? holding && memory.holds
			: holding.length > 0 &&
				holding.every(({ subject }) =>
					subject === null ? false : memory.entities.includes(`|${subject.id}:${subject.generation}`),
				);
	if (heldBefore && !isMomentary(when))
		add(
			'already_held',
			'Its condition holds, and held before: it fires when the condition begins to hold, not while it holds.',
		);
	if (fired > 0)
		add('fires', `It has fired ${fired === 1 ? 'once' : `${fired} times`}, last at tick ${last_fired}.`);
	const isEmpty = aboutOf(when).subject && passing === 0;
	if (isEmpty) {
		const filterWarning = warnings.find((warning) => warning.startsWith('filter'));
		const hint = filterWarning === undefined ? '' : ` ${filterWarning}.`;
		add('no_entity_passes', `No entity passes the filter "${writeCondition(parseFilter(filter))}".${hint}`);
	}
	const isAlternative = conditionKind(when).isDisjunction === true;
	const holds = typeof holding === 'boolean' ? holding : holding.length > 0;
	const failing = holds || isEmpty ? [] : parts.filter((part) => !part.holds || isAlternative);
	const unsent = unsentSignals(world, when);
	for (const { part, now, nearest, happens } of failing) {
		const near = nearest === null ? '' : ` E${nearest.entity_id} comes nearest, with ${nearest.value}.`;
		if (happens) add('not_happened', `"${part}" did not happen on the last tick.${unsent}`);
		else add('part_fails', `"${part}" does not hold now. ${now}${near}`, nearest?.entity_id);
	}
	if (!holds && !isEmpty && !isAlternative && parts.length > 1 && parts.every((part) => part.holds))
		add('no_common_entity', 'Each part holds for some entity, but no entity meets all of them.');
	if (holds && world.tick === read(world, Rule, 'created')[id]!)
		add('just_created', 'No tick has passed since it was created. Send POST /step or POST /play.');
	if (fired > 0)
		for (const warning of warnings) if (/^(do|outcomes)/.test(warning)) add('no_effect', `${warning}.`);
	return causes;
}

/**
 * Returns a sentence for each signal that the condition waits for but no rule, script or action sends. API clients may
 * still send it.
 */
function unsentSignals(world: World, when: InnerCondition): string {
	const names = examinedParts(when).flatMap((part) => {
		const { event, where } = part as {
			readonly event?: string;
			readonly where?: readonly { field: string; op: string; value: unknown }[] | null;
		};
		if (event !== Signal.kind) return [];
		return (where ?? []).flatMap(({ field, op, value }) =>
			field === 'name' && op === 'equal' && typeof value === 'string' ? [value] : [],
		);
	});
	if (names.length === 0) return '';
	const sent = new Set<string>();
	each(world, [Rule], (slot) => {
		const { do: effects = [], outcomes = [] } = documentOf(world, slot);
		for (const action of [...effects, ...outcomes.flatMap((outcome) => outcome.do)])
			if (action.action === 'emit') sent.add(action.name);
	});
	const scripts = JSON.stringify([sourcesOf(world), actionsOf(world)]);
	return names
		.filter((name) => !sent.has(name) && !scripts.includes(name))
		.map((name) => ` No rule, script or action sends the signal "${name}".`)
		.join('');
}

/** Returns the entity whose value is nearest to the compared number; null for other parts than comparisons. */
function nearestEntity(look: ConditionLook, part: InnerCondition): PartNow['nearest'] {
	const [firstMatch] = comparisonsIn(part);
	if (firstMatch === undefined) return null;
	const { comparison, group } = firstMatch;
	const measurement = measure(comparison.field);
	const isInGroup = group === null ? () => true : new ConditionLook(look.world).test(group);
	let best: { entity_id: number; value: number } | null = null;
	look.each([measurement.component], (slot) => {
		const value = measurement.of(look.entity(slot));
		if (value === undefined || !isInGroup(look.entity(slot))) return;
		if (best === null || Math.abs(value - comparison.value) < Math.abs(best.value - comparison.value))
			best = { entity_id: slot, value: Math.fround(value) === value ? shortestFloat32(value) : value };
	});
	return best;
}

/** Maximum number of entities whose fields are candidates. */
const MAX_INVOLVED = 4;

/**
 * Returns candidates for fields of the rule, and for fields of the entities that meet the largest number of its parts.
 * Includes only components that the rule reads.
 */
export function fireCandidates(world: World, id: number): Candidate[] {
	const { when, filter } = documentOf(world, id);
	const typed = parseFilter(filter);
	const names = new Set(
		[...readsOf(when), ...readsOf(typed)].map((name) => {
			const [component = ''] = name.split('.');
			return component === 'global_transform' || component === 'parent' ? 'local_transform' : component;
		}),
	);
	const claims = examinedParts(when).flatMap((part) => claimOf(part) ?? []);
	const parts = aboutOf(when).subject
		? [...examinedParts(when), ...joinedParts(typed)]
		: claims.flatMap(({ filter: group, of }) => [...joinedParts(group), ...joinedParts(of)]);
	const involved = parts.length > 0 ? nearlyMeeting(world, parts) : [];
	const comparisons = examinedParts(when).flatMap((part) =>
		comparisonsIn(part).map(({ comparison }) => comparison),
	);
	return [
		...ruleCandidates(world, id),
		...involved
			.flatMap((entity) => entityCandidates(world, entity, names))
			.map((candidate) => ({ ...candidate, values: comparedNumbers(candidate.field, comparisons) })),
	];
}

/** Returns the numbers that a field is compared with, and numbers beside these. */
const comparedNumbers = (field: string, comparisons: readonly FieldComparison[]): number[] =>
	comparisons
		.filter((compared) => compared.field === field || compared.field === `${field}.current`)
		.flatMap(({ value }) => [value, ...valuesBeside(value)]);

/** Returns the entities that meet the largest number of conditions, best first. */
function nearlyMeeting(world: World, parts: readonly InnerCondition[]): number[] {
	const look = new ConditionLook(world);
	const tests = parts.map((part) => look.test(part));
	const metCounts = new Map<number, number>();
	const rules = new Set<number>();
	each(world, [Rule], (slot) => rules.add(slot));
	eachEntity(world, (slot) => {
		if (rules.has(slot)) return;
		const count = tests.filter((test) => test(look.entity(slot))).length;
		metCounts.set(slot, count);
	});
	return [...metCounts]
		.sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || a - b)
		.slice(0, MAX_INVOLVED)
		.map(([slot]) => slot);
}

/**
 * Steps a copy of the world until a rule fires. Returns the number of steps; null if the rule does not fire within
 * `ticks`.
 */
export function* firesWithin(copy: World, id: number, ticks: number): SlicedWork<number | null> {
	const oldCount = get(copy, id, RuleTally)?.count ?? 0;
	for (let tick = 1; tick <= ticks; tick++) {
		step(copy);
		if ((get(copy, id, RuleTally)?.count ?? 0) > oldCount) return tick;
		yield;
	}
	return null;
}
