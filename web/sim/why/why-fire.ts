/**
 * Reasons that a rule fires or does not.
 * Owns: naming them, for a world as it is, and the entities whose fields may alter it.
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
import { shortest } from '../core/float32.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { each, get, read, type World } from '../core/world.ts';
import { explainRule, looked, type RuleExplained } from '../diagnose/explain-rules.ts';
import { ConditionLook } from '../rules/conditions/evaluate-condition.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { measure } from '../rules/conditions/measure.ts';
import { documentOf } from '../rules/rule.ts';
import { sourcesOf } from '../scripts/sources.ts';
import { step } from '../step.ts';
import { beyond, type Candidate, entityCandidates, ruleCandidates } from './candidate.ts';
import type { Cause } from './cause.ts';
import { comparisonsIn, type FieldComparison } from './compared.ts';

export interface PartNow {
	/** It is about an event. */
	readonly happens: boolean;
	readonly part: string;
	readonly holds: boolean;
	readonly holds_for: number | null;
	/** Finding in words. */
	readonly now: string;
	/** For a comparison of a field: the entity that comes nearest, with its value. */
	readonly nearest: { readonly entity_id: number; readonly value: number } | null;
}

export interface WhyFire extends RuleExplained {
	readonly now: readonly PartNow[];
	readonly causes: readonly Cause<(typeof FIRE_CAUSES)[number]>[];
}

/** Looks at a rule as it is now. Throws `rule_not_found`. */
export function whyFire(world: World, id: number): WhyFire {
	const explained = explainRule(world, id);
	const { when, filter } = documentOf(world, id);
	const typed = parseFilter(filter);
	const look = new ConditionLook(world, { filter: typed, since: read(world, Rule, 'created')[id]! });
	const now = looked(when).map((part, i) => {
		const { part: words, holds, holds_for } = explained.parts[i]!;
		const happens = readsOf(part).some((name) => name.startsWith('event:'));
		return {
			happens,
			part: words,
			holds,
			holds_for,
			now: look.find(part).message,
			nearest: nearestTo(look, part),
		};
	});
	return { ...explained, now, causes: causesOf(world, id, explained, now, look) };
}

function causesOf(
	world: World,
	id: number,
	{ fired, last_fired, passing, warnings }: RuleExplained,
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
		const named = warnings.find((warning) => warning.startsWith('filter'));
		const hint = named === undefined ? '' : ` ${named}.`;
		add('no_entity_passes', `No entity passes the filter "${writeCondition(parseFilter(filter))}".${hint}`);
	}
	const isEither = conditionKind(when).either === true;
	const holds = typeof holding === 'boolean' ? holding : holding.length > 0;
	const failing = holds || isEmpty ? [] : parts.filter((part) => !part.holds || isEither);
	const unsent = unsentSignals(world, when);
	for (const { part, now, nearest, happens } of failing) {
		const near = nearest === null ? '' : ` E${nearest.entity_id} comes nearest, with ${nearest.value}.`;
		if (happens) add('not_happened', `"${part}" did not happen on the last tick.${unsent}`);
		else add('part_fails', `"${part}" does not hold now. ${now}${near}`, nearest?.entity_id);
	}
	if (!holds && !isEmpty && !isEither && parts.length > 1 && parts.every((part) => part.holds))
		add('no_common_entity', 'Each part holds for some entity, but no entity meets all of them.');
	if (holds && world.tick === read(world, Rule, 'created')[id]!)
		add('just_created', 'No tick has passed since it was created. Send POST /step or POST /play.');
	if (fired > 0)
		for (const warning of warnings) if (/^(do|outcomes)/.test(warning)) add('no_effect', `${warning}.`);
	return causes;
}

/**
 * Returns a sentence for each signal that the condition waits for and that nothing in the world sends; callers may
 * send any.
 */
function unsentSignals(world: World, when: InnerCondition): string {
	const names = looked(when).flatMap((part) => {
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

/** Returns the entity whose number comes nearest to what a part compares it with; null for other parts. */
function nearestTo(look: ConditionLook, part: InnerCondition): PartNow['nearest'] {
	const [found] = comparisonsIn(part);
	if (found === undefined) return null;
	const { compared, group } = found;
	const number = measure(compared.field);
	const isIn = group === null ? () => true : new ConditionLook(look.world).test(group);
	let best: { entity_id: number; value: number } | null = null;
	look.each([number.component], (slot) => {
		const value = number.of(look.entity(slot));
		if (value === undefined || !isIn(look.entity(slot))) return;
		if (best === null || Math.abs(value - compared.value) < Math.abs(best.value - compared.value))
			best = { entity_id: slot, value: Math.fround(value) === value ? shortest(value) : value };
	});
	return best;
}

/** Entities whose fields are changed to see whether a rule then fires. */
const MAX_INVOLVED = 4;

/** Fields of the rule, and those of the entities that meet most of its parts, as far as these read them. */
export function fireCandidates(world: World, id: number): Candidate[] {
	const { when, filter } = documentOf(world, id);
	const typed = parseFilter(filter);
	const names = new Set(
		[...readsOf(when), ...readsOf(typed)].map((name) => {
			const [component = ''] = name.split('.');
			return component === 'global_transform' || component === 'parent' ? 'local_transform' : component;
		}),
	);
	const claims = looked(when).flatMap((part) => claimOf(part) ?? []);
	const parts = aboutOf(when).subject
		? [...looked(when), ...joinedParts(typed)]
		: claims.flatMap(({ filter: group, of }) => [...joinedParts(group), ...joinedParts(of)]);
	const involved = parts.length > 0 ? nearlyMeeting(world, parts) : [];
	const comparisons = looked(when).flatMap((part) => comparisonsIn(part).map(({ compared }) => compared));
	return [
		...ruleCandidates(world, id),
		...involved
			.flatMap((entity) => entityCandidates(world, entity, names))
			.map((candidate) => ({ ...candidate, values: wantedOf(candidate.field, comparisons) })),
	];
}

/** Returns the numbers that a field is compared with, and just beyond. */
const wantedOf = (field: string, comparisons: readonly FieldComparison[]): number[] =>
	comparisons
		.filter((compared) => compared.field === field || compared.field === `${field}.current`)
		.flatMap(({ value }) => [value, ...beyond(value)]);

/** Returns the entities that meet the most of some conditions, most first. */
function nearlyMeeting(world: World, parts: readonly InnerCondition[]): number[] {
	const look = new ConditionLook(world);
	const tests = parts.map((part) => look.test(part));
	const met = new Map<number, number>();
	const rules = new Set<number>();
	each(world, [Rule], (slot) => rules.add(slot));
	eachEntity(world, (slot) => {
		if (rules.has(slot)) return;
		const count = tests.filter((test) => test(look.entity(slot))).length;
		met.set(slot, count);
	});
	return [...met]
		.sort(([a, most], [b, more]) => more - most || a - b)
		.slice(0, MAX_INVOLVED)
		.map(([slot]) => slot);
}

/**
 * Returns ticks from now until a rule fires in a copy of the world, which is stepped; null if it does not within
 * `ticks`.
 */
export function* firesWithin(copy: World, id: number, ticks: number): SlicedWork<number | null> {
	const before = get(copy, id, RuleTally)?.count ?? 0;
	for (let tick = 1; tick <= ticks; tick++) {
		step(copy);
		if ((get(copy, id, RuleTally)?.count ?? 0) > before) return tick;
		yield;
	}
	return null;
}
