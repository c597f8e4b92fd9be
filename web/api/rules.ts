/** Handlers of the tag Rules. */

import { Rule } from '../../shared/components/rule.ts';
import { RuleTally } from '../../shared/components/rule-tally.ts';
import { findAssetNames } from '../../shared/contract/asset-mark.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/rules.ts';
import { type WrittenRule, writtenRule } from '../../shared/rules/rule.ts';
import { conditionKind, wordOf } from '../../shared/verbs/conditions/index.ts';
import { sayFiring } from '../../shared/verbs/conditions/reading.ts';
import { get, read, type World } from '../sim/core/world.ts';
import { changeRule, outcomeWarnings, parseRule } from '../sim/documents/rule-entry.ts';
import { parseFilter } from '../sim/rules/conditions/filter.ts';
import { createRule, deleteRule, documentOf, editRule, ruleAt, ruleIds } from '../sim/rules/rule.ts';
import { ruleWarnings } from '../sim/warnings/rule-warnings.ts';
import { withAssetHashes } from './asset-names.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';
import { withMeshWarnings } from './mesh-files.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

function ruleView(world: World, id: number) {
	const document = documentOf(world, id);
	const { when } = document;
	const kind = conditionKind(when);
	return {
		id,
		generation: world.entities.generations.data[id]!,
		type: kind.listedAs ?? wordOf(kind),
		...('interval' in when ? { interval: when.interval } : {}),
		...('threshold' in when ? { threshold: when.threshold } : {}),
		...('phase' in when ? { phase: when.phase } : {}),
		...document,
		enabled: document.enabled !== false,
		do: document.do ? [...document.do] : undefined,
		outcomes: document.outcomes ? [...document.outcomes] : undefined,
		created: read(world, Rule, 'created')[id]!,
		fired: read(world, Rule, 'memory')[id]!.fired,
		firings: get(world, id, RuleTally)?.count ?? 0,
	};
}

/** Throws `invalid_rule` for a rule without actions. */
function requireActions(rule: Pick<WrittenRule, 'do' | 'actions'>): void {
	if ((rule.do ?? rule.actions)?.length === 0)
		throw new ApiError('invalid_rule', 'A rule without actions does nothing.', { path: 'actions' });
}

export const handlers = [
	handler(routes.createRule, async ({ host, world }, { body }) => {
		requireActions(body);
		// The short text form of an action may name assets, so it is parsed first.
		const rule = await withAssetHashes(host.assets, writtenRule, parseRule(body));
		const { id, generation } = createRule(world, rule);
		const document = documentOf(world, id);
		const answer = {
			id,
			rule_id: id,
			generation,
			when: body.when,
			reading: sayFiring({ when: document.when, filter: parseFilter(document.filter) }),
			...warningsField(ruleWarnings(world, id)),
		};
		return withMeshWarnings(host, [...findAssetNames(writtenRule, document, 'model')], answer);
	}),

	handler(routes.listRules, ({ world }) => {
		const rules = ruleIds(world).map((id) => ruleView(world, id));
		return { rules, count: rules.length };
	}),

	handler(routes.getRule, ({ world }, { params }) => {
		ruleAt(world, params.id);
		return { rule: ruleView(world, params.id) };
	}),

	handler(routes.changeRule, async ({ host, world }, { params: { id }, body }) => {
		const { forget, ...change } = body;
		const oldRule = ruleAt(world, id);
		const rule = changeRule(oldRule, givenFields(change));
		const changeWarnings = change.outcomes == null ? [] : outcomeWarnings(oldRule, change.outcomes);
		requireActions(rule);
		editRule(world, id, await withAssetHashes(host.assets, writtenRule, parseRule(rule)), forget);
		const document = documentOf(world, id);
		const answer = {
			message: `Rule ${id} was changed.`,
			rule: ruleView(world, id),
			reading: sayFiring({ when: document.when, filter: parseFilter(document.filter) }),
			...warningsField([...changeWarnings, ...ruleWarnings(world, id)]),
			...stampOf(world),
		};
		return withMeshWarnings(host, [...findAssetNames(writtenRule, document, 'model')], answer);
	}),

	handler(routes.deleteRule, ({ world }, { params }) => {
		deleteRule(world, params.id);
		return { deleted: params.id, ...stampOf(world) };
	}),
];
