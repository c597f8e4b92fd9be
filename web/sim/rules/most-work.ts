/**
 * How much the rules of the next tick could do at most.
 * Owns: a quick estimate that errs on the side of too much. It decides nothing: it says when it is worth keeping a way back.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { spawnsOf, targetsOf } from '../../../shared/verbs/actions/index.ts';
import { aboutOf } from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { pending } from '../core/events.ts';
import { MAX_ACTIONS, MAX_SEARCHED, MAX_SPAWNED } from '../core/tick-budget.ts';
import { count, read, type World } from '../core/world.ts';
import { type Filter, parseFilter, sizeOf } from './conditions/filter.ts';
import { firingOrder } from './rule.ts';

/** What one firing does: as many things, and as many more for each entity there is. */
interface Firing {
	/** Whether it fires once a tick at most, for nobody in particular. */
	readonly once: boolean;
	readonly actions: number;
	readonly actionsEach: number;
	readonly spawns: number;
	readonly spawnsEach: number;
	/** With how many conditions it looks at all entities to find whom its actions are about. */
	readonly searches: number;
	/** With how many conditions all entities are looked at to see whether it fires. */
	readonly looks: number;
}

const firings = new WeakMap<RuleDocument, Firing>();

/** Whether the next tick might be refused because it does too much. */
export function mayOverrun(world: World): boolean {
	if (count(world, Rule) === 0) return false;
	const documents = read(world, Rule, 'document');
	// A rule fires for entities, or for what happened.
	let subjects = world.entities.count + pending(world).length;
	let [actions, spawned, searched] = [0, 0, 0];
	for (const id of firingOrder(world)) {
		const firing = firingOf(documents[id] as RuleDocument);
		const times = firing.once ? 1 : subjects;
		const made = times * (firing.spawns + firing.spawnsEach * subjects);
		actions += times * (firing.actions + firing.actionsEach * subjects);
		searched += (times * firing.searches + firing.looks) * subjects;
		spawned += made;
		subjects += made;
		if (actions > MAX_ACTIONS || spawned > MAX_SPAWNED || searched > MAX_SEARCHED) return true;
	}
	return false;
}

function firingOf(document: RuleDocument): Firing {
	let firing = firings.get(document);
	if (firing === undefined) {
		firing = estimate(document);
		firings.set(document, firing);
	}
	return firing;
}

function estimate({ when, filter, once, do: always, outcomes }: RuleDocument): Firing {
	const sum = { actions: 0, actionsEach: 0, spawns: 0, spawnsEach: 0, searches: 0 };
	for (const action of [...(always ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)]) {
		const spawns = spawnsOf(action);
		const copies = spawns ?? 1;
		const targets = targetsOf(action).map(({ target }) => target);
		const each = targets.some(isMany);
		for (const target of targets) sum.searches += searchOf(target);
		sum[each ? 'actionsEach' : 'actions'] += copies;
		if (spawns !== null) sum[each ? 'spawnsEach' : 'spawns'] += copies;
	}
	const looks = aboutOf(when).subject ? sizeOf(when) + sizeOf(parseFilter(filter)) : 0;
	return { ...sum, looks, once: once || !aboutOf(when).subject };
}

const isMany = (target: Target): boolean => targetKind(target).names === 'many';

/** With how many conditions all entities are looked at to find whom it names. */
function searchOf(target: Target): number {
	const kind = targetKind(target);
	if (kind.names === undefined) return 0;
	return 'filter' in kind ? sizeOf(parseFilter(targetParts(target).value as Filter)) : 1;
}
