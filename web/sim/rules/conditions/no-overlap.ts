/** The condition `no_overlap`. It finds close pairs with a grid whose cells are as wide as the distance. */

import { type ConditionOf, writeCondition } from '../../../../shared/verbs/conditions/index.ts';
import { createFinding, createVacuousFinding, type Statement } from './condition.ts';
import { positionOf } from './measure.ts';

export const noOverlap: Statement<ConditionOf<'no_overlap'>> = {
	find: ({ filter, min_distance }, scope) => {
		const cells = new Map<string, { readonly id: number; readonly position: readonly number[] }[]>();
		const width = Math.max(min_distance, 1e-3);
		const cellOf = (coordinate: number) => Math.floor(coordinate / width);
		for (const id of scope.members(filter as object)) {
			const position = positionOf(scope.entity(id));
			if (position === undefined) continue;
			const [x, y, z] = [cellOf(position[0]), cellOf(position[1]), cellOf(position[2])];
			for (let i = x - 1; i <= x + 1; i++)
				for (let j = y - 1; j <= y + 1; j++)
					for (let k = z - 1; k <= z + 1; k++)
						for (const other of cells.get(`${i},${j},${k}`) ?? []) {
							const [dx, dy, dz] = position.map((part, axis) => part - other.position[axis]!);
							const distance = Math.sqrt(dx! * dx! + dy! * dy! + dz! * dz!);
							if (distance < min_distance)
								return createFinding(
									false,
									`E${other.id} and E${id} are ${distance.toFixed(3)} m apart, expected at least ${min_distance}.`,
								);
						}
			const ownCell = cells.get(`${x},${y},${z}`);
			if (ownCell === undefined) cells.set(`${x},${y},${z}`, [{ id, position }]);
			else ownCell.push({ id, position });
		}
		return cells.size === 0
			? createVacuousFinding(`No entity with a position matches ${writeCondition(filter as object)}.`)
			: createFinding(true, `All are at least ${min_distance} m apart.`);
	},
};
