/** Direction in which a fighter walks while it has no target. */

import { component, listOf, vector3 } from '../contract/component.ts';
import { optional, vec3 } from '../contract/values.ts';
import { Building } from './building.ts';
import { Combat } from './combat.ts';
import { Team } from './team.ts';

type Direction = readonly [number, number, number];

/** Returns the default march direction of a team; null without a team. */
function defaultMarch(team: unknown): Direction | null {
	return typeof team === 'number' ? [team === 1 ? 1 : -1, 0, 0] : null;
}

/** Returns the unit vector of a direction along the ground; null for a direction without length. */
function groundDirection([x, , z]: Direction): Direction | null {
	const length = Math.sqrt(x * x + z * z);
	return length < 1e-6 ? null : [x / length, 0, z / length];
}

export const March = component({
	name: 'march',
	title: 'MarchDirection',
	scope: 'state',
	summary: 'Direction in which a fighter walks while it has no target',
	fields: { direction: vector3('Direction, of length 1', 'unit vector', [1, 0, 0]) },
	spawn: {
		fields: {
			march: optional(
				vec3(
					'Direction in which a fighter walks while it has no target: on the ground, of any length; [0, 0, 0]: it stays. Left out: team 1 walks along +x, other teams along -x',
					{ unit: 'direction' },
				),
			),
		},
		otherFields: ['combat'],
		row: ({ march, combat, team }) => {
			if (combat !== true) return null;
			const direction = march == null ? defaultMarch(team) : groundDirection(march);
			return direction === null ? null : { direction };
		},
		describe: (row, rowOf) => {
			if (rowOf(Combat) === undefined || rowOf(Building) !== undefined) return {};
			const defaultDirection = defaultMarch(rowOf(Team)?.team);
			const isSame =
				row === undefined
					? defaultDirection === null
					: defaultDirection?.every((part, i) => part === row.direction[i]);
			const direction: Direction = row?.direction ?? [0, 0, 0];
			return isSame === true ? {} : { march: listOf(direction) };
		},
	},
});
