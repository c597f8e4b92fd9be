/**
 * What in a tick depends on what: which draws of chance can have a say in whether others are reached.
 * Owns: what rules and sources of chance read and write within one tick. It errs on the side of yes. Names are those
 * of `shared/verbs/touches.ts`; what actions and targets touch stands in their declarations.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { type Action, targetsOf, touchesOf } from '../../../shared/verbs/actions/index.ts';
import { readsOf } from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { withColumns } from '../../../shared/verbs/touches.ts';
import { read, versionOf, type World } from '../core/world.ts';
import { type Filter, parseFilter } from '../rules/conditions/filter.ts';
import { firingOrder } from '../rules/rule.ts';
import { schedule } from '../schedule.ts';
import { type Actor, findGroups, type Groups } from './draw-groups.ts';
import { ENGINE_SOURCES } from './engine-sources.ts';

const filterReads = (filter: Filter): string[] => ['entities', ...readsOf(filter)];

function targetReads(target: Target): string[] {
	const { touches, ...declared } = targetKind(target);
	const own = [...(touches.reads ?? [])];
	if (!('filter' in declared)) return own;
	return [...own, ...filterReads(parseFilter(targetParts(target).value as string))];
}

/** What decides what an action does. */
function actionReads(action: Action): string[] {
	return [
		...targetsOf(action).flatMap(({ target }) => targetReads(target)),
		...(touchesOf(action).reads ?? []),
	];
}

const names = (list: readonly string[]): ReadonlySet<string> => new Set(withColumns(list));

function ruleActor(id: number, document: RuleDocument): Actor {
	const filter = parseFilter(document.filter);
	const actions = [...(document.do ?? []), ...(document.outcomes ?? []).flatMap((outcome) => outcome.do)];
	return {
		key: id,
		chance: document.outcomes !== undefined,
		when: names([`rule:${id}`, ...readsOf(document.when, filterReads(filter))]),
		how: names(actions.flatMap(actionReads)),
		writes: names(actions.flatMap((action) => touchesOf(action).writes ?? [])),
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
			const acts = { how: new Set<string>(), writes: names(writes(world)) };
			actors.push({ key: source.key, chance: true, when: names(when), ...acts });
		}
	}
	return actors;
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
