/**
 * How much the rules of the next tick could do at most.
 * Owns: a quick estimate that errs on the side of too much. It decides nothing: it says when it is worth keeping a way back.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { spawnsOf, targetsOf } from '../../../shared/verbs/actions/index.ts';
import { aboutOf } from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind } from '../../../shared/verbs/targets/index.ts';
import { pending } from '../core/events.ts';
import { MAX_ACTIONS, MAX_SEARCHED, MAX_SPAWNED } from '../core/tick-budget.ts';
import { count, read, type World } from '../core/world.ts';
import { firingOrder } from './rule.ts';

/** What one firing does: as many things, and as many more for each entity there is. */
interface Firing {
	/** Whether it fires once a tick at most, for nobody in particular. */
	readonly once: boolean;
	readonly actions: number;
	readonly actionsEach: number;
	readonly spawns: number;
	readonly spawnsEach: number;
	/** How often it searches all entities. */
	readonly searches: number;
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
		searched += times * firing.searches * subjects;
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

function estimate({ when, once, do: always, outcomes }: RuleDocument): Firing {
	const sum = { actions: 0, actionsEach: 0, spawns: 0, spawnsEach: 0, searches: 0 };
	for (const action of [...(always ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)]) {
		const spawns = spawnsOf(action);
		const copies = spawns ?? 1;
		const targets = targetsOf(action).map(({ target }) => target);
		const each = targets.some(isMany);
		sum.searches += targets.filter(searches).length;
		sum[each ? 'actionsEach' : 'actions'] += copies;
		if (spawns !== null) sum[each ? 'spawnsEach' : 'spawns'] += copies;
	}
	return { ...sum, once: once || !aboutOf(when).subject };
}

const isMany = (target: Target): boolean => targetKind(target).names === 'many';

/** Whether all entities are looked at to find whom it names. */
const searches = (target: Target): boolean => targetKind(target).names !== undefined;
