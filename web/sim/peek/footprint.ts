/**
 * What in a tick depends on what: which draws of chance can have a say in whether others are reached.
 * Owns: what conditions and targets read and what actions write within one tick. It errs on the side of yes.
 *
 * Names: `entities` (who lives), `field:<component>`, `event:<kind>`, `match`, `items` (what the shop has), `rule:<id>` (that the rule exists).
 */

import { Health } from '../../../shared/components/health.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { Action } from '../../../shared/documents/action.ts';
import type { Condition } from '../../../shared/documents/condition.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import type { Target } from '../../../shared/documents/target.ts';
import { read, versionOf, type World } from '../core/world.ts';
import { fieldPath } from '../fields/field-path.ts';
import { componentNamed, type Filter, parseFilter } from '../filters/filter.ts';
import { firingOrder } from '../rules/rule.ts';
import { schedule } from '../schedule.ts';
import { ANYTHING, ENGINE_SOURCES } from './engine-sources.ts';

function filterReads(filter: Filter): string[] {
	switch (filter.type) {
		case 'any':
		case 'entity':
			return ['entities'];
		case 'team':
			return ['entities', 'field:team'];
		case 'role':
			return ['entities', 'field:role'];
		case 'tag':
			return ['entities', 'field:tags'];
		case 'has_component':
			return ['entities', `field:${componentNamed(filter.component)?.name}`];
		case 'and':
			return filter.filters.flatMap(filterReads);
	}
}

function conditionReads(condition: Condition, filter: Filter): string[] {
	switch (condition.kind) {
		case 'timer':
		case 'tick':
			return [];
		case 'score':
		case 'phase':
			return ['match'];
		case 'death':
			return ['event:death', ...filterReads(filter)];
		case 'event':
			return [`event:${condition.event}`, ...filterReads(filter)];
		case 'health_below':
			return ['field:health', 'field:dead', ...filterReads(filter)];
		case 'field':
			return [`field:${fieldPath(condition.field).component.name}`, ...filterReads(filter)];
		case 'enter':
		case 'leave':
			return ['field:local_transform', ...filterReads(filter)];
		case 'all':
		case 'any':
			return condition.of.flatMap((part) => conditionReads(part as Condition, filter));
		case 'not':
			return [...conditionReads(condition.of as Condition, filter), ...filterReads(filter)];
	}
}

function targetReads(target: Target): string[] {
	if (typeof target === 'string' || 'entity' in target) return ['entities'];
	if ('tag' in target) return filterReads({ type: 'tag', tag: target.tag });
	if ('team' in target) return filterReads({ type: 'team', team: target.team });
	if ('all' in target) return filterReads(parseFilter(target.all));
	return ['field:local_transform', ...filterReads(parseFilter(target.nearest))];
}

const fields = (...names: string[]) => names.map((name) => `field:${name}`);
const EFFECT_READS = fields('base_stats', 'combat', 'crowd_control', 'defense', 'equipment', 'mana');
const EFFECT_WRITES = fields('effects', 'modifiers', 'stats', 'health', 'mana');

/** What decides what an action does, besides what it writes itself. */
function actionReads(action: Action): string[] {
	const reads = [
		...('target' in action ? targetReads(action.target) : []),
		...('at' in action && action.at != null ? ['field:local_transform', ...targetReads(action.at)] : []),
		...('about' in action && action.about != null ? targetReads(action.about) : []),
	];
	switch (action.action) {
		case 'spawn':
			// No body appears where too many are already.
			return action.physics_body === 'Dynamic' || action.template != null
				? [...reads, 'field:local_transform']
				: reads;
		case 'heal':
			return [...reads, 'field:dead'];
		case 'score':
			return [...reads, 'field:team'];
		case 'apply_effect':
		case 'cleanse':
			return [...reads, 'field:effects', ...EFFECT_READS];
		case 'take_item':
			return [...reads, 'field:inventory'];
		case 'equip':
			return [...reads, 'field:inventory', 'field:effects', ...EFFECT_READS];
		case 'buy':
			return [...reads, ...fields('gold', 'inventory', 'team', 'dead', 'crowd_control'), 'items'];
		case 'cast':
			return [...reads, ...fields('abilities', 'mana', 'dead', 'crowd_control')];
		case 'tag':
			return [...reads, 'field:tags'];
		default:
			return reads;
	}
}

