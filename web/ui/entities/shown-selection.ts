/**
 * Data of entities that the picture needs: of the selected ones, and of those without a mesh, which get signs.
 * Owns: the poses, and the descendants that move with a selected entity.
 */

import type { SelectedEntity, Sign } from '../../render/messages.ts';
import type { Entity } from './entity.ts';
import { byId, descendantsOf, topmost, worldPose } from './poses.ts';

/** Returns the selected entities that `list` or `others` has. */
export function shownSelection(
	ids: readonly number[],
	list: readonly Entity[],
	others: readonly Entity[],
): readonly SelectedEntity[] {
	if (ids.length === 0) return [];
	const all = new Map([...byId(others), ...byId(list)]);
	const selected = ids.flatMap((id) => all.get(id) ?? []);
	const roots = new Set(topmost(selected, [...all.values()]));
	return selected.map((entity) => {
		const { id, generation } = entity;
		const pose = worldPose(entity, all);
		return {
			id,
			generation,
			pose: pose === undefined ? null : [...pose.position, ...pose.rotation, ...pose.scale],
			descendants: descendantsOf(new Set([id]), [...all.values()]).map((child) => child.id),
			isCarried: !roots.has(entity),
		};
	});
}

/** Returns signs for the entities that have a position but are not drawn. */
export function signsOf(list: readonly Entity[]): readonly Sign[] {
	const all = byId(list);
	return list.flatMap((entity) => {
		const { id, generation, mesh, terrain } = entity;
		const pose = mesh === undefined && terrain === undefined ? worldPose(entity, all) : undefined;
		return pose === undefined ? [] : [{ id, generation, kind: kindOf(entity), position: pose.position }];
	});
}

function kindOf(entity: Entity): Sign['kind'] {
	if (entity.light !== undefined) return 'light';
	if (entity.particles !== undefined) return 'particles';
	if (entity.sound !== undefined) return 'sound';
	if (entity.trigger !== undefined) return 'zone';
	return entity.tags?.includes('group') ? 'group' : 'point';
}
