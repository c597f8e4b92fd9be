/** The condition `all_renderable_have_transform`. */

import { GlobalTransform } from '../../../../shared/components/global-transform.ts';
import { Mesh } from '../../../../shared/components/mesh.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { each, has } from '../../core/world.ts';
import { createFinding, idList, type Statement } from './condition.ts';

export const allRenderableHaveTransform: Statement<ConditionOf<'all_renderable_have_transform'>> = {
	find: (_, { world }) => {
		const ids: number[] = [];
		each(world, [Mesh], (id) => {
			if (!has(world, id, GlobalTransform)) ids.push(id);
		});
		return ids.length === 0
			? createFinding(true, 'Every entity with a mesh has a transform.')
			: createFinding(false, `${ids.length} entities have a mesh but no transform: ${idList(ids)}.`);
	},
};
