/** The condition `distance`. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { isAlive } from '../../core/entities.ts';
import type { World } from '../../core/world.ts';
import { compare } from './compare.ts';
import type { Predicate } from './condition.ts';
import { LiveWho } from './live-who.ts';
import { placeOf } from './measure.ts';

export const distance: Predicate<ConditionOf<'distance'>> = {
	test: ({ from, to, op, value }, { world }) => {
		const origin = isAlive(world, from) ? placeOf(new LiveWho(world, from)) : undefined;
		return (who) => {
			const place = placeOf(who);
			if (origin === undefined || place === undefined) return false;
			if (to == null ? who.id === from : who.id !== to) return false;
			const [dx, dy, dz] = [place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]];
			return compare(Math.sqrt(dx * dx + dy * dy + dz * dz), op, value);
		};
	},
	carries: () => [LocalTransform],
	warn: (world, { from, to }) => [
		...absent(world, 'from', from),
		...(to == null ? [] : absent(world, 'to', to)),
	],
};

const absent = (world: World, field: string, id: number): string[] =>
	isAlive(world, id) ? [] : [`.${field}: there is no entity ${id} now`];
