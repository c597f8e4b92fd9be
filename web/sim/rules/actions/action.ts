/** Behaviour of a kind of action in a world. An action does nothing to an entity without the components that it needs. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { ApiError, type ErrorCode } from '../../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../../shared/documents/spawn.ts';
import { ActionFailed } from '../../../../shared/events/action-failed.ts';
import type { Action, ActionName, ActionOf } from '../../../../shared/verbs/actions/index.ts';
import { emit } from '../../core/events.ts';
import type { World } from '../../core/world.ts';
import type { Occurrence } from '../conditions/occurrence.ts';

/** Performer of an action: a script, or a rule that fires, with all its actions. */
export interface Doer {
	readonly kind: 'rule' | 'script';
	readonly name?: string | undefined;
	readonly actions: readonly Action[];
	/** Agent that owns the rule or script; undefined if the operators own it. */
	readonly owner: number | undefined;
}

/** Maximum work that one run of an action adds to a tick. */
export interface ActionMaximum {
	/** Events beyond those that every action may send. */
	readonly sent?: number;
	readonly effects?: number;
	/** Conditions that its effects evaluate for all entities. */
	readonly looks?: number;
}

type SpawnedEffects = NonNullable<SpawnDocument['effects']>;

export interface ActionBehaviour<K extends ActionName> {
	/** Performs the action on one of its targets. An action without targets is performed once, with target null. */
	act(
		world: World,
		action: ActionOf<K>,
		target: ActionOf<K> extends { readonly target: unknown } ? EntityHandle : null,
		occurrence: Occurrence,
		doer: Doer,
	): void;
	/** Checks an action beyond its schema, for example unknown words or contradictory fields. Throws a Refusal. */
	check?(action: ActionOf<K>): void;
	/** Returns the maximum work that one run adds to a tick, beyond the action itself and its spawned entities. */
	maximum?(action: ActionOf<K>): ActionMaximum;
	/** Returns the effects of each entity that it spawns; null for none. */
	effectsOfSpawned?(world: World, action: ActionOf<K>): SpawnedEffects | null;
	/**
	 * Returns warnings about parts that currently do nothing. Each begins with its field if there is one, such as
	 * `.item_id: ...`.
	 */
	warn?(world: World, action: ActionOf<K>): readonly string[];
}

/** Returns the entity that gets the credit for an action; null if the action names none. */
export function creditOf(
	{ by }: { readonly by?: 'this' | 'source' | null | undefined },
	{ subject, source }: Occurrence,
): EntityHandle | null {
	if (by == null) return null;
	return by === 'this' ? subject : source;
}

/** Reports that an action failed, wholly or in part. */
export function fail(world: World, { action }: Action, entity: EntityHandle | null, reason: ErrorCode): void {
	emit(world, ActionFailed, { entity, action, reason });
}

/** Runs `perform` for an action, and reports a refusal as a failed action. */
export function performOrReport(
	world: World,
	action: Action,
	target: EntityHandle,
	perform: () => unknown,
): void {
	const refusal = attempt(perform);
	if (refusal !== null) fail(world, action, target, refusal.code);
}

/** Runs `perform`. Returns its refusal, or null if it was not refused. */
export function attempt(perform: () => unknown): ApiError | null {
	try {
		perform();
		return null;
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}
