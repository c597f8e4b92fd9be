/**
 * Warnings about parts of a rule that can never have an effect, or currently have none.
 * Owns: their texts, each with its path in the rule. The rule is accepted, because missing things may be added later.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { type Action, targetsOf } from '../../../shared/verbs/actions/index.ts';
import {
	type About,
	aboutOf,
	type Condition,
	conditionKind,
	type InnerCondition,
	wordOf,
	writeCondition,
} from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { isAlive } from '../core/entities.ts';
import { read, versionOf, type World } from '../core/world.ts';
import { warnOfAction } from '../rules/actions/index.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { documentOf, ruleIds } from '../rules/rule.ts';
import { conditionWarnings, filterWarnings } from './condition-warnings.ts';

/** Returns warnings about all parts of a rule without effect, each with its path. */
export function ruleWarnings(world: World, id: number): string[] {
	const { when, filter, do: effects, outcomes, name, enabled } = documentOf(world, id);
	const about = aboutOf(when);
	const parsedFilter = parseFilter(filter);
	const warnings = [
		...conditionWarnings(world, when, 'when', 'each'),
		...filterWarnings(world, parsedFilter, 'filter'),
	];
	const text = writeCondition(parsedFilter);
	if (!about.subject && text !== 'any')
		warnings.push(
			`filter: a rule on ${wordOf(conditionKind(when))} has no subject entity, so its filter does nothing; name entities in the actions instead, for example with the target all:${text}`,
		);
	const warningsOfActions = (actions: readonly Action[], path: string) =>
		actions.flatMap((action, i) => actionWarnings(world, action, about, `${path}[${i}]`));
	return [
		...(enabled === false ? ['enabled: the rule is disabled, so it never fires'] : []),
		...duplicateNameWarnings(world, id, name),
		...warnings,
		...warningsOfActions(effects ?? [], 'do'),
		...(outcomes ?? []).flatMap((outcome, i) => warningsOfActions(outcome.do, `outcomes[${i}].do`)),
	];
}

/** Returns a warning if another rule has the same name. A rule that was sent twice has every effect twice. */
function duplicateNameWarnings(world: World, id: number, name: string | undefined): string[] {
	if (name === undefined) return [];
	const other = ruleIdsOfName(world, name).find((candidate) => candidate !== id);
	return other === undefined
		? []
		: [
				`name: rule ${other} also has the name "${name}", and both fire; to remove it, send DELETE /rule/${other}`,
			];
}

/** Ids of the rules by name, for each column of documents. */
const idsByDocuments = new WeakMap<
	object,
	{ readonly version: number; readonly ids: Map<string, number[]> }
>();

function ruleIdsOfName(world: World, name: string): readonly number[] {
	const documents = read(world, Rule, 'document') as readonly RuleDocument[];
	const version = versionOf(world, Rule, 'document');
	let cached = idsByDocuments.get(documents);
	if (cached?.version !== version) {
		cached = { version, ids: new Map() };
		for (const id of ruleIds(world)) {
			const { name: ruleName } = documents[id]!;
			if (ruleName === undefined) continue;
			const ids = cached.ids.get(ruleName);
			if (ids === undefined) cached.ids.set(ruleName, [id]);
			else ids.push(id);
		}
		idsByDocuments.set(documents, cached);
	}
	return cached.ids.get(name)!;
}

function actionWarnings(world: World, action: Action, about: About, path: string): string[] {
	const warnings = targetsOf(action).flatMap(({ field, target }) => {
		const problem = missingReason(target, about) ?? absentEntityText(world, target);
		if (problem !== null) return [`${path}.${field}: ${problem}, so this does nothing`];
		const filter = filterOf(target);
		return filter === null ? [] : filterWarnings(world, filter, `${path}.${field}`);
	});
	if ('by' in action && action.by != null && missingReason(action.by, about) !== null)
		warnings.push(`${path}.by: ${missingReason(action.by, about)}, so no entity is credited`);
	return [...warnings, ...warnOfAction(world, action).map((warning) => `${path}${warning}`)];
}

/** Returns the reason that a target never names an entity; null if it can. */
function missingReason(target: Target, about: About): string | null {
	const { needs } = targetKind(target);
	if (needs === undefined || about[needs]) return null;
	if (needs === 'source') return 'the condition of this rule has no source';
	const hint = typeof target === 'string' ? '' : ' to measure from; use tag:NAME or all:FILTER';
	return `the rule has no subject entity, so there is no "this"${hint}`;
}

/** Returns the filter of a target that has one; null for any other. */
function filterOf(target: Target): InnerCondition | null {
	const declared = targetKind(target);
	if ('filter' in declared && declared.filter === true)
		return parseFilter(targetParts(target).value as Condition | string);
	return typeof target === 'object' && 'tag' in target
		? ({ type: 'tag', tag: target.tag } as InnerCondition)
		: null;
}

/** Returns a text if a target names an entity by an id that does not exist; otherwise null. */
function absentEntityText(world: World, target: Target): string | null {
	if (typeof target === 'string' || !('entity' in target) || isAlive(world, target.entity)) return null;
	return `there is currently no entity ${target.entity}`;
}
