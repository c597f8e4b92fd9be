/** What the actions that change a number have in common. */

import { Health } from '../../../../shared/components/health.ts';
import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { catchRefusal } from '../../../../shared/contract/errors.ts';
import type { Action } from '../../../../shared/verbs/actions/index.ts';
import { type FieldPath, fieldPath } from '../../../../shared/verbs/field-name.ts';
import { liveWithHealth } from '../../combat/damage.ts';
import { has, type World } from '../../core/world.ts';
import { hasNumber } from '../../fields/field-path.ts';
import { fail, type Refuse } from './action.ts';

/** Refuses a name that is no number, or one that is worked out. */
export function checkSettable({ field }: { readonly field: string }, refuse: Refuse): void {
	const { component } = catchRefusal(
		() => fieldPath(field),
		({ message }) => refuse('field', message),
	);
	if (component.name === 'global_transform')
		refuse('field', `${field} is computed on each tick and cannot be set`);
}

/** Whether an entity lacks a number. That its component does not have it, such as the height of a ball, is told. */
export function lacksNumber(world: World, action: Action, target: EntityHandle, path: FieldPath): boolean {
	if (hasNumber(world, target.id, path)) return false;
	if (has(world, target.id, path.component)) fail(world, action, target, 'no_such_number');
	return true;
}

/** Health above zero lets the dead live, as it does when a call gives it. */
export function afterHealth(world: World, id: number, { component, field }: FieldPath): void {
	if (component === Health && field === 'current') liveWithHealth(world, id);
}
