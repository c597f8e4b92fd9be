/**
 * Patrols of the selected entities for the picture.
 * Owns: the request that changes waypoints. Never: sends it.
 */

import type { EditOutline, Patrol } from '../../render/messages.ts';
import type { Entity } from '../entities/entity.ts';
import { ownerOf, type Request } from './edits.ts';

const keyOf = ({ id }: Entity): string => `patrol ${id}`;

export const isPatrol = (outlined: EditOutline): outlined is Patrol => 'waypoints' in outlined;

export const patrolsOf = (chosen: readonly Entity[]): readonly Patrol[] =>
	chosen.flatMap((entity) =>
		entity.ai_goal?.behavior === 'patrol' && entity.ai_goal.waypoints.length > 0
			? [{ key: keyOf(entity), waypoints: entity.ai_goal.waypoints }]
			: [],
	);

/** Gives an entity the waypoints of a patrol as it was dragged. It goes on to the waypoint that it was walking to. */
export function patrolRequests({ key, waypoints }: Patrol, list: readonly Entity[]): readonly Request[] {
	const entity = list.find((candidate) => keyOf(candidate) === key);
	if (entity?.ai_goal?.behavior !== 'patrol') return [];
	const { id, generation, ai_goal } = entity;
	const { speed, next } = ai_goal;
	const body = { behavior: 'patrol', waypoints, speed, next, ...ownerOf(entity) };
	return [{ path: '/ai/set', body: { entity_id: id, entity_generation: generation, ...body } }];
}
