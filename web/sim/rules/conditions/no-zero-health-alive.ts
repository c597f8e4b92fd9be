/** The condition `no_zero_health_alive`. */

import { Dead } from '../../../../shared/components/dead.ts';
import { Health } from '../../../../shared/components/health.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { each, has, read } from '../../core/world.ts';
import { createFinding, idList, type Statement } from './condition.ts';

export const noZeroHealthAlive: Statement<ConditionOf<'no_zero_health_alive'>> = {
	find: (_, { world }) => {
		const ids: number[] = [];
		const current = read(world, Health, 'current');
		each(world, [Health], (id) => {
			if (current[id]! <= 0 && !has(world, id, Dead)) ids.push(id);
		});
		return ids.length === 0
			? createFinding(true, 'No living entity is without health.')
			: createFinding(false, `${ids.length} entities have no health but are not dead: ${idList(ids)}.`);
	},
};
