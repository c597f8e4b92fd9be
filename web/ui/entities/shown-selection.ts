/**
 * What the view is told of the selected entities.
 * Owns: who goes along with whom, and where those are that are not drawn.
 */

import type { SelectedEntity } from '../../render/messages.ts';
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
