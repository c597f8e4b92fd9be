/**
 * The part of a world that a condition can ever depend on.
 * Owns: the closure over the declared reads and writes of systems and rules: what the condition reads, what decides
 * about its writers, and so on (a static backward slice; Weiser 1981). In doubt it is everything.
 */

import { components } from '../../../shared/components/index.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { ANYTHING, type VerbAccess } from '../../../shared/verbs/access.ts';
import { type Condition, readsOf } from '../../../shared/verbs/conditions/index.ts';
import { digestOfNames, futureDigest, hashOfPart } from '../core/digest.ts';
import { Events, eventsAhead } from '../core/events.ts';
import { read, type World } from '../core/world.ts';
import { firingOrder } from '../rules/rule.ts';
import { schedule } from '../schedule.ts';
import { actionAccess, conditionAccess } from './footprint.ts';
import { TouchedNames } from './touched-names.ts';

const byName = new Map(components.map((component) => [component.name, component]));

/** A system or a rule. */
interface RelevanceActor {
	/** Id of the rule; null for a system. */
	readonly rule: number | null;
	readonly reads: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
}

export interface Relevant {
	/** Names as accesses write them, and `event:KIND`. */
	readonly names: ReadonlySet<string>;
	/** Ids of the rules with a memory that matters. */
	readonly rules: readonly number[];
}

/** Returns null if it is everything. */
export function relevantTo(world: World, condition: Condition): Relevant | null {
	const { actors, isThere } = actorsOf(world);
	const read = new TouchedNames(world, []).reads({ reads: readsOf(condition) });
	const names = new Set([...read].filter(isThere));
	const affected = new Set<RelevanceActor>();
	for (let before = -1; before < affected.size; ) {
		before = affected.size;
		for (const actor of actors) {
			if (affected.has(actor) || ![...actor.writes].some((name) => names.has(name))) continue;
			affected.add(actor);
			for (const name of actor.reads) if (isThere(name)) names.add(name);
		}
	}
	if (names.has(ANYTHING)) return null;
	return { names, rules: [...affected].flatMap(({ rule }) => (rule === null ? [] : [rule])) };
}

/** Returns a key of states: equal keys mean that the condition has the same probabilities from there on. */
export function keyOfRelevant(relevant: Relevant | null): (world: World) => string {
	if (relevant === null) return futureDigest;
	const { names, rules } = relevant;
	const isSeen = (kind: string): boolean => names.has(`event:${kind}`);
	return (world) => {
		const memories = read(world, Rule, 'memory');
		const parts = [...world.parts.values()].filter(
			({ part }) => part.scope === 'state' && part.name !== Events.name && names.has(part.name),
		);
		return [
			digestOfNames(world, names),
			eventsAhead(world, isSeen),
			...rules.map((id) => JSON.stringify(memories[id])),
			...parts.map(hashOfPart),
		].join(' ');
	};
}

/**
 * Returns everything that may act on any of the coming ticks, and a test for names of components that an entity has
 * or may get.
 */
function actorsOf(world: World): {
	readonly actors: readonly RelevanceActor[];
	readonly isThere: (name: string) => boolean;
} {
	const names = new TouchedNames(world, []);
	const documents = read(world, Rule, 'document') as readonly RuleDocument[];
	const rules = firingOrder(world).map((id) => ({ id, accesses: accessesOf(documents[id]!) }));
	// A system may bring what another one needs, on any tick.
	let systems = schedule.filter(() => false);
	for (let before = -1; before < systems.length; ) {
		before = systems.length;
		systems = schedule.filter(({ needs }) => needs === undefined || needs.some((need) => names.mayBe(need)));
		for (const { access } of systems) names.comes(access);
		for (const { accesses } of rules) for (const access of accesses) names.comes(access);
	}
	const isThere = (name: string): boolean => {
		const component = byName.get(name.split('.')[0]!);
		return component === undefined || names.mayBe(component);
	};
	const actors = [
		...systems
			// Each rule stands for itself.
			.filter(({ chance }) => chance === undefined || !('rules' in chance))
			.map(({ access }) => ({ rule: null, reads: names.reads(access), writes: names.writes(access) })),
		...rules.map(({ id, accesses }) => ({
			rule: id,
			reads: new Set([`rule:${id}`, ...accesses.flatMap((access) => [...names.reads(access)])]),
			writes: new Set(accesses.flatMap((access) => [...names.writes(access)])),
		})),
	];
	return { actors, isThere };
}

function accessesOf(document: RuleDocument): VerbAccess[] {
	const actions = [...(document.do ?? []), ...(document.outcomes ?? []).flatMap((outcome) => outcome.do)];
	return [conditionAccess(document), ...actions.map(actionAccess)];
}
