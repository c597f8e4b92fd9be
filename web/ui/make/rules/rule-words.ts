/**
 * A rule as a sentence: "when it enters 3 m around 0, 0, 0, for team:2: 1 in 4 (snap): damage this, amount 10; otherwise nothing".
 * Owns: the texts of actions and outcomes, from their fields. The texts of conditions are in their declarations.
 */

import {
	addFractions,
	divideFractions,
	type Fraction,
	fraction,
	parseFraction,
	toNumber,
	type WrittenFraction,
	writeFraction,
} from '../../../../shared/contract/fraction.ts';
import {
	type InnerCondition,
	sayCondition,
	writeCondition,
} from '../../../../shared/verbs/conditions/index.ts';
import { labelOf } from '../../forms/control.ts';
import { formatNumber } from '../../numbers.ts';
import { oneIn } from '../../odds/fraction-words.ts';
import type { RuleDraft, RuleOutcome } from './rules-state.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Returns the name of an entity. */
export type NameOf = (id: number) => string;

const isRecord = (value: unknown): value is JsonRecord =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the text of a value in an action, such as a target, a position or a number. */
function describeValue(value: unknown, nameOf: NameOf): string {
	if (typeof value === 'number') return formatNumber(value);
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map((item) => describeValue(item, nameOf)).join(', ');
	if (!isRecord(value)) return String(value);
	if (typeof value.kind === 'string' || typeof value.type === 'string') return writeCondition(value);
	return Object.entries(value)
		.map(([key, part]) =>
			key === 'entity' && typeof part === 'number'
				? nameOf(part)
				: `${labelOf(key)} ${describeValue(part, nameOf)}`,
		)
		.join(', ');
}

/** Returns the text of an action: its verb, its target, then its other fields. */
export function describeAction(action: unknown, nameOf: NameOf): string {
	if (!isRecord(action)) return String(action);
	const { action: verb, target, ...rest } = action;
	const fields = Object.entries(rest).flatMap(([key, value]) =>
		value == null ? [] : [`${labelOf(key)} ${describeValue(value, nameOf)}`],
	);
	const targetWords = target == null ? [] : [describeValue(target, nameOf)];
	return [[labelOf(String(verb)), ...targetWords].join(' '), ...fields].join(', ');
}

const describeActions = (actions: readonly unknown[], nameOf: NameOf): string =>
	actions.length === 0 ? 'nothing' : actions.map((one) => describeAction(one, nameOf)).join(', then ');

/** Returns the text of outcomes with their odds. Outcomes without actions come last, as `otherwise nothing`. */
function describeOutcomes(outcomes: readonly RuleOutcome[], nameOf: NameOf): string {
	const odds = oddsOf(outcomes);
	const acting = outcomes.flatMap(({ label, do: actions }, index) => {
		const share = odds[index];
		if (actions.length === 0) return [];
		return [`${share ? `${oneIn(share.exact)} (${label})` : label}: ${describeActions(actions, nameOf)}`];
	});
	if (acting.length === 0) return 'nothing';
	return [...acting, ...(acting.length < outcomes.length ? ['otherwise nothing'] : [])].join('; ');
}

/** Returns the text of a filter; null for one that matches all entities. */
export function describeFilter(filter: unknown): string | null {
	const words = typeof filter === 'string' ? filter : isRecord(filter) ? writeCondition(filter) : 'any';
	return words === 'any' ? null : words;
}

/** Returns the text of a condition. A short text is returned unchanged. */
export const describeWhen = (when: unknown): string =>
	isRecord(when) ? sayCondition(when as InnerCondition, formatNumber) : String(when);

/** Returns a rule in one sentence. */
export function ruleSentence({ when, filter, do: actions, outcomes }: RuleDraft, nameOf: NameOf): string {
	const filterText = describeFilter(filter);
	const consequence =
		outcomes === undefined ? describeActions(actions ?? [], nameOf) : describeOutcomes(outcomes, nameOf);
	return `When ${describeWhen(when)}${filterText === null ? '' : `, for ${filterText}`}: ${consequence}.`;
}

export interface Odds {
	readonly exact: WrittenFraction;
	readonly p: number;
}

/** Returns the exact odds of each outcome, or null for an invalid weight or a sum of 0. */
export function oddsOf(outcomes: readonly Pick<RuleOutcome, 'weight'>[]): readonly (Odds | null)[] {
	const weights = outcomes.map(({ weight }) => parseFraction(weight));
	const sum = weights.reduce<Fraction>(
		(all, weight) => addFractions(all, weight ?? fraction(0n)),
		fraction(0n),
	);
	return weights.map((weight) => {
		if (weight === null || sum.num === 0n) return null;
		const share = divideFractions(weight, sum);
		return { exact: writeFraction(share), p: toNumber(share) };
	});
}
