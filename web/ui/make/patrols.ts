/**
 * Patrols of the selected entities for the picture.
 * Owns: the request that changes waypoints. Never: sends it.
 */

import type { Outlined, Patrol } from '../../render/messages.ts';
import type { Entity } from '../entities/entity.ts';
import { ownerOf, type Request } from './edits.ts';

const keyOf = ({ id }: Entity): string => `patrol ${id}`;

export const isPatrol = (outlined: Outlined): outlined is Patrol => 'waypoints' in outlined;

export const patrolsOf = (chosen: readonly Entity[]): readonly Patrol[] =>
	chosen.flatMap((entity) =>
		entity.ai_goal?.behavior === 'patrol' && entity.ai_goal.waypoints.length > 0
			? [{ key: keyOf(entity), waypoints: entity.ai_goal.waypoints }]
			: [],
	);

/** Returns the request that sets dragged waypoints. The patrol then restarts at the first one. */
export function patrolRequests({ key, waypoints }: Patrol, list: readonly Entity[]): readonly Request[] {
	const entity = list.find((candidate) => keyOf(candidate) === key);
	if (entity?.ai_goal?.behavior !== 'patrol') return [];
	const { id, generation, ai_goal } = entity;
	const body = { behavior: 'patrol', waypoints, speed: ai_goal.speed, ...ownerOf(entity) };
	return [{ path: '/ai/set', body: { entity_id: id, entity_generation: generation, ...body } }];
}
