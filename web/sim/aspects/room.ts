/**
 * Aspect: a Dynamic body is not placed where too many bodies overlap. It has no `holds`, because bodies also move into each
 * other; each tick checks this in `requireFewPairs`.
 */

import { LocalTransform, normalizeRotation } from '../../../shared/components/local-transform.ts';
import { get } from '../core/world.ts';
import { requireRoom } from '../physics/crowding.ts';
import type { Aspect } from './aspect.ts';
import { bodyAfter, colliderAfter } from './collider.ts';

export const room: Aspect = {
	needsPosition: true,
	require(world, coming) {
		const { position, rotation, physics_body, collider } = coming.document;
		const arrives = position != null || rotation != null || physics_body != null || collider != null;
		if (!arrives || bodyAfter(world, coming) !== 'Dynamic') return;
		const values = colliderAfter(world, coming);
		if (values === null) return;
		const pose = coming.id === null ? undefined : get(world, coming.id, LocalTransform);
		requireRoom(
			world,
			{
				position: position ?? pose?.position ?? [0, 0, 0],
				rotation: rotation == null ? (pose?.rotation ?? [0, 0, 0, 1]) : normalizeRotation(rotation),
				...values,
			},
			coming.id ?? undefined,
		);
	},
};
