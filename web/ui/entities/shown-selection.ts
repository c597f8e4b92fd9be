/**
 * Entities that the view needs: the selected ones, and of those that are not drawn.
 * Owns: which entities move together, and the positions of those that are not drawn.
 */

import type { SelectedEntity, Sign } from '../../render/messages.ts';
import type { Entity } from './entity.ts';
import { byId, descendantsOf, topmost, worldPose } from './poses.ts';

/** Those of `ids` that are known: from the list, or from `others`. */
export function shownSelection(
	ids: readonly number[],
	list: readonly Entity[],
	others: readonly Entity[],
): readonly SelectedEntity[] {
	if (ids.length === 0) return [];
	const all = new Map([...byId(others), ...byId(list)]);
	const found = ids.flatMap((id) => all.get(id) ?? []);
	const tops = new Set(topmost(found, [...all.values()]));
	return found.map((entity) => {
		const { id, generation } = entity;
		const pose = worldPose(entity, all);
		return {
			id,
			generation,
			pose: pose === undefined ? null : [...pose.position, ...pose.rotation, ...pose.scale],
			carries: descendantsOf(new Set([id]), [...all.values()]).map((child) => child.id),
			rides: !tops.has(entity),
		};
	});
}

/** Signs of the entities that have a place and nothing to see. */
export function signsOf(list: readonly Entity[]): readonly Sign[] {
	const all = byId(list);
	return list.flatMap((entity) => {
		const { id, generation, mesh, terrain } = entity;
		const pose = mesh === undefined && terrain === undefined ? worldPose(entity, all) : undefined;
		return pose === undefined ? [] : [{ id, generation, kind: kindOf(entity), place: pose.position }];
	});
}

function kindOf(entity: Entity): Sign['kind'] {
	if (entity.light !== undefined) return 'light';
	if (entity.particles !== undefined) return 'particles';
	if (entity.sound !== undefined) return 'sound';
	if (entity.trigger !== undefined) return 'zone';
	return entity.tags?.includes('group') ? 'group' : 'point';
}
