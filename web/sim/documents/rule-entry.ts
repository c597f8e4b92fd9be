/** Rules in documents: short texts for conditions and actions become typed ones. */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { RuleDocument, SentRule, WrittenRule } from '../../../shared/rules/rule.ts';
import { type Action, readAction } from '../../../shared/verbs/actions/index.ts';
import { readCondition } from '../../../shared/verbs/condition-text.ts';
import { VerbTextError } from '../../../shared/verbs/verb-text.ts';

function typed<T>(path: string, sent: T | string, parse: (text: string) => T): T {
	if (typeof sent !== 'string') return sent;
	try {
		return parse(sent);
	} catch (error) {
		if (error instanceof VerbTextError)
			throw new ApiError('invalid_rule', `${path}: ${error.message}.`, {
				path,
				...(error.fix === undefined ? {} : { fix: error.fix }),
			});
		throw error;
	}
}

const actions = (path: string, sent: readonly (Action | string)[]) =>
	sent.map((action, i) => typed(`${path}[${i}]`, action, readAction));

type Outcome = NonNullable<WrittenRule['outcomes']>[number];

function typedOutcome({ do: effects, actions: same, ...outcome }: Outcome, path: string) {
	if (same == null) return { ...outcome, do: actions(`${path}.do`, effects) };
	if (effects.length === 0) return { ...outcome, do: actions(`${path}.actions`, same) };
	throw new ApiError(
		'invalid_rule',
		`${path}.actions: "do" and "actions" mean the same. Send only one of them.`,
		{
			path: `${path}.actions`,
		},
	);
}

/** The rule with everything in typed form. Throws `invalid_rule` for a text that is not understood. */
export function typedRule(sent: WrittenRule): SentRule {
	return {
		...sent,
		when: typed('when', sent.when, (text) => readCondition(text, 'rule')),
		do: sent.do == null ? undefined : actions('do', sent.do),
		actions: sent.actions == null ? undefined : actions('actions', sent.actions),
		outcomes:
			sent.outcomes == null
				? undefined
				: sent.outcomes.map((outcome, i) => typedOutcome(outcome, `outcomes[${i}]`)),
	};
}

/** A rule with some fields changed: what it does is replaced as a whole, under whichever name. */
export function changedRule(before: RuleDocument, change: Partial<WrittenRule>): WrittenRule {
	const { do: effects, outcomes, ...rest } = before;
	const replaces = change.do != null || change.actions != null || change.outcomes != null;
	return { enabled: true, ...rest, ...(replaces ? {} : { do: effects, outcomes }), ...change } as WrittenRule;
}
