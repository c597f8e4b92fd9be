/** Shared code of the actions that change a number. */

import { GlobalTransform } from '../../../../shared/components/global-transform.ts';
import { Health } from '../../../../shared/components/health.ts';
import { Owner } from '../../../../shared/components/owner.ts';
import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { catchRefusal, Refusal } from '../../../../shared/contract/errors.ts';
import type { Action } from '../../../../shared/verbs/actions/index.ts';
import { type FieldPath, fieldPath } from '../../../../shared/verbs/field-name.ts';
import { reviveWithHealth } from '../../combat/damage.ts';
import { has, type World } from '../../core/world.ts';
import { hasField } from '../../fields/field-path.ts';
import { fail } from './action.ts';

/** Throws a Refusal if `field` does not name a number, or names a number that actions may not set. */
export function checkSettable({ field }: { readonly field: string }): void {
	const path = catchRefusal(
		() => fieldPath(field),
		({ message }) => {
			throw new Refusal(message, undefined, 'field');
		},
	);
	const reason = reasonNotSettable(path);
	if (reason !== undefined) throw new Refusal(`${field} ${reason}`, undefined, 'field');
}

/** Returns the reason why rules and scripts may not set a number; undefined if they may. */
export function reasonNotSettable({ component }: FieldPath): string | undefined {
	if (component === GlobalTransform) return 'is computed on each tick and cannot be set';
	return component === Owner ? 'is the owner of the entity and cannot be set during a tick' : undefined;
}

/**
 * Returns true if an entity does not have a number. Sends `action_failed` if it has the component without that number,
 * such as the height of a ball.
 */
export function isNumberMissing(
	world: World,
	action: Action,
	target: EntityHandle,
	path: FieldPath,
): boolean {
	if (hasField(world, target.id, path)) return false;
	if (has(world, target.id, path.component)) fail(world, action, target, 'no_such_number');
	return true;
}

/** Revives a dead entity if the written number is health and now above 0. A call that sets health does the same. */
export function reviveIfHealed(world: World, id: number, { component, field }: FieldPath): void {
	if (component === Health && field === 'current') reviveWithHealth(world, id);
}
