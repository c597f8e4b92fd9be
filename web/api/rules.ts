/** Handlers of the tag Rules. */

import { Rule } from '../../shared/components/rule.ts';
import { Fault } from '../../shared/contract/errors.ts';
import type { SentRule } from '../../shared/documents/rule.ts';
import * as routes from '../../shared/routes/rules.ts';
import { read, type World } from '../sim/core/world.ts';
import { createRule, deleteRule, documentOf, ruleAt, ruleIds } from '../sim/rules/rule.ts';
import { parseAction, parseCondition, RuleTextError } from '../sim/rules/rule-text.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';

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

type Sent = SentRule['do'] extends infer D
	? NonNullable<D> extends readonly (infer A)[]
		? A | string
		: never
	: never;

const typedActions = (path: string, actions: readonly Sent[]) =>
	actions.map((action, i) => typed(`${path}[${i}]`, action, parseAction));

function show(world: World, id: number) {
	const document = documentOf(world, id);
	const { when } = document;
	return {
		id,
		generation: world.entities.generations.data[id]!,
		type: when.kind === 'death' ? 'on_death' : when.kind,
		...(when.kind === 'timer' ? { interval: when.interval } : {}),
		...(when.kind === 'health_below' || when.kind === 'score' ? { threshold: when.threshold } : {}),
		...(when.kind === 'phase' ? { phase: when.phase } : {}),
		...document,
		do: document.do ? [...document.do] : undefined,
		outcomes: document.outcomes ? [...document.outcomes] : undefined,
		created: read(world, Rule, 'created')[id]!,
		fired: read(world, Rule, 'memory')[id]!.fired,
	};
}

/** Kinds that are about no entity, so that a filter has nothing to choose from. */
const ABOUT_NOBODY = new Set(['timer', 'tick', 'score', 'phase']);

export const handlers = [
	handler(routes.createRule, ({ world }, { body }) => {
		const when = typed('when', body.when, parseCondition);
		const rule: SentRule = {
			...body,
			when,
			do: body.do == null ? undefined : typedActions('do', body.do),
			actions: body.actions == null ? undefined : typedActions('actions', body.actions),
			outcomes: body.outcomes?.map((outcome, i) => ({
				...outcome,
				do: typedActions(`outcomes[${i}].do`, outcome.do),
			})),
		};
		const effects = rule.do ?? rule.actions;
		if (effects?.length === 0)
			throw new Fault('invalid_rule', 'A rule without actions does nothing.', { path: 'actions' });
		const { id, generation } = createRule(world, rule);
		const idle = ABOUT_NOBODY.has(when.kind) && body.filter.toLowerCase() !== 'any';
		const warnings = idle
			? [`a ${when.kind} rule is about no entity, so its filter does nothing`]
			: undefined;
		return { rule_id: id, generation, when: body.when, ...(warnings ? { warnings } : {}) };
	}),

	handler(routes.listRules, ({ world }) => {
		const rules = ruleIds(world).map((id) => show(world, id));
		return { rules, count: rules.length };
	}),

	handler(routes.getRule, ({ world }, { params }) => {
		ruleAt(world, params.id);
		return { rule: show(world, params.id) };
	}),

	handler(routes.deleteRule, ({ world }, { params }) => {
		deleteRule(world, params.id);
		return { deleted: params.id, ...momentOf(world) };
	}),
];
