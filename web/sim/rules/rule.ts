/**
 * Creates, reads and removes the rules of a world. A rule is an entity with a Rule component.
 * Owns: the checks of a rule, and the order in which rules fire.
 */

import { FRESH_MEMORY, Rule } from '../../../shared/components/rule.ts';
import { RuleTally } from '../../../shared/components/rule-tally.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError, checkAt } from '../../../shared/contract/errors.ts';
import { type Fraction, parseFraction } from '../../../shared/contract/fraction.ts';
import {
	countRuleParts,
	MAX_RULE_PARTS,
	type RuleDocument,
	type SentRule,
} from '../../../shared/rules/rule.ts';
import { type Action, targetsOf } from '../../../shared/verbs/actions/index.ts';
import { checkCondition, checkFilter } from '../../../shared/verbs/check-condition.ts';
import { CONDITIONS, type Condition, conditionKind } from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { entityAt } from '../core/entities.ts';
import { add, despawn, each, has, read, remove, spawn, versionOf, type World } from '../core/world.ts';
import { checkAction } from './actions/index.ts';

function refuse(path: string, reason: string, fix?: string): never {
	throw new ApiError('invalid_rule', `${path}: ${reason}.`, { path, fix });
}

/**
 * Creates a rule. Throws `invalid_rule` if a filter, field, event or weight in it is invalid. Throws `world_full` if
 * all rules together would have too many actions and outcomes.
 */
export function createRule(world: World, sent: SentRule): EntityHandle {
	const document = checkRule(sent);
	const parts = rulePartsIn(world) + countRuleParts(document);
	requirePartLimit(parts);
	const handle = spawn(world);
	add(world, handle.id, Rule, { document, memory: FRESH_MEMORY, created: world.tick });
	partCounts.set(read(world, Rule, 'document'), { version: versionOf(world, Rule, 'document'), parts });
	return handle;
}

/**
 * Replaces the document of a rule. The rule keeps its id and its tally. If its condition or filter changes, it fires
 * again for entities that pass them. With `forget`, it becomes like a new rule. Throws `rule_not_found`, and the errors
 * of `createRule`.
 */
export function editRule(world: World, id: number, sent: SentRule, forget: boolean): void {
	const previous = ruleAt(world, id);
	const document = checkRule(sent);
	requirePartLimit(rulePartsIn(world) - countRuleParts(previous) + countRuleParts(document));
	const conditionText = ({ when, filter }: RuleDocument) => canonicalJson([when, filter]);
	const { fired } = read(world, Rule, 'memory')[id]!;
	const newMemory = forget ? FRESH_MEMORY : { ...FRESH_MEMORY, fired };
	add(world, id, Rule, {
		document,
		...(forget ? { created: world.tick } : {}),
		...(forget || conditionText(previous) !== conditionText(document) ? { memory: newMemory } : {}),
	});
	if (forget) remove(world, id, RuleTally);
}

/** Throws `world_full` if the rules of a world would have too many actions and outcomes. */
function requirePartLimit(parts: number): void {
	if (parts <= MAX_RULE_PARTS) return;
	throw new ApiError(
		'world_full',
		`With this rule, the rules of the world would have ${parts} actions and outcomes. The limit is ${MAX_RULE_PARTS}.`,
		{ fix: 'Delete rules that you no longer need.' },
	);
}

/** Number of actions and outcomes of all rules, by the column of documents. */
const partCounts = new WeakMap<object, { readonly version: number; readonly parts: number }>();

function rulePartsIn(world: World): number {
	const documents = read(world, Rule, 'document');
	const cached = partCounts.get(documents);
	if (cached?.version === versionOf(world, Rule, 'document')) return cached.parts;
	let parts = 0;
	each(world, [Rule], (id) => {
		parts += countRuleParts(documents[id]);
	});
	return parts;
}

