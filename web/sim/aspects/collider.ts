/** Aspect: a collider is valid and fits its body. It warns about a velocity or mass that has no effect. */

import { Collider } from '../../../shared/components/collider.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { columnsOf } from '../../../shared/media/collider-shapes.ts';
import { get, has, type World } from '../core/world.ts';
import { type ColliderValues, requireCollider, requireColliderOf } from '../physics/geometry.ts';
import type { Aspect, AspectChange } from './aspect.ts';

export const collider: Aspect = {
	components: [Collider],
	require(world, change) {
		if (change.document.collider == null && change.document.physics_body == null) return;
		const values = colliderAfter(world, change);
		if (values !== null) requireCollider(world, values, bodyKindAfter(world, change));
	},
	requireExisting(world, ids) {
		for (const id of ids) requireColliderOf(world, id);
	},
	begin(world, { id }, { document: { velocity, mass } }) {
		const isMoving = velocity != null && [...velocity.linear, ...velocity.angular].some((part) => part !== 0);
		const hasNoBody = !has(world, id, PhysicsBody);
		const warnings: string[] = [];
		if (isMoving && hasNoBody)
			warnings.push('velocity does nothing without physics_body: the entity does not move');
		if (mass != null && get(world, id, PhysicsBody)?.kind !== 'Dynamic')
			warnings.push('mass does nothing without physics_body "Dynamic"');
		return warnings;
	},
};

/** Returns the collider that an entity will have, or null. */
export function colliderAfter(world: World, { document, id, removed }: AspectChange): ColliderValues | null {
	if (removed.includes('collider')) return null;
	if (document.collider != null) return columnsOf(document.collider);
	return (id === null ? undefined : get(world, id, Collider)) ?? null;
}

/** Returns the kind of body that an entity will have, or null. */
export function bodyKindAfter(world: World, { document, id, removed }: AspectChange) {
	if (removed.includes('physics_body')) return null;
	return document.physics_body ?? (id === null ? undefined : get(world, id, PhysicsBody)?.kind) ?? null;
}
