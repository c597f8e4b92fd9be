/** Rules in documents: short texts for conditions and actions become typed ones. */

import { Fault } from '../../../shared/contract/errors.ts';
import type { Action, SentRule, WrittenRule } from '../../../shared/documents/rule.ts';
import { parseAction, parseCondition, RuleTextError } from '../rules/rule-text.ts';

function typed<T>(path: string, sent: T | string, parse: (text: string) => T): T {
	if (typeof sent !== 'string') return sent;
	try {
		return parse(sent);
	} catch (error) {
		if (error instanceof RuleTextError)
			throw new Fault('invalid_rule', `${path}: ${error.message}.`, { path });
		throw error;
	}
}

const actions = (path: string, sent: readonly (Action | string)[]) =>
	sent.map((action, i) => typed(`${path}[${i}]`, action, parseAction));

/** The rule with everything in typed form. Throws `invalid_rule` for a text that is not understood. */
export function typedRule(sent: WrittenRule): SentRule {
	return {
		...sent,
		when: typed('when', sent.when, parseCondition),
		do: sent.do == null ? undefined : actions('do', sent.do),
		actions: sent.actions == null ? undefined : actions('actions', sent.actions),
		outcomes:
			sent.outcomes == null
				? undefined
				: sent.outcomes.map((outcome, i) => ({ ...outcome, do: actions(`outcomes[${i}].do`, outcome.do) })),
	};
}