/** Checks a sent rule beyond its schema. Returns the document that the world keeps. Throws `invalid_rule`. */
export function checkRule(sent: SentRule): RuleDocument {
	const effects = sent.do ?? sent.actions;
	if (sent.do != null && sent.actions != null)
		refuse('actions', '"do" and "actions" mean the same; send only one of them');
	if (effects == null && sent.outcomes == null) refuse('do', 'a rule needs "do", "actions" or "outcomes"');
	if (effects != null && sent.outcomes != null)
		refuse('outcomes', 'a rule may have "do" or "outcomes", not both');
	const when = checkAt('when', () => checkCondition(sent.when), refuse);
	checkAt('filter', () => checkFilter(sent.filter), refuse);
	checkActions(effects ?? [], 'do');
	let total = 0n;
	sent.outcomes?.forEach((outcome, i) => {
		total += weightOf(outcome.weight, `outcomes[${i}].weight`).num;
		checkActions(outcome.do, `outcomes[${i}].do`);
	});
	if (sent.outcomes != null && total === 0n)
		refuse('outcomes', 'at least one outcome needs a weight above 0');
	return {
		...(sent.name == null ? {} : { name: sent.name }),
		when,
		filter: sent.filter,
		...(effects == null ? {} : { do: effects }),
		...(sent.outcomes == null ? {} : { outcomes: sent.outcomes }),
		priority: sent.priority,
		once: sent.once,
		...(sent.on_failure === 'stop' ? { on_failure: 'stop' as const } : {}),
		...(sent.enabled ? {} : { enabled: false as const }),
	};
}

/** Returns the exact weight. Throws `invalid_rule`. */
export function weightOf(weight: number | string, path: string): Fraction {
	return (
		parseFraction(weight) ??
		refuse(path, `"${weight}" is not a weight: it must be a number of at least 0 or a fraction such as "1/3"`)
	);
}

function checkTarget(target: Target, path: string): void {
	const declared = targetKind(target);
	if (!('filter' in declared) || declared.filter !== true) return;
	const { kind, value } = targetParts(target);
	checkAt(`${path}.${kind}`, () => checkFilter(value as Condition | string), refuse);
}

/** Checks actions beyond their schema. Throws `invalid_rule`. */
export function checkActions(actions: readonly Action[], path: string): void {
	for (const [i, action] of actions.entries()) {
		const actionPath = `${path}[${i}]`;
		for (const { field, target } of targetsOf(action)) checkTarget(target, `${actionPath}.${field}`);
		checkAt(actionPath, () => checkAction(action), refuse);
	}
}

export function documentOf(world: World, id: number): RuleDocument {
	return read(world, Rule, 'document')[id] as RuleDocument;
}

interface FiringOrder {
	readonly version: number;
	readonly ids: readonly number[];
}
/** Firing orders by the column of documents, which forks share until one of them changes its rules. */
const firingOrders = new WeakMap<object, FiringOrder>();

/** Returns the ids of the rules in the order in which they fire: higher priority first, then by kind, then by id. */
export function firingOrder(world: World): readonly number[] {
	const documents = read(world, Rule, 'document') as readonly RuleDocument[];
	const version = versionOf(world, Rule, 'document');
	const cached = firingOrders.get(documents);
	if (cached?.version === version) return cached.ids;
	const ids = ruleIds(world);
	const rank = (id: number) => CONDITIONS.indexOf(conditionKind(documents[id]!.when));
	ids.sort((a, b) => documents[b]!.priority - documents[a]!.priority || rank(a) - rank(b) || a - b);
	firingOrders.set(documents, { version, ids });
	return ids;
}

/** Returns the ids of the rules, ascending. */
export function ruleIds(world: World): number[] {
	const ids: number[] = [];
	each(world, [Rule], (id) => ids.push(id));
	return ids;
}

/** Returns the rule with an id. Throws `rule_not_found`. */
export function ruleAt(world: World, id: number): RuleDocument {
	if (!has(world, id, Rule)) throw new ApiError('rule_not_found', `There is no rule ${id}.`);
	return documentOf(world, id);
}

/** Removes a rule. Throws `rule_not_found`. */
export function deleteRule(world: World, id: number): void {
	ruleAt(world, id);
	despawn(world, entityAt(world, id).id);
}

/** A rule in a scenario or a level. Its actions are under `actions`, where every reader of these documents expects them. */
type ExportedRule = Omit<RuleDocument, 'do'> & { readonly actions?: readonly Action[] };

/** Returns all rules in id order, as scenarios and levels contain them. */
export function ruleDocuments(world: World): ExportedRule[] {
	return ruleIds(world).map((id) => {
		const { do: effects, ...rule } = documentOf(world, id);
		return effects === undefined ? rule : { ...rule, actions: effects };
	});
}
