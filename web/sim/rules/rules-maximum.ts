/**
 * The most that the rules of the coming tick can do.
 * Owns: what one rule does when it fires, and for how many it fires. Worked out once for each document.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { type Action, spawnsOf, targetsOf } from '../../../shared/verbs/actions/index.ts';
import {
	aboutOf,
	type InnerCondition,
	isMomentary,
	partsOf,
	readsOf,
} from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { type MostSoFar, mostEntities, mostEvents, type TickMaximum } from '../core/tick-maximum.ts';
import { count, read, type World } from '../core/world.ts';
import { looksOfAll } from '../effects/effect.ts';
import { effectsOfSpawned, mostOfAction } from './actions/index.ts';
import { type Filter, parseFilter, sizeOf } from './conditions/filter.ts';
import { firingOrder } from './rule.ts';

/** Maximum number of events that an action sends about one entity, without what a signal carries. */
const EVENTS_EACH = 2;

/** A number of things for each time that a rule fires: so many, and so many for each entity. */
interface PerFiring {
	once: number;
	each: number;
}

/** The most work of one rule. */
interface RuleWork {
	/** For how many of what there is it fires at most; a rule that fires once in its life, for one. */
	readonly fires: { readonly always: number; readonly entities: number; readonly events: readonly string[] };
	/** Kinds of events that it looks through. */
	readonly events: readonly string[];
	/** Conditions with which it looks at all entities, to see whether it fires. */
	readonly looks: number;
	readonly actions: PerFiring;
	readonly spawned: PerFiring;
	readonly sent: PerFiring;
	readonly effects: PerFiring;
	/** Conditions with which one firing looks at all entities to find its targets, and kinds of events that it looks through. */
	readonly searches: readonly { readonly looks: number; readonly events: readonly string[] }[];
	/** Looks that its effects add to one entity. */
	readonly effectLooks: number;
	readonly spawns: readonly Action[];
}

const cache = new WeakMap<RuleDocument, RuleWork>();

export function mostOfRules(world: World, before: MostSoFar): Partial<TickMaximum> {
	const most = { actions: 0, spawned: 0, searched: 0, sent: 0, effects: 0, looks: 0 };
	if (count(world, Rule) === 0) return most;
	const documents = read(world, Rule, 'document');
	let entities = mostEntities(world, before);
	const eventsOf = (kinds: readonly string[]): number =>
		kinds.reduce((sum, kind) => sum + mostEvents(world, kind, before), 0);
	for (const id of firingOrder(world)) {
		const work = workOf(documents[id] as RuleDocument);
		const events = eventsOf(work.events);
		const { fires } = work;
		const times = fires.always + fires.entities * entities + eventsOf(fires.events);
		const inAll = ({ once, each }: PerFiring): number => times * (once + each * entities);
		most.searched += work.looks * (entities * (1 + events) + events);
		// Rules fire for what was sent before them. Targets also follow from what they send themselves.
		for (const { looks, events } of work.searches)
			most.searched += times * looks * entities * (1 + eventsOf(events) + events.length * most.sent);
		most.actions += inAll(work.actions);
		most.sent += inAll(work.sent);
		most.spawned += inAll(work.spawned);
		const effects = inAll(work.effects);
		most.effects += effects;
		most.looks += work.effectLooks;
		most.searched += effects * (before.looks + most.looks);
		for (const spawn of work.spawns) {
			const given = effectsOfSpawned(world, spawn);
			if (given.length === 0) continue;
			const { searched, looks } = looksOfAll(given);
			most.searched += inAll(work.spawned) * searched;
			most.effects += inAll(work.spawned) * given.length;
			most.looks += looks;
		}
		entities += inAll(work.spawned);
	}
	return most;
}

function workOf(document: RuleDocument): RuleWork {
	let work = cache.get(document);
	if (work === undefined) {
		work = measure(document);
		cache.set(document, work);
	}
	return work;
}

function measure({ when, filter, once, do: always, outcomes }: RuleDocument): RuleWork {
	const parsed = parseFilter(filter);
	const about = aboutOf(when).subject;
	const events = [...new Set([...eventsRead(when), ...(about ? eventsRead(parsed) : [])])];
	const work = {
		fires: once === true ? { always: 1, entities: 0, events: [] } : firesFor(when),
		events,
		looks: about || events.length > 0 ? sizeOf(when) + sizeOf(parsed) : 0,
		// A draw counts as an action does.
		actions: { once: outcomes === undefined ? 0 : 1, each: 0 },
		spawned: { once: 0, each: 0 },
		sent: { once: 0, each: 0 },
		effects: { once: 0, each: 0 },
		searches: [] as { looks: number; events: readonly string[] }[],
		effectLooks: 0,
		spawns: [] as Action[],
	};
	for (const action of [...(always ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)]) {
		const spawns = spawnsOf(action);
		const times = spawns ?? 1;
		const targets = targetsOf(action).map(({ target }) => target);
		for (const target of targets) work.searches.push(...searchOf(target));
		const per = targets.some((target) => targetKind(target).names === 'many') ? 'each' : 'once';
		const { sent = 0, effects = 0, looks = 0 } = mostOfAction(action);
		// An action counts once by itself, and once for each target or copy.
		work.actions.once += 1;
		work.actions[per] += times;
		work.sent[per] += times * (EVENTS_EACH + sent);
		work.effects[per] += effects;
		work.effectLooks += looks;
		if (spawns === null) continue;
		work.spawned[per] += times;
		work.spawns.push(action);
	}
	return work;
}

/** For how many a condition holds at most: a part that is about events for each of them, one that is about entities for each. */
function firesFor(when: InnerCondition): RuleWork['fires'] {
	const parts = partsOf(when);
	if (parts.length === 0) {
		const events = isMomentary(when) ? eventsRead(when) : [];
		const about = aboutOf(when).subject && events.length === 0;
		return { always: about || events.length > 0 ? 0 : 1, entities: about ? 1 : 0, events };
	}
	const all = parts.map(({ part }) => firesFor(part));
	return {
		always: all.reduce((sum, { always }) => sum + always, 1),
		entities: all.reduce((sum, { entities }) => sum + entities, 0),
		events: all.flatMap(({ events }) => events),
	};
}

const EVENT = 'event:';

const eventsRead = (condition: InnerCondition): string[] =>
	readsOf(condition).flatMap((name) => (name.startsWith(EVENT) ? [name.slice(EVENT.length)] : []));

/** Returns the search for a target. */
function searchOf(target: Target): RuleWork['searches'] {
	const kind = targetKind(target);
	if (kind.names === undefined) return [];
	if (!('filter' in kind)) return [{ looks: 1, events: [] }];
	const filter = parseFilter(targetParts(target).value as Filter);
	return [{ looks: sizeOf(filter), events: eventsRead(filter) }];
}
