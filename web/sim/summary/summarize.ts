/** Summary of a world in numbers: teams, roles and match. Owns: the rules of counting. */

import { Dead } from '../../../shared/components/dead.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { count, each, has, read, type World } from '../core/world.ts';
import { elapsedSeconds, matchState } from '../match/match.ts';

export interface WorldSummary {
	readonly teams: readonly {
		readonly team: number;
		readonly entity_count: number;
		readonly heroes_alive: number;
		readonly towers_alive: number;
		/** Sum of the scores of its members, including despawned ones. */
		readonly score: number;
	}[];
	readonly entity_counts_by_role: Readonly<Partial<Record<(typeof ROLES)[number], number>>>;
	/** Phase of the match, or `none`. */
	readonly game_phase: string;
	/** Time of the match (s); 0 without a match. */
	readonly match_time: number;
	readonly total_dead: number;
}

/** Returns the phase of the match; null without a match. */
export function phaseOf(world: World): string | null {
	return matchState(world)?.phase ?? null;
}

/** Returns the summary of a world. Teams are in ascending order. */
export function summarize(world: World): WorldSummary {
	const match = matchState(world);
	const heroes = new Map<number, number>();
	const towers = new Map<number, number>();
	const members = new Map<number, number>();
	const scores = new Map<number, number>();
	const addTo = (map: Map<number, number>, key: number, amount = 1) =>
		map.set(key, (map.get(key) ?? 0) + amount);
	const team = read(world, Team, 'team');
	const role = read(world, Role, 'role');
	const roleAt = (id: number) => (has(world, id, Role) ? ROLES[role[id]!] : undefined);
	each(world, [Team], (id) => {
		addTo(members, team[id]!);
		if (has(world, id, Dead)) return;
		if (roleAt(id) === 'Hero') addTo(heroes, team[id]!);
		if (roleAt(id) === 'Tower') addTo(towers, team[id]!);
	});
	for (const { team: scoringTeam, points } of match?.scores ?? [])
		if (scoringTeam !== null) addTo(scores, scoringTeam, points);
	const roles: Partial<Record<(typeof ROLES)[number], number>> = {};
	each(world, [Role], (id) => {
		const name = ROLES[role[id]!]!;
		roles[name] = (roles[name] ?? 0) + 1;
	});
	return {
		teams: [...new Set([...members.keys(), ...scores.keys()])]
			.sort((a, b) => a - b)
			.map((number) => ({
				team: number,
				entity_count: members.get(number) ?? 0,
				heroes_alive: heroes.get(number) ?? 0,
				towers_alive: towers.get(number) ?? 0,
				score: scores.get(number) ?? 0,
			})),
		entity_counts_by_role: roles,
		game_phase: phaseOf(world) ?? 'none',
		match_time: match === null ? 0 : elapsedSeconds(world, match),
		total_dead: count(world, Dead),
	};
}
