/**
 * Draws of the next tick that can influence whether others are made.
 * Owns: nothing; it follows the schedule and what systems, rules and their verbs declare that they read and write. In doubt
 * it assumes an influence.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { Component } from '../../../shared/contract/component.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import type { VerbAccess } from '../../../shared/verbs/access.ts';
import { type Action, accessOf, targetsOf } from '../../../shared/verbs/actions/index.ts';
import { readsOf } from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import type { System, SystemChance } from '../core/system.ts';
import { count, read, versionOf, type World } from '../core/world.ts';
import { parseFilter } from '../rules/conditions/filter.ts';
import { firingOrder } from '../rules/rule.ts';
import { schedule } from '../schedule.ts';
import { type DrawActor, findGroups, type Groups } from './draw-groups.ts';
import { TouchedNames } from './touched-names.ts';

/** Returns the access that decides if a rule fires, and for which entities. */
export function conditionAccess({ when, filter }: RuleDocument): VerbAccess {
	return { reads: readsOf(when, ['entities', ...readsOf(parseFilter(filter))]) };
}

/** Returns the access that decides which entities a target names. */
export function targetAccess(target: Target): VerbAccess {
	const { access, ...declared } = targetKind(target);
	const own = access.reads ?? [];
	if (!('filter' in declared)) return { reads: own };
	const filter = parseFilter(targetParts(target).value as string);
	return { reads: [...own, 'entities', ...readsOf(filter)] };
}

/** Returns the access of an action: reads, those of its targets included, writes and events. */
export function actionAccess(action: Action): VerbAccess {
	const own = accessOf(action);
	const aims = targetsOf(action).flatMap(({ target }) => targetAccess(target).reads ?? []);
	return { ...own, reads: [...aims, ...(own.reads ?? [])] };
}

const NONE: ReadonlySet<string> = new Set();

/** No rule receives an event of a rule before the next tick, but the event is part of the state. */
const sent = ({ emits = [] }: VerbAccess): string[] => emits.map((kind) => `sent:${kind}`);

function ruleActor(names: TouchedNames, id: number, document: RuleDocument): DrawActor {
	const actions = [...(document.do ?? []), ...(document.outcomes ?? []).flatMap((outcome) => outcome.do)];
	const done = actions.map(actionAccess);
	for (const access of done) names.comes(access);
	const self = new Set([`rule:${id}`]);
	const writes = new Set(
		done.flatMap((access) => [...names.writes({ ...access, emits: [] }), ...sent(access)]),
	);
	return {
		key: id,
		chance: document.outcomes !== undefined,
		when: new Set([...self, ...names.reads(conditionAccess(document))]),
		how: new Set(done.flatMap((access) => [...names.reads(access)])),
		writes,
		changes: writes,
		// The entities for which it fires are settled before it acts; but it can remove itself.
		between: self,
	};
}

/** Systems after the last one with chance influence no draw. */
const LAST = schedule.findLastIndex(({ chance }) => chance !== undefined);
const SYSTEMS = schedule.slice(0, LAST + 1);

const isActive = ({ needs }: System, mayBe: (component: Component) => boolean): boolean =>
	needs === undefined || needs.some(mayBe);

/** Returns the chance that a system declares for the next tick, rules aside. */
function chanceOf(world: World, { chance }: System): SystemChance | null {
	if (chance === undefined || 'rules' in chance) return null;
	return chance.asked?.(world) === false ? null : chance;
}

/** Returns the components of the entities that chance changes on the next tick, where that is not every entity. */
function movedBy(world: World): (readonly string[])[] {
	return SYSTEMS.flatMap((system) => {
		const chance = isActive(system, (component) => count(world, component) > 0)
			? chanceOf(world, system)
			: null;
		return chance?.changes(world).queries?.map((query) => query.with) ?? [];
	});
}

interface Touched {
	/** Names that decide if it draws. */
	readonly when: ReadonlySet<string>;
	/** Other names that it reads. */
	readonly how: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
}

const always = new Map<System, Touched>();

/** Returns an access without some of its reads. */
const readsOnly = (access: VerbAccess, counts: (name: string) => boolean): VerbAccess => ({
	...access,
	reads: access.reads?.filter(counts) ?? [],
	queries: access.queries?.map((query) => ({ ...query, reads: query.reads?.filter(counts) ?? [] })) ?? [],
});

/** Returns the names that a system touches: the same in every world, as long as these are all one part. */
function systemNames(names: TouchedNames, system: System): Touched {
	let touched = names.undivided ? always.get(system) : undefined;
	if (touched === undefined) {
		const { access, chance } = system;
		const aside = new Set(chance !== undefined && !('rules' in chance) ? chance.aside : []);
		touched = {
			when: names.reads(readsOnly(access, (name) => !aside.has(name))),
			how: names.reads(readsOnly({ ...access, drains: [] }, (name) => aside.has(name))),
			writes: names.writes(access),
		};
		if (names.undivided) always.set(system, touched);
	}
	return touched;
}

/** Returns all actors from the first that draws, in the order of the tick. */
function actorsOf(world: World): DrawActor[] {
	const documents = read(world, Rule, 'document');
	const names = new TouchedNames(world, movedBy(world));
	const actors: DrawActor[] = [];
	for (const system of SYSTEMS) {
		if (!isActive(system, (component) => names.mayBe(component))) continue;
		if (system.chance !== undefined && 'rules' in system.chance) {
			for (const id of firingOrder(world)) actors.push(ruleActor(names, id, documents[id] as RuleDocument));
			continue;
		}
		const chance = chanceOf(world, system);
		const changes = chance?.changes(world) ?? {};
		names.comes(chance?.first === true ? changes : system.access);
		const { when, how, writes } = systemNames(names, system);
		actors.push({
			key: chance?.source.key ?? 0,
			chance: chance !== null,
			when,
			how,
			writes,
			changes: names.writes(changes),
			between: chance?.first === true ? NONE : when,
		});
	}
	// What comes before all draws of a tick is the same whatever they come to.
	const first = actors.findIndex(({ chance }) => chance);
	return first < 0 ? [] : actors.slice(first);
}

const groupsByWorld = new WeakMap<World, { readonly version: string; readonly groups: Groups }>();

/** Returns a text that differs whenever the actors may differ. */
function versionOfActors(world: World): string {
	let active = '';
	let versions = 0;
	let moves = false;
	for (const system of SYSTEMS) {
		const acts = isActive(system, (component) => count(world, component) > 0);
		active += acts ? '1' : '0';
		const { chance } = system;
		if (chance === undefined || 'rules' in chance) continue;
		versions += chance.version(world);
		moves ||= acts && chance.changes(world).queries !== undefined;
	}
	// Which entities have which components then decides which actors meet.
	return [active, versions, versionOf(world, Rule, 'document'), moves ? world.version : ''].join();
}

/**
 * Returns the groups of a world: draws of different groups, and all draws outside the entangled ones, are
 * independent.
 */
export function interactionGroups(world: World): Groups {
	const version = versionOfActors(world);
	const remembered = groupsByWorld.get(world);
	if (remembered?.version === version) return remembered.groups;
	const groups = findGroups(actorsOf(world));
	groupsByWorld.set(world, { version, groups });
	return groups;
}
