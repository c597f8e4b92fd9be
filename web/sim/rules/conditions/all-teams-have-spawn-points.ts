/** The condition `all_teams_have_spawn_points`. */

import { SpawnPoint } from '../../../../shared/components/spawn-point.ts';
import { Team } from '../../../../shared/components/team.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { each, read } from '../../core/world.ts';
import { createFinding, type Statement } from './condition.ts';

export const allTeamsHaveSpawnPoints: Statement<ConditionOf<'all_teams_have_spawn_points'>> = {
	find: (_, { world }) => {
		const teams = new Set<number>();
		const teamsWithPoint = new Set<number>();
		const entityTeams = read(world, Team, 'team');
		const pointTeams = read(world, SpawnPoint, 'team');
		each(world, [Team], (id) => teams.add(entityTeams[id]!));
		each(world, [SpawnPoint], (id) => teamsWithPoint.add(pointTeams[id]!));
		const teamsWithoutPoint = [...teams].filter((team) => !teamsWithPoint.has(team)).sort((a, b) => a - b);
		return teamsWithoutPoint.length === 0
			? createFinding(true, `All ${teams.size} teams have a spawn point.`)
			: createFinding(false, `Teams without a spawn point: ${teamsWithoutPoint.join(', ')}.`);
	},
};
