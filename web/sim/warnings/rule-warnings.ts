/**
 * Parts of a rule that can never have an effect, or currently have none.
 * Owns: saying so, with the place in the rule. A rule is taken nevertheless: what is missing may come.
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

/** Returns all that is in vain in a rule, each with its place. */
export function ruleWarnings(world: World, id: number): string[] {
	const { when, filter, do: effects, outcomes, name, enabled } = documentOf(world, id);
	const about = aboutOf(when);
	const typed = parseFilter(filter);
	const warnings = [
		...conditionWarnings(world, when, 'when', 'each'),
		...filterWarnings(world, typed, 'filter'),
	];
	const text = writeCondition(typed);
	if (!about.subject && text !== 'any')
		warnings.push(
			`filter: a rule on ${wordOf(conditionKind(when))} has no subject entity, so its filter does nothing; name entities in the actions instead, for example with the target all:${text}`,
		);
	const all = (actions: readonly Action[], path: string) =>
		actions.flatMap((action, i) => actionWarnings(world, action, about, `${path}[${i}]`));
	return [
		...(enabled === false ? ['enabled: the rule is disabled, so it never fires'] : []),
		...sameName(world, id, name),
		...warnings,
		...all(effects ?? [], 'do'),
		...(outcomes ?? []).flatMap((outcome, i) => all(outcome.do, `outcomes[${i}].do`)),
	];
}

/** That another rule has the name: a rule that was sent twice has every effect twice. */
function sameName(world: World, id: number, name: string | undefined): string[] {
	if (name === undefined) return [];
	const other = rulesCalled(world, name).find((candidate) => candidate !== id);
	return other === undefined
		? []
		: [
				`name: rule ${other} also has the name "${name}", and both fire; to remove it, send DELETE /rule/${other}`,
			];
}

/** By column of documents the rules of each name. */
const named = new WeakMap<object, { readonly version: number; readonly ids: Map<string, number[]> }>();

function rulesCalled(world: World, name: string): readonly number[] {
	const documents = read(world, Rule, 'document') as readonly RuleDocument[];
	const version = versionOf(world, Rule, 'document');
	let cached = named.get(documents);
	if (cached?.version !== version) {
		cached = { version, ids: new Map() };
		for (const id of ruleIds(world)) {
			const { name: own } = documents[id]!;
			if (own === undefined) continue;
			const before = cached.ids.get(own);
			if (before === undefined) cached.ids.set(own, [id]);
			else before.push(id);
		}
		named.set(documents, cached);
	}
	return cached.ids.get(name)!;
}

function actionWarnings(world: World, action: Action, about: About, path: string): string[] {
	const warnings = targetsOf(action).flatMap(({ field, target }) => {
		const missing = missingFor(target, about) ?? absent(world, target);
		if (missing !== null) return [`${path}.${field}: ${missing}, so this does nothing`];
		const filter = filterOf(target);
		return filter === null ? [] : filterWarnings(world, filter, `${path}.${field}`);
	});
	if ('by' in action && action.by != null && missingFor(action.by, about) !== null)
		warnings.push(`${path}.by: ${missingFor(action.by, about)}, so no entity is credited`);
	return [...warnings, ...warnOfAction(world, action).map((warning) => `${path}${warning}`)];
}

/** Reason that a target never names an entity; null if it can. */
function missingFor(target: Target, about: About): string | null {
	const { needs } = targetKind(target);
	if (needs === undefined || about[needs]) return null;
	if (needs === 'source') return 'the condition of this rule has no source';
	const why = typeof target === 'string' ? '' : ' to measure from; use tag:NAME or all:FILTER';
	return `the rule has no subject entity, so there is no "this"${why}`;
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

/** Entity that a target names by id but that is not there now; null if it names none by id, or one that exists. */
function absent(world: World, target: Target): string | null {
	if (typeof target === 'string' || !('entity' in target) || isAlive(world, target.entity)) return null;
	return `there is currently no entity ${target.entity}`;
}
