/**
 * Aspect: a Dynamic body is not placed where too many bodies overlap. It has no `requireExisting`, because bodies also
 * move into each other. `requireFewPairs` checks this on each tick.
 */

import { LocalTransform, normalizeRotation } from '../../../shared/components/local-transform.ts';
import { get } from '../core/world.ts';
import { requireRoom } from '../physics/crowding.ts';
import type { Aspect } from './aspect.ts';
import { bodyKindAfter, colliderAfter } from './collider.ts';

export const room: Aspect = {
	needsPosition: true,
	require(world, change) {
		const { position, rotation, physics_body, collider } = change.document;
		const isPlaced = position != null || rotation != null || physics_body != null || collider != null;
		if (!isPlaced || bodyKindAfter(world, change) !== 'Dynamic') return;
		const values = colliderAfter(world, change);
		if (values === null) return;
		const pose = change.id === null ? undefined : get(world, change.id, LocalTransform);
		requireRoom(
			world,
			{
				position: position ?? pose?.position ?? [0, 0, 0],
				rotation: rotation == null ? (pose?.rotation ?? [0, 0, 0, 1]) : normalizeRotation(rotation),
				...values,
			},
			change.id ?? undefined,
		);
	},
};
