/**
 * Limits of the actions of a script on one tick.
 * Owns: refusing an action that may exceed them, before it starts. So no script makes a tick exceed its limits, and a tick
 * with scripts needs no saved state.
 */

import { Refusal } from '../../../shared/contract/errors.ts';
import { type Action, spawnCountOf, targetsOf } from '../../../shared/verbs/actions/index.ts';
import { readsOf } from '../../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../../shared/verbs/targets/index.ts';
import { pendingEvents } from '../core/events.ts';
import { EVENT_BYTES } from '../core/tick-budget.ts';
import { valueBytes } from '../core/value-bytes.ts';
import type { World } from '../core/world.ts';
import { looksToApply } from '../effects/effect.ts';
import { type Filter, parseFilter, sizeOf } from '../rules/conditions/filter.ts';
import type { Occurrence } from '../rules/conditions/occurrence.ts';
import { resolveTarget } from '../rules/targets/index.ts';

/** Cost of an action for each of its entities, in instructions. */
export const ACTION_COST = 20;
/** Maximum number of entities that one script spawns on one tick. */
export const MAX_SCRIPT_SPAWNS = 1000;
/** Maximum number of entities and events that the actions of one script check on one tick. */
export const MAX_ACTION_LOOKS = 4_000_000;
/**
 * Maximum number of events that the actions of one script send on one tick. A signal counts as one more for each
 * `EVENT_BYTES`.
 */
export const MAX_ACTION_EVENTS = 40_000;
/** Maximum number of events that an action sends about one entity, without the data of a signal. */
export const MAX_EVENTS_PER_ENTITY = 2;

/** Work that a script may still do on this tick. */
export interface Allowance {
	readonly instructions: number;
	readonly spawned: number;
	readonly searched: number;
	readonly sent: number;
}

/** Refuses an action that may exceed the allowance. Returns the maximum number of entities that it spawns. */
export function requireAllowance(
	world: World,
	action: Action,
	occurrence: Occurrence,
	allowance: Allowance,
): number {
	const targets = targetsOf(action).map(({ target }) => target);
	// Targets are searched twice: here, and by the action.
	let looks = 2 * targets.reduce((sum, target) => sum + looksToFind(world, target), 0);
	if (looks > allowance.searched) refuse('look at', MAX_ACTION_LOOKS, 'entities and events');
	let targetCount = 1;
	for (const target of targets) {
		if (targetKind(target).cardinality !== 'many' && action.action !== 'apply_effect') continue;
		const targetEntities = resolveTarget(world, target, occurrence);
		targetCount *= targetEntities.length;
		if (action.action === 'apply_effect')
			for (const { id } of targetEntities) looks += looksToApply(world, id, action);
	}
	const spawned = targetCount * (spawnCountOf(action) ?? 0);
	const actions = Math.max(targetCount, spawned);
	if (spawned > allowance.spawned) refuse('spawn', MAX_SCRIPT_SPAWNS, 'entities');
	if (actions * ACTION_COST > allowance.instructions)
		throw new Refusal(
			`the action on ${actions} entities costs ${ACTION_COST} instructions for each, but the script has only ${allowance.instructions} left`,
		);
	if (looks > allowance.searched) refuse('look at', MAX_ACTION_LOOKS, 'entities and events');
	const dataEvents = action.action === 'emit' ? Math.ceil(valueBytes(action.data) / EVENT_BYTES) : 0;
	if (actions * (MAX_EVENTS_PER_ENTITY + dataEvents) > allowance.sent)
		refuse('send', MAX_ACTION_EVENTS, 'events');
	return spawned;
}

function refuse(verb: string, max: number, things: string): never {
	throw new Refusal(`the actions of a script may ${verb} at most ${max} ${things} on one tick`);
}

/** Returns the maximum number of entities and events that a search for a target checks. */
function looksToFind(world: World, target: Target): number {
	const kind = targetKind(target);
	if (kind.cardinality === undefined) return 0;
	const { count } = world.entities;
	if (!('filter' in kind)) return count;
	const filter = parseFilter(targetParts(target).value as Filter);
	const events = readsOf(filter).some((name) => name.startsWith('event:')) ? pendingEvents(world).length : 0;
	return count * sizeOf(filter) * (1 + events);
}
