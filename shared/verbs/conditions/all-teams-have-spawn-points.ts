/** The condition `all_teams_have_spawn_points`: every team has a place to respawn at. */

import { ABOUT_WORLD, typeCondition } from './condition.ts';

export const allTeamsHaveSpawnPoints = typeCondition({
	name: 'all_teams_have_spawn_points',
	fields: () => ({}),
	doc: 'While every team with a member has a spawn point. `this` is unset',
	about: ABOUT_WORLD,
	blank: { words: ['spawns', 'all-teams-have-spawns'], form: 'spawns' },
	write: () => 'spawns',
	say: () => 'every team has a spawn point',
	reads: ['entities', 'team', 'spawn_point'],
});
