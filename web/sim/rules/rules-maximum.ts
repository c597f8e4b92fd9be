/**
 * Maximum work of the rules in the next tick.
 * Owns: the work of one firing, and the number of firings. Both are computed once for each rule document.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { type Action, spawnCountOf, targetsOf } from '../../../shared/verbs/actions/index.ts';
import {
	aboutOf,
	type InnerCondition,
	isMomentary,
	partsOf,
	readsOf,
} from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { type MaximumSoFar, maxEntities, maxEvents, type TickMaximum } from '../core/tick-maximum.ts';
import { count, read, type World } from '../core/world.ts';
import { looksOfSpawn } from '../effects/effect.ts';
import { effectsOfSpawned, maximumOfAction } from './actions/index.ts';
import { type Filter, parseFilter, sizeOf } from './conditions/filter.ts';
import { firingOrder } from './rule.ts';

/** Maximum number of events that an action sends about one entity, without what a signal carries. */
const EVENTS_EACH = 2;

/** Amount of work of one firing. */
interface PerFiring {
	/** Amount that does not depend on the number of entities. */
	once: number;
	/** Amount for each entity of the world. */
	each: number;
}

/** Maximum work of one rule. */
interface RuleWork {
	/**
	 * Maximum number of firings in a tick: `always`, plus `entities` for each entity, plus one for each event of the kinds
	 * in `events`. A rule with `once` has at most one.
	 */
	readonly fires: { readonly always: number; readonly entities: number; readonly events: readonly string[] };
	/** Kinds of events that its condition reads. */
	readonly events: readonly string[];
	/** Number of conditions that are evaluated for all entities before it fires. */
	readonly looks: number;
	readonly actions: PerFiring;
	readonly spawned: PerFiring;
	readonly sent: PerFiring;
	readonly effects: PerFiring;
	/** Searches for the targets of one firing: conditions evaluated for all entities, and kinds of events that they read. */
	readonly searches: readonly { readonly looks: number; readonly events: readonly string[] }[];
	/** Number of conditions that its effects evaluate for all entities on each later tick. */
	readonly effectLooks: number;
	readonly spawns: readonly Action[];
}

const workCache = new WeakMap<RuleDocument, RuleWork>();

export function maximumOfRules(world: World, before: MaximumSoFar): Partial<TickMaximum> {
	const maximum = { actions: 0, spawned: 0, searched: 0, sent: 0, effects: 0, looks: 0 };
	if (count(world, Rule) === 0) return maximum;
	const documents = read(world, Rule, 'document');
	let entities = maxEntities(world, before);
	const eventsOf = (kinds: readonly string[]): number =>
		kinds.reduce((sum, kind) => sum + maxEvents(world, kind, before), 0);
	for (const id of firingOrder(world)) {
		const work = workOf(documents[id] as RuleDocument);
		const events = eventsOf(work.events);
		const { fires } = work;
		const firings = fires.always + fires.entities * entities + eventsOf(fires.events);
		const ofAllFirings = ({ once, each }: PerFiring): number => firings * (once + each * entities);
		maximum.searched += work.looks * (entities * (1 + events) + events);
		// A condition reads only earlier events. A target may also depend on events that rules send in this tick.
		for (const { looks, events } of work.searches)
			maximum.searched += firings * looks * entities * (1 + eventsOf(events) + events.length * maximum.sent);
		maximum.actions += ofAllFirings(work.actions);
		maximum.sent += ofAllFirings(work.sent);
		maximum.spawned += ofAllFirings(work.spawned);
		const effects = ofAllFirings(work.effects);
		maximum.effects += effects;
		maximum.looks += work.effectLooks;
		maximum.searched += effects * (before.looks + maximum.looks);
		for (const spawn of work.spawns) {
			const spawnedEffects = effectsOfSpawned(world, spawn);
			if (spawnedEffects.length === 0) continue;
			const { searched, looks } = looksOfSpawn(spawnedEffects);
			maximum.searched += ofAllFirings(work.spawned) * searched;
			maximum.effects += ofAllFirings(work.spawned) * spawnedEffects.length;
			maximum.looks += looks;
		}
		entities += ofAllFirings(work.spawned);
	}
	return maximum;
}

function workOf(document: RuleDocument): RuleWork {
	let work = workCache.get(document);
	if (work === undefined) {
		work = measureRule(document);
		workCache.set(document, work);
	}
	return work;
}

function measureRule({ when, filter, once, do: actions, outcomes }: RuleDocument): RuleWork {
	const parsed = parseFilter(filter);
	const hasSubject = aboutOf(when).subject;
	const events = [...new Set([...eventsRead(when), ...(hasSubject ? eventsRead(parsed) : [])])];
	const work = {
		fires: once === true ? { always: 1, entities: 0, events: [] } : firingsFor(when),
		events,
		looks: hasSubject || events.length > 0 ? sizeOf(when) + sizeOf(parsed) : 0,
		// A draw counts as an action.
		actions: { once: outcomes === undefined ? 0 : 1, each: 0 },
		spawned: { once: 0, each: 0 },
		sent: { once: 0, each: 0 },
		effects: { once: 0, each: 0 },
		searches: [] as { looks: number; events: readonly string[] }[],
		effectLooks: 0,
		spawns: [] as Action[],
	};
	for (const action of [...(actions ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)]) {
		const spawns = spawnCountOf(action);
		const copies = spawns ?? 1;
		const targets = targetsOf(action).map(({ target }) => target);
		for (const target of targets) work.searches.push(...searchOf(target));
		const scale = targets.some((target) => targetKind(target).cardinality === 'many') ? 'each' : 'once';
		const { sent = 0, effects = 0, looks = 0 } = maximumOfAction(action);
		// An action counts once by itself, and once for each target or copy.
		work.actions.once += 1;
		work.actions[scale] += copies;
		work.sent[scale] += copies * (EVENTS_EACH + sent);
		work.effects[scale] += effects;
		work.effectLooks += looks;
		if (spawns === null) continue;
		work.spawned[scale] += copies;
		work.spawns.push(action);
	}
	return work;
}

/** Returns the maximum number of firings. A condition can hold for each entity, for each event, or once. */
function firingsFor(when: InnerCondition): RuleWork['fires'] {
	const parts = partsOf(when);
	if (parts.length === 0) {
		const events = isMomentary(when) ? eventsRead(when) : [];
		const isPerEntity = aboutOf(when).subject && events.length === 0;
		return { always: isPerEntity || events.length > 0 ? 0 : 1, entities: isPerEntity ? 1 : 0, events };
	}
	const partFirings = parts.map(({ part }) => firingsFor(part));
	return {
		always: partFirings.reduce((sum, { always }) => sum + always, 1),
		entities: partFirings.reduce((sum, { entities }) => sum + entities, 0),
		events: partFirings.flatMap(({ events }) => events),
	};
}

const EVENT_PREFIX = 'event:';

const eventsRead = (condition: InnerCondition): string[] =>
	readsOf(condition).flatMap((name) =>
		name.startsWith(EVENT_PREFIX) ? [name.slice(EVENT_PREFIX.length)] : [],
	);

/** Returns the searches that a target needs: none or one. */
function searchOf(target: Target): RuleWork['searches'] {
	const kind = targetKind(target);
	if (kind.cardinality === undefined) return [];
	if (!('filter' in kind)) return [{ looks: 1, events: [] }];
	const filter = parseFilter(targetParts(target).value as Filter);
	return [{ looks: sizeOf(filter), events: eventsRead(filter) }];
}
