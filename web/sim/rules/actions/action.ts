/** Behaviour of a kind of action in a world. An action about an entity that lacks what is needed does nothing. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { ApiError, type ErrorCode } from '../../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../../shared/documents/spawn.ts';
import { ActionFailed } from '../../../../shared/events/action-failed.ts';
import type { Action, ActionName, ActionOf } from '../../../../shared/verbs/actions/index.ts';
import { emit } from '../../core/events.ts';
import type { World } from '../../core/world.ts';
import type { Occurrence } from '../conditions/occurrence.ts';

/** Performer of an action: a rule as it fires, with all its actions, or a script. */
export interface Doer {
	readonly by: 'rule' | 'script';
	readonly name?: string | undefined;
	readonly actions: readonly Action[];
	/** Agent that owns it; undefined for the operators. */
	readonly owner: number | undefined;
}

export interface MostOfAction {
	/** Events beyond those that every action may send. */
	readonly sent?: number;
	readonly effects?: number;
	/** Conditions with which its effects look at all entities. */
	readonly looks?: number;
}

type SpawnedEffects = NonNullable<SpawnDocument['effects']>;

export interface ActionBehaviour<K extends ActionName> {
	/** Does it: to one of its targets, or, when it has no targets, once. */
	act(
		world: World,
		action: ActionOf<K>,
		target: ActionOf<K> extends { readonly target: unknown } ? EntityHandle : null,
		occurrence: Occurrence,
		doer: Doer,
	): void;
	/** Throws a Refusal for what its shape cannot tell: words that name nothing, fields that contradict each other. */
	check?(action: ActionOf<K>): void;
	/** Returns the most that doing it once adds to a tick, beyond the action itself and what it spawns. */
	most?(action: ActionOf<K>): MostOfAction;
	/** Effects of each entity that it spawns; null for none. */
	effectsOfSpawned?(world: World, action: ActionOf<K>): SpawnedEffects | null;
	/**
	 * Returns warnings of parts that currently do nothing. Each names its field if there is one, such as
	 * `.item_id: ...`.
	 */
	warn?(world: World, action: ActionOf<K>): readonly string[];
}

/** Entity that did it, as the action says; null for none, and for one that is gone. */
export function credited(
	{ by }: { readonly by?: 'this' | 'source' | null | undefined },
	{ subject, source }: Occurrence,
): EntityHandle | null {
	if (by == null) return null;
	return by === 'this' ? subject : source;
}

/** Reports an action that could not be done, or not wholly. */
export function fail(world: World, { action }: Action, entity: EntityHandle | null, reason: ErrorCode): void {
	emit(world, ActionFailed, { entity, action, reason });
}

/** Does what may be refused, and reports it when it was. */
export function tryTo(world: World, action: Action, target: EntityHandle, deed: () => unknown): void {
	const refused = attempt(deed);
	if (refused !== null) fail(world, action, target, refused.code);
}

/** Does what may be refused. Returns the refusal, or null. */
export function attempt(deed: () => unknown): ApiError | null {
	try {
		deed();
		return null;
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}
