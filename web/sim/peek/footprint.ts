/**
 * Finds groups of draws of the next tick that can influence each other. It follows the schedule and the declared reads and
 * writes of systems, rules and verbs. In doubt, it assumes an influence.
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
import { type DrawActor, type DrawGroups, findGroups } from './draw-groups.ts';
import { TouchedNames } from './touched-names.ts';

/** Returns the reads that decide if a rule fires, and for which entities. */
export function conditionAccess({ when, filter }: RuleDocument): VerbAccess {
	return { reads: readsOf(when, ['entities', ...readsOf(parseFilter(filter))]) };
}

/** Returns the reads that decide which entities a target names. */
export function targetAccess(target: Target): VerbAccess {
	const { access, ...declared } = targetKind(target);
	const ownReads = access.reads ?? [];
	if (!('filter' in declared)) return { reads: ownReads };
	const filter = parseFilter(targetParts(target).value as string);
	return { reads: [...ownReads, 'entities', ...readsOf(filter)] };
}

/** Returns the reads (including those of its targets), writes and events of an action. */
export function actionAccess(action: Action): VerbAccess {
	const ownAccess = accessOf(action);
	const targetReads = targetsOf(action).flatMap(({ target }) => targetAccess(target).reads ?? []);
	return { ...ownAccess, reads: [...targetReads, ...(ownAccess.reads ?? [])] };
}

const NONE: ReadonlySet<string> = new Set();

/** Returns names for events of rules. Rules read such events only on the next tick, but they are part of the state. */
const sentNames = ({ emits = [] }: VerbAccess): string[] => emits.map((kind) => `sent:${kind}`);

function ruleActor(names: TouchedNames, id: number, document: RuleDocument): DrawActor {
	const actions = [...(document.do ?? []), ...(document.outcomes ?? []).flatMap((outcome) => outcome.do)];
	const accesses = actions.map(actionAccess);
	for (const access of accesses) names.addAccess(access);
	const self = new Set([`rule:${id}`]);
	const writes = new Set(
		accesses.flatMap((access) => [...names.writes({ ...access, emits: [] }), ...sentNames(access)]),
	);
	return {
		key: id,
		canDraw: document.outcomes !== undefined,
		activationReads: new Set([...self, ...names.reads(conditionAccess(document))]),
		effectReads: new Set(accesses.flatMap((access) => [...names.reads(access)])),
		writes,
		changes: writes,
		// The entities for which it fires are decided before it acts, but it can remove itself.
		readsBetweenDraws: self,
	};
}

/** Position of the last system with chance. Later systems influence no draw. */
const LAST_WITH_CHANCE = schedule.findLastIndex(({ chance }) => chance !== undefined);
const SYSTEMS = schedule.slice(0, LAST_WITH_CHANCE + 1);

const isActive = ({ needs }: System, canExist: (component: Component) => boolean): boolean =>
	needs === undefined || needs.some(canExist);

/** Returns the chance that a system declares for the next tick, rules aside. */
function chanceOf(world: World, { chance }: System): SystemChance | null {
	if (chance === undefined || 'rules' in chance) return null;
	return chance.mayDraw?.(world) === false ? null : chance;
}

/** Returns, for each query of chance, the components of the entities that it changes on the next tick. */
function changedSets(world: World): (readonly string[])[] {
	return SYSTEMS.flatMap((system) => {
		const chance = isActive(system, (component) => count(world, component) > 0)
			? chanceOf(world, system)
			: null;
		return chance?.changes(world).queries?.map((query) => query.with) ?? [];
	});
}

interface SystemNames {
	/** Names that decide if it draws. */
	readonly activationReads: ReadonlySet<string>;
	/** Other names that it reads. */
	readonly effectReads: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
}

const namesBySystem = new Map<System, SystemNames>();

/** Returns an access with only the reads that pass a test. */
const filterReads = (access: VerbAccess, isCounted: (name: string) => boolean): VerbAccess => ({
	...access,
	reads: access.reads?.filter(isCounted) ?? [],
	queries: access.queries?.map((query) => ({ ...query, reads: query.reads?.filter(isCounted) ?? [] })) ?? [],
});

/** Returns the names that a system touches. They are cached for worlds that are not divided into parts. */
function systemNames(names: TouchedNames, system: System): SystemNames {
	let systemNames = names.isUndivided ? namesBySystem.get(system) : undefined;
	if (systemNames === undefined) {
		const { access, chance } = system;
		const irrelevantNames = new Set(
			chance !== undefined && !('rules' in chance) ? chance.irrelevantNames : [],
		);
		systemNames = {
			activationReads: names.reads(filterReads(access, (name) => !irrelevantNames.has(name))),
			effectReads: names.reads(filterReads({ ...access, drains: [] }, (name) => irrelevantNames.has(name))),
			writes: names.writes(access),
		};
		if (names.isUndivided) namesBySystem.set(system, systemNames);
	}
	return systemNames;
}

/** Returns all actors from the first that draws, in the order of the tick. */
function actorsOf(world: World): DrawActor[] {
	const documents = read(world, Rule, 'document');
	const names = new TouchedNames(world, changedSets(world));
	const actors: DrawActor[] = [];
	for (const system of SYSTEMS) {
		if (!isActive(system, (component) => names.mayExist(component))) continue;
		if (system.chance !== undefined && 'rules' in system.chance) {
			for (const id of firingOrder(world)) actors.push(ruleActor(names, id, documents[id] as RuleDocument));
			continue;
		}
		const chance = chanceOf(world, system);
		const changes = chance?.changes(world) ?? {};
		names.addAccess(chance?.decidesFirst === true ? changes : system.access);
		const { activationReads, effectReads, writes } = systemNames(names, system);
		actors.push({
			key: chance?.source.key ?? 0,
			canDraw: chance !== null,
			activationReads,
			effectReads,
			writes,
			changes: names.writes(changes),
			readsBetweenDraws: chance?.decidesFirst === true ? NONE : activationReads,
		});
	}
	// Actors before the first draw do not depend on any outcome.
	const first = actors.findIndex(({ canDraw }) => canDraw);
	return first < 0 ? [] : actors.slice(first);
}

const groupsByWorld = new WeakMap<World, { readonly version: string; readonly groups: DrawGroups }>();

/** Returns a text that changes whenever the actors may change. */
function versionOfActors(world: World): string {
	let active = '';
	let versions = 0;
	let hasQueries = false;
	for (const system of SYSTEMS) {
		const isActing = isActive(system, (component) => count(world, component) > 0);
		active += isActing ? '1' : '0';
		const { chance } = system;
		if (chance === undefined || 'rules' in chance) continue;
		versions += chance.version(world);
		hasQueries ||= isActing && chance.changes(world).queries !== undefined;
	}
	// With queries, the components of entities decide which actors influence each other.
	return [active, versions, versionOf(world, Rule, 'document'), hasQueries ? world.version : ''].join();
}

/**
 * Returns the groups of a world: draws of different groups, and all draws outside the entangled ones, are
 * independent.
 */
export function interactionGroups(world: World): DrawGroups {
	const version = versionOfActors(world);
	const cached = groupsByWorld.get(world);
	if (cached?.version === version) return cached.groups;
	const groups = findGroups(actorsOf(world));
	groupsByWorld.set(world, { version, groups });
	return groups;
}
