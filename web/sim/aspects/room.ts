/**
 * A Dynamic body is not placed where too many bodies overlap. Bodies also move into each other, so nothing holds afterwards:
 * each tick asks by itself, in requireFewPairs.
 */

import { LocalTransform, unit } from '../../../shared/components/local-transform.ts';
import { get } from '../core/world.ts';
import { requireRoom } from '../physics/crowding.ts';
import type { Aspect } from './aspect.ts';
import { bodyAfter, colliderAfter } from './collider.ts';

export const room: Aspect = {
	placed: true,
	require(world, coming) {
		const { position, rotation, physics_body, collider } = coming.document;
		const arrives = position != null || rotation != null || physics_body != null || collider != null;
		if (!arrives || bodyAfter(world, coming) !== 'Dynamic') return;
		const shaped = colliderAfter(world, coming);
		if (shaped === null) return;
		const pose = coming.id === null ? undefined : get(world, coming.id, LocalTransform);
		requireRoom(
			world,
			{
				position: position ?? pose?.position ?? [0, 0, 0],
				rotation: rotation == null ? (pose?.rotation ?? [0, 0, 0, 1]) : unit(rotation),
				...shaped,
			},
			coming.id ?? undefined,
		);
	},
};
