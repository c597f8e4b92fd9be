/** The condition `distance`. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { isAlive } from '../../core/entities.ts';
import type { World } from '../../core/world.ts';
import { isSatisfied } from '../../fields/compare.ts';
import type { Predicate } from './condition.ts';
import { LiveEntityReader } from './live-entity-reader.ts';
import { positionOf } from './measure.ts';

export const distance: Predicate<ConditionOf<'distance'>> = {
	test: ({ from, to, op, value }, { world }) => {
		const origin = isAlive(world, from) ? positionOf(new LiveEntityReader(world, from)) : undefined;
		return (entity) => {
			const position = positionOf(entity);
			if (origin === undefined || position === undefined) return false;
			if (to == null ? entity.id === from : entity.id !== to) return false;
			const [dx, dy, dz] = [position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]];
			return isSatisfied(Math.sqrt(dx * dx + dy * dy + dz * dz), op, value);
		};
	},
	guaranteedComponents: () => [LocalTransform],
	requiredComponents: () => [LocalTransform],
	warn: (world, { from, to }) => [
		...warnIfMissing(world, 'from', from),
		...(to == null ? [] : warnIfMissing(world, 'to', to)),
	],
};

const warnIfMissing = (world: World, field: string, id: number): string[] =>
	isAlive(world, id) ? [] : [`.${field}: there is currently no entity ${id}`];
