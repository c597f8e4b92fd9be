/** The condition `all_teams_have_spawn_points`. */

import { SpawnPoint } from '../../../../shared/components/spawn-point.ts';
import { Team } from '../../../../shared/components/team.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { each, read } from '../../core/world.ts';
import { found, type Statement } from './condition.ts';

export const allTeamsHaveSpawnPoints: Statement<ConditionOf<'all_teams_have_spawn_points'>> = {
	find: (_, { world }) => {
		const teams = new Set<number>();
		const served = new Set<number>();
		const team = read(world, Team, 'team');
		const point = read(world, SpawnPoint, 'team');
		each(world, [Team], (id) => teams.add(team[id]!));
		each(world, [SpawnPoint], (id) => served.add(point[id]!));
		const without = [...teams].filter((number) => !served.has(number)).sort((a, b) => a - b);
		return without.length === 0
			? found(true, `All ${teams.size} teams have a spawn point.`)
			: found(false, `Teams without a spawn point: ${without.join(', ')}.`);
	},
};
