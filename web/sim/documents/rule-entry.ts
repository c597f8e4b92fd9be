/** Rules in documents. Owns: parsing short texts of conditions and actions, and applying changes to a rule. */

import { ApiError, catchRefusal } from '../../../shared/contract/errors.ts';
import { isWeighable, NOT_WEIGHABLE } from '../../../shared/contract/weight.ts';
import type { OutcomeChange, RuleDocument, SentRule, WrittenRule } from '../../../shared/rules/rule.ts';
import { type Action, readAction } from '../../../shared/verbs/actions/index.ts';
import { readCondition } from '../../../shared/verbs/condition-text.ts';

function parseText<T>(path: string, sent: T | string, parse: (text: string) => T): T {
	if (typeof sent !== 'string') return sent;
	return catchRefusal(
		() => parse(sent),
		({ message, fix }) => {
			throw new ApiError('invalid_rule', `${path}: ${message}.`, { path, fix });
		},
	);
}

const parseActions = (path: string, sent: readonly (Action | string)[]) =>
	sent.map((action, i) => parseText(`${path}[${i}]`, action, readAction));

type SentOutcome = NonNullable<WrittenRule['outcomes']>[number];

function parseOutcome({ do: effects, actions: same, ...outcome }: SentOutcome, path: string) {
	if (same == null) return { ...outcome, do: parseActions(`${path}.do`, effects) };
	if (effects.length === 0) return { ...outcome, do: parseActions(`${path}.actions`, same) };
	throw new ApiError(
		'invalid_rule',
		`${path}.actions: "do" and "actions" mean the same. Send only one of them.`,
		{
			path: `${path}.actions`,
		},
	);
}

/** Returns the rule with all texts parsed. Throws `invalid_rule` for a text that cannot be parsed. */
export function parseRule(sent: WrittenRule): SentRule {
	return {
		...sent,
		when: parseText('when', sent.when, (text) => readCondition(text, 'rule')),
		do: sent.do == null ? undefined : parseActions('do', sent.do),
		actions: sent.actions == null ? undefined : parseActions('actions', sent.actions),
		outcomes:
			sent.outcomes == null
				? undefined
				: sent.outcomes.map((outcome, i) => parseOutcome(outcome, `outcomes[${i}]`)),
	};
}

/** Fields of a rule to change. */
export type RuleChange = Partial<Omit<WrittenRule, 'outcomes'>> & {
	readonly outcomes?: readonly OutcomeChange[] | null | undefined;
};

/**
 * Returns a rule with changed fields. New actions replace the old ones, whether sent as "do" or "actions". Outcomes are
 * matched by label. Throws `invalid_rule`.
 */
export function changeRule(rule: RuleDocument, { outcomes: sent, ...change }: RuleChange): WrittenRule {
	const { do: effects, outcomes, ...rest } = rule;
	const replacesEffects = change.do != null || change.actions != null || sent != null;
	return {
		enabled: true,
		...rest,
		...(replacesEffects ? {} : { do: effects, outcomes }),
		...change,
		...(sent == null ? {} : { outcomes: changeOutcomes(outcomes ?? [], sent) }),
	} as WrittenRule;
}

function changeOutcomes(oldOutcomes: NonNullable<RuleDocument['outcomes']>, sent: readonly OutcomeChange[]) {
	const outcomes = sent.map(({ label, weight, do: effects, actions: same }, i) => {
		const oldOutcome = oldOutcomes.find((candidate) => candidate.label === label);
		const chance = weight ?? oldOutcome?.weight;
		if (chance === undefined)
			throw new ApiError('invalid_rule', `outcomes[${i}]: the rule has no outcome "${label}" yet.`, {
				path: `outcomes[${i}].weight`,
				fix: 'Send its "weight", or the label of an outcome that the rule has.',
			});
		return {
			label,
			weight: chance,
			do: effects ?? (same == null ? (oldOutcome?.do ?? []) : []),
			...(same == null ? {} : { actions: same }),
		};
	});
	if (isWeighable(outcomes)) return outcomes;
	throw new ApiError('invalid_rule', `outcomes: ${NOT_WEIGHABLE}.`, { path: 'outcomes' });
}

/** Returns warnings about probable mistakes: outcomes that the change removes, and new outcomes without an effect. */
export function outcomeWarnings(rule: RuleDocument, sent: readonly OutcomeChange[]): string[] {
	const oldLabels = new Set((rule.outcomes ?? []).map(({ label }) => label));
	const sentLabels = new Set(sent.map(({ label }) => label));
	return [
		...[...oldLabels]
			.filter((label) => !sentLabels.has(label))
			.map((label) => `outcomes: "${label}" is not listed, so it was removed`),
		...sent.flatMap(({ label, do: effects, actions: same }, i) =>
			oldLabels.has(label) || effects != null || same != null
				? []
				: [`outcomes[${i}]: "${label}" is a new outcome without "do", so it does nothing`],
		),
	];
}
