/**
 * The part of a world on which a condition can ever depend.
 * Owns: the closure over the declared reads and writes of systems and rules: the reads of the condition, the reads of the
 * actors that write these, and so on (a static backward slice; Weiser 1981). In doubt it is the whole world.
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

export interface RelevantState {
	/** Names in the form of accesses, and `event:KIND`. */
	readonly names: ReadonlySet<string>;
	/** Ids of the rules whose memory is relevant. */
	readonly rules: readonly number[];
}

/** Returns the relevant part of the world for a condition; null if it is the whole world. */
export function findRelevantState(world: World, condition: Condition): RelevantState | null {
	const { actors, mayExist } = actorsOf(world);
	const conditionReads = new TouchedNames(world, []).reads({ reads: readsOf(condition) });
	const names = new Set([...conditionReads].filter(mayExist));
	const affected = new Set<RelevanceActor>();
	for (let previousSize = -1; previousSize < affected.size; ) {
		previousSize = affected.size;
		for (const actor of actors) {
			if (affected.has(actor) || ![...actor.writes].some((name) => names.has(name))) continue;
			affected.add(actor);
			for (const name of actor.reads) if (mayExist(name)) names.add(name);
		}
	}
	if (names.has(ANYTHING)) return null;
	return { names, rules: [...affected].flatMap(({ rule }) => (rule === null ? [] : [rule])) };
}

/** Returns a function for keys of states. With equal keys, the condition has the same probabilities in the future. */
export function keyOfRelevant(relevant: RelevantState | null): (world: World) => string {
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
 * Returns all actors that may act on a coming tick, and a test for names of components that an entity has or may get.
 */
function actorsOf(world: World): {
	readonly actors: readonly RelevanceActor[];
	readonly mayExist: (name: string) => boolean;
} {
	const names = new TouchedNames(world, []);
	const documents = read(world, Rule, 'document') as readonly RuleDocument[];
	const rules = firingOrder(world).map((id) => ({ id, accesses: accessesOf(documents[id]!) }));
	// A system may add components that another one needs, so this repeats until nothing changes.
	let systems = schedule.filter(() => false);
	for (let previousSize = -1; previousSize < systems.length; ) {
		previousSize = systems.length;
		systems = schedule.filter(
			({ needs }) => needs === undefined || needs.some((need) => names.mayExist(need)),
		);
		for (const { access } of systems) names.addAccess(access);
		for (const { accesses } of rules) for (const access of accesses) names.addAccess(access);
	}
	const mayExist = (name: string): boolean => {
		const component = byName.get(name.split('.')[0]!);
		return component === undefined || names.mayExist(component);
	};
	const actors = [
		...systems
			// Each rule is an actor of its own.
			.filter(({ chance }) => chance === undefined || !('rules' in chance))
			.map(({ access }) => ({ rule: null, reads: names.reads(access), writes: names.writes(access) })),
		...rules.map(({ id, accesses }) => ({
			rule: id,
			reads: new Set([`rule:${id}`, ...accesses.flatMap((access) => [...names.reads(access)])]),
			writes: new Set(accesses.flatMap((access) => [...names.writes(access)])),
		})),
	];
	return { actors, mayExist };
}

function accessesOf(document: RuleDocument): VerbAccess[] {
	const actions = [...(document.do ?? []), ...(document.outcomes ?? []).flatMap((outcome) => outcome.do)];
	return [conditionAccess(document), ...actions.map(actionAccess)];
}
