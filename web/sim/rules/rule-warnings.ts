/**
 * What in a rule can never have an effect, or has none as things are now.
 * Owns: saying so, with the place in the rule. A rule is taken nevertheless: what is missing may come.
 */

import { parseColor } from '../../../shared/components/color.ts';
import { Fault } from '../../../shared/contract/errors.ts';
import type { Action } from '../../../shared/documents/action.ts';
import type { Condition } from '../../../shared/documents/condition.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import type { Target } from '../../../shared/documents/target.ts';
import { clone, dispose } from '../core/clone.ts';
import { isAlive } from '../core/entities.ts';
import type { World } from '../core/world.ts';
import { findItem } from '../economy/items.ts';
import { parseFilter } from '../filters/filter.ts';
import { colorWarning, spawnEntity } from '../spawn/spawn-entity.ts';
import { template } from '../templates/templates.ts';
import { spawnedDocument } from './action.ts';
import { canBeAbout } from './condition.ts';

type About = ReturnType<typeof canBeAbout>;

/** All that is in vain in a rule, each with its place. */
export function ruleWarnings(world: World, { when, filter, do: effects, outcomes }: RuleDocument): string[] {
	const about = canBeAbout(when);
	const warnings = conditionWarnings(world, when, 'when');
	if (!about.subject && parseFilter(filter).type !== 'any')
		warnings.push(
			`filter: a ${when.kind} rule is about no entity, so its filter does nothing; name entities in the actions, as with the target all:${filter}`,
		);
	const all = (actions: readonly Action[], path: string) =>
		actions.flatMap((action, i) => actionWarnings(world, action, about, `${path}[${i}]`));
	return [
		...warnings,
		...all(effects ?? [], 'do'),
		...(outcomes ?? []).flatMap((outcome, i) => all(outcome.do, `outcomes[${i}].do`)),
	];
}

function conditionWarnings(world: World, condition: Condition, path: string): string[] {
	switch (condition.kind) {
		case 'health_below':
			return condition.threshold > 0
				? []
				: [`${path}: nothing alive has health below ${condition.threshold}`];
		case 'enter':
		case 'leave': {
			const { zone } = condition;
			if ('entity' in zone && !isAlive(world, zone.entity))
				return [`${path}.zone: there is no entity ${zone.entity} now`];
			const empty = 'half' in zone ? zone.half.some((extent) => extent <= 0) : zone.radius <= 0;
			return empty ? [`${path}.zone: nothing is ever inside a zone without extent`] : [];
		}
		case 'all':
		case 'any':
			return condition.of.flatMap((part, i) =>
				conditionWarnings(world, part as Condition, `${path}.of[${i}]`),
			);
		case 'not':
			return conditionWarnings(world, condition.of as Condition, `${path}.of`);
		default:
			return [];
	}
}

function actionWarnings(world: World, action: Action, about: About, path: string): string[] {
	const warnings: string[] = [];
	const vain = (target: Target, at: string) => {
		const missing = missingFor(target, about) ?? absent(world, target);
		if (missing !== null) warnings.push(`${at}: ${missing}, so this does nothing`);
	};
	if ('target' in action) vain(action.target, `${path}.target`);
	if ('at' in action && action.at != null) vain(action.at, `${path}.at`);
	if ('about' in action && action.about != null) vain(action.about, `${path}.about`);
	if ('by' in action && action.by != null && missingFor(action.by, about) !== null)
		warnings.push(`${path}.by: ${missingFor(action.by, about)}, so nobody is credited`);
	if ('item_id' in action && findItem(world, action.item_id) === undefined)
		warnings.push(`${path}.item_id: there is no item ${action.item_id} now`);
	if (action.action !== 'spawn' && 'color' in action && parseColor(action.color) === null)
		warnings.push(`${path}: ${colorWarning(action.color)}`);
	if (action.action === 'spawn')
		for (const warning of spawnWarnings(world, action)) warnings.push(`${path}: ${warning}`);
	return warnings;
}

/** Why a target never names anybody; null when it can. */
function missingFor(target: Target, about: About): string | null {
	if (target === 'source') return about.source ? null : 'nobody is the source of what this rule waits for';
	const needsThis = target === 'this' || (typeof target === 'object' && 'nearest' in target);
	if (!needsThis || about.subject) return null;
	const why = target === 'this' ? '' : ' to be nearest to; tag:NAME or all:FILTER need none';
	return `the rule is about no entity, there is no "this"${why}`;
}

/** Whom a target names that is not there now; null when it names nobody by id, or somebody who is. */
function absent(world: World, target: Target): string | null {
	if (typeof target === 'string' || !('entity' in target) || isAlive(world, target.entity)) return null;
	return `there is no entity ${target.entity} now`;
}

/** What spawning now would be answered, tried on a copy. */
function spawnWarnings(world: World, action: Extract<Action, { action: 'spawn' }>): readonly string[] {
	const copy = clone(world);
	try {
		if (action.template != null) template(copy, action.template);
		return spawnEntity(copy, spawnedDocument(copy, action) ?? {}).warnings;
	} catch (error) {
		if (error instanceof Fault) return [`as things are nothing appears: ${error.message}`];
		throw error;
	} finally {
		dispose(copy);
	}
}