function actionWrites(action: Action): string[] {
	switch (action.action) {
		// What these send is read on the next tick; a text is not state.
		case 'damage':
		case 'emit':
		case 'text':
		case 'show_text':
			return [];
		case 'spawn':
			return ['entities'];
		case 'heal':
			return ['field:health'];
		case 'score':
		case 'endgame':
			return ['match'];
		case 'despawn':
			// Only by its id can a rule be a target.
			return typeof action.target === 'object' && 'entity' in action.target
				? ['entities', `rule:${action.target.entity}`]
				: ['entities'];
		case 'teleport':
			return ['field:local_transform'];
		case 'color':
		case 'set_color':
			return ['field:color'];
		case 'set_field':
		case 'add_field': {
			const { component, field } = fieldPath(action.field);
			// Health lets the dead live.
			return [
				`field:${component.name}`,
				...(component === Health && field === 'current' ? ['field:dead'] : []),
			];
		}
		case 'apply_effect':
			return EFFECT_WRITES;
		case 'cleanse':
			return ['field:crowd_control', ...EFFECT_WRITES];
		case 'give_item':
		case 'take_item':
			return ['field:inventory'];
		case 'equip':
			return ['field:inventory', 'field:equipment', ...EFFECT_WRITES];
		case 'buy':
			return ['field:gold', 'field:inventory', 'items'];
		case 'cast':
			return ['field:abilities'];
		case 'tag':
			return ['field:tags'];
	}
}

/** Something that acts in a tick: a rule, or what the engine itself leaves to chance. */
interface Actor {
	/** Id of the rule, or key of the engine's source. */
	readonly key: number;
	/** Whether it draws. */
	readonly chance: boolean;
	/** What decides whether it acts, and for whom. */
	readonly when: ReadonlySet<string>;
	/** What decides what it does then. */
	readonly how: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
}

function ruleActor(id: number, document: RuleDocument): Actor {
	const filter = parseFilter(document.filter);
	const actions = [...(document.do ?? []), ...(document.outcomes ?? []).flatMap((outcome) => outcome.do)];
	return {
		key: id,
		chance: document.outcomes !== undefined,
		when: new Set([`rule:${id}`, ...conditionReads(document.when, filter)]),
		how: new Set(actions.flatMap(actionReads)),
		writes: new Set(actions.flatMap(actionWrites)),
	};
}

/** All actors in the order of the tick. */
function actorsOf(world: World): Actor[] {
	const documents = read(world, Rule, 'document');
	const actors: Actor[] = [];
	for (const { name } of schedule) {
		if (name === 'run-rules')
			for (const id of firingOrder(world)) actors.push(ruleActor(id, documents[id] as RuleDocument));
		for (const { source, system, reads, writes } of ENGINE_SOURCES) {
			const when = system === name ? reads(world) : null;
			if (when === null) continue;
			const acts = { how: new Set<string>(), writes: new Set(writes(world)) };
			actors.push({ key: source.key, chance: true, when: new Set(when), ...acts });
		}
	}
	return actors;
}

/** Which draws belong together. */
export interface Groups {
	/** Group of each source of chance, by its key. */
	readonly of: ReadonlyMap<number, number>;
	/** Groups in which one draw can have a say in another, in the order of the tick. */
	readonly entangled: readonly number[];
}

const known = new WeakMap<World, { readonly version: string; readonly groups: Groups }>();

/** The groups of a world: draws of different groups, and all draws outside the entangled ones, are independent. */
export function interactionGroups(world: World): Groups {
	const version = [versionOf(world, Rule, 'document'), ...ENGINE_SOURCES.map((s) => s.version(world))].join();
	const remembered = known.get(world);
	if (remembered?.version === version) return remembered.groups;
	const groups = findGroups(actorsOf(world));
	known.set(world, { version, groups });
	return groups;
}

function reaches(written: ReadonlySet<string>, reads: ReadonlySet<string>): boolean {
	for (const name of reads)
		if (written.has(name) || (written.has(ANYTHING) && !name.startsWith('rule:'))) return true;
	return false;
}

function findGroups(actors: readonly Actor[]): Groups {
	const group = new Map<number, number>();
	const entangled = new Set<number>();
	for (const { key, chance } of actors) if (chance) group.set(key, key);
	const join = (a: number, b: number) => {
		const [from, to] = [group.get(b)!, group.get(a)!];
		for (const [key, name] of group) if (name === from) group.set(key, to);
		entangled.add(a);
	};
	actors.forEach((actor, at) => {
		if (!actor.chance || actor.writes.size === 0) return;
		// A rule that can remove itself cuts off its own later draws.
		if (actor.writes.has(`rule:${actor.key}`)) entangled.add(actor.key);
		// What others do later because of this one's outcome is also this one's doing.
		const written = new Set(actor.writes);
		for (const later of actors.slice(at + 1)) {
			const reached = reaches(written, later.when);
			if (reached && later.chance) join(actor.key, later.key);
			if (reached || reaches(written, later.how)) for (const name of later.writes) written.add(name);
		}
	});
	return { of: group, entangled: [...new Set([...entangled].map((key) => group.get(key)!))] };
}
