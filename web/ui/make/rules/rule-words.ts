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

type Value = Readonly<Record<string, unknown>>;

/** Returns the name of an entity. */
export type NameOf = (id: number) => string;

const isRecord = (value: unknown): value is Value =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the text of a value in an action, such as a target, a position or a number. */
function valueWords(value: unknown, nameOf: NameOf): string {
	if (typeof value === 'number') return formatNumber(value);
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map((item) => valueWords(item, nameOf)).join(', ');
	if (!isRecord(value)) return String(value);
	if (typeof value.kind === 'string' || typeof value.type === 'string') return writeCondition(value);
	return Object.entries(value)
		.map(([key, part]) =>
			key === 'entity' && typeof part === 'number'
				? nameOf(part)
				: `${labelOf(key)} ${valueWords(part, nameOf)}`,
		)
		.join(', ');
}

/** Returns the text of an action: its verb, its target, then its other fields. */
export function actionWords(action: unknown, nameOf: NameOf): string {
	if (!isRecord(action)) return String(action);
	const { action: verb, target, ...rest } = action;
	const fields = Object.entries(rest).flatMap(([key, value]) =>
		value == null ? [] : [`${labelOf(key)} ${valueWords(value, nameOf)}`],
	);
	const targetWords = target == null ? [] : [valueWords(target, nameOf)];
	return [[labelOf(String(verb)), ...targetWords].join(' '), ...fields].join(', ');
}

const actionsWords = (actions: readonly unknown[], nameOf: NameOf): string =>
	actions.length === 0 ? 'nothing' : actions.map((one) => actionWords(one, nameOf)).join(', then ');

/** Returns the text of outcomes with their odds. Outcomes without actions come last, as `otherwise nothing`. */
function outcomesWords(outcomes: readonly RuleOutcome[], nameOf: NameOf): string {
	const odds = oddsOf(outcomes);
	const acting = outcomes.flatMap(({ label, do: actions }, index) => {
		const share = odds[index];
		if (actions.length === 0) return [];
		return [`${share ? `${oneIn(share.exact)} (${label})` : label}: ${actionsWords(actions, nameOf)}`];
	});
	if (acting.length === 0) return 'nothing';
	return [...acting, ...(acting.length < outcomes.length ? ['otherwise nothing'] : [])].join('; ');
}

/** Returns the text of a filter; null for one that matches all entities. */
export function filterWords(filter: unknown): string | null {
	const words = typeof filter === 'string' ? filter : isRecord(filter) ? writeCondition(filter) : 'any';
	return words === 'any' ? null : words;
}

/** Returns the text of a condition. A short text is returned unchanged. */
export const whenWords = (when: unknown): string =>
	isRecord(when) ? sayCondition(when as InnerCondition, formatNumber) : String(when);

/** Returns a rule in one sentence. */
export function ruleSentence({ when, filter, do: actions, outcomes }: RuleDraft, nameOf: NameOf): string {
	const filterText = filterWords(filter);
	const done = outcomes === undefined ? actionsWords(actions ?? [], nameOf) : outcomesWords(outcomes, nameOf);
	return `When ${whenWords(when)}${filterText === null ? '' : `, for ${filterText}`}: ${done}.`;
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
